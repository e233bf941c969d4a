"""What a person wants of a conflict, as the value that it comes to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gitinstinct.errors import Found
from gitinstinct.instinct.merge import FILE
from gitinstinct.instinct.merge.settle import ABSENT, PRESENT
from gitinstinct.resolve.dispute import Dispute

OURS, THEIRS, NEWEST = "ours", "theirs", "newest"


@dataclass(frozen=True, slots=True)
class Wish:
    """What was said: a side, or the number of a value (from 1); and for which field, if not for all."""

    side: str = ""
    number: int | None = None
    field: str | None = None

    @property
    def says_nothing(self) -> bool:
        """Whether only to look is wanted."""
        return not self.side and self.number is None


@dataclass(frozen=True, slots=True)
class Choice:
    """A conflict and the value that settles it; `label` is what people call that."""

    dispute: Dispute
    value: str
    label: str

    @property
    def removes(self) -> bool:
        """Whether the file goes."""
        return self.dispute.field == FILE and self.value == ABSENT


def called(field: str) -> str:
    """What people call a field; text between title and first heading has no name of its own."""
    return field or "introduction"


def meant(disputes: Sequence[Dispute], field: str | None) -> list[Dispute]:
    """Those conflicts that a person speaks of. A section may be named without its signs."""
    if field is None:
        return list(disputes)
    exact = [one for one in disputes if field in (one.field, called(one.field))]
    plain = field.lower().lstrip("# ")
    return exact or [one for one in disputes if called(one.field).lower().lstrip("# ") == plain]


def choose(dispute: Dispute, wish: Wish) -> Choice:
    """The value that a wish comes to.

    Raises:
        Found: history does not tell, or there is no such value.
    """
    value, label = _value(dispute, wish)
    if dispute.field == FILE and value not in (ABSENT, PRESENT):
        hint = f"`present` keeps what stands there; gitinstinct edit {dispute.name} changes it"
        raise Found(f"{dispute.name}: that file is {value} and cannot be taken", hint)
    return Choice(dispute, value, label)


def _value(dispute: Dispute, wish: Wish) -> tuple[str, str]:
    if wish.number is not None:
        if not 1 <= wish.number <= len(dispute.values):
            numbers = f"1 to {len(dispute.values)}"
            raise Found(f"{_named(dispute)} has no value {wish.number}", f"its values are {numbers}")
        return dispute.values[wish.number - 1], f"value {wish.number}"
    if wish.side == NEWEST:
        if dispute.newest is None:
            raise Found(f"{_named(dispute)}: history does not tell which value is the newest", _by_number(dispute))
        return dispute.newest, NEWEST
    voice = dispute.ours if wish.side == OURS else dispute.theirs
    if voice is None:
        raise Found(f"{_named(dispute)}: history does not tell which value is {wish.side}", _by_number(dispute))
    return voice.value, wish.side


def _named(dispute: Dispute) -> str:
    return f"{called(dispute.field)} of {dispute.name}"


def _by_number(dispute: Dispute) -> str:
    return f"pick by number: gitinstinct resolve {dispute.name} --field {_quoted(dispute.field)} --value N"


def _quoted(field: str) -> str:
    name = called(field)
    return name if name.isalnum() else f"'{name}'"


def choose_all(disputes: Sequence[Dispute], wish: Wish) -> tuple[list[Choice], list[Found]]:
    """What a wish comes to for several conflicts, and why it comes to nothing for some."""
    choices: list[Choice] = []
    left: list[Found] = []
    for dispute in disputes:
        try:
            choices.append(choose(dispute, wish))
        except Found as reason:
            left.append(reason)
    return choices, left


def taken(choices: Sequence[Choice]) -> Iterator[str]:
    """What was chosen, in a few words each."""
    for choice in choices:
        what = "the file goes" if choice.removes else f"{called(choice.dispute.field)} settled"
        yield f"{what} ({choice.label})"
