"""How things stand: what `status` tells, gathered in one value. Looks, never writes."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from gitinstinct import config, paths
from gitinstinct.capture import reader
from gitinstinct.capture.project import Project
from gitinstinct.check import evidence
from gitinstinct.cli import daemon, gating, modelled, output, reviewed, view
from gitinstinct.cli.target import Place, places
from gitinstinct.config import Config
from gitinstinct.errors import EnvironmentFault
from gitinstinct.inject import rules, usage
from gitinstinct.inject.select import SHADOWED, Candidate, Selection, candidates, select
from gitinstinct.inject.usage import Use
from gitinstinct.instinct.shelf import Problem, Shelf
from gitinstinct.measure import report
from gitinstinct.measure.report import Lately
from gitinstinct.observer import facts, starts, state
from gitinstinct.observer.gates import Facts, Gate, gates
from gitinstinct.observer.starts import Start
from gitinstinct.observer.state import State
from gitinstinct.review import waiting
from gitinstinct.review.table import Table
from gitinstinct.review.waiting import Rules
from gitinstinct.store import condition, library
from gitinstinct.store.condition import Condition
from gitinstinct.store.layout import BRANCH
from gitinstinct.trust import book


@dataclass(slots=True)
class Standing:
    """All that `status` tells."""

    places: list[Place]
    selection: Selection
    memory: State
    facts: Facts
    gates: list[Gate]
    counts: list[reader.Count]
    start: Start | None = None
    model: list[tuple[str, str]] = field(default_factory=list)
    detector: dict[str, Any] = field(default_factory=dict)
    influenced: Use | None = None
    measured: Lately = field(default_factory=lambda: Lately(0, 0))
    waiting: list[str] = field(default_factory=list)
    kinds: dict[str, int] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def injected(self) -> set[tuple[str, str]]:
        """Scope and id of what the next session start would get."""
        return {(one.scope, one.item.instinct.id) for one in self.selection.chosen}

    @property
    def active(self) -> list[Candidate]:
        """What is not archived, by domain, the surest first; a global one that the project has too is left out."""
        others = (left.candidate for left in self.selection.left_out if left.reason != SHADOWED)
        found = [one for one in (*self.selection.chosen, *others) if one.fold.status == "active"]
        return sorted(found, key=lambda one: (one.item.instinct.domain, one.rank))

    @property
    def archived(self) -> int:
        """How many are put away."""
        return sum(left.candidate.fold.status != "active" for left in self.selection.left_out)


def gather(chosen: str | None, only_global: bool, settings: Config, now: datetime) -> Standing:
    """Looks at the stores, the spool and the observer's memory."""
    found = places(chosen, only_global)
    shelves = [(place.scope, library.read(place.store)) for place in found if place.store is not None]
    selection = _selection(shelves, found[0].project, settings, now.date().isoformat())
    problems = [problem for _, shelf in shelves for problem in shelf.problems]
    main = found[0].project
    memory = state.load(main.id, settings.observer.detector)
    looked = facts.gather(
        main, memory, now, forbidden=config.forbids(settings, os.environ), busy=facts.at_work(main.id)
    )
    standing = Standing(found, selection, memory, looked, gates(settings, looked), reader.counts())
    standing.start = starts.last(main.id, now)
    standing.model = list(modelled.lines(settings, now))
    standing.detector = modelled.model_json(settings, now)
    standing.problems = problems
    standing.influenced = usage.newest(main.id)
    standing.measured = report.lately([main.id], now)
    standing.waiting = _waiting([shelf for _, shelf in shelves], settings, now.date().isoformat())
    standing.kinds = _kinds(found, shelves, settings, now.date().isoformat())
    standing.notes += [*_notes(standing, settings), *_forged(shelf for _, shelf in shelves)]
    return standing


def _selection(shelves: list[tuple[str, Shelf]], main: Project, settings: Config, day: str) -> Selection:
    """What the next session start of a project would get."""
    decided = rules.read(settings, main.id)
    return select(candidates(shelves, day), decided, root=main.root, search=os.environ.get("PATH", ""))


def _waiting(shelves: Iterable[Shelf], settings: Config, day: str) -> list[str]:
    """The ids of what a person has to decide on."""
    consent = Rules(book.read(), settings.trust.policy)
    return [name for shelf in shelves for name in waiting.waiting(shelf.items.values(), day, consent)]


def _kinds(found: Iterable[Place], shelves: Iterable[tuple[str, Shelf]], settings: Config, day: str) -> dict[str, int]:
    """How much waits for a person, by kind: promotions and conflicts, too."""
    stores = [place.store for place in found if place.store is not None]
    looked = tuple((store, shelf) for store, (_, shelf) in zip(stores, shelves, strict=True))
    try:
        return Table(looked, Rules(book.read(), settings.trust.policy, settings.trust.hosts), day).counts()
    except EnvironmentFault:  # a damaged history tells no kinds; `doctor` says what is wrong with it
        return {}


# --- what is worth a word


def _notes(found: Standing, settings: Config) -> Iterator[str]:
    yield from settings.problems
    number = sum(found.kinds.values()) or len(found.waiting)
    if number:
        told = f"  ({reviewed.tally(found.kinds)})" if found.kinds else ""
        yield f"{number} wait{'s' if number == 1 else ''} for review: gitinstinct review{told}"
    yield from _list_notes()
    if found.memory.problem:
        yield found.memory.problem
    for place in found.places:
        if place.store is not None:
            yield from _store_notes(place)
    unwritable = _unwritable(Path(paths.root("state")))
    if unwritable is not None:
        yield f"{unwritable} cannot be written: events are being lost"


