"""Whether plain git calls our driver: what is told of each way in which it may not."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from gitinstinct.git.repo import Repo
from gitinstinct.store import condition, driver, store, wiring
from gitinstinct.store.store import Store
from tests.support.repos import git
from tests.support.stores import new_store


@pytest.fixture
def held() -> Store:
    return new_store()


def test_a_store_of_ours_is_wired_and_no_process_is_needed(held: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Repo, "run", lambda *_, **__: pytest.fail("a process"))
    assert wiring.fault(held.repo) == ""


def test_a_clone_is_not(held: Store, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", str(held.path), "clone")
    clone = store.open(tmp_path / "clone")
    assert condition.of(clone).unwired == "no merge driver is set: plain git merges its instincts line by line"
    store.wire(clone.repo, driver=driver.command())
    assert condition.of(clone).unwired == ""


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (lambda there: driver.command(str(there / "python")), "is gone: {there}/python"),
        (lambda there: driver.command(script=there / "a 'b'" / "merge.py"), "is gone: {there}/a 'b'/merge.py"),
        (lambda there: driver.command(sys.executable, there.parent), ""),  # another installation's, and it is there
        (lambda there: "true %O %A %B", "another program than gitinstinct is set as its merge driver: true %O %A %B"),
        (lambda there: "'never ended", "another program"),
        (lambda there: "", "no merge driver is set"),
    ],
)
def test_what_else_may_be_set(held: Store, tmp_path: Path, command: Callable[[Path], str], told: str) -> None:
    there = tmp_path / "100% gone"
    git(held.path, "config", "merge.instinct.driver", command(there))
    fault = wiring.fault(held.repo)
    assert told.format(there=there) in fault
    assert bool(fault) is bool(told)


@pytest.mark.parametrize("line", ["[include]\n\tpath = more", '[merge "instinct"]\n\tdriver = "false;"'])
def test_the_last_word_counts(held: Store, line: str) -> None:
    (held.repo.git_dir / "more").write_text('[merge "instinct"]\n\tdriver = "false;"\n')
    with (held.repo.git_dir / "config").open("a") as config:
        config.write(f"{line}\n")
    assert "another program" in wiring.fault(held.repo)


def test_a_driver_of_something_else_is_none_of_ours(held: Store) -> None:
    git(held.path, "config", "merge.other.driver", "other; true")
    assert wiring.fault(held.repo) == ""
