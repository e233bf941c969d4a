"""Names that never change: the ids of instincts and all the short hashes.

An id is made once, from the words, and is the file's name for the instinct's whole life. Two texts that would get the
same id are told apart by a hash of the words, never by a counter: two clones that learn the same thing apart must
arrive at the same id.
"""

from __future__ import annotations

import re
import unicodedata

ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
ID_LENGTH = 64
FOLDER = "instincts/"
_SUFFIX = ".md"
_SLUG_LENGTH = 56  # leaves room for "-" and six hex digits


def short_hash(*fields: str, digits: int = 8) -> str:
    """The first hex digits of SHA-256 over the UTF-8 fields joined by NUL: the one way to make a short hash."""
    import hashlib  # a tenth of the merge driver's start, which has no use for it

    joined = "\0".join(fields).encode("utf-8", "surrogatepass")
    return hashlib.sha256(joined).hexdigest()[:digits]


def is_id(text: str) -> bool:
    """Whether the text is an instinct's id."""
    return len(text) <= ID_LENGTH and ID.fullmatch(text) is not None


def path_of(name: str) -> str:
    """Where the instinct of that id lies in a store."""
    return f"{FOLDER}{name}{_SUFFIX}"


def of_path(path: str) -> str | None:
    """The id of the instinct that may lie at this path of a store; None if none may."""
    name = path.removeprefix(FOLDER).removesuffix(_SUFFIX)
    return name if is_id(name) and path == path_of(name) else None


def slug(text: str) -> str:
    """The text as lower-case ASCII words joined by hyphens, cut at a word's end; empty if nothing is left."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    words = re.findall(r"[a-z0-9]+", plain)
    made = ""
    for word in words:
        longer = f"{made}-{word}" if made else word[:_SLUG_LENGTH]
        if len(longer) > _SLUG_LENGTH:
            break
        made = longer
    return made


def instinct_id(name: str, *, trigger: str, action: str, domain: str) -> str:
    """The id for a new instinct: the slug of its short name, else of its action, else `<domain>-<8 hex>`."""
    return slug(name) or slug(action) or f"{slug(domain) or 'instinct'}-{short_hash(trigger, action)}"


def apart(taken: str, *, trigger: str, action: str) -> str:
    """The id to use when `taken` belongs to another text."""
    return f"{taken[:_SLUG_LENGTH].rstrip('-')}-{short_hash(trigger, action, digits=6)}"
