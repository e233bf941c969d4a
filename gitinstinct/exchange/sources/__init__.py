"""Where instincts come from: a file, a folder, an archive, a bundle, a repository, a web address, standard input.

A source is read whole and into memory, within limits, before anything is made of it. Nothing of it is run, unpacked
onto the disk, or followed to another place.
"""

from __future__ import annotations

from gitinstinct.errors import Found, UsageError
from gitinstinct.exchange import readers
from gitinstinct.exchange.sources import disk, repository, web
from gitinstinct.exchange.sources.source import STDIN, Source, file_name


def gather(text: str, stdin: bytes | None = None) -> Source:
    """Reads what a person named.

    Args:
        text: a path, an address, or `-`.
        stdin: what stands on standard input, where `text` is `-`.

    Raises:
        UsageError: it can be none of these.
        Found: it is not there, holds nothing to read, or may not be read.
        EnvironmentFault: the disk, the network or git is not as it must be.
    """
    if text == "-":
        return disk.of_bytes(STDIN, "", stdin or b"")
    if web.is_address(text) and not text.partition("#")[0].endswith(".git"):
        return _from_web(text)
    if disk.exists(text):
        return disk.gather(text)
    if repository.is_address(text):
        return repository.gather(text)
    raise UsageError(f"{text} is neither a file or folder nor an address", "see gitinstinct import --help")


def _from_web(text: str) -> Source:
    """A page where a file was expected may be the front of a repository."""
    address, _, branch = text.partition("#")
    if branch:
        return repository.gather(text)
    try:
        got = web.get(address)
    except Found as nothing:
        return repository.gather(address, instead=nothing)
    if web.is_page(got.data):
        page = Found(f"{got.address} is {readers.HTML}", "give the address of the file itself, or of a repository")
        return repository.gather(address, instead=page)
    return disk.of_bytes(got.name, file_name(got.address), got.data)
