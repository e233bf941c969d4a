"""Who a commit is by.

The person's name and mail are read in their *code* repository, because an `includeIf` by directory does not reach a
store that lies elsewhere. In a foreign project folder only `config --get` is asked: almost any other command may run a
program that the folder's config names.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from gitinstinct.git import run

_LENGTH = 200
_REFUSED = re.compile(r"[\x00-\x1f\x7f<>]+")
_EDGES = " .,:;'\"\\"  # git itself drops these at both ends of a name


@dataclass(frozen=True, slots=True)
class Actor:
    """A name and a mail address, fit for a commit's header: cleaned as git would, never empty."""

    name: str
    mail: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", _cleaned(self.name) or _NOBODY)
        object.__setattr__(self, "mail", _cleaned(self.mail).replace(" ", "") or f"{_NOBODY}@localhost")

    def line(self, time: int) -> bytes:
        """The value of an `author` or `committer` header, at Unix seconds, in UTC."""
        return f"{self.name} <{self.mail}> {time} +0000".encode("utf-8", "replace")

    def variables(self) -> dict[str, str]:
        """The environment that makes git itself write as this actor (reflogs, `cherry-pick`)."""
        return {
            f"GIT_{role}_{part}": value
            for role in ("AUTHOR", "COMMITTER")
            for part, value in (("NAME", self.name), ("EMAIL", self.mail))
        }


_NOBODY = "gitinstinct"


def _cleaned(text: str) -> str:
    return _REFUSED.sub(" ", text).strip(_EDGES)[:_LENGTH].strip(_EDGES)


FALLBACK = Actor(_NOBODY, f"{_NOBODY}@localhost")
OBSERVER = Actor("gitinstinct observer", "observer@localhost")


def read(directory: Path) -> Actor | None:
    """The identity that git would use in this code project, `includeIf` and all; None if no name or mail is set."""
    name, mail = _ask(directory, "config", "--get", "user.name"), _ask(directory, "config", "--get", "user.email")
    return Actor(name, mail) if name and mail else None


def _ask(directory: Path, *question: str) -> str | None:
    """None also where git cannot answer: no repository, a broken config, somebody else's folder."""
    try:
        result = run.run(["-C", str(directory), *question], cwd=directory, personal=True, expect=range(256))
    except run.GitError:
        return None
    return result.out.decode("utf-8", "surrogateescape").strip("\n") or None if result.code == 0 else None
