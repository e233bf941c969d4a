"""Four callers, one merge: the driver as git runs it, the merge of two commits, `merge-file` and `resolve`.

Every case is a file of its own in one store, so that one `git merge` and one merge of commits do them all.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from gitinstinct.git.repo import resolve
from gitinstinct.git.trailers import Message
from gitinstinct.instinct import ids
from gitinstinct.instinct.merge import Conflicted, Invalid, merge
from gitinstinct.resolve import unfinished
from gitinstinct.resolve.settling import Decision
from gitinstinct.store import driver, merging
from gitinstinct.store import store as stores
from gitinstinct.store.store import Store
from tests.support import DATA, versions
from tests.support.program import Program
from tests.support.repos import ANN, commit_all, git
from tests.support.stores import ABOUT, NOW
from tests.support.versions import START, Act, done

GENERATED = 36


class Case(NamedTuple):
    """Three versions of a file; None where there is none."""

    base: bytes | None
    ours: bytes | None
    theirs: bytes | None


def vectors() -> Iterator[Case]:
    for case in json.loads((DATA / "vectors" / "merge.json").read_text("utf-8")):
        yield Case(*(case[side].encode() if case[side] else None for side in Case._fields))


def generated() -> Iterator[Case]:
    """Random work of two people, some of whose files are CRLF, or were deleted, or made by both."""
    chance = random.Random(20261130)
    kinds = (*versions.EVIDENCE, "trigger", "domain", "tags", "reviewer", "new key", "action", "section", "bullet")

    def work(who: str) -> bytes:
        return done(START, [Act(chance.choice(kinds), chance.randrange(6), who) for _ in range(chance.randrange(1, 6))])

    for number in range(GENERATED):
        case = Case(START, work("a"), work("bb"))
        if number % 6 == 1:
            case = case._replace(base=None)
        if number % 6 == 2:
            case = Case(*(data.replace(b"\n", b"\r\n") for data in case if data))
        if number % 12 == 3:
            case = case._replace(theirs=None)
        yield case


def named(case: Case, name: str) -> Case:
    """The case with an id of its own."""
    known, own = re.compile(rb"^id: [a-z-]+", re.MULTILINE), b"id: " + name.encode()
    return Case(*(data and known.sub(own, data, count=1) for data in case))


CASES = {f"case-{number}": named(case, f"case-{number}") for number, case in enumerate([*vectors(), *generated()])}


def wanted(name: str) -> bytes | None:
    outcome = merge(*CASES[name], name)
    assert not isinstance(outcome, Invalid), outcome.reason
    return outcome.data


BOTH = {name: case for name, case in CASES.items() if case.ours and case.theirs}
"""Where no side deleted the file: only then git asks a driver. (And a deleted file it may take for one renamed.)"""


def side(cases: Mapping[str, Case], index: int) -> dict[str, bytes | None]:
    return {ids.path_of(name): case[index] for name, case in cases.items()}


def committed(store: Store, files: Mapping[str, bytes | None], message: str) -> str:
    for path, data in files.items():
        if data is None:
            (store.path / path).unlink(missing_ok=True)
    return commit_all(store.path, {path: data for path, data in files.items() if data is not None}, message)


def store_of(cases: Mapping[str, Case], place: Path) -> Store:
    """A store with these cases: `main` is ours, `theirs` theirs."""
    made = stores.create(place, ABOUT, NOW, identity=ANN, driver=driver.command())
    committed(made, side(cases, 0), "base")
    git(made.path, "checkout", "-q", "-b", "theirs")
    committed(made, side(cases, 2), "theirs")
    git(made.path, "checkout", "-q", "main")
    committed(made, side(cases, 1), "ours")
    return made


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """All cases."""
    return store_of(CASES, tmp_path / "store")


def test_the_cases_are_of_all_kinds() -> None:
    outcomes = {name: merge(*case, name) for name, case in CASES.items()}
    conflicted = sum(isinstance(outcome, Conflicted) for outcome in outcomes.values())
    assert 15 < conflicted < len(CASES) - 15


@pytest.mark.slow
def test_the_driver(tmp_path: Path) -> None:
    store = store_of(BOTH, tmp_path / "store")
    git(store.path, "merge", "-q", "theirs", ok=False)
    for name in BOTH:
        assert (store.path / ids.path_of(name)).read_bytes() == wanted(name), name


def test_two_commits(store: Store) -> None:
    theirs = resolve(store.repo, "theirs")
    assert theirs is not None
    found = merging.merge(store, theirs, NOW, message=lambda _: Message("merge: theirs"))
    for name in CASES:
        file = store.path / ids.path_of(name)
        assert (file.read_bytes() if file.exists() else None) == wanted(name), name
    assert set(found.merging.conflicts) == {n for n, case in CASES.items() if isinstance(merge(*case, n), Conflicted)}


def test_bare_files(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    program = Program(capsys)
    for name, case in BOTH.items():
        files = [tmp_path / one for one in Case._fields]
        for file, data in zip(files, case, strict=True):
            file.write_bytes(data or b"")
        result = program("merge-file", *map(str, files), "--path", ids.path_of(name))
        assert files[1].read_bytes() == wanted(name), name
        assert (result.code == 1) == isinstance(merge(*case, name), Conflicted)


def test_the_stages_of_an_unfinished_merge(store: Store) -> None:
    git(store.path, "rm", "-q", "-r", "--cached", "instincts")
    for name in CASES:
        (store.path / ids.path_of(name)).unlink(missing_ok=True)
    lines = [
        f"100644 {store.repo.ask('hash-object', '-w', '--stdin', stdin=data)} {stage}\t{ids.path_of(name)}\n"
        for name, case in CASES.items()
        for stage, data in enumerate(case, 1)
        if data is not None
    ]
    git(store.path, "update-index", "--index-info", stdin="".join(lines).encode())
    found = unfinished.find(store, "2026-11-29")
    assert {case.name for case in found} == set(CASES)
    unfinished.add(store, [Decision(case) for case in found])
    assert git(store.path, "ls-files", "--unmerged") == ""
    for name in CASES:
        file = store.path / ids.path_of(name)
        assert (file.read_bytes() if file.exists() else None) == wanted(name), name
