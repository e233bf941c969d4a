"""`resolve`: settling what merges left in conflict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated

import typer

from gitinstinct.cli import output, resolved, taught
from gitinstinct.cli.output import say
from gitinstinct.cli.target import GlobalOption, JsonOption, ProjectOption
from gitinstinct.cli.taught import DryRunOption, WhyOption
from gitinstinct.errors import ExitCode, Found, UsageError
from gitinstinct.instinct import ids
from gitinstinct.resolve import cases, choosing, settling, unfinished
from gitinstinct.resolve.archive import Archive
from gitinstinct.resolve.cases import Case
from gitinstinct.resolve.choosing import NEWEST, OURS, THEIRS, Choice, Wish
from gitinstinct.resolve.settling import Decision
from gitinstinct.store.store import Store
from gitinstinct.teach import desk, words
from gitinstinct.teach.commands import Command
from gitinstinct.teach.desk import Outcome
from gitinstinct.teach.lesson import Lesson, message

_NOTHING = "Nothing is in conflict."


@dataclass(frozen=True, slots=True)
class Waiting:
    """What a person asked about: instincts of the branch, and paths of an unfinished merge; whether they named them."""

    store: Store
    committed: tuple[Case, ...]
    unfinished: tuple[Case, ...]
    is_named: bool

    @property
    def is_empty(self) -> bool:
        """Whether nothing waits."""
        return not any(case.is_open for case in self.committed) and not self.unfinished


@dataclass(slots=True)
class Decided:
    """What is to be done, and why it is not with the rest."""

    committed: list[Decision] = field(default_factory=list)
    unfinished: list[Decision] = field(default_factory=list)
    left: list[Found] = field(default_factory=list)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to do."""
        return not (self.committed or self.unfinished)


