"""A store that has lived for three weeks."""

from __future__ import annotations

import pytest

from tests.support.life import Life, Lived, fresh, three_weeks


@pytest.fixture
def life() -> Life:
    """A fresh store, made before anything happens in it."""
    return fresh()


@pytest.fixture
def lived(life: Life) -> Lived:
    """See `three_weeks`."""
    return three_weeks(life)
