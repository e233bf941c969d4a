"""A project whose past is read, and a back-fill of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from gitinstinct.backfill import run, sources
from gitinstinct.backfill.run import Summary
from gitinstinct.capture import project as projects
from gitinstinct.capture import reader
from gitinstinct.capture.project import Project
from tests.support.repos import git

NOW = datetime(2026, 11, 29, 10, tzinfo=UTC)
Fill = Callable[..., Summary]


@pytest.fixture
def work(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A code project with a remote, the working directory."""
    folder = home / "work" / "my-api"
    folder.mkdir(parents=True)
    git(folder, "init", "-q", "-b", "main", "--template=")
    git(folder, "remote", "add", "origin", "git@github.com:Acme/My-API.git")
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def project(work: Path) -> Project:
    return projects.identify(str(work), {})


@pytest.fixture
def fill(home: Path, project: Project) -> Fill:
    """Reads the past in the usual places, or what is given."""

    def filled(source: Path | None = None, now: datetime = NOW, **chosen: Any) -> Summary:
        ids = sources.foreign_ids(project)
        found = sources.usual({}, home, ids, project.root) if source is None else sources.given(source)
        return run.backfill(run.plan(project, (), found), now, {}, **chosen)

    return filled


def told(project: Project, kinds: Iterable[str] = ()) -> list[dict[str, Any]]:
    """What is in the spool, of these kinds; everything but the ends of turns and sessions if none is given."""
    found = [record for _, record in reader.read(project.id)]
    wanted = list(kinds)
    return [one for one in found if (one["event"] in wanted if wanted else one["event"] not in ("stop", "session_end"))]
