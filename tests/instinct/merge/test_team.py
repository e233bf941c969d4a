"""Random histories of a team: pulls, pushes, squashes and work in any order, and one file in every clone at the end."""

from __future__ import annotations

import os

import pytest

from tests.support.team import KINDS, Team, unfounded
from tests.support.versions import EVIDENCE

HISTORIES = int(os.environ.get("GITINSTINCT_HISTORIES", "300"))
"""How many; the benchmark plays 10,000."""


@pytest.mark.parametrize("slice_", range(3))
def test_every_clone_ends_with_the_same_file(slice_: int) -> None:
    for seed in range(slice_, HISTORIES, 3):
        team = Team(seed, KINDS)
        team.play()
        [data] = team.synced()
        assert not unfounded(team, data), seed


def test_evidence_needs_no_common_order() -> None:
    """Each clone merges the others in an order of its own, and nobody pushes."""
    for seed in range(HISTORIES // 3):
        team = Team(seed, (*EVIDENCE, "domain", "tags"))
        team.play()
        [data] = team.alone()
        assert b"conflicts:" not in data, seed
