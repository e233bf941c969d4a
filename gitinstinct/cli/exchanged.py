"""What an import or an export did, for people and for scripts; and how its bytes reach a file or standard output."""

from __future__ import annotations

import secrets
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gitinstinct.cli import output
from gitinstinct.cli.output import counted, say
from gitinstinct.errors import ExitCode, Found
from gitinstinct.exchange import exporting, importing, rendering
from gitinstinct.exchange.exporting import Exported
from gitinstinct.exchange.importing import Plan, Told
from gitinstinct.exchange.selection import Selection
from gitinstinct.store.errors import disk
from gitinstinct.store.merging import Outcome
from gitinstinct.store.store import Store

_LISTED = 40
_STYLES = {"new": "green", "conflict": "red", "put away": "dim"}


# --- import


def import_code(plan: Plan, outcome: Outcome | None) -> int:
    """1 where something was not taken, or a conflict waits for a person."""
    waits = outcome is not None and (outcome.merging.conflicts or outcome.merging.unreadable)
    return ExitCode.FOUND if plan.refused or waits else ExitCode.DONE


def imported(plan: Plan, outcome: Outcome | None, *, rehearsed: bool, again: bool = False) -> None:
    """What came; `again` where it was shown before the question."""
    if not again:
        say((plan.line.source, "bold"), f"  {counted(len(plan.coming), 'instinct')}")
        _listed(importing.outcomes(plan, outcome.merging) if outcome else [])
        for remark in _remarks(plan, outcome):
            say((f"! {remark}", "yellow"))
    if outcome is None:
        say("Nothing new." if plan.coming or not plan.refused else "Nothing was taken.")
    elif outcome.commit:
        say(("commit ", "dim"), (outcome.commit[:10], "yellow"))
    elif rehearsed:
        say(("nothing was written: this is what it would do", "dim"))


def _listed(told: list[Told]) -> None:
    for one in told[:_LISTED]:
        say((f"  {one.verb:<9} ", _STYLES.get(one.verb, "yellow")), (one.id, "bold"), f"  {one.change}")
    if len(told) > _LISTED:
        say((f"  and {len(told) - _LISTED} more", "dim"))


def _remarks(plan: Plan, outcome: Outcome | None) -> Iterator[str]:
    for one in plan.refused:
        yield f"not taken: {': '.join(filter(None, (one.file, one.item, one.reason)))}"
    for name, note in plan.notes[:_LISTED]:
        yield f"{name}: {note}"
    if len(plan.notes) > _LISTED:
        yield f"and {len(plan.notes) - _LISTED} more of this kind"
    if plan.below:
        yield f"{counted(len(plan.below), 'instinct')} claimed less than was asked for"
    if plan.skipped:
        yield f"{counted(len(plan.skipped), 'file')} without an instinct: {_some(one.file for one in plan.skipped)}"
    if outcome is not None:
        yield from _merge_remarks(outcome)


def _merge_remarks(outcome: Outcome) -> Iterator[str]:
    yield from (f"{one.path}: {one.reason}" for one in outcome.merging.unreadable)
    yield from (f"your change of {one.path} is not committed: {one.reason}" for one in outcome.held)
    if outcome.pending:
        yield f"the work tree follows later: {outcome.pending}"
    if outcome.merging.conflicts:
        yield "both sides say it differently; settle it: gitinstinct resolve"


def _some(names: Iterator[str]) -> str:
    listed = list(names)
    return ", ".join(listed[:5]) + (", …" if len(listed) > 5 else "")


def imported_json(plan: Plan, outcome: Outcome | None) -> dict[str, Any]:
    """The same for scripts."""
    told = importing.outcomes(plan, outcome.merging) if outcome else []
    merging = outcome.merging if outcome else None
    return {
        "source": plan.line.source,
        "commit": outcome.commit if outcome else None,
        "instincts": [
            {"id": one.id, "verb": one.verb, "confidence": None if one.value is None else one.value / 100}
            for one in told
        ],
        "gone": list(plan.gone),
        "below": list(plan.below),
        "refused": [{"file": one.file, "item": one.item, "reason": one.reason} for one in plan.refused],
        "skipped": [{"file": one.file, "reason": one.reason} for one in plan.skipped],
        "notes": [{"id": name, "note": note} for name, note in plan.notes],
        "conflicts": [
            {"id": name, "fields": list(found)} for name, found in (merging.conflicts if merging else {}).items()
        ],
        "unreadable": [{"path": one.path, "reason": one.reason} for one in (merging.unreadable if merging else ())],
        "held": [{"path": one.path, "reason": one.reason} for one in (outcome.held if outcome else ())],
        "pending": (outcome.pending or None) if outcome else None,
    }


