"""A repository whose instincts plain git merges through our driver: the person's own git, real processes."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from gitinstinct.git.repo import Repo
from gitinstinct.instinct import markdown
from gitinstinct.store import driver, store
from tests.support import files, repos, versions
from tests.support.repos import ANN, git, repository
from tests.support.versions import Act

PATH = "instincts/prefer-rg.md"
START = files.made(tags=["search"])
MARK = b"<<<<<<<"


def confirmed(data: bytes, *numbers: int, who: str = "a") -> bytes:
    """The file after these sightings of one person."""
    return versions.done(data, [Act("confirm", number, who) for number in numbers])


OURS, THEIRS = confirmed(START, 1), confirmed(START, 2, who="bb")
"""Two sides that no line-wise merge can join."""


@dataclass(frozen=True)
class Desk:
    """A work tree and what a person does in it."""

    folder: Path

    @property
    def repo(self) -> Repo:
        """The repository."""
        return Repo(self.folder / ".git", self.folder)

    def git(self, *arguments: str, env: Mapping[str, str] | None = None, stdin: bytes = b"") -> str:
        """Git, which must succeed."""
        return git(self.folder, *arguments, env=env, stdin=stdin)

    def code(self, *arguments: str, env: Mapping[str, str] | None = None) -> int:
        """Git's exit code, whatever it is."""
        return self.tried(*arguments, env=env).returncode

    def tried(
        self, *arguments: str, env: Mapping[str, str] | None = None, cwd: Path | None = None
    ) -> subprocess.CompletedProcess[bytes]:
        """Git, which may fail."""
        who = {f"GIT_{role}_{part}": value for role in ("AUTHOR", "COMMITTER") for part, value in _PERSON}
        place, whole = cwd or self.folder, {**os.environ, **who, **(env or {})}
        return subprocess.run(["git", *arguments], cwd=place, env=whole, capture_output=True, timeout=60, check=False)

    def commit(self, data: bytes | None, message: str = "work", path: str = PATH) -> str:
        """Commits one file as it is given; None removes it. The commit's id."""
        if data is None:
            self.git("rm", "-q", "--", path)
        return repos.commit_all(self.folder, {} if data is None else {path: data}, message)

    def confirm(self, *numbers: int, who: str = "a", path: str = PATH) -> str:
        """A commit that adds evidence to the file as it lies there; its id."""
        return self.commit(confirmed(self.data(path), *numbers, who=who), f"confirm by {who}", path)

    def on(self, branch: str, start: str = "") -> None:
        """Goes to a branch; with a start it is made there."""
        self.git("checkout", "-q", *(["-b", branch, start] if start else [branch]))

    def part(self, base: bytes | None, ours: bytes | None, theirs: bytes | None, path: str = PATH) -> None:
        """`main` and `side` with these versions of one file; `main` is checked out."""
        self.commit(base, "base", path) if base is not None else self.git("commit", "-q", "--allow-empty", "-m", "base")
        self.on("side", "main")
        self.commit(theirs, "theirs", path)
        self.on("main")
        self.commit(ours, "ours", path)

    def merge(self, *flags: str, env: Mapping[str, str] | None = None) -> int:
        """Merges `side`; git's exit code."""
        return self.code("merge", "-q", "--no-edit", *(flags or ("side",)), env=env)

    def data(self, path: str = PATH) -> bytes:
        """The file as it lies there."""
        return (self.folder / path).read_bytes()

    def status(self) -> str:
        """What is changed or unmerged."""
        return self.git("status", "--porcelain")

    def evidence(self, path: str = PATH) -> list[str]:
        """The texts of the ledger."""
        return [entry.text for entry in markdown.parse(self.data(path)).ledger]


_PERSON = (("NAME", "Ann"), ("EMAIL", "ann@example.org"))


def desk(folder: Path, command: str | None = None) -> Desk:
    """A repository with the attributes and the driver of a store."""
    store.wire(repository(folder), identity=ANN, driver=command or driver.command())
    made = Desk(folder)
    made.git("commit", "-q", "--allow-empty", "-m", "first")
    return made


def interpreter(file: Path, line: str = 'exec "$PYTHON" "$@"') -> str:
    """An interpreter of that name, which does what the line of shell says; its path."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"#!/bin/sh\nPYTHON={sys.executable!r}\n{line}\n")
    file.chmod(0o755)
    return str(file)
