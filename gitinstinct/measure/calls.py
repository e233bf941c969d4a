"""A session as measuring sees it: the agent's calls in order, and how often the person spoke and corrected.

Subagents are left out. Their calls stand in nobody's context that an instinct was put into.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from gitinstinct.observer import sessions
from gitinstinct.observer.events import Observation, Outcome
from gitinstinct.observer.local import acts
from gitinstinct.observer.local.corrections import Corrections
from gitinstinct.observer.sessions import Pairing, Step

_LENGTH = 2_000  # characters of a call that anything here looks at
_PATH_KEYS = ("file_path", "notebook_path", "path")


@dataclass(frozen=True, slots=True)
class Call:
    """One call. `text` is the command of a shell call, else all that the tool was given; `path` the file it named.

    `edited` says that the person changed the agent's edit before it was made, `at` when it ended, if that is known;
    `before` and `after` are hashes of the file as it was then, where they were taken.
    """

    tool: str
    text: str
    path: str
    outcome: Outcome
    edited: bool = False
    at: datetime | None = None
    before: str = ""
    after: str = ""


@dataclass(slots=True)
class Conduct:
    """What happened in a session: the calls, and of each prompt of the person whether it corrected the agent."""

    calls: list[Call] = field(default_factory=list)
    prompts: list[tuple[datetime | None, bool]] = field(default_factory=list)

    def since(self, moment: datetime) -> Conduct:
        """What happened from then on, and what nobody knows the time of."""
        return Conduct(
            [call for call in self.calls if call.at is None or call.at >= moment],
            [prompt for prompt in self.prompts if prompt[0] is None or prompt[0] >= moment],
        )

    @property
    def corrections(self) -> int:
        """How many prompts corrected the agent."""
        return sum(corrects for _, corrects in self.prompts)


class Listener:
    """Hears one session, event by event; `found` is what happened so far. What is said may be left out."""

    def __init__(self, *, words: bool = True) -> None:
        self.found = Conduct()
        self._words = words
        self._pairing = Pairing()
        self._corrections = Corrections()
        self._seen: dict[str, Observation] = {}

    def feed(self, observation: Observation, edited: bool = False) -> None:
        """Take the next event; `edited` says that the person changed the edit that it reports."""
        if observation.agent:
            return
        if observation.event == "prompt":
            self._hear(observation)
            return
        if observation.tool:
            self._seen[observation.id] = observation
        step = self._pairing.feed(observation)
        if step is not None:
            self._do(step, edited, observation.at)

    def _hear(self, prompt: Observation) -> None:
        if not sessions.is_person(prompt):
            return
        for step in self._pairing.abandon():  # some harnesses tell a refusal in no other way
            self._do(step, False, prompt.at)
        corrects = self._words and bool(self._corrections.hear(prompt.prompt, prompt.id).found)
        self.found.prompts.append((prompt.at, corrects))

    def _do(self, step: Step, edited: bool, at: datetime | None) -> None:
        if self._words:
            self._corrections.feed(acts.read(step))
        path = step.path or self._path(step)
        text = (step.command or step.text)[:_LENGTH]
        before, after = (self._file(step, event) for event in ("tool_start", "tool_complete"))
        self.found.calls.append(Call(step.tool, text, path, step.outcome, edited, at, before, after))
        for name in step.observations:
            self._seen.pop(name, None)

    def _file(self, step: Step, event: str) -> str:
        """The hash that was taken at an event of a call."""
        told = (self._seen[name] for name in step.observations if name in self._seen)
        return next((one.file for one in told if one.event == event), "")

    def _path(self, step: Step) -> str:
        """The file of a call that edits none, such as a `Read`."""
        asked = (self._seen.get(name) for name in step.observations)
        given = next((one.input for one in asked if one is not None and isinstance(one.input, dict)), {})
        return next((str(given[key]) for key in _PATH_KEYS if isinstance(given.get(key), str)), "")
