"""Models for tests: a Messages API on the loopback that answers as told, and a `claude` program that does."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from gitinstinct.config import Config, Observer

MODEL = "claude-haiku-5-5"
Told = Callable[[list[dict[str, Any]]], list[dict[str, Any]]]
"""What a model makes of the lines that it was shown: from records to patterns."""


def claim(*occurrences: Iterable[str], **fields: str) -> dict[str, Any]:
    """One pattern of an answer."""
    return {
        "kind": "correction", "key": "", "name": "pnpm for packages", "trigger": "when installing packages",
        "action": "Use `pnpm`, not `npm`.", "domain": "workflow",
    } | fields | {"occurrences": [list(one) for one in occurrences]}  # fmt: skip


def pnpm(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """A model that sees one habit: every prompt that names pnpm is an occurrence of it."""
    seen = [[one["id"]] for one in records if one["kind"] == "event" and "pnpm" in one.get("said", "")]
    key = next((one["key"] for one in records if one["kind"] == "known" and "pnpm" in one["action"]), "")
    if not seen:
        return []
    return [claim(*seen, key=key) if not key else claim(*seen, key=key, trigger="", action="", name="")]


def shown(user: str) -> list[dict[str, Any]]:
    """The records of a prompt, each with its kind."""
    lines = re.findall(r"^(known|instinct|context|event) (\{.*\})$", user, re.MULTILINE)
    return [{"kind": kind} | json.loads(text) for kind, text in lines]


def message(text: str, *, stop: str = "end_turn", usage: Mapping[str, int] | None = None) -> dict[str, Any]:
    """What the API answers."""
    return {
        "id": "msg_1", "type": "message", "role": "assistant", "model": MODEL, "stop_reason": stop,
        "stop_sequence": None, "content": [{"type": "text", "text": text}] if text else [],
        "usage": dict(usage or {"input_tokens": 1000, "output_tokens": 200, "cache_read_input_tokens": 50,
                                "cache_creation_input_tokens": 0}),
    }  # fmt: skip


class Api:
    """The Messages API. `asked` are the requests for messages, `counted` how often tokens were counted."""

    def __init__(self, server: HTTPServer) -> None:
        self.asked: list[dict[str, Any]] = []
        self.headers: list[Mapping[str, str]] = []
        self.counted = 0
        self.tokens: int | None = 1_000
        self.tells: Told = pnpm
        self.answers: list[Response | Callable[[], Response]] = []
        self.address = server.url_for("").rstrip("/")
        server.expect_request("/v1/messages", method="POST").respond_with_handler(self._message)
        server.expect_request("/v1/messages/count_tokens", method="POST").respond_with_handler(self._count)

    def config(self, **chosen: Any) -> Config:
        """Settings that lead here."""
        return Config(observer=replace(Observer(), detector="anthropic", address=self.address, **chosen))

    def records(self, call: int = -1) -> list[dict[str, Any]]:
        """What a call showed the model."""
        return shown(self.asked[call]["messages"][0]["content"])

    def _message(self, request: Request) -> Response:
        asked = request.get_json()
        self.asked.append(asked)
        self.headers.append(dict(request.headers))
        if self.answers:
            answer = self.answers.pop(0)
            return answer if isinstance(answer, Response) else answer()
        patterns = self.tells(shown(asked["messages"][0]["content"]))
        return reply(message(json.dumps({"patterns": patterns})))

    def _count(self, request: Request) -> Response:
        self.counted += 1
        return reply({"input_tokens": self.tokens}) if self.tokens is not None else error(404)


def reply(data: object, status: int = 200, **headers: str) -> Response:
    """An answer in JSON."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Response(json.dumps(data), status, named, content_type="application/json")


def error(status: int, kind: str = "api_error", **headers: str) -> Response:
    """An error as the API tells it."""
    return reply({"type": "error", "error": {"type": kind, "message": "it is so"}}, status, **headers)


def program(folder: Path, body: str) -> Path:
    """A `claude` in a folder of its own. `body` is Python; `arguments` and `given` (its input) are at hand."""
    folder.mkdir(parents=True, exist_ok=True)
    made = folder / "claude"
    start = "import json, os, subprocess, sys, time\narguments, given = sys.argv[1:], sys.stdin.read()\n"
    made.write_text(f"#!{sys.executable}\n{start}{body}\n", "utf-8")
    made.chmod(0o755)
    return made


def result(text: str, **fields: Any) -> dict[str, Any]:
    """What `claude -p --output-format json` ends with."""
    return {
        "type": "result", "subtype": "success", "is_error": False, "result": text, "num_turns": 1,
        "total_cost_usd": 0.0123, "usage": {"input_tokens": 900, "output_tokens": 100},
    } | fields  # fmt: skip