def resolve(
    names: Annotated[list[str] | None, typer.Argument(metavar="ID", help="Instincts; all if left out.")] = None,
    ours: Annotated[bool, typer.Option(f"--{OURS}", help="Take what our side said when they were merged.")] = False,
    theirs: Annotated[bool, typer.Option(f"--{THEIRS}", help="Take what their side said.")] = False,
    newest: Annotated[bool, typer.Option(f"--{NEWEST}", help="Take what was written last.")] = False,
    number: Annotated[int | None, typer.Option("--value", metavar="N", help="Take the value of that number.")] = None,
    only: Annotated[str | None, typer.Option("--field", metavar="NAME", help="Only in this field or section.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="In all instincts.")] = False,
    why: WhyOption = "",
    dry_run: DryRunOption = False,
    project: ProjectOption = None,
    only_global: GlobalOption = False,
    as_json: JsonOption = False,
) -> int:
    """Settle what a merge left in conflict.

    Shown are the base, ours and theirs, each with its evidence and history; on a terminal you are asked for each. What
    plain git left undecided or with markers is merged anew. Settled once, it is settled everywhere at the next merge.

    Example:

      gitinstinct resolve grep-before-edit --theirs -m "shorter"
    """
    from gitinstinct.capture.redact import findings

    command, sides = taught.command(settling.VERB, why), {OURS: ours, THEIRS: theirs, NEWEST: newest}
    wish = _wish(sides, number, only, names or [], everything)
    words.refuse({"reason": command.why}, findings)
    found = taught.place(project, only_global, command.at, rehearse=dry_run)
    if found.store is None and not names:
        return _nothing(as_json)
    waiting = _look(taught.store_of(found, "nothing is in conflict"), command, names or [])
    if waiting.is_empty:
        return _nothing(as_json)
    if wish.says_nothing and output.is_terminal() and not (as_json or dry_run or everything):
        return _ask(waiting, command, only)
    decided = _decide(waiting, wish) if names or everything else Decided()
    if wish.says_nothing and decided.is_empty:
        return _listed(waiting, as_json)
    return _carry_out(waiting.store, command, decided, dry_run=dry_run, as_json=as_json)


def _nothing(as_json: bool) -> int:
    if as_json:
        output.as_json(resolved.listed_json([], []))
    else:
        say(_NOTHING)
    return ExitCode.DONE


def _wish(sides: dict[str, bool], number: int | None, only: str | None, names: list[str], everything: bool) -> Wish:
    chosen = [side for side, is_chosen in sides.items() if is_chosen]
    if len(chosen) + (number is not None) > 1:
        raise UsageError("one choice at a time", f"--{OURS}, --{THEIRS}, --{NEWEST} or --value N")
    if names and everything:
        raise UsageError("ids and --all exclude each other", "give one of them")
    if chosen and not (names or everything):
        raise UsageError(f"--{chosen[0]} of what?", "name the ids, or give --all")
    if number is not None and len(names) != 1:
        raise UsageError("--value counts the values of one instinct", "name that instinct")
    return Wish(chosen[0] if chosen else "", number, only)


def _look(store: Store, command: Command, names: Sequence[str]) -> Waiting:
    at = desk.look(store, command.at)
    begun = unfinished.find(store, command.day)
    undecided = {case.name for case in begun}
    wanted = [name for name in dict.fromkeys(names or cases.waiting(at)) if name not in undecided]
    archive = Archive(store.repo)
    committed = [cases.find(archive, at, name, data) for name, data in at.contents(wanted).items()]
    chosen = [case for case in begun if not names or case.name in names]
    return Waiting(store, tuple(committed), tuple(chosen), bool(names))


def _listed(waiting: Waiting, as_json: bool) -> int:
    open_ = [case for case in waiting.committed if case.is_open]
    if as_json:
        output.as_json(resolved.listed_json(open_, waiting.unfinished))
    else:
        resolved.listed(open_, waiting.unfinished)
    return ExitCode.FOUND


def _ask(waiting: Waiting, command: Command, only: str | None) -> int:
    from gitinstinct.cli import picking

    begun = picking.Picked(waiting.store, command, only)
    for case in waiting.unfinished:
        if not begun.quit:
            picking.ask(begun, case, committed=False)
    picked = picking.Picked(waiting.store, command, only, skipped=begun.skipped, quit=begun.quit)
    for case in waiting.committed:
        if case.is_open and not picked.quit:
            picking.ask(picked, case, committed=True)
    decided = Decided(picked.decisions, begun.decisions)
    code = int(ExitCode.DONE)
    if not decided.is_empty:
        code = _carry_out(waiting.store, command, decided, dry_run=False, as_json=False)
    return ExitCode.FOUND if picked.skipped or picked.quit else code


# --- deciding


def _decide(waiting: Waiting, wish: Wish) -> Decided:
    decided = Decided()
    for case in waiting.unfinished:
        choices = _decide_one(waiting, case, wish, decided)
        if choices is not None and (choices or wish.says_nothing or case.is_remade):
            decided.unfinished.append(Decision(case, choices))
    for case in waiting.committed:
        choices = _decide_one(waiting, case, wish, decided) if case.is_open else None
        if choices or (choices is not None and case.is_remade):
            decided.committed.append(Decision(case, choices))
        if wish.says_nothing and case.disputes:
            fields = ", ".join(choosing.called(one.field) for one in case.disputes)
            decided.left.append(Found(f"{case.name} is in conflict: {fields}", f"gitinstinct resolve {case.name}"))
    return decided


def _decide_one(waiting: Waiting, case: Case, wish: Wish, decided: Decided) -> tuple[Choice, ...] | None:
    """What is chosen in a case; None if it cannot be settled here at all."""
    if case.left:
        decided.left.append(Found(f"{case.path}: {case.left}", _way_out(case)))
        return None
    meant = [] if wish.says_nothing else choosing.meant(case.disputes, wish.field)
    fields = ", ".join(choosing.called(one.field) for one in case.disputes)
    if wish.field is not None and not meant and waiting.is_named and not wish.says_nothing:
        decided.left.append(
            Found(f"{case.name} has no conflict in {wish.field}", f"in conflict: {fields or 'nothing'}")
        )
    if wish.number is not None and len(meant) > 1:
        raise UsageError(f"{case.name} has several conflicts: {fields}", "say which with --field")
    choices, reasons = choosing.choose_all(meant, wish)
    decided.left += reasons
    return tuple(choices)


def _way_out(case: Case) -> str:
    return f"gitinstinct edit {case.name} mends it by hand" if ids.is_id(case.name) else ""


# --- doing


def _carry_out(store: Store, command: Command, decided: Decided, *, dry_run: bool, as_json: bool) -> int:
    if decided.is_empty:
        for reason in decided.left[1:]:
            output.note(reason.message)
        if decided.left:
            raise decided.left[0]
        return _nothing(as_json)
    done = unfinished.add(store, decided.unfinished, rehearse=dry_run)
    outcome = Outcome(Lesson((), {}, message(settling.VERB, (), command.why)))
    if decided.committed:
        outcome = desk.carry_out(
            store, lambda at: settling.carry_out(command, at, decided.committed), command.at, rehearse=dry_run
        )
    finish = unfinished.finish(store)
    left = [reason.message for reason in decided.left]
    if as_json:
        told = taught.outcome_json(outcome)
        notes = [*told["notes"], *left]
        output.as_json(told | {"notes": notes, "unfinished": resolved.added_json(done, finish)})
    else:
        resolved.added(done, finish, rehearsed=dry_run)
        taught.report(outcome, rehearsed=dry_run, as_json=False)
        for told_of in left:
            say((f"! {told_of}", "yellow"))
    return ExitCode.FOUND if left or outcome.lesson.notes or any(one.open for one in done) else ExitCode.DONE


VERBS = (resolve,)
