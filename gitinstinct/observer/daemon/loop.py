"""The daemon's life: look, wait, look again, until somebody or something ends it."""

from __future__ import annotations

from typing import Protocol

from gitinstinct.observer.daemon import plan
from gitinstinct.observer.daemon.plan import Asked, Doing, Looked

TICK = 1.0
"""Seconds after which it sees what was asked of it, at the latest."""


class World(Protocol):
    """What the loop needs from outside. A test has another one, in which two days pass at once."""

    def moment(self) -> float:
        """Seconds, by a clock that nobody sets."""
        ...

    def sleep(self, seconds: float) -> None:
        """Waits."""
        ...

    def asked(self) -> Asked:
        """What was asked for since the last time; asking takes it."""
        ...

    def look(self) -> Looked:
        """Asks the gates of every project and analyses where they are open. Never raises Exception."""
        ...


def live(world: World) -> str:
    """Lives until the end; the reason for it."""
    planned = plan.begin(world.moment())
    while True:
        doing, why = plan.decide(planned, world.moment(), world.asked())
        if doing is Doing.END:
            return why
        if doing is Doing.LOOK:
            looked = world.look()
            planned = plan.after(planned, world.moment(), looked)
        else:
            world.sleep(TICK)
