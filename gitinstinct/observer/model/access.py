"""Where a model is asked, and with whose key: by the person's own settings and environment alone.

Everything that a run reads goes to that address. A project can set variables in the environment of an agent that works
in it, and hooks start runs from there; so what one of the project's own files sets is not believed, and the address is
taken from the settings and from nowhere else.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from gitinstinct import paths
from gitinstinct.config import Observer
from gitinstinct.observer.model.asking import NOTHING, Unanswered

OFFICIAL = "https://api.anthropic.com"
KEY, TOKEN = "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"

ON_THE_WAY = ("ANTHROPIC_CUSTOM_HEADERS", "HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR")
"""Variables that decide who else may read what is sent."""

OF_PROGRAMS = (
    *ON_THE_WAY, KEY, TOKEN, "ANTHROPIC_BASE_URL", "CLAUDE_CONFIG_DIR", "NODE_EXTRA_CA_CERTS", "NODE_OPTIONS",
)  # fmt: skip
"""The same for a program that asks by itself."""

_FILES = (
    ".env", ".env.local", ".envrc", ".claude/settings.json", ".claude/settings.local.json", "mise.toml", ".mise.toml",
)  # fmt: skip
_MOST = 1_000_000


@dataclass(frozen=True, slots=True)
class Access:
    """An address and a key; one of `key` and `token` is empty."""

    address: str
    key: str = field(default="", repr=False)
    token: str = field(default="", repr=False)


def of(chosen: Observer, root: str, env: Mapping[str, str]) -> Access:
    """The address and the key for a run.

    Args:
        chosen: the person's settings.
        root: the project's folder; "" if it is not known.
        env: the environment.

    Raises:
        Unanswered: there is no key, the address is unfit, or a file of the project has a hand in it.
    """
    refuse_foreign(root, env, ON_THE_WAY if chosen.key_file else (*ON_THE_WAY, KEY, TOKEN))
    address = chosen.address.rstrip("/") or OFFICIAL
    if not _is_fit(address):
        raise Unanswered(f"observer.address {address!r} is no https address", spent=NOTHING)
    if chosen.key_file:
        return Access(address, key=_of_file(Path(chosen.key_file).expanduser()))
    if env.get(KEY) or env.get(TOKEN):
        return Access(address, key=env.get(KEY, ""), token="" if env.get(KEY) else env[TOKEN])
    hint = f"set {KEY}, or name a file that holds it: observer.key_file in {paths.config_file()}"
    raise Unanswered("there is no key for the model", hint, spent=NOTHING)


def refuse_foreign(root: str, env: Mapping[str, str], names: Sequence[str]) -> None:
    """Whether what decides about the way is the person's own.

    Raises:
        Unanswered: a file of the project sets such a variable, and it is set.
    """
    folders = [Path(one) for one in dict.fromkeys((root, env.get("CLAUDE_PROJECT_DIR", ""))) if one]
    for path in (folder / name for folder in folders for name in _FILES):
        text = _text(path)
        for name in names:
            if name in text and (env.get(name) or env.get(name.lower())):
                hint = (
                    f"name a file of yours that holds the key (observer.key_file in {paths.config_file()}), or unset it"
                )
                raise Unanswered(f"{name} may come from {path}, so no model is asked", hint, spent=NOTHING)


def host(chosen: Observer) -> str:
    """The host that is asked if it is not the usual one; else ""."""
    address = chosen.address.rstrip("/")
    return "" if address in ("", OFFICIAL) else urlsplit(address).netloc.rpartition("@")[2] or address


def _is_fit(address: str) -> bool:
    try:
        parts = urlsplit(address)
        name = parts.hostname or ""
    except ValueError:
        return False
    is_near = parts.scheme == "http" and name in ("localhost", "127.0.0.1", "::1")
    return bool(name) and "@" not in parts.netloc and (parts.scheme == "https" or is_near)


def _of_file(path: Path) -> str:
    try:
        key = path.read_text("ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise Unanswered(f"{path} cannot be read ({type(error).__name__})", spent=NOTHING) from error
    if not key or len(key.split()) != 1:
        raise Unanswered(f"{path} holds no key", "one line, nothing but the key", spent=NOTHING)
    return key


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(_MOST).decode("utf-8", "replace")
    except OSError:
        return ""


def environment() -> Mapping[str, str]:
    """The environment of this process."""
    return os.environ
