"""What a reader makes of a foreign file: documents, and what could not be made into one."""

from __future__ import annotations

from dataclasses import dataclass, field

from gitinstinct.instinct.errors import Invalid


@dataclass(frozen=True, slots=True)
class File:
    """A file of a source: its path there, and its bytes."""

    path: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Draft:
    """One instinct as it was found: frontmatter and body, still in foreign words.

    Attributes:
        file: the file that it was found in.
        label: how a message calls it: the id as it is written, else its place in the file.
        data: the document.
        stem: the file's name without suffix, where the file holds nothing else; it stands for a missing id.
        line: the line of the file that it begins in, from 1; None where its lines are not the file's.
    """

    file: str
    label: str
    data: bytes
    stem: str = ""
    line: int | None = None

    def told(self, error: Invalid) -> str:
        """A fault of the document with its line in the file."""
        if error.line is None or self.line is None:
            return error.reason
        return f"line {self.line + error.line - 1}: {error.reason}"


@dataclass(frozen=True, slots=True)
class Refused:
    """What was not taken, and why: one sentence without a full stop. `item` is empty for a whole file.

    `id` is the instinct's, where it is known: what stands at its source and cannot be read is not gone.
    """

    file: str
    item: str
    reason: str
    id: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a file holds. `nothing` says why it holds no instinct at all; empty if it does."""

    drafts: tuple[Draft, ...] = ()
    refused: tuple[Refused, ...] = field(default=())
    nothing: str = ""
