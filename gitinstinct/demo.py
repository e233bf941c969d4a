"""Recorded work of two small projects, so that the whole loop can be seen before any of one's own work was captured.

A recording (`templates/demo/<project>.jsonl`) begins with one line about the project; every further line is one hook
payload of Claude Code as it came, shortened: what is the same in all of a session is filled in here, and so are the
places (`{root}`), the times (`offset`: seconds from now, below zero) and a made-up secret (`{secret}`), so that none
stands in a file. The recordings are played through the real hook, one process a session in batch mode: the same way
in as that of live events, in seconds instead of days.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from gitinstinct import shipped

HARNESS = "claude-code"
_OUTSIDE_A_TURN = {"SessionStart", "SessionEnd"}  # their payloads have no permission mode


@dataclass(frozen=True, slots=True)
class Recording:
    """One project's work."""

    project: str
    about: str  # one sentence
    remote: str  # the address of its origin
    files: Mapping[str, str]  # path below the project → content
    events: tuple[Mapping[str, object], ...]  # in the order of time


def recordings() -> list[Recording]:
    """The recordings that ship with us, by name."""
    return [_load(path) for path in sorted((shipped.templates() / "demo").glob("*.jsonl"))]


def _load(path: Path) -> Recording:
    head, *events = [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]
    return Recording(head["project"], head["about"], head["remote"], head["files"], tuple(events))


def prepare(root: Path, make_repository: Callable[[Path, str], None]) -> list[tuple[Recording, Path]]:
    """Writes each project's folder below `root`; `make_repository(folder, remote)` makes a git repository of it."""
    made = []
    for recording in recordings():
        folder = root / recording.project
        for name, content in recording.files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(content, encoding="utf-8")
        make_repository(folder, recording.remote)
        made.append((recording, folder))
    return made


def payloads(recording: Recording, folder: Path, now: datetime) -> Iterator[dict[str, object]]:
    """The payloads as if the work had been done in `folder` during the days before `now` (aware), oldest first.

    Each has a `timestamp`, which the hook's batch mode takes for the time of the event.
    """
    words = {"{root}": str(folder), "{secret}": _secret(recording)}
    for event in recording.events:
        kept = {key: _fill(value, words) for key, value in event.items() if key not in ("session", "offset")}
        yield _envelope(recording, event, folder, now) | kept


def batches(recording: Recording, folder: Path, now: datetime) -> Iterator[bytes]:
    """The payloads of one session each, as lines for the standard input of `gitinstinct hook claude-code --batch`."""
    for _, group in itertools.groupby(payloads(recording, folder, now), key=lambda payload: payload["session_id"]):
        yield b"".join(json.dumps(payload).encode() + b"\n" for payload in group)


def _envelope(recording: Recording, event: Mapping[str, object], folder: Path, now: datetime) -> dict[str, object]:
    session = str(uuid.uuid5(uuid.NAMESPACE_URL, f"{recording.remote}#{event['session']}"))
    moment = now + timedelta(seconds=float(str(event["offset"])))
    envelope: dict[str, object] = {
        "timestamp": moment.isoformat(timespec="milliseconds"),
        "session_id": session,
        "transcript_path": str(folder.parent / "transcripts" / f"{session}.jsonl"),
        "cwd": str(folder),
    }
    return envelope if event["hook_event_name"] in _OUTSIDE_A_TURN else envelope | {"permission_mode": "default"}


def _fill(value: object, words: Mapping[str, str]) -> object:
    """The value with the placeholders in its texts replaced, at any depth."""
    if isinstance(value, str):
        for placeholder, word in words.items():
            value = value.replace(placeholder, word)
        return value
    if isinstance(value, list):
        return [_fill(item, words) for item in value]
    if isinstance(value, dict):
        return {key: _fill(item, words) for key, item in value.items()}
    return value


def _secret(recording: Recording) -> str:
    """What looks like a token and opens nothing; the audience sees it blanked."""
    return hashlib.sha256(recording.project.encode()).hexdigest()[:40]
