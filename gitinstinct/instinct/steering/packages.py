"""Installing what a text names: from elsewhere, without a version, or under a name that only looks like a known one."""

from __future__ import annotations

import re
from collections.abc import Iterator

_ELSEWHERE = re.compile(
    r"--(?:extra-)?index-url\b|--registry\b|\bconfig set registry\b|--trusted-host\b|--find-links\b|\bGOPROXY\b"
    r"|\bgem sources\b|--source\s+\S+://|\b(?:install|add|i)\s+(?:git\+|https?:|github:)\S*",
    re.IGNORECASE,
)
_INSTALL = re.compile(
    r"\b(?:pip3?|uv|npm|pnpm|yarn|bun|cargo|gem|go|poetry|pipx|conda|brew|apt(?:-get)?)\s+(?:pip\s+|tool\s+)?"
    r"(?:install|add|i|get)\s+(?:-\S+\s+)*(?P<name>@?[A-Za-z][\w./-]*)(?P<version>[=@~^<>!]\S+)?"
)
# Words that follow in a sentence, and are no packages.
_PROSE = frozenset(
    "a an and any as before but by can directly first for from if in instead is it its not of on only or over packages"
    " rather so than that the them then there these this to when where which with without you".split()
)
_KNOWN = frozenset(
    "ansible axios babel beautifulsoup4 boto3 celery chalk click cryptography django dotenv electron eslint express"
    " fastapi flask httpx jquery jest lodash matplotlib mongoose mypy numpy openai pandas pillow playwright prettier"
    " protobuf pydantic pytest react redis requests rollup ruff scikit-learn scipy selenium serde setuptools sqlalchemy"
    " svelte tailwindcss tensorflow tokio torch typescript urllib3 uvicorn virtualenv webpack".split()
)
_SHORTEST = 5  # a name of fewer letters is near to too many others


def findings(text: str) -> Iterator[str]:
    """What is odd about the installations that a text asks for."""
    for found in _ELSEWHERE.finditer(text):
        yield f"packages from elsewhere: {found[0][:60]!a}"
    for found in _INSTALL.finditer(text):
        name = found["name"].rstrip(".-/")
        if name.lower() in _PROSE:
            continue
        twin = looks_like(name.lower())
        if twin:
            yield f"{name} is nearly called {twin}"
        elif not found["version"]:
            yield f"{name} in whatever version there is"


def looks_like(name: str) -> str:
    """The known package of which a name is one slip away; empty if it is known itself, or far from all."""
    if name in _KNOWN or len(name) < _SHORTEST:
        return ""
    slips = _slips(name)
    return next((known for known in sorted(_KNOWN) if known in slips or name in _slips(known)), "")


def _slips(name: str) -> set[str]:
    """The name with one letter missing, and with two neighbours swapped."""
    cuts = range(len(name))
    missing = {name[:at] + name[at + 1 :] for at in cuts}
    return missing | {name[:at] + name[at + 1] + name[at] + name[at + 2 :] for at in cuts[:-1]}
