"""Archives, read in memory: tar, tar.gz, zip. Nothing is unpacked onto the disk.

A few kilobytes can unfold without end, and a name or a link can point anywhere. So what unfolds is counted as it comes,
and only plain files below the archive's own top are looked at.
"""

from __future__ import annotations

import io
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import PurePosixPath

from gitinstinct.errors import Found
from gitinstinct.exchange import readers
from gitinstinct.exchange.draft import File, Refused
from gitinstinct.exchange.sources.source import MOST_BYTES, MOST_FILES

_GZIP, _ZIP = b"\x1f\x8b", b"PK\x03\x04"
_OTHERS = {b"BZh": "bzip2", b"\xfd7zXZ\0": "xz", b"7z\xbc\xaf": "7z", b"Rar!": "rar", b"\x28\xb5\x2f\xfd": "zstd"}
_HINT = "pack it as tar.gz or zip, or name the folder"
_FAULTS = (tarfile.TarError, zipfile.BadZipFile, zlib.error, EOFError, ValueError, NotImplementedError, OSError)
_CHUNK = 1024 * 1024
_SYMLINK = 0o120000


def is_archive(data: bytes) -> bool:
    """Whether the bytes are packed, in a way that we read or not."""
    return data.startswith((_GZIP, _ZIP, *_OTHERS)) or _is_tar(data)


def _is_tar(data: bytes) -> bool:
    return data[257:262] == b"ustar"


def read(data: bytes) -> tuple[tuple[File, ...], tuple[Refused, ...]]:
    """The files of an archive that may hold instincts, and what in it was not read.

    Raises:
        Found: it is damaged, too large, or of another kind.
    """
    other = next((kind for magic, kind in _OTHERS.items() if data.startswith(magic)), None)
    if other:
        raise Found(f"archives of {other} are not read", _HINT)
    files: list[File] = []
    refused: list[Refused] = []
    try:
        for found in _zip(data) if data.startswith(_ZIP) else _tar(data):
            files += [found] if isinstance(found, File) else []
            refused += [found] if isinstance(found, Refused) else []
    except _FAULTS as error:
        raise Found(f"the archive is damaged: {error}", _HINT) from error
    return tuple(files), tuple(refused)


def _tar(data: bytes) -> Iterator[File | Refused]:
    plain = _unpacked(data) if data.startswith(_GZIP) else data
    room = MOST_BYTES
    with tarfile.open(fileobj=io.BytesIO(plain), mode="r:") as archive:
        for number, member in enumerate(archive):
            _refuse_many(number)
            if member.isdir() or not _is_wanted(member.name):
                continue
            fault = _fault(member.name, member.size) or ("" if member.isreg() else "a link or a device")
            if fault:
                yield Refused(member.name, "", fault)
                continue
            held = archive.extractfile(member)
            content = held.read(readers.LENGTH) if held else b""
            room = _less(room, len(content))
            yield File(member.name, content)


def _unpacked(data: bytes) -> bytes:
    """What gzip holds, as far as it may be large; a second member is ignored, as tar's own end is."""
    machine, made = zlib.decompressobj(wbits=31), bytearray()
    rest = data
    while rest and not machine.eof:
        made += machine.decompress(rest, _CHUNK)
        rest = machine.unconsumed_tail
        if len(made) > MOST_BYTES:
            raise Found(f"the archive unfolds to more than {MOST_BYTES:,} bytes", _HINT)
    if not machine.eof:
        raise EOFError("it ends in the middle")
    return bytes(made)


def _zip(data: bytes) -> Iterator[File | Refused]:
    room = MOST_BYTES
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for number, member in enumerate(archive.infolist()):
            _refuse_many(number)
            if member.is_dir() or not _is_wanted(member.filename):
                continue
            fault = _fault(member.filename, member.file_size) or _zip_fault(member)
            if fault:
                yield Refused(member.filename, "", fault)
                continue
            with archive.open(member) as held:
                content = held.read(readers.LENGTH + 1)
            room = _less(room, len(content))
            yield File(member.filename, content)


def _zip_fault(member: zipfile.ZipInfo) -> str:
    if member.flag_bits & 0x1:
        return "it is encrypted"
    return "a symbolic link" if (member.external_attr >> 16) & 0o170000 == _SYMLINK else ""


def _is_wanted(name: str) -> bool:
    path = PurePosixPath(name)
    return path.suffix.lower() in readers.SUFFIXES and not path.name.startswith("._") and "__MACOSX" not in path.parts


def _fault(name: str, size: int) -> str:
    parts = PurePosixPath(name.replace("\\", "/")).parts
    if ".." in parts or name.startswith(("/", "\\")) or name[1:2] == ":":
        return "its name leads out of the archive"
    return f"it has {size:,} bytes; {readers.LENGTH:,} is the most" if size > readers.LENGTH else ""


def _refuse_many(number: int) -> None:
    if number >= MOST_FILES:
        raise Found(f"the archive holds more than {MOST_FILES:,} files", _HINT)


def _less(room: int, size: int) -> int:
    if size > room:
        raise Found(f"the archive unfolds to more than {MOST_BYTES:,} bytes", _HINT)
    return room - size
