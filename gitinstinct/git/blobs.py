"""Contents of files: many blobs at once, the id of one, and git's merge of three texts.

Ten thousand instincts are one process here. Sizes are not asked first, because that costs more than the reading; only
where more comes than one answer may hold, the sizes tell which blob must not be read.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from gitinstinct.git import run
from gitinstinct.git.repo import Repo

_AT_ONCE = 256 * 1024 * 1024  # bytes of one `cat-file --batch`


def blob_id(data: bytes, like: str) -> str:
    """The id that git gives to a blob of these bytes, in the hash function of the id `like`."""
    function = hashlib.sha256 if len(like) == 64 else hashlib.sha1
    return function(b"blob %d\0" % len(data) + data).hexdigest()


def merge_text(repo: Repo, ours: bytes, base: bytes, theirs: bytes) -> bytes | None:
    """Git's line-wise merge of three texts; None where both sides changed the same lines."""
    with tempfile.TemporaryDirectory(prefix="gitinstinct-") as folder:
        files = [Path(folder) / name for name in ("ours", "base", "theirs")]
        for file, content in zip(files, (ours, base, theirs), strict=True):
            file.write_bytes(content)
        result = repo.run("merge-file", "--stdout", "--quiet", *map(str, files), expect=range(256))
    return result.out if result.code == 0 else None


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Stands where a blob should be: why there is none."""

    reason: str


def blobs(repo: Repo, names: Sequence[str], cap: int) -> dict[str, bytes | Unreadable]:
    """The contents of many blobs by one `cat-file --batch`.

    Args:
        names: object ids, or `<revision>:<path>`.
        cap: blobs of more bytes are not returned.

    Returns:
        Each name's bytes, or why there are none: missing, damaged, no blob, too large.
    """
    wanted = list(dict.fromkeys(names))
    try:
        return _batch(repo, wanted, cap)
    except run.Overflow:
        return _sparing_batch(repo, wanted, cap)


def _batch(repo: Repo, names: Sequence[str], cap: int) -> dict[str, bytes | Unreadable]:
    """Git stops at an object whose header is sound and whose content is not: name it, and go on behind it."""
    found: dict[str, bytes | Unreadable] = {}
    rest = names
    while rest:
        out = _cat(repo, "--batch", rest, most=_AT_ONCE)
        for name, content in zip(rest, _contents(out, cap), strict=False):
            found[name] = content
        done = sum(name in found for name in rest)
        if done < len(rest):
            found[rest[done]] = Unreadable("the object is damaged")
        rest = rest[done + 1 :]
    return found


def _cat(repo: Repo, mode: str, names: Sequence[str], most: int) -> bytes:
    stdin = "".join(name + "\n" for name in names).encode("utf-8", "surrogateescape")
    # Without `--buffer` git writes object by object, and a pipe of small pieces takes longer than the reading.
    result = repo.run("cat-file", "--buffer", mode, stdin=stdin, expect=(0, 128), most=most)
    if result.code and not result.out:  # not an object but the repository is at fault
        raise run.GitError(["cat-file", mode], result.code, result.err.decode("utf-8", "replace"))
    return result.out


def _contents(out: bytes, cap: int) -> Iterator[bytes | Unreadable]:
    """Cuts the output of `cat-file --batch`; ends early where it is cut off."""
    at = 0
    while (end := out.find(b"\n", at)) >= 0:
        header, at = out[at:end].split(b" "), end + 1
        if not header[-1].isdigit():
            yield Unreadable("the object is missing or damaged")
            continue
        size = int(header[-1])
        if at + size >= len(out):
            return
        yield _judged(header[-2], out[at : at + size], cap)
        at += size + 1


def _judged(kind: bytes, content: bytes, cap: int) -> bytes | Unreadable:
    if kind != b"blob":
        return Unreadable(f"it is a {kind.decode()}, not a file")
    return content if len(content) <= cap else _too_large(len(content), cap)


def _too_large(size: int, cap: int) -> Unreadable:
    return Unreadable(f"{size:,} bytes; {cap:,} is the most for one file")


def _sparing_batch(repo: Repo, names: Sequence[str], cap: int) -> dict[str, bytes | Unreadable]:
    """Sizes first: somewhere among them is a blob that must not be read."""
    sizes = _cat(repo, "--batch-check", names, most=_AT_ONCE).splitlines()
    small: list[str] = []
    found: dict[str, bytes | Unreadable] = {}
    for name, line in zip(names, sizes, strict=True):
        size = line.rsplit(b" ", 1)[-1]
        if size.isdigit() and int(size) > cap:
            found[name] = _too_large(int(size), cap)
        else:
            small.append(name)
    for some in _slices(small, max(1, _AT_ONCE // (cap + 200))):
        found |= _batch(repo, some, cap)
    return found


def _slices(items: Sequence[str], size: int) -> Iterable[Sequence[str]]:
    return (items[start : start + size] for start in range(0, len(items), size))
