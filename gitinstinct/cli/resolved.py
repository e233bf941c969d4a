"""What is in conflict and how it was settled, for people and for scripts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from gitinstinct.cli import output, view
from gitinstinct.cli.output import counted, say, value
from gitinstinct.instinct.ledger import Entry
from gitinstinct.resolve.cases import Case
from gitinstinct.resolve.choosing import NEWEST, OURS, THEIRS, called
from gitinstinct.resolve.dispute import Dispute, Voice
from gitinstinct.resolve.unfinished import Added
from gitinstinct.store.history import Logged

_LABEL = 10  # cells before what somebody said
_SHOWN = 5  # entries of one side


# --- for people


def listed(waiting: Sequence[Case], unfinished: Sequence[Case]) -> None:
    """All that waits."""
    for one in unfinished:
        _case(one, "left undecided by an unfinished merge")
    for one in waiting:
        _case(one, "holds the markers of a text merge")
    disputes = sum(len(one.disputes) for one in (*waiting, *unfinished))
    others = sum(not one.disputes for one in (*waiting, *unfinished))
    found = [counted(disputes, "conflict")] if disputes else []
    found += [f"{counted(others, 'file')} to be merged anew or mended"] if others else []
    say((" and ".join(found), "bold"))
    say("settle them: ", ("gitinstinct resolve ID --ours", "bold"), f", --{THEIRS}, --{NEWEST} or --value N")


def _case(case: Case, what: str) -> None:
    if case.is_remade or case.left:
        say((case.path, "bold"), f"  {what}")
        for line in output.flowed(case.left or "its two sides can be merged anew", 2):
            say("  ", line)
    for number, one in enumerate(case.disputes, 1):
        dispute(one, f"{number} of {len(case.disputes)}" if len(case.disputes) > 1 else "")
    output.blank()


def dispute(found: Dispute, place: str = "") -> None:
    """One conflict: what was, who says what instead, and why they should be believed."""
    say((found.name, "bold"), "  ", (called(found.field), "cyan"), *([(f"  {place}", "dim")] if place else []))
    if found.base is not None:
        _said("base", found.base)
    voices = {found.ours.value: (OURS, found.ours)} if found.ours else {}
    voices |= {found.theirs.value: (THEIRS, found.theirs)} if found.theirs else {}
    numbers = {one: number for number, one in enumerate(found.values, 1)}
    for one in voices or numbers:
        label, voice = voices.get(one, ("", None))
        _said(f"{numbers[one]} {label}", one)
        for line in _why(voice, found.written.get(one)):
            say(" " * _LABEL, (line, "dim"))
    if found.merge is not None:
        say(("since", "dim"), " " * (_LABEL - 5), (_commit(found.merge), "dim"))
    elif found.ours is None:
        say(("history does not tell which value is ours and which theirs; each has a number", "dim"))


def _said(label: str, text: str) -> None:
    lines = [line for part in (text or "(nothing)").split("\n") for line in output.flowed(part, _LABEL)]
    for index, line in enumerate(lines):
        say((output.fit(label if index == 0 else "", _LABEL), "dim"), line)


def _why(voice: Voice | None, written: Logged | None) -> Iterator[str]:
    if voice is not None and voice.confidence is not None:
        since = f"{counted(len(voice.evidence), 'line')} of evidence since the base" if voice.evidence else ""
        yield ", ".join(filter(None, [value(voice.confidence), since or "no evidence since the base"]))
        yield from (f"+ {_entry(entry)}" for entry in voice.evidence[:_SHOWN])
        if len(voice.evidence) > _SHOWN:
            yield f"  and {len(voice.evidence) - _SHOWN} more"
    if written is not None:
        yield f"written {_commit(written)}, by {written.author}"


def _entry(entry: Entry) -> str:
    return f"{entry.date} {entry.claim}: {entry.text}"


def _commit(entry: Logged) -> str:
    return f"{entry.date:%Y-%m-%d}  {entry.commit[:10]}  {entry.subject}"


def added(done: Sequence[Added], finish: str, *, rehearsed: bool = False) -> None:
    """Files that went into an unfinished merge."""
    for one in done:
        settled = "; ".join(one.settled)
        say((one.path, "bold"), "  merged anew" + (f"; {settled}" if settled else ""))
        if one.open:
            say((f"! still in conflict, as data in the file: {', '.join(map(called, one.open))}", "yellow"))
        if one.kept:
            say((f"  what lay there is kept for a while as the object {one.kept[:10]}", "dim"))
    if not done:
        return
    if rehearsed:
        say(("nothing was written: this is what it would do", "dim"))
        return
    say("It is in the index, as after `git add`. ", *([("Finish with: ", ""), (finish, "bold")] if finish else []))


# --- for scripts


def listed_json(waiting: Sequence[Case], unfinished: Sequence[Case]) -> dict[str, Any]:
    """All that waits."""
    return {
        "open": [_dispute_json(one) for case in waiting for one in case.disputes],
        "marked": [_case_json(case) for case in waiting if case.is_remade or case.left],
        "unfinished": [_case_json(case) for case in unfinished],
    }


def _case_json(case: Case) -> dict[str, Any]:
    return {
        "path": case.path,
        "can_be_merged": case.is_remade or not case.left,
        "reason": case.left or None,
        "open": [_dispute_json(one) for one in case.disputes],
    }


def _dispute_json(found: Dispute) -> dict[str, Any]:
    return {
        "id": found.name,
        "field": found.field,
        "values": list(found.values),
        "standing": found.standing,
        "base": found.base,
        OURS: _voice_json(found.ours, found),
        THEIRS: _voice_json(found.theirs, found),
        NEWEST: found.newest,
        "merge": _commit_json(found.merge),
        "written": {one: _commit_json(entry) for one, entry in found.written.items()},
    }


def _voice_json(voice: Voice | None, found: Dispute) -> dict[str, Any] | None:
    if voice is None:
        return None
    return {
        "value": voice.value,
        "confidence": None if voice.confidence is None else voice.confidence / 100,
        "evidence": [view.entry_json(entry, True) for entry in voice.evidence],
        "written": _commit_json(found.written.get(voice.value)),
    }


def _commit_json(entry: Logged | None) -> dict[str, Any] | None:
    if entry is None:
        return None
    return {
        "commit": entry.commit, "date": entry.date.isoformat(), "author": entry.author, "subject": entry.subject,
    }  # fmt: skip


def added_json(done: Sequence[Added], finish: str) -> list[dict[str, Any]]:
    """Files that went into an unfinished merge."""
    return [
        {
            "path": one.path,
            "settled": list(one.settled),
            "open": list(one.open),
            "kept": one.kept or None,
            "finish": finish or None,
        }
        for one in done
    ]
