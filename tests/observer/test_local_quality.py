"""How well the detector finds what is planted, in its own vocabulary and in one it was not made on."""

from __future__ import annotations

import pytest

from gitinstinct.observer.pattern import FAMILIES
from tests.support import planted
from tests.support.planted import Score

FLOOR = 0.9


@pytest.mark.parametrize("held_out", [False, True])
def test_recall_and_precision(held_out: bool) -> None:
    module, total = planted.generator(held_out), Score()
    for seed in range(100, 106):
        planted.score(module, seed, total)
    told = [*total.missed, *total.alarms]
    for family in FAMILIES:
        assert total.recall([family]) >= FLOOR, told
        assert total.precision([family]) >= FLOOR, told
