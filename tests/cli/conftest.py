"""A project to work in, and the program."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitinstinct.store.layout import About
from tests.support import files
from tests.support.life import Lived, fresh, three_weeks
from tests.support.program import Program
from tests.support.repos import git


@pytest.fixture
def program(capsys: pytest.CaptureFixture[str]) -> Program:
    """`gitinstinct`, in this process."""
    return Program(capsys)


@pytest.fixture
def project(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A code project with a remote, which is the working directory. Its id is e5c363015306."""
    folder = home / "work" / "my-api"
    folder.mkdir(parents=True)
    git(folder, "init", "-q", "-b", "main", "--template=")
    git(folder, "remote", "add", "origin", "git@github.com:Acme/My-API.git")
    git(folder, "config", "user.name", "Ann")
    git(folder, "config", "user.email", "ann@example.org")
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def lived(project: Path) -> Lived:
    """The project's store after three weeks, see `three_weeks`; and a global one with one instinct."""
    everybody = fresh(About("global", "", "global"))
    everybody.by_hand("2026-11-10", {"prefer-rg": files.made(scope="global", action="Do not use `use-rg`.")})
    return three_weeks(fresh(About("project", PROJECT_ID, "my-api")))


PROJECT_ID = "e5c363015306"
