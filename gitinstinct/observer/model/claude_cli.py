"""The way to a model through the person's own `claude` program, for people without a key.

It runs as one that only answers: no tools, no MCP servers, no hooks, none of anybody's settings or context, nothing
kept of the session. It is marked by environment and by folder, so that its own events are never captured. Only an
answer that says that it succeeded counts; a program that ends with 0 and tells in prose why it could not is a failure.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gitinstinct import paths
from gitinstinct.capture import redact
from gitinstinct.config import Observer
from gitinstinct.observer.detector import Spent
from gitinstinct.observer.model import access, prices, program, schema
from gitinstinct.observer.model.asking import NOTHING, Reply, Unanswered
from gitinstinct.observer.model.program import Ended
from gitinstinct.observer.model.prompt import Prompt

PROGRAM = "claude"
SECONDS = 300.0

_TASK = "Find patterns in records. The input says how, then holds the records."
_OPTIONS = (
    "--print", "--output-format", "json", "--tools", "", "--strict-mcp-config", "--setting-sources", "",
    "--settings", '{"disableAllHooks":true}', "--disable-slash-commands", "--no-session-persistence",
    "--system-prompt", _TASK,
)  # fmt: skip
_MARKS = {
    "GITINSTINCT_OBSERVER": "1", "CLAUDE_CODE_SAFE_MODE": "1", "CLAUDE_CODE_SKIP_PROMPT_HISTORY": "1",
    "DISABLE_AUTOUPDATER": "1",
}  # fmt: skip
_INHERITED = ("CLAUDECODE", "CLAUDE_PROJECT_DIR", "CLAUDE_PID", "CLAUDE_ENV_FILE", "CLAUDE_EFFORT")
_KEPT = ("CLAUDE_CODE_USE_", "CLAUDE_CODE_OAUTH_TOKEN", "CLAUDE_CODE_SKIP_")  # how the person's program signs in
_SAID, _LOOKED_AT = 120, 10_000


class ClaudeCli:
    """Asks `claude -p`."""

    def __init__(self, chosen: Observer, root: str, env: Mapping[str, str], seconds: float = SECONDS) -> None:
        """Finds the program; nothing is started.

        Raises:
            Unanswered: it is not installed, or a file of the project has a hand in where it asks.
        """
        access.refuse_foreign(root, env, access.OF_PROGRAMS)
        found = shutil.which(PROGRAM, path=_search(env.get("PATH", ""), root))
        if found is None:
            hint = "install Claude Code, or choose another observer.detector"
            raise Unanswered(f"there is no program {PROGRAM} on the PATH", hint, spent=NOTHING)
        self._program, self._env, self._seconds = found, _environment(env), seconds
        self._model, self._own = chosen.model, chosen.prices

    def count(self, prompt: Prompt) -> int | None:
        """Nobody counts here."""
        return None

    def ask(self, prompt: Prompt) -> Reply:
        """One run of the program.

        Raises:
            Unanswered: it failed, hung, said too much, or did not say in so many words that it succeeded.
        """
        folder = Path(paths.root("state")) / "observer"
        command = [self._program, *_OPTIONS, "--model", self._model, "--json-schema", json.dumps(schema.form())]
        try:
            paths.make_private(str(folder))
            ended = program.run(
                command, stdin=f"{prompt.system}\n\n{prompt.user}\n".encode(), cwd=folder, env=self._env,
                seconds=self._seconds,
            )  # fmt: skip
        except OSError as error:
            raise Unanswered(f"{self._program} cannot be started: {error.strerror or error}", spent=NOTHING) from error
        return self._read(ended)

    def _read(self, ended: Ended) -> Reply:
        if ended.stopped:
            raise Unanswered(f"{PROGRAM} {ended.stopped}")
        said = _object(ended.out)
        spent = self._spent(said) if said is not None else None
        if ended.code != 0:
            raise Unanswered(f"{PROGRAM} ended with {ended.code}: {_complaint(ended, said)}", spent=spent)
        if said is None:
            raise Unanswered(f"{PROGRAM} answered with something that is no JSON", spent=spent)
        if said.get("type") != "result" or said.get("is_error") is not False or said.get("subtype") != "success":
            raise Unanswered(f"{PROGRAM} did not succeed: {_complaint(ended, said)}", spent=spent)
        return Reply(_answer(said), spent)

    def _spent(self, said: Mapping[str, Any]) -> Spent | None:
        """What it says that it used; its own dollars, else ours. None if it says neither."""
        usage = said.get("usage") if isinstance(said.get("usage"), dict) else {}
        names = ("input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
        into, out, read, write = (_whole(usage.get(name)) for name in names)  # type: ignore[union-attr]
        cost = said.get("total_cost_usd")
        if isinstance(cost, int | float) and not isinstance(cost, bool) and 0 <= cost < 1e6:
            return Spent(1, into, out, read, write, float(cost))
        told = Spent(1, into, out, read, write)
        return prices.priced(told, prices.of(self._model, self._own)) if told.tokens else None


def _answer(said: Mapping[str, Any]) -> str:
    """The structured answer; an older program gives it as text."""
    structured = said.get("structured_output")
    return json.dumps(structured) if structured is not None else str(said.get("result") or "")


def _object(data: bytes) -> dict[str, Any] | None:
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _complaint(ended: Ended, said: Mapping[str, Any] | None) -> str:
    """A few words of what it said, without a key that it may repeat: they are kept and shown."""
    told = [str(said.get("subtype") or ""), str(said.get("result") or "")] if said is not None else []
    text = " ".join([*told, ended.err.decode("utf-8", "replace")]).split()
    return " ".join(redact.redact(" ".join(text)[:_LOOKED_AT]).split())[:_SAID] or "it did not say why"


def _whole(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def _search(path: str, root: str) -> str:
    """The PATH without relative folders and without those of the project: its files do not choose the program."""
    folders = [one for one in path.split(os.pathsep) if os.path.isabs(one)]  # noqa: PTH117 -- a text, no file
    inside = Path(root).resolve() if root else None
    kept = [one for one in folders if inside is None or not Path(one).resolve().is_relative_to(inside)]
    return os.pathsep.join(kept)


def _environment(env: Mapping[str, str]) -> dict[str, str]:
    """The person's own, without what the session around us left in it."""
    kept = {
        name: value for name, value in env.items()
        if name not in _INHERITED and (not name.startswith("CLAUDE_CODE_") or name.startswith(_KEPT))
    }  # fmt: skip
    return kept | _MARKS
