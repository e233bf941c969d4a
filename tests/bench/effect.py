"""How often the test of `measure` is right and wrong, by simulation: `python -m tests.bench.effect [SEED] [RUNS]`.

Every simulated instinct is looked at after each session, as a person would who cannot wait. Where it does nothing,
HELPS and HARMS may be found in one of twenty at most, whatever the sessions are like: all alike, better and better,
worse and worse, or with many events of which those of one session are alike. Where it does something, the table tells
how soon.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Callable

from gitinstinct.measure import process
from gitinstinct.measure.decision import Verdict, decide
from gitinstinct.measure.process import SHARE, Evidence, Unit

UNITS = 600
SOON = 40
SEED, RUNS = 1, 1_000

Rate = Callable[[int], float]
"""The rate of bad events in the session of that number."""
Value = Callable[[random.Random, float], float]
"""A session's value, given the rate."""


def yes_or_no(lot: random.Random, rate: float) -> float:
    """One event in the session."""
    return float(lot.random() < rate)


def alike(lot: random.Random, rate: float) -> float:
    """Three to six events, which are the same in half of the cases (a correlation of one half)."""
    common, count = yes_or_no(lot, rate), lot.randint(3, 6)
    return sum(common if lot.random() < 0.7 else yes_or_no(lot, rate) for _ in range(count)) / count


def sessions(lot: random.Random, count: int, share: float, with_it: Rate, without: Rate, value: Value) -> list[Unit]:
    """Sessions in order, their arm drawn as the hash would."""
    made = []
    for number in range(count):
        out = lot.random() < share
        made.append(Unit(out, value(lot, (without if out else with_it)(number)), share))
    return made


def first(units: list[Unit]) -> tuple[str, int]:
    """What is found first, looked at after each session, and after how many; without a look for inert ones."""
    evidence = Evidence()
    for number, unit in enumerate(units, 1):
        evidence = evidence.after(unit)
        if process.is_enough(evidence.helps):
            return "helps", number
        if process.is_enough(evidence.harms):
            return "harms", number
    return "", len(units)


NOTHING: dict[str, tuple[Rate, Value]] = {
    "always 0.1": (lambda _: 0.1, yes_or_no),
    "always 0.5": (lambda _: 0.5, yes_or_no),
    "always 0.8": (lambda _: 0.8, yes_or_no),
    "worse and worse 0.1 -> 0.9": (lambda n: 0.1 + 0.8 * n / UNITS, yes_or_no),
    "better and better 0.9 -> 0.1": (lambda n: 0.9 - 0.8 * n / UNITS, yes_or_no),
    "good weeks, bad weeks 0.1 / 0.9": (lambda n: 0.9 if n // 20 % 2 else 0.1, yes_or_no),
    "3-6 alike events, 0.4": (lambda _: 0.4, alike),
}

SOMETHING = ((0.9, 0.1), (0.8, 0.2), (0.6, 0.2), (0.5, 0.2), (0.3, 0.1), (0.3, 0.15), (0.1, 0.3))


def false_alarms(lot: random.Random, runs: int) -> bool:
    """The table of what is found where nothing is; whether it is one in twenty at most."""
    print(f"\nIt does nothing: {runs} instincts each, looked at after each of {UNITS} sessions")
    print(f"  {'sessions are':<34}{'share':>6}{'HELPS':>8}{'HARMS':>8}")
    sound = True
    for name, (rate, value) in NOTHING.items():
        for share in (SHARE, 0.5) if name == "always 0.5" else (SHARE,):
            found = [first(sessions(lot, UNITS, share, rate, rate, value))[0] for _ in range(runs)]
            wrong = [found.count(kind) / runs for kind in ("helps", "harms")]
            sound &= max(wrong) <= 0.05
            print(f"  {name:<34}{share:>6.2f}{wrong[0]:>8.1%}{wrong[1]:>8.1%}")
    return sound


def power(lot: random.Random, runs: int) -> bool:
    """The table of how soon an effect is found; whether 0.8 -> 0.2 is in time."""
    print(f"\nIt does something: {runs} instincts each, {SHARE:.0%} of the sessions go without")
    print(f"  {'bad without -> with':<22}{f'within {SOON}':>12}{f'within {UNITS}':>12}{'median sessions':>17}")
    in_time = 0.0
    for without, with_it in SOMETHING:
        kind = "helps" if with_it < without else "harms"
        found = [
            first(sessions(lot, UNITS, SHARE, lambda _, r=with_it: r, lambda _, r=without: r, yes_or_no))  # type: ignore[misc]
            for _ in range(runs)
        ]
        after = [number if what == kind else UNITS + 1 for what, number in found]
        soon, ever = (sum(number <= most for number in after) / runs for most in (SOON, UNITS))
        median = statistics.median(after)
        told = f"{median:.0f}" if median <= UNITS else "-"
        print(f"  {f'{without} -> {with_it}':<22}{soon:>12.0%}{ever:>12.0%}{told:>17}")
        if (without, with_it) == (0.8, 0.2):
            in_time = soon
    return in_time >= 0.8


def verdicts(lot: random.Random, runs: int) -> None:
    """The table of whole verdicts, with the three looks for inert ones."""
    print(f"\nWhole verdicts: {runs} instincts each, at most 400 sessions")
    print(f"  {'bad without -> with':<22}" + "".join(f"{kind:>17}" for kind in Verdict))
    for without, with_it in ((0.4, 0.4), (0.5, 0.4), (0.5, 0.3), (0.8, 0.2), (0.2, 0.4)):
        found = [
            decide(sessions(lot, 400, SHARE, lambda _, r=with_it: r, lambda _, r=without: r, yes_or_no)).verdict  # type: ignore[misc]
            for _ in range(runs)
        ]
        print(f"  {f'{without} -> {with_it}':<22}" + "".join(f"{found.count(kind) / runs:>17.1%}" for kind in Verdict))


def main() -> int:
    """Run it all."""
    numbers = [int(word) for word in sys.argv[1:]]
    seed, runs = (numbers + [SEED, RUNS][len(numbers) :])[:2]
    lot, begun = random.Random(seed), time.perf_counter()
    print(f"seed {seed}")
    sound, in_time = false_alarms(lot, runs), power(lot, runs)
    verdicts(lot, max(1, runs // 4))
    print(f"\nfalse alarms at most 5 %: {'yes' if sound else 'NO'}", end="; ")
    print(f"80 % of 0.8 -> 0.2 within {SOON} sessions: {'yes' if in_time else 'NO'}", end="; ")
    print(f"{time.perf_counter() - begun:.0f} s")
    return 0 if sound and in_time else 1


if __name__ == "__main__":
    sys.exit(main())
