"""The four roots: ours are the platform's own, and one variable moves them all."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs
import pytest

from gitinstinct import paths

KINDS = ["data", "config", "state", "cache"]


@pytest.mark.parametrize("kind", KINDS)
def test_one_variable_moves_everything(kind: str, home: Path) -> None:
    assert paths.root(kind) == str(home / "gitinstinct" / kind)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("chosen", [None, "/elsewhere/x", "relative"])
def test_the_places_are_those_of_platformdirs(kind: str, chosen: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GITINSTINCT_HOME")
    if chosen:
        monkeypatch.setenv(f"XDG_{kind.upper()}_HOME", chosen)
    expected = {
        "data": platformdirs.user_data_dir,
        "config": platformdirs.user_config_dir,
        "state": platformdirs.user_state_dir,
        "cache": platformdirs.user_cache_dir,
    }[kind]("gitinstinct", appauthor=False)
    if chosen == "relative":  # the XDG rule: a relative path is invalid and ignored
        monkeypatch.delenv(f"XDG_{kind.upper()}_HOME")
        expected = paths.root(kind)
        monkeypatch.setenv(f"XDG_{kind.upper()}_HOME", chosen)
    assert paths.root(kind) == expected


def test_a_relative_home_is_made_absolute(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GITINSTINCT_HOME", "here")
    assert paths.root("data") == str(tmp_path / "here" / "data")


def test_observations_never_lie_in_a_store() -> None:
    state = {
        Path(paths.spool("p")).parts[-2],
        Path(paths.tally("p")).parts[-2],
        Path(paths.lock("p")).parts[-2],
        "counts",
    }
    data = {Path(paths.store("p")).parts[-2], Path(paths.store(paths.GLOBAL)).parts[-1]}
    assert not state & data


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
def test_what_is_made_is_for_this_person_alone(umask: int, tmp_path: Path) -> None:
    before = os.umask(umask)
    try:
        paths.make_private(str(tmp_path / "a" / "b"))
        paths.make_private(str(tmp_path / "a" / "b"))
    finally:
        os.umask(before)
    assert [(tmp_path / name).stat().st_mode & 0o777 for name in ("a", "a/b")] == [0o700, 0o700]
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match="file"):
        paths.make_private(str(tmp_path / "file" / "below"))
