"""A team of two beside a code project's repository, made once and copied for each test."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from gitinstinct.capture.project import Project, normalise
from gitinstinct.git.url import parse
from gitinstinct.instinct import ids
from gitinstinct.store import store
from gitinstinct.store.store import Store
from gitinstinct.team.link import SHARED, Link
from tests.support.mates import BOB, Mate, bare, mate
from tests.support.repos import ANN, commit_all, git, repository
from tests.support.stores import ABOUT, NOW, instinct


@pytest.fixture(scope="session")
def team(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder that is copied: `hub.git` with four branches and a tag of the code's own, `ann`, `bob`."""
    place = tmp_path_factory.mktemp("team")
    with pytest.MonkeyPatch.context() as patch:
        for name in ("HOME", "GITINSTINCT_HOME"):
            patch.setenv(name, str(place / name))
        hub, code = bare(place / "hub.git"), place / "code"
        repository(code)
        commit_all(code, {"main.py": "x\n"})
        for name in ("dev", "feature/x", "release"):
            git(code, "branch", name)
        git(code, "tag", "v1")
        git(code, "push", "-q", str(hub), "--all")
        git(code, "push", "-q", str(hub), "v1")
        mate(place / "ann", hub)
        mate(place / "bob", hub, BOB)
        alone = store.create(place / "alone", ABOUT, NOW, identity=ANN)
        commit_all(alone.path, {ids.path_of("run-tests"): instinct("run-tests")})
        git(code, "remote", "add", "origin", str(hub))
        yield place


@pytest.fixture
def hub(team: Path, tmp_path: Path) -> Path:
    """The remote of one test."""
    shutil.copytree(team / "hub.git", tmp_path / "hub.git", symlinks=True)
    return tmp_path / "hub.git"


@pytest.fixture
def ann(team: Path, tmp_path: Path, hub: Path) -> Mate:
    """A store that is linked to it."""
    return _copied(team, tmp_path, "ann")


@pytest.fixture
def bob(team: Path, tmp_path: Path, hub: Path) -> Mate:
    """Another one, of somebody else."""
    return _copied(team, tmp_path, "bob")


@pytest.fixture
def alone(team: Path, tmp_path: Path) -> Store:
    """A store with one instinct, which nobody shares yet."""
    shutil.copytree(team / "alone", tmp_path / "alone", symlinks=True)
    return store.open(tmp_path / "alone")


@pytest.fixture
def project(team: Path, tmp_path: Path, hub: Path) -> Project:
    """The code project, whose origin is `hub`."""
    shutil.copytree(team / "code", tmp_path / "code", symlinks=True)
    git(tmp_path / "code", "remote", "set-url", "origin", str(hub))
    return Project("a1b2c3d4e5f6", "my-api", str(tmp_path / "code"), normalise(str(hub))[0])


def _copied(team: Path, to: Path, who: str) -> Mate:
    shutil.copytree(team / who, to / who, symlinks=True)
    config = to / who / ".git" / "config"
    config.write_text(config.read_text().replace(str(team), str(to)))
    return Mate(store.open(to / who), Link(parse(str(to / "hub.git")), SHARED))
