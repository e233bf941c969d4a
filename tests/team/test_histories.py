"""Random histories of a real team: two who use the program, and one who has plain git with the merge driver.

Whatever they do, and in whichever order they pull and push, all three end with one tree, and nothing is in conflict but
words about which they disagree. `instinct/merge/test_team.py` plays many more of these without git.
"""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from gitinstinct.git.identity import Actor
from gitinstinct.git.trailers import Message
from gitinstinct.instinct import edit, ids, markdown
from gitinstinct.store import commit
from gitinstinct.store.commit import Change
from gitinstinct.team import exchange
from tests.support import files, versions
from tests.support.mates import BOB, Mate, bare, mate
from tests.support.repos import ANN, git
from tests.support.stores import NOW
from tests.support.versions import Act

TEAMS = int(os.environ.get("GITINSTINCT_TEAMS", "4"))
NAMES = ("prefer-rg", "run-tests")
KINDS = ("observe", "confirm", "contradict", "shared", "retract", "trigger", "domain", "tags", "action", "section")
CYD = Actor("Cyd", "cyd@example.org")


class Person:
    """Somebody with a clone."""

    def __init__(self, one: Mate, who: str, by_hand: bool) -> None:
        self.mate, self.who, self.by_hand, self.path = one, who, by_hand, one.store.path

    def work(self, chance: random.Random) -> None:
        """An act on one instinct, committed as their tool does it."""
        file = self.path / ids.path_of(chance.choice(NAMES))
        before = file.read_bytes()
        after = versions.done(before, [Act(chance.choice(KINDS), chance.randrange(6), self.who)])
        file.write_bytes(after)
        if self.by_hand and after != before:
            git(self.path, "commit", "-q", "-a", "-m", f"work of {self.who}")
        elif not self.by_hand:
            exchange.settle(self.mate.store, NOW)

    def pull(self, _: random.Random) -> None:
        """Takes in what is there; a conflict is data, so it is committed."""
        if not self.by_hand:
            self.mate.pull()
            return
        git(self.path, "pull", "-q", "--no-rebase", "--no-edit", ok=False)
        if (self.path / ".git" / "MERGE_HEAD").exists():
            git(self.path, "commit", "-q", "-a", "--no-edit")

    def push(self, _: random.Random) -> None:
        """Pushes if nobody was quicker."""
        if self.by_hand:
            git(self.path, "push", "-q", ok=False)
            return
        exchange.push(self.mate.store, self.mate.link, exchange.Talk())

    def squash(self, _: random.Random) -> None:
        """Makes one commit of all that is not pushed; only who works by hand does that."""
        upstream = git(self.path, "rev-parse", "--verify", "-q", "@{upstream}", ok=False)
        if self.by_hand and upstream and git(self.path, "diff", "--name-only", upstream):
            git(self.path, "reset", "-q", "--soft", upstream)
            git(self.path, "commit", "-q", "-m", f"all of {self.who}")

    @property
    def tree(self) -> str:
        """The tree of their branch."""
        return git(self.path, "rev-parse", "main^{tree}")


@pytest.fixture
def team(tmp_path: Path) -> list[Person]:
    hub = bare(tmp_path / "hub.git")
    people = [
        Person(mate(tmp_path / who.name, hub, who), letter * (at + 1), who is CYD)
        for at, (who, letter) in enumerate(((ANN, "a"), (BOB, "b"), (CYD, "c")))
    ]
    start = {ids.path_of(name): files.made(name, tags=["search"], reviewer="core") for name in NAMES}
    commit.write(people[0].mate.store, lambda _: Change(start, Message("observe: 2 new")), NOW)
    people[0].mate.sync()
    for person in people[1:]:
        person.pull(random.Random(0))
    return people


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(TEAMS))
def test_all_end_with_one_tree(team: list[Person], seed: int) -> None:
    chance = random.Random(seed)
    acts = (Person.work, Person.work, Person.work, Person.pull, Person.push, Person.squash)
    for _ in range(20):
        chance.choice(acts)(chance.choice(team), chance)
    for person in team * 2:
        person.pull(chance)
        person.push(chance)
    assert len({person.tree for person in team}) == 1
    for name in NAMES:
        data = (team[0].path / ids.path_of(name)).read_bytes()
        assert edit.rederived(data) == data
        assert {str(one["field"]) for one in markdown.parse(data, name).conflicts} <= {"trigger", "action"}
    for person in team:
        assert git(person.path, "status", "--porcelain") == ""
        git(person.path, "fsck", "--strict", "--no-dangling")
