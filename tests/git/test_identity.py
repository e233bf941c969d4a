from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from gitinstinct.errors import EnvironmentFault
from gitinstinct.git import config, identity
from gitinstinct.git.identity import FALLBACK, Actor
from tests.support.repos import ANN, git, repository


@pytest.mark.parametrize(
    ("name", "mail", "line"),
    [
        ("Ann", "ann@x.org", b"Ann <ann@x.org> 1 +0000"),
        ("A <b>\nauthor x", "a>b\n@x", b"A  b author x <ab@x> 1 +0000"),
        (" .Zo\u00eb;", "", "Zo\u00eb <gitinstinct@localhost> 1 +0000".encode()),
        ("\n", "<>", b"gitinstinct <gitinstinct@localhost> 1 +0000"),
        ("n" * 1000, "m@x", b"n" * 200 + b" <m@x> 1 +0000"),
    ],
)
def test_an_actor_is_fit_for_a_header(name: str, mail: str, line: bytes) -> None:
    assert Actor(name, mail).line(1) == line


def test_the_identity_is_that_of_the_code_project(tmp_path: Path, home: Path) -> None:
    work = tmp_path / "work"
    repository(work)
    assert identity.read(work) is None
    (home / "work.inc").write_text("[user]\n\temail = ann@work.example\n")
    (home / ".gitconfig").write_text(
        f'[user]\n\tname = Ann\n\temail = ann@home.example\n[includeIf "gitdir:{work}/"]\n\tpath = {home}/work.inc\n'
    )
    (work / "src").mkdir()
    assert identity.read(work / "src") == Actor("Ann", "ann@work.example")
    assert identity.read(home) == Actor("Ann", "ann@home.example")


def test_a_hostile_or_broken_project_runs_nothing_and_raises_nothing(tmp_path: Path) -> None:
    project = tmp_path / "project"
    repository(project)
    for key in ("core.fsmonitor", "core.pager", "core.sshCommand", "diff.external", "core.editor"):
        git(project, "config", key, f"touch {tmp_path}/canary")
    git(project, "config", "user.name", "Eve\nx")
    git(project, "config", "user.email", "eve@x")
    assert identity.read(project) == Actor("Eve x", "eve@x")
    assert not (tmp_path / "canary").exists()
    (project / ".git" / "config").write_text("[broken")
    assert identity.read(project) is None
    assert identity.read(tmp_path / "gone") is None


def test_config_is_read_whole_and_changed_line_by_line(tmp_path: Path) -> None:
    repo = repository(tmp_path / "r")
    file = repo.git_dir / "config"
    written = '# mine\n[remote "Origin.x"]\n\tfetch = a ; why\n\tfetch = b\n[push]\n\tdefault = simple\n'
    file.write_text(file.read_text() + written)
    wanted = {"push.default": "upstream", "diff.instinct.xfuncname": '^#+ .*$ "q" \\d', "user.name": "Ann; Lee #1"}
    assert config.ensure(repo, file, wanted) == list(wanted)
    assert config.ensure(repo, file, wanted) == []
    assert written.replace("simple", "upstream") in file.read_text()
    found = config.read(file)
    assert found["remote.Origin.x.fetch"] == ["a", "b"]
    assert {name: git(tmp_path / "r", "config", name) for name in wanted} == wanted


def test_a_broken_config_is_named(tmp_path: Path) -> None:
    file = tmp_path / "config"
    file.write_text("no section = 1\n[x\n")
    with pytest.raises(EnvironmentFault, match=str(file)):
        config.read(file)


def test_the_library_is_loaded_only_when_config_is_read() -> None:
    code = "import sys; from gitinstinct.store import commit, condition, history; print('git' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert done.stdout == "False\n"


def test_the_fallback_tells_nothing_about_the_machine() -> None:
    assert Actor("", "") == FALLBACK
    assert ANN.variables()["GIT_COMMITTER_EMAIL"] == "ann@example.org"
