"""Runs and commands on real stores: what observers and people write, in few words."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from gitinstinct.git import objects
from gitinstinct.git.identity import OBSERVER
from gitinstinct.git.objects import Commit
from gitinstinct.git.trailers import Message
from gitinstinct.instinct import edit, ids, ledger, markdown
from gitinstinct.instinct.confidence import Fold
from gitinstinct.instinct.ledger import Entry
from gitinstinct.store import commit
from gitinstinct.store.store import Store
from gitinstinct.teach import commands, desk, undoing
from gitinstinct.teach.commands import Command
from gitinstinct.teach.desk import Outcome
from tests.support.repos import ANN, git
from tests.support.stores import newest

START = datetime(2026, 11, 1, 9, tzinfo=UTC)
_nonces = itertools.count()

Worth = tuple[int, str, int, int]
"""Confidence, status, confirmations, contradictions."""


def seen(session: str, kind: str, amount: int, moment: datetime, others: tuple[Entry, ...] = ()) -> Entry:
    """Evidence of one session."""
    origin = ledger.observed_origin("a1b2c3d4e5f6", session, kind)
    return ledger.new_entry(moment, kind, amount, f"{kind} in {session}", origin, others)


def recorded(data: bytes | None, name: str, entry: Entry) -> bytes:
    """A file with one more entry; a new one if there is none."""
    if data is not None:
        return edit.record(data, [entry], "2026-11-01")
    fields = {"id": name, "trigger": f"when {name}", "domain": "testing", "source": "session-observation"}
    return markdown.compose(fields, name.title(), "Run the tests.", [entry])


Evidence = Mapping[str, tuple[str, int]]
"""What a run saw: id → kind and amount."""


def _ran(number: int, evidence: Evidence, read: Callable[[str], bytes | None], days: float) -> tuple[str, Commit]:
    """An observer run's name and its commit, without a parent; the session is the run's own."""
    moment = START + timedelta(days=days, minutes=number)
    name, time = ledger.encode_time(int(moment.timestamp() * 1000)), int(moment.timestamp())
    files: dict[str, bytes | None] = {}
    for key, (kind, amount) in evidence.items():
        data = read(ids.path_of(key))
        others = markdown.parse(data).ledger if data is not None else ()
        files[ids.path_of(key)] = recorded(data, key, seen(f"s{number}", kind, amount, moment, others))
    trailers = [*(("Instinct", f"{key} {kind}") for key, (kind, _) in evidence.items()), ("Run", name)]
    message = Message(f"observe: {len(files)}", trailers=trailers).render()
    return name, Commit(message, OBSERVER, ANN, time, files=files)


def run(store: Store, number: int, evidence: Evidence, *, days: float = 0) -> str:
    """An observer run; its name."""
    return runs(store, {number: evidence}, days)[number]


def runs(store: Store, evidence: Mapping[int, Evidence], days: float = 0) -> dict[int, str]:
    """Observer runs by their numbers, so many days apart, written at once; the name of each."""
    commit.write(store, lambda _: None, START)  # a person's edits first
    known, names, commits = newest(store), {}, list[Commit]()
    files: dict[str, bytes | None] = {}

    def read(path: str) -> bytes | None:
        return files.get(path) or known.read(path)

    for number, one in evidence.items():
        names[number], made = _ran(number, one, read, number * days)
        commits.append(replace(made, parents=[f":{len(commits)}" if commits else known.commit]))
        files |= made.files
    tip = objects.write(store.repo, commits)[-1]
    git(store.path, "update-ref", "refs/heads/main", tip)
    if git(store.path, "symbolic-ref", "-q", "HEAD", ok=False) == "refs/heads/main":
        git(store.path, "reset", "-q", "--hard")
    return names


def worth_of(evidence: Mapping[int, Evidence], days: float = 0, day: str = "2026-11-21") -> dict[str, Worth]:
    """What these runs come to, without a store."""
    files: dict[str, bytes] = {}
    for number, one in evidence.items():
        made = _ran(number, one, files.get, number * days)[1]
        files |= {path: data for path, data in made.files.items() if data is not None}
    found = {ids.of_path(path) or "": markdown.parse(data) for path, data in files.items()}
    return {name: summary(instinct.fold(day, day)) for name, instinct in found.items()}


def said(verb: str, *, value: int | None = None, why: str = "", at: datetime | None = None) -> Command:
    """A person's command, with a nonce of its own."""
    return Command(verb, at or START + timedelta(days=20), f"nonce {next(_nonces)}", why, value)


def apply(store: Store, command: Command, *names: str, rehearse: bool = False) -> Outcome:
    """Carries out a command on these instincts."""
    return desk.carry_out(store, lambda at: commands.apply(command, at.items(names)), command.at, rehearse=rehearse)


def undo(store: Store, wanted: str | None = None, *, command: Command | None = None) -> Outcome:
    """Takes a run or command back."""
    told = command or said("undo")
    choices = undoing.targets(store.repo, wanted)
    target = undoing.choose(told, desk.look(store, told.at), store.repo, choices)
    return desk.carry_out(store, lambda at: undoing.undo(told, at, store.repo, target), told.at)


def worth(store: Store, day: str = "2026-11-21") -> dict[str, Worth]:
    """What every instinct of the store is worth."""
    found = desk.Desk(newest(store), day).shelf
    assert not found.problems
    return {name: summary(item.fold(day)) for name, item in found.items.items()}


def summary(fold: Fold) -> Worth:
    """A fold without its dates."""
    return fold.confidence, fold.status, fold.confirmations, fold.contradictions
