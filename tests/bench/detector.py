"""How good and how fast the local detector is: `python -m tests.bench.detector [SEEDS] [-v]`.

Prints recall and precision by family over seeded made-up work, for the vocabulary of `tests/data/planted.py` and for
the held-out one, then observations a second. With `-v` also what was missed and what was learned wrongly.
"""

from __future__ import annotations

import sys
import time

from gitinstinct.observer.local import LocalDetector
from gitinstinct.observer.pattern import FAMILIES
from gitinstinct.observer.tally import Tally
from tests.support import planted
from tests.support.planted import Score


def quality(held_out: bool, seeds: int, verbose: bool) -> None:
    """Print the scores of one vocabulary."""
    module, total = planted.generator(held_out), Score()
    learned = [pattern for seed in range(seeds) for pattern in planted.score(module, seed, total)]
    print(f"\n{'held out' if held_out else 'planted'}, {seeds} seeds, {len(learned)} instincts")
    for family in FAMILIES:
        print(f"  {family:<12} recall {total.recall([family]):.2f}   precision {total.precision([family]):.2f}")
    print(f"  {'all':<12} recall {total.recall():.2f}   precision {total.precision():.2f}")
    if verbose:
        print("  missed:", *total.missed, "false alarms:", *total.alarms, sep="\n    ")
        texts = {f"{pattern.trigger} -> {pattern.action} [{pattern.domain}]" for pattern in learned}
        print("  learned:", *sorted(texts), sep="\n    ")


def speed(seeds: int) -> None:
    """Print how many observations a second go through detector and tally."""
    module = planted.generator()
    events = [event for seed in range(seeds) for event in planted.observations(module.play(seed, 10))]
    detector, tally = LocalDetector(), Tally()
    begun = time.perf_counter()
    for event in events:
        for sighting in detector.feed(event):
            tally.add(sighting)
    print(f"\n{len(events)} observations, {len(events) / (time.perf_counter() - begun):,.0f} a second")


def main() -> None:
    """Run it all."""
    numbers = [int(word) for word in sys.argv[1:] if word.isdecimal()]
    seeds, verbose = (numbers or [20])[0], "-v" in sys.argv
    quality(False, seeds, verbose)
    quality(True, seeds, verbose)
    speed(seeds)


if __name__ == "__main__":
    main()
