"""The test against values computed by hand, its laws, and a small version of the simulation in `tests.bench.effect`."""

from __future__ import annotations

import math
import random
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitinstinct.measure import decision, interval, process
from gitinstinct.measure.decision import Verdict, decide, sessions_left
from gitinstinct.measure.process import Arm, Evidence, Unit, run, together
from tests.support.measuring import drawn

THIRD = 1 / 3
units = st.lists(st.builds(Unit, st.booleans(), st.floats(0, 1), st.sampled_from([0.1, 0.33, 0.5])), max_size=60)


def test_the_first_session_bets_nothing() -> None:
    found = run([Unit(False, 0.0)])
    assert (found.helps, found.harms) == (0.0, 0.0)
    assert found.injected == Arm(1, 0.0)


def test_by_hand() -> None:
    # After a good session with it: 1/3 expected with it, 1/2 without, (2·1/3 + 1/2)/3 = 7/18 mixed.
    helps = run([Unit(False, 0.0, THIRD), Unit(True, 1.0, THIRD)]).helps
    assert helps == pytest.approx(math.log((1 / 2) / (7 / 18)))
    # Then 1/3 with it and 2/3 without, 4/9 mixed; one good session with it.
    found = run([Unit(False, 0.0, THIRD), Unit(True, 1.0, THIRD), Unit(False, 0.0, THIRD)])
    assert found.helps == pytest.approx(helps + math.log((2 / 3) / (5 / 9)))
    assert found.harms == 0.0
    # And one that is bad by half.
    more = found.after(Unit(False, 0.5, THIRD))
    assert more.helps == pytest.approx(found.helps + 0.5 * math.log((1 / 4) / (7 / 18) * (3 / 4) / (11 / 18)))


@given(units)
def test_the_mirror(found: list[Unit]) -> None:
    """What is good for one arm is bad for the other: with good and bad exchanged, HELPS and HARMS are."""
    mirrored = run([unit._replace(bad=1 - unit.bad) for unit in found])
    assert run(found).helps == pytest.approx(mirrored.harms, abs=1e-9)


@given(units, units)
def test_it_never_bets_on_the_future(before: list[Unit], after: list[Unit]) -> None:
    """What is known after some sessions does not change by what comes."""
    found = run(before)
    for unit in after:
        found = found.after(unit)
    assert found == run([*before, *after])


@given(units, st.floats(0, 1), st.sampled_from([0.1, 0.33, 0.5]))
def test_on_average_one_more_session_wins_nothing(before: list[Unit], bad: float, share: float) -> None:
    """The law that all rests on: the arm drawn with that share, whatever the value is, E does not grow on average."""
    known = run(before)
    with_it, without = (known.after(Unit(out, bad, share)) for out in (False, True))
    for name in ("helps", "harms"):
        grown = [math.exp(getattr(one, name) - getattr(known, name)) for one in (with_it, without)]
        assert (1 - share) * grown[0] + share * grown[1] <= 1 + 1e-9


def test_over_all_ways_to_draw_the_arms_it_is_a_fair_game() -> None:
    values = [1.0, 0.0, 0.5, 1.0, 0.25, 0.0, 1.0]
    mean = 0.0
    for arms in product([False, True], repeat=len(values)):
        chance = math.prod(0.33 if out else 0.67 for out in arms)
        mean += chance * math.exp(run([Unit(out, bad) for out, bad in zip(arms, values, strict=True)]).helps)
    assert 0.9 < mean <= 1 + 1e-12


def test_values_outside_are_brought_inside() -> None:
    assert run([Unit(False, 7.0), Unit(True, -1.0)]) == run([Unit(False, 1.0), Unit(True, 0.0)])


# --- verdicts


def test_nothing_is_not_enough() -> None:
    found = decide([])
    assert found.verdict is Verdict.UNKNOWN
    assert (found.difference, found.interval, sessions_left(found)) == (None, None, None)


def alternating(count: int, with_it: float, without: float) -> list[Unit]:
    return [Unit(number % 3 == 2, without if number % 3 == 2 else with_it) for number in range(count)]


