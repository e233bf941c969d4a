"""Letting the person's own `gh` or `glab` open a pull request: they know how to sign in, we never see a token's use.

What they get is built here: arguments as a list, every value behind its option's `=`, the text in a file. They run in
an empty folder, so that no repository's config is read, with the few variables that they need, without a prompt, for so
many seconds. What they answer is foreign, too: an address is taken only if it is one of the same host.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from gitinstinct.git import run
from gitinstinct.git.run import Result, clean
from gitinstinct.pullrequest.hosts import Host, Kind

SECONDS = 30.0  # for each call
_MOST = 1024 * 1024  # bytes of an answer
_WORDS = 200  # characters of what a program complains
_KEPT = frozenset(
    "HOME PATH USER LOGNAME TMPDIR TEMP TMP SYSTEMROOT APPDATA LOCALAPPDATA USERPROFILE XDG_CONFIG_HOME XDG_STATE_HOME"
    " XDG_DATA_HOME XDG_CACHE_HOME XDG_RUNTIME_DIR DBUS_SESSION_BUS_ADDRESS SSL_CERT_FILE SSL_CERT_DIR HTTP_PROXY"
    " HTTPS_PROXY NO_PROXY ALL_PROXY GH_TOKEN GITHUB_TOKEN GH_ENTERPRISE_TOKEN GITHUB_ENTERPRISE_TOKEN GH_CONFIG_DIR"
    " GITLAB_TOKEN GITLAB_ACCESS_TOKEN OAUTH_TOKEN GLAB_CONFIG_DIR".split()
)
_FIXED = {
    "LC_ALL": "C.UTF-8",
    "NO_COLOR": "1",
    "PAGER": "cat",
    "GH_PAGER": "cat",
    "GH_PROMPT_DISABLED": "1",
    "GH_NO_UPDATE_NOTIFIER": "1",
    "NO_PROMPT": "1",
    "GLAB_CHECK_UPDATE": "false",
    "GIT_TERMINAL_PROMPT": "0",
    "BROWSER": "false",
}


@dataclass(frozen=True, slots=True)
class Request:
    """A pull request to be opened: branches by their short names, a title of ours, the text."""

    base: str
    head: str
    title: str
    body: str


@dataclass(frozen=True, slots=True)
class Opened:
    """A pull request that is open: its address, and whether it was opened now."""

    url: str
    made: bool


class Failed(Exception):
    """No request could be opened: why, as a sentence without a full stop."""


def open_request(host: Host, request: Request, *, seconds: float = SECONDS) -> Opened:
    """Opens a pull request for a branch that is there already; one that is open stays as it is.

    Raises:
        Failed: there is no such program, it is not signed in, it failed, hung, or answered what cannot be used.
    """
    opener = _OPENERS.get(host.kind)
    if opener is None:
        raise Failed("no program is known that opens one there")
    with tempfile.TemporaryDirectory(prefix="gitinstinct-") as folder:
        return opener(host, request, _Program(_NAMES[host.kind], Path(folder), seconds))


# --- GitHub


def _with_gh(host: Host, request: Request, gh: _Program) -> Opened:
    gh.must_be_signed_in(host)
    where = (f"--repo={host.name}/{host.path}", f"--head={request.head}", f"--base={request.base}")
    for one in _list(gh("pr", "list", *where, "--state=open", "--limit=20", "--json=url,isCrossRepository")):
        if not one.get("isCrossRepository"):
            return Opened(_address(host, one.get("url")), made=False)
    text = gh.file("body.md", request.body)
    said = gh("pr", "create", *where, f"--title={request.title}", f"--body-file={text}").out.decode("utf-8", "replace")
    return Opened(_address(host, next(reversed(said.split()), "")), made=True)


# --- GitLab


def _with_glab(host: Host, request: Request, glab: _Program) -> Opened:
    """By its door to the API: `mr create` takes the text on the command line only, where all can read it."""
    glab.must_be_signed_in(host)
    api, place = ("api", f"--hostname={host.name}"), f"projects/{quote(host.path, safe='')}/merge_requests"
    asked = {"state": "opened", "source_branch": request.head, "target_branch": request.base}
    for one in _list(glab(*api, f"{place}?{urlencode(asked)}")):
        return Opened(_address(host, one.get("web_url")), made=False)
    wanted = {"source_branch": request.head, "target_branch": request.base, "title": request.title}
    file = glab.file("request.json", json.dumps(wanted | {"description": request.body}))
    header = "--header=Content-Type: application/json"
    made = _json(glab(*api, "--method=POST", header, f"--input={file}", place))
    return Opened(_address(host, made.get("web_url") if isinstance(made, dict) else None), made=True)


_NAMES = {Kind.GITHUB: "gh", Kind.GITLAB: "glab"}


# --- what they answer


def _list(result: Result) -> list[dict[str, Any]]:
    found = _json(result)
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def _json(result: Result) -> Any:
    try:
        return json.loads(result.out)
    except (ValueError, RecursionError) as error:
        raise Failed("its answer cannot be read") from error


def _address(host: Host, found: object) -> str:
    text = found if isinstance(found, str) else ""
    if not text.startswith(f"{host.site}/") or not text.isascii() or not text.isprintable() or len(text) > _WORDS:
        raise Failed("it did not say where the request is")
    return text


# --- running them


@dataclass(frozen=True, slots=True)
class _Program:
    """One of them: its name, the empty folder that it runs in, the most seconds of a call."""

    name: str
    folder: Path
    seconds: float

    def must_be_signed_in(self, host: Host) -> None:
        try:
            self("auth", "status", f"--hostname={host.name}")
        except _Ended as error:
            raise Failed(f"{self.name} is not signed in to {host.name}") from error

    def file(self, name: str, text: str) -> Path:
        file = self.folder / name
        file.write_text(text, "utf-8", "replace")
        return file

    def __call__(self, *arguments: str) -> Result:
        result, in_time = run.finish(self._start(arguments), b"", _MOST, self.seconds)
        if not in_time:
            raise Failed(f"{self.name} did not end within {self.seconds:g} seconds")
        if len(result.out) > _MOST:
            raise Failed(f"{self.name} said more than {_MOST:,} bytes")
        if result.code:
            raise _Ended(f"{self.name} ended with code {result.code}: {clean(_text(result))[:_WORDS]}")
        return result

    def _start(self, arguments: Sequence[str]) -> subprocess.Popen[bytes]:
        program = shutil.which(self.name)
        if program is None or not Path(program).is_absolute():
            raise Failed(f"{self.name} is not installed")
        pipe = subprocess.PIPE
        try:
            return subprocess.Popen(
                [program, *arguments], cwd=self.folder, env=_environment(), stdin=subprocess.DEVNULL,
                stdout=pipe, stderr=pipe, start_new_session=True,
            )  # fmt: skip
        except OSError as error:
            raise Failed(f"{self.name} cannot be started: {error.strerror}") from error


class _Ended(Failed):
    """It ended with an error."""


def _text(result: Result) -> str:
    return (result.err or result.out).decode("utf-8", "replace")


def _environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name.upper() in _KEPT} | _FIXED


_OPENERS = {Kind.GITHUB: _with_gh, Kind.GITLAB: _with_glab}
