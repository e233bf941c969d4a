"""Sessions that were measured: what the hook wrote of them, and the log of who got what."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from gitinstinct import paths
from gitinstinct.instinct import edit, markdown
from gitinstinct.instinct.ledger import Entry
from gitinstinct.measure import log, texts
from gitinstinct.measure.process import Unit
from tests.support import files
from tests.support.life import Life, fresh
from tests.support.work import spool

CHECK = {"on": "shell", "bad": r"\bpip install\b", "good": r"\buv add\b"}
NAME = "use-uv"
START = datetime(2026, 11, 1, 8, tzinfo=UTC)
BAD, GOOD = "pip install rich", "uv add rich"


def instinct(check: object = CHECK, **more: object) -> bytes:
    """An instinct of the observer's that nobody confirmed, with a check unless it is None."""
    extra = {"check": check} if check is not None else {}
    return files.made(NAME, "when installing packages", "Use `uv add`.", **extra, **more)


def confirmed(data: bytes, text: str, kind: str = "confirmed", amount: int = 1) -> bytes:
    """The file with one entry more."""
    return edit.record(data, [Entry("2026-11-20", kind, amount, text, "01m7zzzzzz-0a0b0c0d")], "2026-11-01")


def store(data: bytes | None = None) -> Life:
    """A project's store that holds it."""
    life = fresh()
    life.by_hand("2026-11-02", {NAME: instinct() if data is None else data})
    return life


def text(data: bytes | None = None) -> str:
    """The hash of its words."""
    return texts.of(markdown.parse(instinct() if data is None else data))


def line(session: str, at: datetime, withheld: bool, /, **more: object) -> dict[str, object]:
    """A line of the log."""
    arm = log.WITHHELD if withheld else log.INJECTED
    made: dict[str, object] = {
        "v": 1, "at": at.isoformat(), "session": session, "instinct": NAME, "text": text(), "scope": "project",
        "model": "m1", "harness": "claude-code", "arm": arm, "probation": True, "share": 0.33,
    }  # fmt: skip
    return made | more


def write_log(lines: Sequence[dict[str, object]], project: str) -> None:
    """Appends lines to a project's log."""
    path = Path(paths.measure(f"{project}.jsonl"))
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="ascii") as file:
        file.writelines(json.dumps(one) + "\n" for one in lines)


def session(
    name: str, at: datetime, commands: Sequence[str], project: str, *, ends: bool = True, segment: int = 1
) -> None:
    """What the hook wrote of a session that ran these commands, one every ten seconds."""
    base = {"v": 1, "harness": "claude-code", "project": project, "session": name}
    events: list[dict[str, Any]] = [{"event": "session_start", "source": "startup"}]
    for number, command in enumerate(commands):
        call = {"tool": "Bash", "id": f"{name}-{at:%d%H%M}-{number}", "input": {"command": command}}
        events += [call | {"event": "tool_start"}, call | {"event": "tool_complete", "output": {"stdout": "fine"}}]
    events += [{"event": "session_end", "source": "exit"}] if ends else []
    moments = [at + timedelta(seconds=10 * number) for number in range(len(events))]
    records = [base | {"at": when.isoformat()} | one for when, one in zip(moments, events, strict=True)]
    spool([json.dumps(record).encode() + b"\n" for record in records], project, f"{segment:06d}.jsonl")


def trial(arms: Sequence[tuple[bool, float]], project: str, begin: int = 0, **more: object) -> None:
    """Sessions, one every four hours: of each whether it went without, and the share of four installs that was bad."""
    for number, (withheld, bad) in enumerate(arms, begin):
        at, name = START + timedelta(hours=4 * number), f"s{number}"
        session(name, at, [BAD] * round(4 * bad) + [GOOD] * (4 - round(4 * bad)), project)
        write_log([line(name, at, withheld, **more)], project)


def drawn(seed: int, count: int, with_it: float, without: float, share: float = 0.33) -> list[Unit]:
    """Sessions with those rates of bad ones, the arm drawn as the hash would."""
    lot = random.Random(seed)
    arms = (lot.random() < share for _ in range(count))
    return [Unit(out, float(lot.random() < (without if out else with_it)), share) for out in arms]
