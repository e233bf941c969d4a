"""How well prompts are matched to instincts, on a set labelled by hand: `python tests/bench/relevance.py [-v]`."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.support import relevance


def main(verbose: bool) -> None:
    data = relevance.load()
    index, tuned, prompts = relevance.index(data), data["tuned"], data["prompts"]
    print(f"{len(data['instincts'])} instincts\n{'':16}prompts  precision  recall   MRR  silent")
    for name, some in (("looked at", prompts[:tuned]), ("held out", prompts[tuned:]), ("all", prompts)):
        got = relevance.measure(some, index)
        figures = f"{got.precision:9.2f}  {got.recall:6.2f}  {got.mrr:4.2f}  {got.silent:6.2f}"
        print(f"{name:16}{got.prompts:7}  {figures}")
    for one in prompts if verbose else ():
        given = relevance.given(index, one["prompt"])
        if set(given[: relevance.MOST]) != set(one["wants"]):
            print(f"  {one['prompt']!r}: wants {one['wants']}, got {given}")


if __name__ == "__main__":
    main("-v" in sys.argv)