def _list_notes() -> Iterator[str]:
    """What is wrong with the list of trusted words."""
    problem, corrupt = book.read().problem, book.corrupt()
    if problem:
        yield f"{problem}, so nothing is trusted: gitinstinct review --repair puts it aside"
    if corrupt:
        yield f"{output.counted(corrupt, 'line')} of {paths.trust()} cannot be understood: gitinstinct review --repair"


def _store_notes(place: Place) -> Iterator[str]:
    assert place.store is not None
    try:
        looked = condition.of(place.store)
    except EnvironmentFault as error:
        yield f"{place.store.path}: {error.message}"
        return
    if looked.branch != BRANCH:
        stands = looked.branch.removeprefix("refs/heads/") if looked.branch else "a commit of its own"
        yield f"{place.store.path} stands on {stands}: what is learned goes to main all the same"
    if looked.unwired:
        yield f"{place.store.path}: {looked.unwired}; gitinstinct doctor --fix sets it"
    yield from _in_the_way(looked, place.store.path)
    if looked.pending:
        yield f"files in {place.store.path} follow the branch at the next command"


def _in_the_way(looked: Condition, path: Path) -> Iterator[str]:
    if looked.waiting:
        yield f"nothing can be committed now: {looked.waiting}"
    if looked.operation:
        yield f"an unfinished {looked.operation} in {path}"
    for refusal in looked.held:
        yield f"your change of {refusal.path} is not committed: {refusal.reason}"
    for lock in looked.locks:
        yield f"{lock.file} is there since {lock.since:%Y-%m-%d %H:%M}; {lock.way_out}"


def _forged(shelves: Iterable[Shelf]) -> Iterator[str]:
    """Whether there is something for `check`, as far as that costs nothing to see."""
    number = sum(evidence.differs(item.instinct) for shelf in shelves for item in shelf.items.values())
    if number:
        yield f"{output.counted(number, 'instinct')} with numbers that the ledger does not give: gitinstinct check"


def _unwritable(folder: Path) -> Path | None:
    """The folder, or the nearest one above it that exists, if it cannot be written."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return None if folder.is_dir() and os.access(folder, os.W_OK | os.X_OK) else folder


# --- for people


def observer_lines(found: Standing) -> Iterator[tuple[str, str]]:
    """Label and text of each line about the observer."""
    yield "last run", _last_run(found.memory.last)
    failure = found.memory.failure
    yield "last failure", f"{_when(failure['at'])}  {failure['reason']}" if failure else "none"
    yield from found.model
    yield "waits", f"{found.facts.waiting} observations"
    yield from gating.lines(found.gates, found.facts.now)
    if found.start is not None and found.start.fault:
        yield "last start", f"{found.start.at.astimezone():%Y-%m-%d %H:%M}  {found.start.fault}"
    if brief := daemon.in_brief():
        yield "daemon", brief
    yield "captured", _captured(found)
    yield "influenced", view.use(found.influenced)
    if found.measured.eligible:
        yield "measured", "in the last 7 days {1} of {0} were withheld".format(*found.measured)
    for kind, label in (("skipped", "left out"), ("lost", "lost"), ("failed", "failed")):
        told = [f"{count.number} {count.reason}" for count in found.counts if count.reason.startswith(f"{kind}.")]
        if told:
            yield label, ", ".join(told).replace(f"{kind}.", "")


def _last_run(last: dict[str, Any]) -> str:
    if not last:
        return "none yet"
    return f"{_when(last['at'])}  {last['detector']}: {last['learned']}, from {last['observations']} observations"


def _captured(found: Standing) -> str:
    newest = found.facts.last_captured
    if newest is None:
        return "nothing yet in this project; `gitinstinct doctor` tells whether the hooks are in place"
    minutes = max(0, int((found.facts.now - newest).total_seconds() // 60))
    ago = f"{minutes} min" if minutes < 120 else f"{minutes // 60} h" if minutes < 2880 else f"{minutes // 1440} days"
    return f"last event {ago} ago"


def _when(text: str) -> str:
    return datetime.fromisoformat(text).astimezone().strftime("%Y-%m-%d %H:%M")


# --- for scripts


def gate_json(gate: Gate | None) -> dict[str, Any] | None:
    """A gate that is shut."""
    return None if gate is None else {"gate": gate.name, "reason": gate.reason}


def as_json(found: Standing) -> dict[str, Any]:
    """What `status --json` tells."""
    main = found.places[0].project
    newest = found.facts.last_captured
    return {
        "project": {"id": main.id, "name": main.name, "remote": main.remote or None},
        "stores": [{"scope": place.scope, "path": str(place.store.path)} for place in found.places if place.store],
        "observer": {
            "detector": found.detector,
            "last_run": found.memory.last or None,
            "last_failure": found.memory.failure or None,
            "last_captured": newest.isoformat() if newest else None,
            "gate": gate_json(next((gate for gate in found.gates if not gate.is_open), None)),
            "gates": [gating.as_data(gate) for gate in found.gates],
            "start": gating.start_data(found.start),
            "daemon": daemon.in_brief() or None,
            "counts": {count.reason: count.number for count in found.counts},
        },
        "influenced": view.use_json(found.influenced),
        "measured": {"eligible": found.measured.eligible, "withheld": found.measured.withheld},
        "counts": {
            "injected": len(found.injected),
            "listed": len(found.active) - len(found.injected),
            "archived": found.archived,
        },
        "waiting": {"observations": found.facts.waiting, "review": found.waiting, "kinds": found.kinds},
        "injected": [one.item.instinct.id for one in found.selection.chosen],
        "notes": found.notes,
        "problems": [view.problem_json(problem) for problem in found.problems],
    }
