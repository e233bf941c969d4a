"""What a person or a workflow means by a range, and the commits that it stands for.

`A..B`: B takes A's place. `A...B`: B is merged into A, so what counts is what B did since the two parted. A single
revision means its tree alone. Both sides must be named: to git a missing one is HEAD, and a variable that a workflow
left empty would make a range in which nothing can be wrong.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from gitinstinct.errors import UsageError
from gitinstinct.git.clone import Clone
from gitinstinct.git.repo import Repo, merge_bases

_DOTS = re.compile(r"(\.{2,})")
_ID = re.compile(r"\b[0-9a-f]{40,64}\b")


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked for: two revisions, or one. `old` is None for a tree alone; `merged` for three dots."""

    text: str
    old: str | None
    new: str
    merged: bool = False

    @property
    def sides(self) -> tuple[str, ...]:
        """The revisions that it names."""
        return (self.new,) if self.old is None else (self.old, self.new)

    @property
    def title(self) -> str:
        """The same for people: ids of commits as short as they are elsewhere."""
        return _short(self.text)

    @property
    def meaning(self) -> str:
        """The same in words."""
        old, new = _short(self.old or ""), _short(self.new)
        if self.old is None:
            return f"the tree of {new}"
        return f"what {new} did since it parted from {old}" if self.merged else f"what {new} does to {old}"


def _short(text: str) -> str:
    return _ID.sub(lambda found: found[0][:10], text)


def is_range(text: str) -> bool:
    """Whether a word has the form of a range, and of no folder above."""
    return ".." in text and not text.startswith(("../", "./")) and text != ".."


def read(text: str) -> Asked:
    """Reads a range or a revision.

    Raises:
        UsageError: it has more or less than two sides, or dots of another number.
    """
    parts = _DOTS.split(text)
    if len(parts) == 1:
        return Asked(text, None, text)
    if len(parts) != 3 or len(parts[1]) > 3 or not parts[0] or not parts[2]:
        raise UsageError(f"{text} is no range", "write A..B, A...B or a revision, with both sides")
    return Asked(text, parts[0], parts[2], merged=parts[1] == "...")


@dataclass(frozen=True, slots=True)
class Span:
    """A range, resolved.

    Attributes:
        asked: what it was called.
        repo: where the commits are.
        new: the newer commit.
        old: the older one; None for a tree alone.
        bases: what the newer one is compared with: where the two parted for three dots, else the older one.
    """

    asked: Asked
    repo: Repo
    new: str
    old: str | None = None
    bases: tuple[str, ...] = ()

    @property
    def revision(self) -> str:
        """The commits of the range, as git's log takes them."""
        return f"{self.old}..{self.new}"


def missing(clone: Clone, asked: Asked) -> tuple[str, ...]:
    """Its sides that name nothing in a clone."""
    return tuple(side for side in asked.sides if clone.resolve(side) is None)


def resolve(clone: Clone, asked: Asked) -> Span | None:
    """The range in a clone; None if one of its sides names nothing there."""
    old, new = clone.resolve(asked.old) if asked.old else None, clone.resolve(asked.new)
    if new is None or (asked.old and old is None):
        return None
    if old is None:
        return Span(asked, clone.repo, new)
    bases = tuple(merge_bases(clone.repo, old, new))
    return Span(asked, clone.repo, new, old, bases if asked.merged or not bases else (old,))
