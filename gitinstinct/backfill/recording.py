"""From a past event to a line of the spool: chosen, redacted and cut as the hook would have done it.

What is known already is not told again, whoever told it first. Events that only follow from an end (of a turn, of a
file) are told where something new came before them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from gitinstinct.backfill.event import CLOSING, Account, Event
from gitinstinct.backfill.memory import Memory, call_key, event_key
from gitinstinct.backfill.readers import Kind
from gitinstinct.capture import codec, observation, payloads, settings
from gitinstinct.capture.settings import Settings
from gitinstinct.errors import EnvironmentFault

if TYPE_CHECKING:
    from gitinstinct.capture.project import Project

KNOWN = "events that are known already"
_ELSEWHERE = "events of sessions that another source tells"
_AHEAD = timedelta(days=1)  # clocks differ
_LEFT_OUT = {
    "disabled": "events, since capture is switched off", "subagent": "calls of subagents",
    "own-folder": "events in folders of ours", "tool": "tools that the settings leave out",
    "path": "folders that the settings leave out", "own-command": "calls of gitinstinct itself",
}  # fmt: skip


@dataclass(slots=True)
class Recorder:
    """Tells one file's events after another. `write` appends a line to the spool and tells whether the disk took it.

    `events`, `sessions` and `written` (bytes) are what was told so far, `newest` the time of the newest event met in
    the file at hand.
    """

    project: Project
    memory: Memory
    choice: Settings
    secrets: tuple[str, ...]
    now: datetime
    write: Callable[[str], bool]
    events: int = 0
    written: int = 0
    sessions: set[tuple[str, str]] = field(default_factory=set)
    newest: datetime | None = None
    _in_turn: bool = False
    _in_file: bool = False

    def begin(self) -> None:
        """Another file begins."""
        self.newest, self._in_turn, self._in_file = None, False, False

    def tell(self, event: Event, kind: Kind, account: Account) -> None:
        """Appends the event to the spool, or counts why not.

        Raises:
            EnvironmentFault: the disk does not take it.
        """
        if event.at and (self.newest is None or event.at > self.newest):
            self.newest = event.at
        if event.kind in CLOSING:
            if not (self._in_turn if event.kind == "stop" else self._in_file):
                return
            self._in_turn = False
        reason = self._told(event, kind)
        if reason and event.kind not in CLOSING:
            account.left[reason] += 1

    def _told(self, event: Event, kind: Kind) -> str:
        """Why an event was not told; "" if it was."""
        names = payloads.table("claude-code")
        assert names is not None  # readers speak its language
        facts = observation.Facts(names, event.payload, "")
        if out := settings.left_out(self.choice, facts.agent, facts.cwd, facts.tool, facts.arguments):
            return _LEFT_OUT.get(out, out)
        if event.at is None or event.at > self.now + _AHEAD:
            return "events without a time" if event.at is None else "events of a time to come"
        session = observation.identifier(event.payload.get("session_id"), self.secrets)
        if not session:
            return "events without a session"
        key = event_key(kind.FAMILY, kind.HARNESS, event.key)
        if reason := self._known(event, kind, session, key, event.at):
            return reason
        record = self._record(names, event, facts, kind, event.at)
        if event.kind == "prompt" and self.memory.heard(record, event.at):
            self.memory.see(key)
            return KNOWN
        record["past"] = f"{kind.FAMILY}:{key}"
        self._append(record, event, (kind.HARNESS, session))
        return ""

    def _known(self, event: Event, kind: Kind, session: str, key: str, at: datetime) -> str:
        keys = [key]
        identity = event.payload.get("tool_use_id")
        if identity == event.key:
            keys.append(call_key(kind.HARNESS, observation.identifier(identity, self.secrets)))
        if self.memory.knows(*keys) or self.memory.is_gone(kind.HARNESS, session, at):
            return KNOWN
        family = self.memory.family(kind.HARNESS, session)
        is_other = family and (kind.FAMILY == "observations") != (family == "observations")
        return _ELSEWHERE if is_other else ""

    def _record(
        self, names: payloads.Table, event: Event, facts: observation.Facts, kind: Kind, at: datetime
    ) -> dict[str, Any]:
        stamp = at.strftime("%Y-%m-%dT%H:%M:%S.") + f"{at.microsecond // 1000:03d}Z"
        base = {"v": observation.VERSION, "at": stamp, "harness": kind.HARNESS, "project": self.project.id}
        try:
            return observation.record(names, event.payload, facts, dict(base), self.secrets)
        except Exception:  # as in the hook: what cannot be redacted is kept without its content
            return observation.bare(base, facts)

    def _append(self, record: dict[str, Any], event: Event, session: tuple[str, str]) -> None:
        line = codec.encode(record)
        if not self.write(line):
            raise EnvironmentFault(
                "the disk does not take more observations", "make room and call it again: it goes on where it stopped"
            )
        self.memory.note(record)
        self.written += len(line) + 1
        if event.kind not in CLOSING:
            self.events += 1
            self.sessions.add(session)
            self._in_turn = self._in_file = True