# --- export


@dataclass(frozen=True, slots=True)
class Target:
    """Where an export goes: a format for a file or `-`, a bundle's file, a remote's address; each may be empty."""

    form: str
    out: str
    bundle: str
    push: str


def rendered(target: Target, selection: Selection) -> bytes:
    """The bytes for the file or for standard output; empty where none is wanted.

    Raises:
        Found: the file belongs to somebody else.
    """
    if not target.out:
        return b""
    return rendering.render(target.form, selection.items, None if target.out == "-" else _before(target.out))


def _before(out: str) -> bytes | None:
    file = Path(out).expanduser()
    with disk(f"{out} cannot be read"):
        if file.exists() and not file.is_file():
            raise Found(f"{out} is no plain file", "give another name")
        return file.read_bytes() if file.exists() else None


def deliver(store: Store, exported: Exported, target: Target, made: bytes, *, quiet: bool) -> None:
    """Writes the file, the bundle, pushes the branch: whatever was asked for."""
    if target.bundle:
        exporting.bundled(store, exported, Path(target.bundle))
    if target.push:
        exporting.pushed(store, exported, target.push)
    if target.out == "-" and not quiet:
        _print(made)
    elif target.out and target.out != "-":
        _replace(Path(target.out).expanduser(), made)


def _print(made: bytes) -> None:
    """A pipe or a file gets the bytes as they are, whatever the terminal's encoding; a terminal gets harmless text."""
    if sys.stdout.isatty():
        output.raw(made.decode())
        return
    sys.stdout.flush()
    sys.stdout.buffer.write(made)
    sys.stdout.buffer.flush()


def _replace(file: Path, made: bytes) -> None:
    """The new file takes the old one's place and mode; a link stays a link."""
    real = file.resolve()
    if real.exists() and real.read_bytes() == made:
        return
    draft = real.with_name(f".{real.name}.{secrets.token_hex(4)}")
    with disk(f"{file} could not be written"):
        real.parent.mkdir(parents=True, exist_ok=True)
        try:
            draft.write_bytes(made)
            if real.exists():
                shutil.copymode(real, draft)
            draft.replace(real)
        finally:
            draft.unlink(missing_ok=True)


def report(selection: Selection, exported: Exported | None, target: Target, name: str, *, as_json: bool) -> None:
    """Tells what went out. Where the export itself is on standard output, this is on standard error."""
    if as_json:
        output.as_json(_export_json(selection, exported, target, name))
        return
    tell = output.note if target.out == "-" else say
    for left, reason in selection.left_out:
        tell(f"! {left} {reason}")
    foreign = sum(one.is_imported for one in selection.items)
    if foreign and target.form in rendering.MANAGED and target.out:
        tell(f"! {counted(foreign, 'instinct')} of others among them: read the file before an agent obeys it")
    places = [target.out if target.out != "-" else "", target.bundle, target.push]
    where = f" to {' and '.join(filter(None, places))}" if any(places) else ""
    what = f"{counted(len(selection.items), 'instinct')}{where}, branch export/{name}"
    if exported is None:
        tell(f"nothing was written: it would be {what}")
    else:
        tell(f"{what}{'' if exported.is_new else ': nothing new since the last export'}")


def _export_json(selection: Selection, exported: Exported | None, target: Target, name: str) -> dict[str, Any]:
    return {
        "name": name,
        "branch": f"export/{name}",
        "commit": exported.commit if exported else None,
        "new": exported.is_new if exported else None,
        "format": target.form if target.out else None,
        "file": target.out or None,
        "bundle": target.bundle or None,
        "push": target.push or None,
        "instincts": [one.id for one in selection.items],
        "left_out": [{"id": left, "reason": reason} for left, reason in selection.left_out],
    }
