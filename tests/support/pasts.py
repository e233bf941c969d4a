"""Past sessions for tests: transcripts and rollouts as agents write them, line by line."""

from __future__ import annotations

import json
import uuid
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

START = datetime(2026, 10, 1, 9, 0, tzinfo=UTC)


def session_id(number: int) -> str:
    """The id of the n-th session."""
    return f"{number:08x}-0000-4000-8000-000000000000"


class Transcript:
    """A session of Claude Code that grows; every line is ten seconds after the one before."""

    def __init__(self, number: int, cwd: Path | str, at: datetime | None = None, **common: Any) -> None:
        self.name = session_id(number)
        self.at = at or START + timedelta(days=number)
        self.values: list[Any] = []
        self._common = {"isSidechain": False, "cwd": str(cwd), "sessionId": self.name, "version": "2.1.270", **common}

    def put(self, kind: str, message: Any, **fields: Any) -> Transcript:
        """One line."""
        self.at += timedelta(seconds=10)
        name = str(uuid.uuid5(uuid.NAMESPACE_DNS, f"{self.name} {len(self.values)}"))
        stamp = self.at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        self.values.append(
            {"type": kind, "message": message, "uuid": name, "timestamp": stamp, **self._common, **fields}
        )
        return self

    def says(self, text: Any, **fields: Any) -> Transcript:
        """A text on the person's side."""
        return self.put("user", {"role": "user", "content": text}, **fields)

    def asks(self, tool: str, given: Any, call: str, **fields: Any) -> Transcript:
        """A call without its result."""
        block = {"type": "tool_use", "id": call, "name": tool, "input": given}
        return self.put("assistant", {"id": f"m{len(self.values)}", "role": "assistant", "content": [block]}, **fields)

    def gets(self, call: str, text: Any = "ok", output: Any = None, **block: Any) -> Transcript:
        """The result of a call."""
        told = {"type": "tool_result", "tool_use_id": call, "content": text, **block}
        structured = output if output is not None else {"stdout": text, "stderr": "", "interrupted": False}
        return self.put("user", {"role": "user", "content": [told]}, toolUseResult=structured)

    def tool(self, tool: str, given: Any, error: str = "", **result: Any) -> Transcript:
        """A call and its result."""
        call = f"toolu_{self.name[:8]}_{len(self.values)}"
        self.asks(tool, given, call)
        if error:
            return self.gets(call, error, f"Error: {error}", is_error=True)
        return self.gets(call, **result)

    def run(self, *commands: str, error: str = "") -> Transcript:
        """Shell commands."""
        for command in commands:
            self.tool("Bash", {"command": command}, error)
        return self

    def edit(self, *paths: str) -> Transcript:
        """Edits of files."""
        for path in paths:
            self.tool("Edit", {"file_path": path, "old_string": "a", "new_string": "b"})
        return self

    @property
    def lines(self) -> list[bytes]:
        """What stands in the file."""
        return [json.dumps(value).encode() + b"\n" for value in self.values]

    def write(self, home: Path, slug: str = "-work") -> Path:
        """Puts the file where Claude Code keeps it."""
        path = home / ".claude" / "projects" / slug / f"{self.name}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"".join(self.lines))
        return path


def habits(number: int, cwd: Path | str) -> Transcript:
    """A session of somebody who wants uv and not pip, and checks, tests and commits after edits."""
    made = Transcript(number, cwd).says("add a retry and run the tests")
    made.run("pip install -e .", error="Exit code 1\nerror: externally-managed-environment")
    made.says("no - use uv, not pip").run("uv sync")
    for turn in range(2):
        made.edit(f"{cwd}/src/a{turn}.py").run("ruff check .", "pytest -q", "git commit -am work")
    return made.says("thanks")


class Rollout:
    """A session of Codex that grows."""

    def __init__(self, number: int, cwd: Path | str, **meta: Any) -> None:
        self.name = session_id(number)
        self.at = START + timedelta(days=number)
        self.values: list[dict[str, Any]] = []
        self.put("session_meta", {"id": self.name, "cwd": str(cwd), "source": "cli", **meta})

    def put(self, kind: str, payload: dict[str, Any]) -> Rollout:
        """One line."""
        self.at += timedelta(seconds=10)
        self.values.append({"timestamp": self.at.isoformat(), "type": kind, "payload": payload})
        return self

    def says(self, text: str) -> Rollout:
        """A prompt, as it is sent to the model and as it is noted."""
        content = [{"type": "input_text", "text": text}]
        self.put("response_item", {"type": "message", "role": "user", "content": content})
        return self.put("event_msg", {"type": "user_message", "message": text})

    def run(self, command: str, output: Any = "ok", name: str = "exec_command", key: str = "cmd") -> Rollout:
        """A shell command and its output."""
        call = f"call_{self.name[:8]}_{len(self.values)}"
        given = json.dumps({key: command})
        self.put("response_item", {"type": "function_call", "name": name, "arguments": given, "call_id": call})
        return self.put("response_item", {"type": "function_call_output", "call_id": call, "output": output})

    def write(self, home: Path) -> Path:
        """Puts the file where Codex keeps it."""
        path = home / ".codex" / "sessions" / "2026" / "10" / "01" / f"rollout-{self.name}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps(value) + "\n" for value in self.values))
        return path
