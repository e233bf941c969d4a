"""The local detector: one small machine for each session, fed one observation at a time.

A sighting depends on nothing but the earlier observations of its own session, so it does not matter how a stream is cut
as long as a session's beginning is fed again. Memory is bounded: a session is forgotten when it ends, after a day
without a sign of life, or when too many others are alive.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

from gitinstinct.observer.detector import Detector
from gitinstinct.observer.events import Observation
from gitinstinct.observer.local import acts
from gitinstinct.observer.local.acts import Act, Found
from gitinstinct.observer.local.corrections import Corrections, Refusal
from gitinstinct.observer.local.errors import Errors
from gitinstinct.observer.local.preferences import Preferences
from gitinstinct.observer.local.safe import fits
from gitinstinct.observer.local.workflows import Workflows
from gitinstinct.observer.pattern import BASE, Pattern, Sighting
from gitinstinct.observer.sessions import Pairing, is_over, is_person, went_back

_SESSIONS = 256
_START = datetime(1970, 1, 1, tzinfo=UTC)


class _Session:
    """One session, or one subagent of it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.last: datetime | None = None
        self._pairing = Pairing()
        self._corrections = Corrections()
        self._errors = Errors()
        self._workflows = Workflows()
        self._preferences = Preferences()

    def feed(self, observation: Observation) -> list[Found]:
        if observation.event == "prompt":
            return self._hear(observation) if is_person(observation) else []
        if observation.event == "stop":
            return self._workflows.flush(observation.id)
        if observation.event == "session_end":
            return self._workflows.flush(observation.id) + self._preferences.settle(observation.id)
        step = self._pairing.feed(observation)
        return self._do(acts.read(step)) if step else []

    def _hear(self, prompt: Observation) -> list[Found]:
        for step in self._pairing.abandon():
            self._corrections.feed(acts.read(step))
        refusal = self._corrections.hear(prompt.prompt, prompt.id)
        self._refuse(refusal)
        return refusal.found + self._preferences.settle(prompt.id)

    def _refuse(self, refusal: Refusal) -> None:
        for term in refusal.terms:
            self._preferences.refuse(term)
        self._forget(refusal.steps)

    def _forget(self, steps: set[int]) -> None:
        self._workflows.forget(steps)
        self._preferences.forget(steps)

    def _do(self, act: Act) -> list[Found]:
        refusal = self._corrections.feed(act)
        self._refuse(refusal)
        episode = self._errors.feed(act)
        self._forget(episode.steps)
        found = refusal.found + episode.found
        if not act.is_ok or act.step.number in refusal.steps | episode.steps:
            return found
        return found + self._workflows.feed(act) + self._preferences.feed(act)


class LocalDetector(Detector):
    """Finds patterns without a model: deterministic, streaming, in bounded memory."""

    name = "local/1"

    def __init__(self) -> None:
        self._sessions: OrderedDict[tuple[str, str], _Session] = OrderedDict()

    def feed(self, observation: Observation, *, is_new: bool = True) -> list[Sighting]:
        """Take the next observation; the sightings that it completes. Never raises."""
        session = self._session(observation)
        at = session.last = observation.at or session.last or _START
        found = session.feed(observation)
        if observation.event == "session_end":
            self._end(observation.session)
        return list(_sightings(found, session.name, at))

    def _session(self, observation: Observation) -> _Session:
        key = (observation.session, observation.agent)
        session = self._sessions.pop(key, None)
        if session is None or is_over(session.last, observation.at) or went_back(session.last, observation.at):
            session = _Session(observation.session)
        self._sessions[key] = session
        if len(self._sessions) > _SESSIONS:
            self._sessions.popitem(last=False)
        return session

    def _end(self, name: str) -> None:
        for key in [key for key in self._sessions if key[0] == name]:
            del self._sessions[key]


def _sightings(found: Iterable[Found], session: str, at: datetime) -> Iterator[Sighting]:
    for pattern, observations, variant in found:
        if _is_sound(pattern):
            yield Sighting(pattern, session, at, observations, variant)


def _is_sound(pattern: Pattern) -> bool:
    """The last look at the words: short, and one line each."""
    words = (pattern.trigger, pattern.action, pattern.title, pattern.name, *pattern.exact)
    return pattern.family == BASE or (fits(*words) and all(text.isprintable() for text in words))
