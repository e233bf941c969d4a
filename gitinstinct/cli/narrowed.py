"""Which instincts a listing is narrowed to: those that no session has had, that lost their ground here, that wait."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from gitinstinct.cli.holding import Judge
from gitinstinct.cli.target import Place
from gitinstinct.inject import select, usage
from gitinstinct.instinct.shelf import Item
from gitinstinct.trust.standing import REFUSED, WAITING

Row = tuple[Place, Item]


def never_used(rows: Sequence[Row]) -> list[Row]:
    """Those that reached no session, as far back as the record goes."""
    used = {place.id: usage.used(place.id, [place.scope]) for place, _ in rows}
    return [(place, item) for place, item in rows if (place.scope, item.instinct.id) not in used[place.id]]


def waiting(rows: Sequence[Row], held: Mapping[str, Judge], day: str) -> list[Row]:
    """Those that a person has to decide on; `held` by the place's id."""
    return [
        (place, item)
        for place, item in rows
        if item.fold(day).status == "active" and held[place.id](item) in (WAITING, REFUSED)
    ]


def stale(rows: Sequence[Row], main: Place) -> list[Row]:
    """Those whose anchors, or all of whose paths, are gone in the project."""
    search = os.environ.get("PATH", "")
    return [(place, item) for place, item in rows if select.lost(item.instinct, main.project.root, search)]
