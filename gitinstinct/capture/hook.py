"""The hook: what agents call at every event.

It reads one payload, keeps one observation and leaves with success, whatever happens. Nothing is printed but the silent
answer that some harnesses demand, and what an answering function, if one is given, has to say to an event that was
kept. `main` is the process, `run` the same without reading stdin or leaving.
"""

from __future__ import annotations

import _thread
import os
import sys
import time

from gitinstinct import paths
from gitinstinct.capture import codec, intake, observation, payloads, project, redact, settings, spool

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    Answering = Callable[["Happened", Mapping[str, str]], str]

READING_SECONDS = 2.0
TOTAL_SECONDS = 3.5
_ENDS = ("stop", "session_end")
_TOUCHING = ("tool_start", "tool_complete")
_ANSWERED = ("session_start", "prompt", "tool_start")


class Happened:
    """An event that was kept, as far as an answer needs it. Texts are "" where the payload did not tell."""

    __slots__ = ("arguments", "at", "harness", "kind", "model", "project", "prompt", "session", "source", "tool")

    def __init__(self, record: Mapping[str, Any], facts: observation.Facts, place: project.Project) -> None:
        self.kind, self.harness, self.at = facts.event, record["harness"], record["at"]
        self.session, self.source = record.get("session", ""), record.get("source", "")
        self.tool, self.arguments = facts.tool, facts.arguments
        self.project = place
        self.prompt = self.model = ""


def main(arguments: list[str], answering: Answering | None = None) -> None:
    """Run as a process of its own; never returns. `arguments`: HARNESS [EVENT] [--batch]."""
    if "--batch" in arguments:
        _finish(arguments, intake.lines(), answering)
    reading = intake.Reading()
    _thread.start_new_thread(_guard, (arguments, reading, answering))
    try:
        reading.drain()
    except KeyboardInterrupt:  # a person at a terminal who had nothing to send
        os._exit(0)
    if reading.claim():
        _finish(arguments, (reading.payload(),), answering)
    time.sleep(TOTAL_SECONDS)


def _guard(arguments: list[str], reading: intake.Reading, answering: Answering | None) -> None:
    """Handle what has arrived when stdin does not end in time; leave when even that does not."""
    time.sleep(READING_SECONDS)
    if reading.claim():
        _thread.start_new_thread(_finish, (arguments, (reading.payload(),), answering))
    time.sleep(TOTAL_SECONDS - READING_SECONDS)
    os._exit(0)


def _finish(arguments: list[str], incoming: Iterable[intake.Payload], answering: Answering | None) -> None:
    """Handle the payloads, answer, and end the process, always with success."""
    try:
        answer = run(arguments, incoming, os.environ, answering)
        if answer:
            os.write(1, answer.encode() + b"\n")
    except BaseException:
        spool.count("lost.error")
    finally:
        os._exit(0)


def run(
    arguments: list[str],
    incoming: Iterable[intake.Payload],
    env: Mapping[str, str],
    answering: Answering | None = None,
) -> str:
    """Keep what comes in; the answer to print, mostly "". No payload and no disk makes it raise.

    `answering` is asked about events of the kinds that may have an answer; not in a replay.
    """
    hook = _Hook(arguments, env, answering)
    for payload in incoming:
        try:
            reason = hook.keep(payload)
        except Exception:
            reason = "lost.error"
        if reason:
            spool.count(reason)
    return hook.answer or payloads.silence(hook.harness)


class _Hook:
    """What is the same for all payloads of a call."""

    def __init__(self, arguments: list[str], env: Mapping[str, str], answering: Answering | None) -> None:
        words = [word for word in arguments if not word.startswith("-")]
        self.harness = words[0] if words else ""
        self._event = words[1] if len(words) > 1 else ""
        self._batch = "--batch" in arguments
        self._env = env
        self._answering = None if self._batch else answering
        self.answer = ""
        self._names = payloads.table(self.harness)
        self._known = redact.known_values(env)
        self._settings = settings.read()
        if self._settings.broken:
            spool.count("lost.settings")

    def keep(self, incoming: intake.Payload) -> str:
        """Store one payload; what to count where it was left out or lost, else ""."""
        if off := settings.off(self._env):
            return "skipped." + off
        if self._names is None:
            return "lost.harness"
        payload, fault = intake.parsed(incoming)
        if payload is None:
            return "lost." + fault
        facts = observation.Facts(self._names, payload, self._event)
        if out := self._left_out(facts):
            return "skipped." + out
        fault = self._store(self._names, payload, facts, incoming.dropped) or fault
        return "lost." + fault if fault else ""

    def _left_out(self, facts: observation.Facts) -> str:
        if facts.event == payloads.IGNORED:
            return "event"
        return settings.left_out(self._settings, facts.agent, facts.cwd, facts.tool, facts.arguments)

    def _store(self, names: payloads.Table, payload: dict[str, Any], facts: observation.Facts, dropped: int) -> str:
        """Append the record of a payload; what went wrong with it, else ""."""
        at = _time(payload.get("timestamp") if self._batch else None, self._env)
        if not at:
            return "time"
        place = project.identify(facts.cwd or _here(), self._env)
        base: dict[str, Any] = {"v": observation.VERSION, "at": at, "harness": self.harness, "project": place.id}
        if dropped:
            base["cut"] = {"payload": dropped}
        fault = ""
        try:
            record = observation.record(names, payload, facts, base, self._known)
        except Exception:
            record, fault = observation.bare(base, facts), "redaction"
        if file := self._file(facts):
            record["file"] = file
        if spool.append(place.id, codec.encode(record)) and place.id != paths.GLOBAL:
            spool.introduce(place)
        if facts.event in _ENDS and self._may_observe():
            from gitinstinct.capture import nudge

            nudge.nudge(place, self._env, self._settings.pause)
        if self._answering and facts.event in _ANSWERED:
            self.answer = self._answering(self._happened(names, payload, facts, record, place), self._env)
        return fault

    def _file(self, facts: observation.Facts) -> str:
        """What the file was that a tool touches, while effects are measured; a replay would see today's."""
        if self._batch or facts.event not in _TOUCHING or not os.path.exists(paths.measure("on")):
            return ""
        from gitinstinct.capture import fingerprint

        return fingerprint.of(facts.arguments, facts.cwd)

    def _happened(
        self,
        names: payloads.Table,
        payload: dict[str, Any],
        facts: observation.Facts,
        record: Mapping[str, Any],
        place: project.Project,
    ) -> Happened:
        """What an answer needs; the prompt as it was sent, since it is compared and not kept."""
        found = Happened(record, facts, place)
        prompt, model = payloads.field(names, payload, "prompt"), payload.get("model")
        found.prompt = prompt if isinstance(prompt, str) else ""
        found.model = model if isinstance(model, str) else ""
        return found

    def _may_observe(self) -> bool:
        """Whether a run may be started in the background now that a turn or a session has ended."""
        return self._settings.auto and not self._batch and self._env.get("GITINSTINCT_AUTO", "") != "0"


def _time(said: Any, env: Mapping[str, str]) -> str:
    """The time of an event: what a replayed payload says, else the clock; "" for a time that is none."""
    fixed = said if said is not None else env.get("GITINSTINCT_NOW")
    if not fixed:
        return observation.stamp(time.time())
    from gitinstinct import clock
    from gitinstinct.errors import FatalError

    try:
        moment = clock.parse(str(fixed))
    except FatalError:
        return ""
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"


def _here() -> str:
    """The working directory of this process; "" if it is gone."""
    try:
        return os.getcwd()
    except OSError:
        return ""


if __name__ == "__main__":
    main(sys.argv[1:])
