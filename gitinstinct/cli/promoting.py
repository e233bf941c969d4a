"""From one project to all, and back: `promote`, `demote`."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated

import typer

from gitinstinct import clock, config, paths
from gitinstinct.capture.project import Project
from gitinstinct.cli import output, promoted, target
from gitinstinct.cli.output import counted, say
from gitinstinct.cli.target import JsonOption, ProjectOption
from gitinstinct.cli.taught import DryRunOption, WhyOption
from gitinstinct.config import Config
from gitinstinct.errors import ExitCode, FatalError, Found, UsageError
from gitinstinct.promote import branches, candidates, landing, landscape, promotion
from gitinstinct.promote import demote as demotion
from gitinstinct.promote.candidates import Candidate
from gitinstinct.promote.landscape import Landscape
from gitinstinct.promote.promotion import Done, Plan
from gitinstinct.store import homes
from gitinstinct.store.layout import About
from gitinstinct.store.store import Store
from gitinstinct.teach import desk, words
from gitinstinct.team import link as links

YesOption = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]


@dataclass(frozen=True, slots=True)
class _Wishes:
    """How it is asked for."""

    direct: bool
    request: bool  # a pull request
    yes: bool
    looks: bool
    as_json: bool
    is_named: bool


@dataclass(frozen=True, slots=True)
class _Desk:
    """What one call works on."""

    chosen: Config
    project: Project
    now: datetime
    found: Landscape
    wishes: _Wishes

    @property
    def here(self) -> str:
        return self.project.id

    @property
    def place(self) -> str:
        land = promotion.ON_BRANCH if self.wishes.request else self.chosen.promote.land
        return promotion.place(self.found.everybody, land, direct=self.wishes.direct)

    @property
    def publishes(self) -> bool:
        """Whether what waits then goes to the remote as a pull request."""
        return self.wishes.request or (self.chosen.promote.land == "pr" and not self.wishes.direct)

    def plan(self, one: Candidate) -> Plan:
        remotes = {self.project.id: self.project.remote}
        return promotion.plan(one, self.place, self.chosen.trust.hosts, remotes)

    def carry_out(self, made: Plan) -> Done:
        everybody = homes.make_global(self.now, self.project)
        return promotion.carry_out(made, everybody, self.now, disclose=self.chosen.promote.disclose)


def _desk(project: str | None, wishes: _Wishes) -> _Desk:
    chosen, now = config.read(), clock.now()
    return _Desk(chosen, target.project(project), now, landscape.survey(now.date().isoformat()), wishes)


# --- promote


def promote(
    name: Annotated[str | None, typer.Argument(metavar="ID", help="Which; all that qualify without.")] = None,
    direct: Annotated[bool, typer.Option("--direct", help="On main, also where the global store is shared.")] = False,
    request: Annotated[bool, typer.Option("--pr", help="On a branch, pushed as a pull request.")] = False,
    yes: YesOption = False,
    dry_run: DryRunOption = False,
    project: ProjectOption = None,
    as_json: JsonOption = False,
) -> int:
    """Give what several projects have learned to all.

    Without an ID you are asked about each instinct that two projects or more have, sure enough and of a domain that
    fits everywhere; with one it says what is missing and takes it all the same. Each project's evidence is picked into
    the global store as a commit of its own. A contradiction stops it. Where the global store is shared, a promotion
    waits for review on a branch.

    Example:

      gitinstinct promote --dry-run
    """
    wishes = _Wishes(direct, request, yes, dry_run or (as_json and not yes), as_json, name is not None)
    _refuse(wishes)
    if not wishes.looks:
        settled = landing.settle(clock.now())
        if not as_json:
            promoted.settled(settled)
    at = _desk(project, wishes)
    if at.publishes and not wishes.looks:
        _refuse_unshared(at)
    if name is not None:
        return _one(at, name)
    found = candidates.candidates(at.found, at.chosen.promote, at.chosen.trust.policy, at.here)
    return _look(at, found) if wishes.looks else _all(at, found)


def _refuse(wishes: _Wishes) -> None:
    if wishes.direct and wishes.request:
        raise UsageError("--direct and --pr exclude each other", "give one of them")
    if not (wishes.yes or wishes.looks or output.is_terminal()):
        raise UsageError("promote asks first, and there is no terminal", "add --yes, or --dry-run to look")


def _refuse_unshared(at: _Desk) -> None:
    """Before anything is written: a request to nobody is a branch that nobody asked for."""
    if at.found.everybody is None or links.read(at.found.everybody) is None:
        raise Found(
            "the global store is not shared, so nobody can be asked", "gitinstinct share URL --global begins it"
        )


def _look(at: _Desk, found: list[Candidate]) -> int:
    if at.wishes.as_json:
        output.as_json(promoted.listed_json(found, at.found.problems))
        return ExitCode.DONE
    with output.paged():
        promoted.listed(found)
        promoted.problems(at.found.problems)
    return ExitCode.DONE


def _one(at: _Desk, name: str) -> int:
    one = candidates.named(at.found, at.chosen.promote, at.chosen.trust.policy, name, at.here)
    if one is None:
        raise _unknown(at.found, name)
    if not at.wishes.as_json:
        promoted.problems(at.found.problems)
    made = _shown(at, one)
    if at.wishes.looks:
        if at.wishes.as_json:
            output.as_json(promoted.planned_json(made))
        else:
            say(("nothing was written: this is what it would do", "dim"))
        return ExitCode.DONE
    if not _agreed(at):
        say("Nothing was changed.")
        return ExitCode.DONE
    done = at.carry_out(made)
    sends = _to_send(at, [done])
    if at.wishes.as_json and not sends:
        output.as_json(promoted.done_json(done))
    elif not at.wishes.as_json:
        promoted.done(done, published=at.publishes)
    return _send(at, sends)


def _shown(at: _Desk, one: Candidate) -> Plan:
    """What a promotion comes to, told before it is refused."""
    if not at.wishes.as_json:
        promoted.candidate(one, is_named=at.wishes.is_named)
    made = at.plan(one)
    if not at.wishes.as_json:
        promoted.planned(made)
    return made


def _agreed(at: _Desk) -> bool:
    return at.wishes.yes or bool(typer.confirm("Promote it to all projects?", default=False))


def _unknown(found: Landscape, name: str) -> Found:
    if name in found.globals:
        return Found(f"{name} is global, and no project has it", f"gitinstinct show {name} --global")
    return desk.Unknown([name], desk.suggestion([name], (source.id for source in found.sources)))


@dataclass(slots=True)
class _Results:
    done: list[Done] = field(default_factory=list)
    refused: list[tuple[str, FatalError]] = field(default_factory=list)


def _all(at: _Desk, found: list[Candidate]) -> int:
    ready, results = [one for one in found if one.qualifies], _Results()
    if not at.wishes.as_json:
        _tell_of(at, len(found), len(ready))
    for one in ready:
        try:
            _promoted(at, one, results)
        except FatalError as fault:
            results.refused.append((one.name, fault))
            if not at.wishes.as_json:
                output.complain(fault.message, fault.hint)
    sends = _to_send(at, results.done)
    if at.wishes.as_json and not sends:
        refused = [{"id": name, "reason": fault.message} for name, fault in results.refused]
        output.as_json({"promoted": [promoted.done_json(one) for one in results.done], "refused": refused})
    return max(_send(at, sends), ExitCode.FOUND if results.refused else ExitCode.DONE)


def _tell_of(at: _Desk, number: int, ready: int) -> None:
    promoted.problems(at.found.problems)
    if not ready:
        say("Nothing is to be promoted.")
    if number > ready:
        others = counted(number - ready, "other")
        say((f"{others} in several projects: gitinstinct promote --dry-run says what is missing", "dim"))


def _promoted(at: _Desk, one: Candidate, results: _Results) -> None:
    if not at.wishes.as_json:
        output.blank()
    made = _shown(at, one)
    if not _agreed(at):
        return
    done = at.carry_out(made)
    results.done.append(done)
    if not at.wishes.as_json:
        promoted.done(done, published=at.publishes)


def _to_send(at: _Desk, done: list[Done]) -> list[str]:
    """What goes to the remote: of what was promoted now, all that waits, be it from before."""
    if not at.publishes or not done:
        return []
    waiting = {one.id for one in branches.waiting(homes.make_global(at.now).repo) if one.here}
    return [one.id for one in done if one.id in waiting]


def _send(at: _Desk, names: list[str]) -> int:
    """Publishes branches; a script gets what `review --push` would tell."""
    if not names:
        return ExitCode.DONE
    from gitinstinct.cli import publishing

    wishes = publishing.Wishes(yes=at.wishes.yes, as_json=at.wishes.as_json)
    try:
        return publishing.publish(homes.make_global(at.now), names, wishes)
    except FatalError:
        later = f"gitinstinct review --push {' '.join(names)} sends it later"
        output.note(f"note: what was promoted waits here; {later}")
        raise


# --- demote


def demote(
    name: Annotated[str, typer.Argument(metavar="ID", help="The id in the global store.")],
    why: WhyOption = "",
    dry_run: DryRunOption = False,
    project: ProjectOption = None,
    as_json: JsonOption = False,
) -> int:
    """Take an instinct back from all projects.

    It is put away in the global store. If no project on this machine has it any more, the one at hand gets it back with
    its evidence. A promotion that still waits is withdrawn.

    Example:

      gitinstinct demote grep-before-edit -m "only right in large trees"
    """
    from gitinstinct.capture.redact import findings

    words.refuse({"reason": why}, findings)
    everybody = target.where(None, True).store
    if everybody is None:
        raise Found(f"the global store has no {name}", "there is none yet; gitinstinct promote makes it")
    found, now = target.project(project), clock.now()
    about = None if found.id == paths.GLOBAL else About("project", found.id, found.name)

    def home() -> Store | None:
        return homes.make(found, now) if about else None

    word = demotion.Word(" ".join(why.split()), now, secrets.token_hex(8))
    done = demotion.demote(everybody, name, word, home, about, rehearse=dry_run)
    if as_json:
        output.as_json(promoted.demoted_json(done))
    else:
        promoted.demoted(done, rehearsed=dry_run)
    return ExitCode.DONE


VERBS = (promote, demote)
