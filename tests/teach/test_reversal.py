"""Taking a commit back leaves every file worth what it would be if the commit had never been."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitinstinct.instinct import edit, markdown
from gitinstinct.instinct.ledger import Entry, live, parse_line
from gitinstinct.store.history import Logged
from gitinstinct.teach import commands, reversal
from gitinstinct.teach.acts import Acts
from gitinstinct.teach.reversal import Reversal, Versions
from tests.support import files
from tests.support.teaching import START, recorded, said, seen, summary
from tests.teach.test_acts import logged
from tests.teach.test_commands import of

GOOD = files.CANONICAL.encode()
UNADOPTED = files.UNADOPTED.encode()
LATER = START + timedelta(days=20)
DAY = LATER.date().isoformat()


def no_merge(ours: bytes, base: bytes, theirs: bytes) -> bytes | None:
    """Where both sides changed something, a real merge has its say elsewhere."""
    return None


def reverse(
    before: bytes | None, after: bytes | None, newest: bytes | None, name: str = "grep-before-edit"
) -> Reversal:
    return reversal.reverse(name, Versions(before, after, newest, "2026-11-01"), LATER, "undo of it", no_merge)


def entry(line: str) -> Entry:
    found = parse_line(line)
    assert found is not None
    return found


MORE = edit.record(GOOD, [seen("s1", "confirmed", 1, START + timedelta(days=12))], "")
LATER_RUN = edit.record(MORE, [seen("s2", "confirmed", 2, START + timedelta(days=13))], "")


def test_added_evidence_is_retracted_and_what_came_later_stays() -> None:
    done = reverse(GOOD, MORE, LATER_RUN)
    assert done.did == ("1 entry no longer counts",)
    without = edit.record(GOOD, [seen("s2", "confirmed", 2, START + timedelta(days=13))], "")
    assert done.data is not None
    assert summary(of(done.data).fold(DAY)) == summary(of(without).fold(DAY))
    assert set(markdown.parse(LATER_RUN).ledger) < set(markdown.parse(done.data).ledger)
    assert reverse(GOOD, MORE, done.data).data == done.data, "taken back already"


def test_a_new_instinct_ends_at_nothing_unless_something_later_speaks_for_it() -> None:
    done = reverse(None, GOOD, GOOD)
    assert done.data is not None
    assert summary(of(done.data).fold(DAY)) == (0, "archived", 0, 0)
    assert edit.record(done.data, markdown.parse(GOOD).ledger, "") == done.data, "a replay cannot bring it back"
    supported = reverse(None, GOOD, LATER_RUN).data
    assert supported is not None
    assert summary(of(supported).fold(DAY)) == (38, "active", 3, 0)


RG, AG = GOOD.replace(b"Grep,", b"rg,"), GOOD.replace(b"Grep,", b"ag,")
HALF = UNADOPTED.replace(b"0.8", b"0.5")
POORER = edit.with_ledger(GOOD, markdown.parse(GOOD).ledger[:2])
FORGED = edit.rederived(GOOD.replace(b"observed 5", b"observed 50"))
AGAIN = "its words were changed again since"

CASES: list[tuple[str, bytes | None, bytes | None, bytes | None, bytes | None, str]] = [
    ("words that nobody touched since", GOOD, RG, RG, GOOD, ""),
    ("words that were changed again", GOOD, RG, AG, AG, AGAIN),
    ("a deletion", GOOD, None, None, GOOD, ""),
    ("a deletion that somebody made good", GOOD, None, MORE, MORE, "it is there again"),
    ("a change of what was deleted since", GOOD, MORE, None, None, "it was deleted since"),
    ("an addition that is gone", None, GOOD, None, None, ""),
    ("a number in a file without a ledger", UNADOPTED, HALF, HALF, UNADOPTED, ""),
    ("a file that cannot be read", None, b"junk", b"junk", None, ""),
    ("one that cannot be read and was changed", None, b"junk", b"other junk", b"other junk", "it was changed since"),
    ("a readable file made unreadable", GOOD, b"junk", b"junk", GOOD, ""),
    ("an unreadable file that was mended since", b"junk", b"other", GOOD, GOOD, "it was changed again since"),
    ("evidence that a person took out", GOOD, POORER, POORER, GOOD, ""),
    ("a forged line", GOOD, FORGED, FORGED, GOOD, ""),
]


@pytest.mark.parametrize(
    ("before", "after", "newest", "data", "left"), [case[1:] for case in CASES], ids=[case[0] for case in CASES]
)
def test_what_goes_back_and_what_does_not(
    before: bytes | None, after: bytes | None, newest: bytes | None, data: bytes | None, left: str
) -> None:
    done = reverse(before, after, newest)
    assert (done.data, done.left) == (data, left)
    assert bool(done.did) == (data != newest)


def test_taking_a_file_in_is_not_taken_back() -> None:
    """A command on a file without a ledger wrote what the file said, and its own entry; only that one goes."""
    confirmed = commands.apply(said("confirm", at=START), {"prefer-rg": of(UNADOPTED, "2026-11-01")}).files
    done = reverse(UNADOPTED, confirmed["instincts/prefer-rg.md"], confirmed["instincts/prefer-rg.md"], "prefer-rg")
    assert done.data is not None
    assert summary(of(done.data).fold(DAY)) == (76, "active", 0, 0)


def test_a_file_without_a_ledger_that_was_dropped_in() -> None:
    for newest in (UNADOPTED, edit.adopt(UNADOPTED, "2026-11-01")):
        done = reverse(None, UNADOPTED, newest, "prefer-rg")
        assert done.data is not None
        assert summary(of(done.data).fold(DAY)) == (0, "archived", 0, 0)


def test_a_number_that_was_taken_into_the_ledger_is_said() -> None:
    done = reverse(UNADOPTED, HALF, edit.adopt(HALF, "2026-11-01"), "prefer-rg")
    assert done.left == "its confidence was taken into the ledger since; `set` changes it"


def test_what_was_forgotten_stays_so() -> None:
    stub = edit.with_ledger(GOOD, [entry("- 2026-11-14 forgotten: x [01m7b000000-0000f0f0]")])
    assert reverse(GOOD, MORE, stub) == Reversal(stub, left="it was forgotten, and stays so")


def test_a_file_that_is_full_is_said() -> None:
    full = GOOD.replace(b"then edit.", b"then edit." + b"x" * (65_500 - len(GOOD)))
    added = edit.with_ledger(full, markdown.parse(full).ledger[:3])
    assert reverse(added, full, full).left.startswith("it takes no more evidence: the file has")


@pytest.mark.parametrize("key", ["abcdef", "a-b-c-d-e-f", "x" * 40, "0123456789-abcdef12"])
def test_foreign_keys_can_be_taken_back_and_brought_back(key: str) -> None:
    after = edit.record(GOOD, [entry(f"- 2026-11-12 confirmed 1: x [{key}]")], "")
    gone = reverse(GOOD, after, after).data
    assert gone is not None
    again = reverse(after, gone, gone).data
    assert again is not None
    assert of(gone).fold(DAY).confidence == of(GOOD).fold(DAY).confidence
    assert of(again).fold(DAY).confidence == of(after).fold(DAY).confidence
    assert reverse(after, gone, again).data == again


# --- any history of runs, commands and undos


@dataclass
class World:
    """A store in memory: the files after each commit, and a log of what each was."""

    states: list[dict[str, bytes]] = field(default_factory=lambda: [{}])
    log: list[Logged] = field(default_factory=list)

    def commit(self, files: dict[str, bytes], undoes: Sequence[str] = ()) -> str:
        name = str(len(self.states))
        self.log.insert(0, logged(name, "undo: x" if undoes else "observe: x", undoes=" ".join(undoes)))
        self.states.append(self.states[-1] | files)
        return name

    def undo(self, wanted: str) -> None:
        """Takes a commit back as the command does."""
        known, files, undone = Acts(self.log), dict(self.states[-1]), []
        for one in known.carriers(known.named(wanted)[0]):
            before, after = self.states[int(one.commit) - 1], self.states[int(one.commit)]
            changed = {name for name in after if after[name] != before.get(name)}
            result = {name: reverse(before.get(name), after[name], files[name], name).data for name in changed}
            if any(result[name] != files[name] for name in changed):
                undone.append(one.commit)
            files |= {name: data for name, data in result.items() if data is not None}
        if undone:
            self.commit(files, undone)

    def expected(self, stands: set[str]) -> dict[str, tuple[int, str, int, int]]:
        """What the files are worth if only those commits had ever been."""
        found = {}
        for name, data in self.states[-1].items():
            kept = [one for commit in stands for one in self.added(commit, name)]
            found[name] = summary(of(edit.with_ledger(data, kept)).fold(DAY)) if kept else (0, "archived", 0, 0)
        return found

    def added(self, commit: str, name: str) -> list[Entry]:
        """The entries that a commit brought."""
        before, after = self.states[int(commit) - 1].get(name), self.states[int(commit)].get(name)
        known = markdown.parse(before).ledger if before else ()
        return [one for one in markdown.parse(after).ledger if one not in known] if after else []


NAMES = ("a", "b")
KINDS = {"observed": 5, "confirmed": 1, "contradicted": 1, "set": 60, "archived": None, "restored": None}


EVIDENCE = st.dictionaries(st.sampled_from(NAMES), st.sampled_from(sorted(KINDS)), min_size=1)
STEPS = st.lists(st.one_of(EVIDENCE, st.integers(1, 8), st.integers(1, 3)), min_size=1, max_size=9)
"""Runs, each with its evidence, and undos of the commit of that number."""


def evidence(number: int, kind: str) -> Entry:
    amount, moment = KINDS[kind], START + timedelta(days=2 * number)
    if amount is not None:
        return seen(f"s{number}", kind, amount, moment)
    return entry(f"- {moment:%Y-%m-%d} {kind}: x [{number:010}-{number:08x}]")


@settings(max_examples=150)
@given(STEPS)
def test_any_history_is_worth_what_still_stands(steps: list[dict[str, str] | int]) -> None:
    """The worth of runs and commands, undone and brought back in any order, is that of those which stand."""
    world, standing, undone = World(), set[str](), dict[str, str]()
    for number, step in enumerate(steps):
        newest = world.states[-1]
        if isinstance(step, dict):
            made = {name: recorded(newest.get(name), name, evidence(number, kind)) for name, kind in step.items()}
            standing.add(world.commit(made))
        elif step < len(world.states):
            before = len(world.states)
            world.undo(str(step))
            if len(world.states) > before:
                undone[str(before)] = str(step)
                toggle(standing, undone, str(before))
    now = {name: summary(of(data).fold(DAY)) for name, data in world.states[-1].items()}
    assert now == world.expected(standing)


def toggle(standing: set[str], undone: dict[str, str], commit: str) -> None:
    """An undo of a run takes it away, an undo of that undo brings it back, and so on."""
    takes_away = False
    while commit in undone:
        commit, takes_away = undone[commit], not takes_away
    (standing.discard if takes_away else standing.add)(commit)


@given(st.permutations(["1", "2", "3"]))
def test_the_order_of_undos_does_not_matter(order: list[str]) -> None:
    world = World()
    for number, kind in enumerate(("observed", "confirmed", "contradicted")):
        data = world.states[-1].get("a")
        world.commit({"a": recorded(data, "a", seen(f"s{number}", kind, 3, START + timedelta(days=number)))})
    for wanted in order:
        world.undo(wanted)
    ledger = markdown.parse(world.states[-1]["a"]).ledger
    assert [one for one in live(ledger) if one.kind != "retracted"] == []


def test_two_who_take_back_and_bring_back_apart_count_it_once() -> None:
    moments = (LATER, LATER + timedelta(hours=5))
    found = Versions(GOOD, MORE, MORE, "")
    gone = [reversal.reverse("grep-before-edit", found, moment, "x", no_merge).data for moment in moments]
    both = edit.with_ledger(MORE, dict.fromkeys(one for data in gone if data for one in markdown.parse(data).ledger))
    again = [reverse(MORE, data, data).data for data in gone]
    merged = edit.with_ledger(both, dict.fromkeys(one for data in again if data for one in markdown.parse(data).ledger))
    assert of(both).fold(DAY).confidence == of(GOOD).fold(DAY).confidence
    assert summary(of(merged).fold(DAY)) == summary(of(MORE).fold(DAY))
