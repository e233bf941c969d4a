"""A person's choices as a change of files: the chosen texts go in, the conflicts go.

Settled in one clone, a conflict goes in the others with the next merge: the file says it all, and the merge knows that
a side which has decided wins over one which has not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from gitinstinct.errors import Found
from gitinstinct.git.trailers import Message
from gitinstinct.instinct import ids, markdown
from gitinstinct.instinct.confidence import Fold
from gitinstinct.instinct.errors import Invalid
from gitinstinct.instinct.merge import settle
from gitinstinct.resolve import choosing, consent, dispute
from gitinstinct.resolve.cases import Case
from gitinstinct.resolve.choosing import Choice
from gitinstinct.resolve.dispute import Dispute
from gitinstinct.teach import account, editing
from gitinstinct.teach.commands import Command
from gitinstinct.teach.desk import Desk
from gitinstinct.teach.editing import Draft, Rejected
from gitinstinct.teach.lesson import Lesson, Taught, message
from gitinstinct.teach.replay import Merge
from gitinstinct.trust import book

VERB, SETTLED = "resolve", "Settled"
_REMADE = "merged anew from its two sides"
_MARK = "#| "  # a line of ours in the copy that is given to an editor


@dataclass(frozen=True, slots=True)
class Decision:
    """A case and what was chosen in it."""

    case: Case
    choices: tuple[Choice, ...] = ()


def applied(data: bytes | None, choices: Sequence[Choice]) -> bytes | None:
    """The file with these choices made; None if it goes.

    Raises:
        Found: a text cannot stand there.
    """
    for choice in choices:
        if data is None or choice.removes:
            return None
        try:
            data = settle.settle(data, choice.dispute.field, choice.value)
            markdown.check(data, choice.dispute.name)
        except Invalid as error:
            name = choice.dispute.name
            raise Found(
                f"{name} cannot be settled so: {error}", f"choose otherwise, or: gitinstinct edit {name}"
            ) from error
    return data


def carry_out(command: Command, desk: Desk, decisions: Sequence[Decision]) -> Lesson:
    """Makes the choices in the store as it stands.

    Args:
        command: the person's command.
        desk: the store.
        decisions: what to settle; what was settled meanwhile otherwise is left, and said.

    Raises:
        Found: a text cannot stand where it shall.
    """
    files: dict[str, bytes | None] = {}
    taught, notes, made, spoken = [], list[str](), list[Choice](), list[str]()
    newest, approved = desk.read(decision.case.path for decision in decisions), book.approved()
    for decision in decisions:
        case, present = decision.case, newest.get(decision.case.path)
        choices = list(_still_open(decision, present))
        if (case.is_remade and present != case.present) or len(choices) < len(decision.choices):
            notes.append(f"{case.name} was changed meanwhile: look again with gitinstinct resolve {case.name}")
            continue
        data = applied(case.data if case.is_remade else present, choices)
        if data == present:
            continue
        files[case.path] = data
        taught.append(_taught(command, desk, case, choices, present, data))
        made += choices
        spoken += [case.name] if data is not None and consent.covers(data, choices, approved) else []
    told = _message(taught, command.why, [(one.dispute, one.label) for one in made])
    return Lesson(tuple(taught), files, told, tuple(notes), tuple(spoken))


def _message(taught: Sequence[Taught], why: str, settled: Sequence[tuple[Dispute, str]]) -> Message:
    trailers = [(SETTLED, f"{one.name} {choosing.called(one.field)} {label}") for one, label in settled]
    subject = f"{VERB}: {len(taught)} instincts"
    if len(taught) == 1:
        fields = ", ".join(choosing.called(one.field) for one, _ in settled)
        subject = ": ".join(filter(None, (VERB, taught[0].id, fields)))
    return replace(message(VERB, taught, why, trailers), subject=subject)


def _still_open(decision: Decision, present: bytes | None) -> Iterator[Choice]:
    """The choices between values that are still the ones in conflict."""
    if decision.case.is_remade:
        yield from decision.choices
    elif present is not None:
        known = dispute.open_in(present)
        yield from (one for one in decision.choices if known.get(one.dispute.field) == one.dispute.values)


def _taught(
    command: Command, desk: Desk, case: Case, choices: Sequence[Choice], present: bytes | None, data: bytes | None
) -> Taught:
    before, after = (_worth(command, desk, case.name, one) for one in (present, data))
    did = [_REMADE] if case.is_remade else []
    reason = account.joined(*did, *choosing.taken(choices), _follows(data))
    verb = "removed" if data is None else "resolved" if choices else "merged"
    return Taught(case.name, verb, before, after, reason)


def _worth(command: Command, desk: Desk, name: str, data: bytes | None) -> Fold | None:
    try:
        return markdown.parse(data).fold(command.day, desk.as_written(name)) if data is not None else None
    except Invalid:
        return None


def _follows(data: bytes | None) -> str:
    """What is left to do, or that nothing is."""
    if data is None:
        return ""
    left = [choosing.called(field) for field in settle.disputes(data)]
    return f"still held back, in conflict: {', '.join(left)}" if left else "it is no longer held back"


# --- by hand


def draft(data: bytes, found: Dispute) -> bytes:
    """A copy for an editor: this conflict is out of it, and what each side says stands above as comments.

    Raises:
        Found: the file cannot be taken apart so.
    """
    settled = _untouched(data, found)
    end = settled.index(b"\n") + 1
    newline = b"\r\n" if settled[:end].endswith(b"\r\n") else b"\n"
    lines = (f"{_MARK}{line}".rstrip().encode() + newline for line in _comment(found))
    return b"".join((settled[:end], *lines, settled[end:]))


def _untouched(data: bytes, found: Dispute) -> bytes:
    """The file with one conflict settled as it stands there."""
    try:
        return settle.settle(data, found.field, found.standing)
    except Invalid as error:
        raise Found(f"{found.name}: {error}", f"gitinstinct edit {found.name}") from error


def _comment(found: Dispute) -> Iterator[str]:
    yield f"Write what {choosing.called(found.field)} shall be. These lines go; without a change nothing is settled."
    names = {
        voice.value: label for label, voice in ((choosing.OURS, found.ours), (choosing.THEIRS, found.theirs)) if voice
    }
    told = [("base", found.base)] if found.base is not None else []
    told += [(names.get(value, f"value {number}"), value) for number, value in enumerate(found.values, 1)]
    for label, value in told:
        yield f"{label}:"
        yield from (f"  {line}" for line in (value or "(nothing)").splitlines())


def undrafted(text: bytes) -> bytes:
    """What a person made of a draft, without our comments."""
    head, fence, rest = text.partition(b"\n---")
    kept = [line for line in head.split(b"\n") if not line.startswith(_MARK.rstrip().encode())]
    return b"\n".join(kept) + fence + rest


def by_hand(
    command: Command, desk: Desk, data: bytes, found: Dispute, text: bytes,
    vet: Callable[[str, bytes], str | None], merge: Merge,
) -> Lesson:  # fmt: skip
    """Settles one conflict with a text of the person's own, which is judged as `edit` judges.

    Args:
        command: the person's command.
        desk: the store as it stands.
        data: the file that they were given.
        found: what they settle.
        text: what they made of the draft.
        vet: why a file may not be committed, or None.
        merge: git's merge of texts.

    Raises:
        Rejected: the text does not count as it is.
    """
    own = undrafted(text)
    lesson = editing.edit(command, desk, Draft(found.name, data, own), vet, merge)
    path = ids.path_of(found.name)
    made = lesson.files.get(path)
    if made is None:
        return lesson
    if found.field in settle.disputes(made):
        raise Rejected(f"{found.name} still has {choosing.called(found.field)} in conflicts")
    what = f"{choosing.called(found.field)} settled (by hand)"
    taught = [replace(one, verb="resolved", reason=account.joined(what, _follows(made))) for one in lesson.taught]
    told = _message(taught, command.why, [(found, "by hand")])
    return replace(lesson, taught=tuple(taught), message=told)


def is_unchanged(data: bytes, found: Dispute, text: bytes) -> bool:
    """Whether a person left the draft as it was, or emptied it: nothing is settled then."""
    own = undrafted(text)
    return not own.strip() or own == _untouched(data, found)
