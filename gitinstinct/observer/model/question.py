"""A portion of events, and the question about it: what a model is shown, and what the labels in it stand for."""

from __future__ import annotations

import secrets
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from gitinstinct.observer.events import Observation
from gitinstinct.observer.model import prompt, showing, validate
from gitinstinct.observer.model.prompt import Material, Prompt
from gitinstinct.observer.model.validate import Shown
from gitinstinct.observer.setting import Setting

_CONTEXT, _KNOWN, _INSTINCTS = 40, 40, 30


@dataclass(slots=True)
class Portion:
    """What was fed since the detector last finished.

    `new` are all new observations, `told` those of them that a model is shown; `size` is about how many characters
    these take. `context` are the last of the earlier ones.
    """

    context: deque[Observation] = field(default_factory=lambda: deque(maxlen=_CONTEXT))
    new: list[Observation] = field(default_factory=list)
    told: list[Observation] = field(default_factory=list)
    size: int = 0


@dataclass(frozen=True, slots=True)
class Question:
    """A prompt, and what its labels stand for.

    Attributes:
        prompt: as it is sent.
        ids: of all new observations that it is about.
        labelled: the ids that e1, e2 … stand for.
        known: the signatures that k1, k2 … stand for.
        observations: by id.
    """

    prompt: Prompt
    ids: tuple[str, ...]
    labelled: tuple[str, ...]
    known: tuple[str, ...]
    observations: Mapping[str, Observation]

    @classmethod
    def of(cls, portion: Portion, setting: Setting) -> Question:
        """The question about a portion; labels are e1, e2 … for events and k1, k2 … for known patterns."""
        told = [*portion.context, *portion.told]
        records = setting.tally.records()[-_KNOWN:]
        lines = list(_lines(told))
        context = len(portion.context)
        material = Material(
            secrets.token_hex(8),
            [showing.known(record, f"k{number}") for number, record in enumerate(records, 1)],
            [showing.instinct(one) for one in setting.instincts[:_INSTINCTS]],
            lines[:context],
            lines[context:],
        )
        return cls(
            prompt.compose(material),
            tuple(one.id for one in portion.new),
            tuple(one.id for one in told),
            tuple(record.pattern.signature for record in records),
            {one.id: one for one in told} | {one.id: one for one in portion.new},
        )

    def shown(self, labelled: Sequence[str], known: Sequence[str], hosts: Iterable[str]) -> Shown:
        """What the model saw. Labels of events that are not at hand any more stand for nothing."""
        events = {f"e{at}": self.observations[one] for at, one in enumerate(labelled, 1) if one in self.observations}
        new = {label for label, observation in events.items() if observation.id in set(self.ids)}
        runs = validate.runs(text for one in events.values() for text in showing.texts(one))
        return Shown(events, new, {f"k{number}" for number in range(1, len(known) + 1)}, runs, frozenset(hosts))


def _lines(told: Iterable[Observation]) -> Iterator[dict[str, object]]:
    sessions: dict[str, str] = {}
    started: set[tuple[str, str]] = set()
    for number, one in enumerate(told, 1):
        session = sessions.setdefault(one.session, f"s{len(sessions) + 1}")
        call = (one.session, one.call)
        yield showing.event(one, f"e{number}", session, has_start=bool(one.call) and call in started)
        if one.event == "tool_start":
            started.add(call)
