"""What `review` is told on its command line: accept, reject and revoke by name, or take all that is fit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import typer

from gitinstinct import clock
from gitinstinct.cli import finding, output, reviewed
from gitinstinct.cli.output import say
from gitinstinct.cli.reviewed import Done
from gitinstinct.errors import ExitCode, Found, UsageError
from gitinstinct.promote import branches, rejection
from gitinstinct.review import verdict
from gitinstinct.review.promotions import Unusable
from gitinstinct.review.table import Table
from gitinstinct.review.verdict import Sorted
from gitinstinct.review.waiting import Case
from gitinstinct.team import link
from gitinstinct.trust import book


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a person said: names, or all that fit; of which kinds, if not of all; and why."""

    accept: tuple[str, ...] = ()
    reject: tuple[str, ...] = ()
    revoke: tuple[str, ...] = ()
    everything: bool = False
    mine: bool = False
    kinds: tuple[str, ...] = ()
    why: str = ""

    @property
    def is_bulk(self) -> bool:
        """Whether cases are meant that nobody named."""
        return self.everything or self.mine

    @property
    def names(self) -> tuple[str, ...]:
        """Every name."""
        return (*self.accept, *self.reject, *self.revoke)

    @property
    def says_nothing(self) -> bool:
        """Whether only to look is wanted."""
        return not (self.names or self.is_bulk)

    def refuse_senseless(self, shown: Sequence[str]) -> None:
        """Raises what contradicts itself; `shown` are names without a word on what shall become of them.

        Raises:
            UsageError: that cannot be meant.
        """
        if shown and not self.says_nothing:
            raise UsageError(f"what shall become of {shown[0]}?", "name it behind --accept or --reject")
        if self.everything and self.mine:
            raise UsageError("--all and --mine exclude each other", "give one of them")
        if self.kinds and self.names:
            raise UsageError("--kind chooses among what waits, and names were given", "a promotion's is promote/ID")
        twice = next((name for name in self.names if self.names.count(name) > 1), None)
        if twice:
            raise UsageError(f"{twice} is named twice", "decide once")


def decide(table: Table, wishes: Wishes, *, yes: bool, dry_run: bool, as_json: bool) -> int:
    """Does what was wished.

    Raises:
        UsageError: nobody is here to decide.
        Found: there is no such name, or it cannot be accepted; then nothing was decided.
    """
    if not (yes or dry_run or output.is_terminal()):
        raise UsageError("nobody is here to decide", "add --yes if a person has decided already")
    accepted = verdict.sort(_cases(table, wishes), in_bulk=False, why=wishes.why)
    if accepted.left and not wishes.is_bulk:
        case, reason = accepted.left[0]
        raise Found(f"{case.name} is not accepted: {reason}", f"look at it: gitinstinct review {case.name}")
    several = _several(table, wishes)
    revoked, reopened = _revoked(table, wishes.revoke)
    planned = Done(
        accepted=(*accepted.accepted, *several.accepted),
        rejected=tuple(one for name in wishes.reject for one in _named(table, name, wishes)),
        revoked=revoked,
        reopened=reopened,
        left=(*accepted.left, *several.left),
        others=sum(not case.mine for case in table.waiting(wishes.kinds)) if wishes.mine else 0,
    )
    if several.accepted and not (yes or dry_run) and not _is_agreed(several.accepted, table):
        return ExitCode.DONE
    done = planned if dry_run else _carried_out(planned, wishes.why)
    reviewed.done(done, rehearsed=dry_run, as_json=as_json)
    if not as_json and done.landed:
        tell_how_to_share(done.accepted)
    is_open = done.left or any(one.conflicts for one in done.landed)
    return ExitCode.FOUND if is_open else ExitCode.DONE


def _is_agreed(cases: Sequence[Case], table: Table) -> bool:
    reviewed.listed(cases, table)
    if typer.confirm(f"Accept {output.counted(len(cases), 'case')}?"):
        return True
    say("Nothing was decided.")
    return False


def _several(table: Table, wishes: Wishes) -> Sorted:
    if not wishes.is_bulk:
        return Sorted((), ())
    named = {branches.bare(name) for name in wishes.names}
    is_wanted: Callable[[Case], bool] = (lambda case: True) if wishes.everything else (lambda case: case.mine)
    found = [case for case in table.waiting(wishes.kinds) if case.id not in named and is_wanted(case)]
    return verdict.sort(found, in_bulk=True, why=wishes.why)


def _named(table: Table, name: str, wishes: Wishes) -> list[Case | Unusable]:
    """What a name means: a promotion that is named for itself elsewhere is not meant by the bare id."""
    found = [one for one in table.named(name) if one.name == name or one.name not in wishes.names]
    if not found:
        raise finding.unknown(name)
    return found


def _cases(table: Table, wishes: Wishes) -> list[Case]:
    found = []
    for name in wishes.accept:
        for one in _named(table, name, wishes):
            if isinstance(one, Unusable):
                raise Found(f"{one.name} is not accepted: {one.reason}", f"gitinstinct review --reject {one.name}")
            found.append(one)
    return found


def _revoked(table: Table, names: Sequence[str]) -> tuple[tuple[Case, ...], tuple[str, ...]]:
    """Instincts, and promotions that were turned down: these are known by the list alone."""
    cases: list[Case] = []
    reopened: list[str] = []
    for name in names:
        full = branches.called(branches.bare(name))
        found = [one for one in table.named(name) if isinstance(one, Case) and not one.promotion]
        reopened += [full] if book.rejected_as(full) else []
        if not found and full not in reopened:
            raise finding.unknown(name)
        cases += found
    return tuple(cases), tuple(reopened)


def _carried_out(planned: Done, why: str) -> Done:
    from gitinstinct.capture.redact import findings
    from gitinstinct.teach import words

    words.refuse({"reason": why}, findings)
    now = clock.now()
    verdict.reject(planned.rejected, now, why)
    verdict.revoke(planned.revoked, now, why)
    for name in planned.reopened:
        rejection.revoke(branches.bare(name), now, why)
    taken = verdict.accept(planned.accepted, now, why)
    if len(planned.accepted) == len(taken.failed) == 1:
        raise taken.failed[0][1]
    failed = {case.name: error.message for case, error in taken.failed}
    return replace(
        planned,
        accepted=tuple(case for case in planned.accepted if case.name not in failed or not case.promotion),
        left=(*planned.left, *((case, error.message) for case, error in taken.failed)),
        landed=taken.landed,
        problems=taken.problems,
    )


def tell_how_to_share(accepted: Sequence[Case]) -> None:
    """Where promotions have landed in a store that is shared, the others still lack them."""
    store = next((case.store for case in accepted if case.promotion), None)
    if store is not None and link.read(store) is not None:
        say("the others get it with: ", ("gitinstinct push --global", "bold"))
