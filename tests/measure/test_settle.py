"""From the log and the observations to outcomes and verdicts, and back by `release`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from gitinstinct import paths
from gitinstinct.instinct import markdown
from gitinstinct.measure import files, outcomes, persons, report, settle, strata, verdicts
from gitinstinct.measure.decision import Verdict
from gitinstinct.store.layout import About
from tests.support import measuring, work
from tests.support.life import fresh
from tests.support.measuring import BAD, GOOD, NAME, START, line, session, trial, write_log
from tests.support.stores import PROJECT

NOW = datetime(2026, 11, 29, 10, tzinfo=UTC)
HELPS = [(True, 1.0), (False, 0.0), (False, 0.0)] * 8
HARMS = [(True, 0.0), (False, 1.0), (False, 1.0)] * 8
KEY = (NAME, measuring.text())


def update() -> list[str]:
    return [stratum.instinct for stratum in settle.update(NOW)]


def verdict() -> Verdict:
    [stratum] = strata.gather()
    return stratum.decision.verdict


# --- outcomes


def test_a_session_that_is_over_is_counted_once() -> None:
    measuring.store()
    trial([(False, 0.25), (True, 1.0)], PROJECT)
    assert update() == update() == []
    found = outcomes.read(PROJECT)
    assert [(one.kind, one.eligible, one.bad) for one in found] == [("check", 4, 1), ("check", 4, 4)]
    assert len(Path(paths.measure(f"outcomes/{PROJECT}.jsonl")).read_text().splitlines()) == 2
    [stratum] = strata.gather()
    assert [(unit.withheld, unit.bad, unit.share) for unit in stratum.units] == [(False, 0.25, 0.33), (True, 1.0, 0.33)]


def test_a_session_that_goes_on_waits() -> None:
    measuring.store()
    at = NOW - timedelta(hours=2)
    write_log([line("s1", at, False)], PROJECT)
    session("s1", at, [BAD], PROJECT, ends=False)
    update()
    assert outcomes.read(PROJECT) == []
    [stratum] = strata.gather()
    assert (stratum.waiting, stratum.units) == (1, [])
    session("s1", at + timedelta(hours=1), [GOOD], PROJECT)
    update()
    [outcome] = outcomes.read(PROJECT)
    assert (outcome.eligible, outcome.bad) == (2, 1)


def test_a_session_that_never_ended_is_over_after_a_day() -> None:
    measuring.store()
    write_log([line("s1", START, False)], PROJECT)
    session("s1", START, [BAD], PROJECT, ends=False)
    update()
    assert [one.bad for one in outcomes.read(PROJECT)] == [1]


def test_what_happened_before_the_instinct_was_due_does_not_count() -> None:
    measuring.store()
    write_log([line("s1", START + timedelta(seconds=35), False)], PROJECT)
    session("s1", START, [BAD, GOOD, GOOD], PROJECT)
    update()
    assert [(one.eligible, one.bad) for one in outcomes.read(PROJECT)] == [(2, 0)]


@pytest.mark.parametrize("how", ["nothing captured", "nothing eligible", "other words", "no store"])
def test_a_session_that_says_nothing_is_put_away(how: str) -> None:
    if how != "no store":
        measuring.store(measuring.instinct(check={"on": "shell", "bad": "npm"}) if how == "other words" else None)
    write_log([line("s1", START, False)], PROJECT)
    if how != "nothing captured":
        session("s1", START, ["ls"] if how == "nothing eligible" else [BAD], PROJECT)
    update()
    [outcome] = outcomes.read(PROJECT)
    assert outcome.value is None
    assert outcome.kind == ("check" if how == "nothing eligible" else "untold")


def test_without_a_check_signals_of_trouble_count() -> None:
    data = measuring.instinct(check=None)
    measuring.store(data)
    write_log([line("s1", START, False, text=measuring.text(data))], PROJECT)
    session("s1", START, ["ls", "ls"], PROJECT)
    update()
    assert [(one.kind, one.eligible, one.bad) for one in outcomes.read(PROJECT)] == [("signals", 2, 0)]


def test_a_check_that_cannot_be_read_tells_nothing() -> None:
    data = measuring.instinct(check={"on": "shell", "bad": "(a*)*"})
    measuring.store(data)
    write_log([line("s1", START, False, text=measuring.text(data))], PROJECT)
    session("s1", START, [BAD], PROJECT)
    update()
    assert [one.kind for one in outcomes.read(PROJECT)] == ["untold"]


def test_what_was_never_in_a_test_is_left_alone() -> None:
    measuring.store()
    write_log([line("s1", START, False, probation=False)], PROJECT)
    session("s1", START, [BAD], PROJECT)
    update()
    assert (outcomes.read(PROJECT), strata.gather()) == ([], [])


def test_a_damaged_file_of_outcomes_costs_its_lines() -> None:
    measuring.store()
    trial([(False, 0.0), (True, 1.0)], PROJECT)
    update()
    path = Path(paths.measure(f"outcomes/{PROJECT}.jsonl"))
    good = json.loads(path.read_text().splitlines()[0])
    bad = [
        good | {"bad": 9},
        good | {"bad": -1},
        good | {"kind": "guess"},
        good | {"eligible": "4"},
        good | {"scope": None},
    ]
    path.write_text(
        '{"v":1,"sess\n' + "".join(json.dumps(one | {"session": f"x{n}"}) + "\n" for n, one in enumerate(bad))
    )
    assert outcomes.read(PROJECT) == []
    update()
    assert len(outcomes.read(PROJECT)) == 2  # told anew from the observations


@pytest.mark.parametrize(
    "memory", ["", "{", '{"a1b2c3d4e5f6":{"000001.jsonl":"x"}}', '{"a1b2c3d4e5f6":{"000001.jsonl":9999999}}']
)
def test_where_to_go_on_reading_may_be_lost(memory: str) -> None:
    measuring.store()
    trial([(False, 0.0)], PROJECT)
    files.replace(paths.measure("reading.json"), memory.encode())
    update()
    assert len(outcomes.read(PROJECT)) == 1


def test_the_next_reading_begins_where_it_must() -> None:
    """Sessions that overlap, over two segments, looked at after each step: the same as looked at once."""
    measuring.store()
    late = NOW - timedelta(hours=3)
    write_log([line("long", START, False), line("short", START, True), line("late", late, False)], PROJECT)
    session("short", START, [GOOD], PROJECT)
    session("long", START + timedelta(hours=1), [BAD], PROJECT, ends=False)
    early = START + timedelta(hours=6)
    settle.update(early)
    work.spool([b'{"v":1,"event":"prompt","at":"2026-11-01T13:00:00Z"}\n'], PROJECT, "000002.jsonl")
    settle.update(early)
    session("long", START + timedelta(hours=2), [GOOD], PROJECT, segment=2)
    session("late", late, [BAD, BAD], PROJECT, segment=2)
    update()
    found = {one.session: (one.eligible, one.bad) for one in outcomes.read(PROJECT)}
    assert found == {"short": (1, 0), "long": (2, 1), "late": (2, 2)}


# --- verdicts


def test_it_helps() -> None:
    measuring.store()
    trial(HELPS, PROJECT)
    assert update() == []
    assert verdict() is Verdict.HELPS
    assert verdicts.held_back(PROJECT) == {}
    decided = verdicts.decided(PROJECT)
    assert not verdicts.on_probation(decided, *KEY, "m1")
    assert verdicts.on_probation(decided, *KEY, "m2"), "another model is another test"
    assert verdicts.on_probation(decided, NAME, "f" * 16, "m1"), "and so are other words"
    assert verdicts.on_probation(decided, *KEY, None)


def test_it_harms_is_held_back_and_comes_back() -> None:
    measuring.store()
    trial(HARMS, PROJECT)
    assert update() == [NAME]
    assert update() == [], "told once"
    assert verdicts.held_back() == verdicts.held_back(PROJECT) == {KEY: "quarantined"}
    assert verdicts.held_back("ffffffffffff") == {}
    assert settle.release(["ffffffffffff"], NAME, NOW) == []
    assert settle.release([PROJECT, "global"], NAME, NOW) == [PROJECT]
    assert verdicts.held_back() == {}
    assert update() == [], "what was measured before no longer counts"
    assert verdicts.held_back() == {}
    assert verdicts.on_probation(verdicts.decided(), *KEY, "m1")


def test_it_does_nothing() -> None:
    measuring.store()
    trial([(number % 3 == 0, 0.25) for number in range(100)], PROJECT)
    assert update() == [NAME]
    assert verdicts.held_back(PROJECT) == {KEY: "inert"}


def test_by_signals_of_trouble_nothing_is_found_inert() -> None:
    """No single instinct makes out a fifth of all trouble: at the first look each of them would be."""
    data = measuring.instinct(check=None)
    measuring.store(data)
    trial([(number % 3 == 0, 0.0) for number in range(110)], PROJECT, text=measuring.text(data))
    assert update() == []
    [stratum] = strata.gather()
    assert (stratum.kind, stratum.decision.verdict) == ("signals", Verdict.UNKNOWN)


def test_a_store_that_cannot_be_read_today_may_be_tomorrow() -> None:
    life = measuring.store()
    trial([(False, 0.0)], PROJECT)
    ref = life.store.path / ".git" / "refs" / "heads" / "main"
    good = ref.read_bytes()
    ref.write_text("0" * 39 + "1\n")
    assert update() == []
    assert outcomes.read(PROJECT) == []
    ref.write_bytes(good)
    update()
    assert [one.kind for one in outcomes.read(PROJECT)] == ["check"]


@pytest.mark.parametrize(
    "data",
    [
        measuring.confirmed(measuring.instinct(), "used again by hand"),
        measuring.confirmed(measuring.instinct(), "set by hand", "set", 85),
    ],
)
def test_what_a_person_confirmed_is_never_put_away(data: bytes) -> None:
    life = measuring.store()
    trial(HARMS, PROJECT)
    assert update() == [NAME]
    life.by_hand("2026-11-28", {NAME: data})
    assert update() == []
    assert verdicts.held_back() == {}
    [row] = report.rows()
    assert (row.is_theirs, row.held, row.decision.verdict) == (True, "", Verdict.HARMS)


def test_another_model_begins_anew_and_the_last_one_speaks() -> None:
    measuring.store()
    trial(HARMS, PROJECT, model="m1")
    trial(HELPS, PROJECT, begin=len(HARMS), model="m2")
    update()
    assert {one.model: one.decision.verdict for one in strata.gather()} == {"m1": Verdict.HARMS, "m2": Verdict.HELPS}
    assert verdicts.held_back() == {}


def test_other_words_begin_anew() -> None:
    life = measuring.store()
    trial(HARMS, PROJECT)
    update()
    data = measuring.instinct(check={"on": "shell", "bad": "pip install", "good": "uv add"})
    life.by_hand("2026-11-28", {NAME: data})
    trial([(False, 0.0)], PROJECT, begin=len(HARMS), text=measuring.text(data))
    update()
    assert [one.decision.evidence.sessions for one in strata.gather() if one.text == measuring.text(data)] == [1]
    assert (NAME, measuring.text(data)) not in verdicts.held_back(PROJECT)


def test_a_global_instinct_is_measured_in_all_projects_at_once() -> None:
    everybody = fresh(About("global", "", "global"))
    data = measuring.instinct(scope="global")
    everybody.by_hand("2026-11-02", {NAME: data})
    trial(HARMS[:9], PROJECT, scope="global", text=measuring.text(data))
    trial(HARMS[9:], "ffffffffffff", begin=9, scope="global", text=measuring.text(data))
    assert update() == [NAME]
    [stratum] = strata.gather()
    assert (stratum.owner, stratum.decision.verdict) == ("global", Verdict.HARMS)
    assert verdicts.held_back("any-project") == {(NAME, measuring.text(data)): "quarantined"}


def test_what_was_logged_before_the_project_got_its_remote_counts() -> None:
    measuring.store()
    Path(paths.aliases()).parent.mkdir(parents=True, exist_ok=True)
    Path(paths.aliases()).write_text(json.dumps({"bbbbbbbbbbbb": PROJECT}))
    trial(HARMS[:9], "bbbbbbbbbbbb")
    trial(HARMS[9:], PROJECT, begin=9)
    assert update() == [NAME]
    assert [one.owner for one in strata.gather()] == [PROJECT]
    assert report.lately([PROJECT], START + timedelta(days=4)) == (24, 8)
    assert report.lately(["ffffffffffff"], START + timedelta(days=4)) == (0, 0)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        '{"version":2,"decided":[]}',
        '{"version":1,"decided":7}',
        '{"version":1,"decided":[1,{}]}',
        '{"version":1,"decided":[{"owner":"other","instinct":"x","text":"y","model":"","verdict":"z","held":[]}]}',
        "\xff",
    ],
)
def test_damaged_verdicts_hold_nothing_back_and_are_made_again(text: str) -> None:
    measuring.store()
    trial(HARMS, PROJECT)
    files.replace(paths.measure("verdicts.json"), text.encode("latin-1"))
    assert verdicts.held_back(PROJECT) == {}
    assert verdicts.decided(PROJECT) == frozenset()
    assert update() == [NAME]
    assert verdicts.held_back(PROJECT) == {KEY: "quarantined"}


def test_looking_often_or_once_is_the_same() -> None:
    measuring.store()
    for number, (withheld, bad) in enumerate(HELPS):
        trial([(withheld, bad)], PROJECT, begin=number)
        settle.update(NOW + timedelta(minutes=number))
    often = strata.gather()[0].decision
    files.remove(paths.measure(f"outcomes/{PROJECT}.jsonl"))
    files.remove(paths.measure("reading.json"))
    settle.update(NOW)
    assert strata.gather()[0].decision == often


# --- whose words


def read(data: bytes) -> bool:
    return persons.may_withhold(markdown.parse(data))


@pytest.mark.parametrize(
    ("data", "may"),
    [
        (measuring.instinct(), True),
        (measuring.instinct(source="manual"), False),
        (measuring.instinct(source="reflection"), False),
        (measuring.instinct(source="inherited"), True),
        (measuring.confirmed(measuring.instinct(), "used again in another session"), True),
        (measuring.confirmed(measuring.instinct(), "confirmed by hand"), False),
        (measuring.confirmed(measuring.instinct(), "because it is faster"), False),
        (measuring.confirmed(measuring.instinct(), "set by hand", "set", 80), False),
        (measuring.confirmed(measuring.instinct(), "inherited from team (0.80 claimed there)", "set", 80), True),
        (measuring.confirmed(measuring.instinct(), "contradicted by hand", "contradicted"), True),
        (b"---\nid: x\ntrigger: when testing\nconfidence: 0.8\n---\n\n## Action\nTest.\n", False),
    ],
)
def test_whose_an_instinct_is(data: bytes, may: bool) -> None:
    assert read(data) is may


def test_what_an_observer_run_writes_is_not_a_person_s() -> None:
    from gitinstinct import config
    from gitinstinct.observer.run import observe
    from gitinstinct.store import homes, library

    work.spool(work.captured(1))
    observe(work.PROJECT, NOW, config.Config(), skip_gates=True)
    store = homes.find(work.PROJECT)
    assert store is not None
    items = library.read(store).items.values()
    kinds: Sequence[str] = [entry.kind for item in items for entry in item.instinct.ledger]
    assert "confirmed" in kinds
    assert all(persons.may_withhold(item.instinct) for item in items)