def test_it_helps_it_harms_and_the_first_that_is_found_stays() -> None:
    helps, harms = alternating(30, 0.0, 1.0), alternating(30, 1.0, 0.0)
    assert decide(helps).verdict is Verdict.HELPS
    assert decide(harms).verdict is Verdict.HARMS
    assert decide([*helps, *harms, *harms]) == decide(helps)
    assert decide(helps).evidence.sessions < 30
    assert decide(helps).is_over


@pytest.mark.parametrize(("count", "verdict"), [(99, "NOT ENOUGH DATA"), (100, "INERT"), (101, "INERT")])
def test_inert_is_found_at_a_look_only(count: int, verdict: str) -> None:
    assert decide(alternating(count, 0.1, 0.1)).verdict == verdict


def test_after_the_last_look_it_is_over() -> None:
    found = decide(alternating(600, 0.5, 0.63))
    assert (found.verdict, found.is_over, found.evidence.sessions) == (Verdict.UNKNOWN, True, 400)
    assert sessions_left(found) is None


def test_no_estimate_without_sessions_in_both_arms() -> None:
    assert decide([Unit(False, 1.0)] * 40).difference is None
    found = decide(alternating(12, 0.2, 0.5))
    assert found.evidence.withheld.sessions == 4
    assert found.interval is None
    found = decide(alternating(15, 0.2, 0.5))
    assert found.difference == pytest.approx(3.5 / 7 - 3 / 12)
    assert found.interval is not None
    assert found.interval.low < 0.25 < found.interval.high


@pytest.mark.parametrize(("with_it", "without", "left"), [(0.1, 1.0, 10), (0.4, 0.5, 385), (0.5, 0.5, 385)])
def test_how_many_sessions_it_still_takes(with_it: float, without: float, left: int) -> None:
    found = decision.Decision(Verdict.UNKNOWN, Evidence(0, 0, Arm(10, 10 * with_it), Arm(5, 5 * without)))
    assert sessions_left(found) == left


def test_the_interval_agrees_with_drawing_lots() -> None:
    injected, withheld, lot = Arm(30, 6.5), Arm(14, 10.0), random.Random(1)

    def draw(arm: Arm) -> float:
        return lot.betavariate(1 + arm.bad, 1 + arm.sessions - arm.bad)

    drawn_ = sorted(draw(withheld) - draw(injected) for _ in range(20_000))
    low, high = interval.difference(injected, withheld)
    assert low == pytest.approx(drawn_[1_000], abs=0.02)
    assert high == pytest.approx(drawn_[19_000], abs=0.02)
    assert not interval.lies_within(injected, withheld, high - 0.02)
    assert interval.lies_within(injected, withheld, high + 0.02)


def test_many_tests_at_once() -> None:
    e = [math.log(value) for value in (200.0, 25.0, 1.0, 1.0)]
    assert together(e) == [True, False, False, False]
    assert together([math.log(25.0)]) == [True]
    assert together([math.log(81.0), math.log(45.0), 0.0, 0.0]) == [True, True, False, False]
    assert together([]) == []


# --- the simulation, small


def test_a_plain_effect_is_found_soon() -> None:
    found = [decide(drawn(seed, 40, 0.2, 0.8)).verdict for seed in range(150)]
    assert found.count(Verdict.HELPS) >= 0.8 * 150


@pytest.mark.parametrize("rate", [0.1, 0.5, 0.8])
def test_where_nothing_is_little_is_found(rate: float) -> None:
    found = [process_first(drawn(seed, 300, rate, rate)) for seed in range(100)]
    assert found.count("helps") <= 8
    assert found.count("harms") <= 8


def process_first(sessions: list[Unit]) -> str:
    evidence = Evidence()
    for unit in sessions:
        evidence = evidence.after(unit)
        if process.is_enough(evidence.helps) or process.is_enough(evidence.harms):
            return "helps" if process.is_enough(evidence.helps) else "harms"
    return ""
