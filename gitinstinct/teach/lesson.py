"""What a command comes to: the files to write, what happened to each instinct, and the commit's message."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from gitinstinct.git.trailers import Message
from gitinstinct.instinct.confidence import Fold

_ID_CELLS = 24


@dataclass(frozen=True, slots=True)
class Taught:
    """One instinct of a command.

    Attributes:
        id: which.
        verb: what happened to it, as the trailer says: new, confirmed, set …
        before: what it was worth on that day; None if it was not there.
        after: what it is worth now; None if it is gone.
        reason: why, and what follows from it, in a few words.
    """

    id: str
    verb: str
    before: Fold | None
    after: Fold | None
    reason: str

    @property
    def change(self) -> str:
        """`0.60 -> 0.65`, or `0.85` where it did not move or was not there, or `gone`."""
        if self.after is None:
            return "gone"
        values = [f"{fold.confidence / 100:.2f}" for fold in (self.before, self.after) if fold]
        return " -> ".join(dict.fromkeys(values))


@dataclass(frozen=True, slots=True)
class Lesson:
    """The outcome of a command on one state of the store.

    Attributes:
        taught: what happened, also to instincts that did not change.
        files: path to new content, None for a file that goes. Empty if there is nothing to write.
        message: of the commit.
        notes: what the person should know, a sentence each.
        spoken: ids whose words are now the person's own, or chosen by them: no review asks for these again.
    """

    taught: tuple[Taught, ...]
    files: Mapping[str, bytes | None]
    message: Message
    notes: tuple[str, ...] = field(default=())
    spoken: tuple[str, ...] = field(default=())


def message(verb: str, taught: Sequence[Taught], why: str, trailers: Sequence[tuple[str, str]] = ()) -> Message:
    """The commit message of a command: its reason, one line an instinct, and trailers to read back."""
    one = taught[0] if len(taught) == 1 else None
    subject = f"{one.id} {one.change}" if one else f"{len(taught)} instincts"
    lines = "\n".join(f"{told.verb:<13}{told.id:<{_ID_CELLS}}  {told.change}" for told in taught)
    told_trailers = [("Instinct", f"{told.id} {told.verb} {told.change}") for told in taught]
    return Message(f"{verb}: {subject}", [why, lines], [*told_trailers, *trailers])
