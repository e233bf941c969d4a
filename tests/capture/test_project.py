"""One project however its remote is spelled and wherever in it one stands; nothing secret of a URL is kept."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from gitinstinct.capture import project
from gitinstinct.capture.codec import short_hash
from tests.capture import support


def git(folder: Path, *words: str) -> None:
    subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@example.com", *words], cwd=folder, check=True)


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    folder = tmp_path / "work" / "shop"
    folder.mkdir(parents=True)
    git(folder, "init", "-q", "-b", "main")
    git(folder, "commit", "-q", "--allow-empty", "-m", "first")
    return folder


def found(folder: Path | str, **env: str) -> project.Project:
    return project.identify(str(folder), env)


@pytest.mark.parametrize(
    ("url", "text", "digest"),
    [
        ("git@github.com:Acme/My-API.git", "github.com/acme/my-api", "e5c363015306"),
        ("https://u:p@ss@github.com:443/acme/my-api.git/", "github.com/acme/my-api", "e5c363015306"),
        ("ssh://git@GitHub.com:22/Acme/My-API", "github.com/acme/my-api", "e5c363015306"),
        ("ssh://git@git.acme.com:2222/team/app.git", "git.acme.com:2222/team/app", "a560a79f1675"),
        ("git@git.acme.com:/srv/app.git", "git.acme.com/srv/app", "190849748b0b"),
        ("/srv/git/App.git", "/srv/git/App", "a2cab4ccf80c"),
        ("file:///srv/git/App.git", "/srv/git/App", "a2cab4ccf80c"),
    ],
)
def test_every_spelling_of_a_remote_gives_the_promised_id(url: str, text: str, digest: str) -> None:
    assert project.normalise(url)[0] == text
    assert short_hash(text, 12) == digest


@pytest.mark.parametrize(
    ("url", "text", "name"),
    [
        ("https://tok@h/r", "h/r", "r"),
        ("https://u:p/x@h/r", "h/r", "r"),
        ("https://u:p#1@h/r", "h/r", "r"),
        ("https://h/r?private_token=T#f", "h/r", "r"),
        ("https://h/r?next=a@b", "h/r", "r"),
        ("https://h?token=a@b", "h", "h"),
        ("u:secret@h:team/r.git", "h/team/r", "r"),
        ("h:r", "h/r", "r"),
        ("ssh://u:p@h:22/r", "h/r", "r"),
        ("git+ssh://git@h/r", "h/r", "r"),
        ("HTTPS://Host/Team/R.GIT", "host/team/r", "r"),
        ("https://[2001:db8::1]:8443/r.git", "[2001:db8::1]:8443/r", "r"),
        ("git@[::1]:r.git", "[::1]/r", "r"),
        ("file://localhost/srv/x", "/srv/x", "x"),
        ("C:\\work\\Shop.git", "C:\\work\\Shop", "Shop"),
        ("C:/work/shop", "C:/work/shop", "shop"),
        ("\\\\server\\share\\demo", "\\\\server\\share\\demo", "demo"),
        ("../other.git", "/base/other", "other"),
        ("", "", ""),
    ],
)
def test_forms_of_a_remote(url: str, text: str, name: str) -> None:
    assert project.normalise(url, "/base/dir") == (text, name)


@pytest.mark.parametrize(
    "config",
    [
        '[remote "origin"]\n\turl = https://h/a.git\n\turl = https://h/b.git\n',
        '\ufeff[core]\r\n\tbare = false\r\n[Remote "origin"]\r\n\tURL = "https://h/a.git" ; the first one\r\n',
        "[remote.origin]\nurl=https://h/a.git # x\n",
        '[remote "origin"] url = https://h/\\\na.git\n',
        '[remote "Origin"]\nurl = no\n[remote "upstream"]\nurl = no\n[remote "origin"]\npushurl = no\nurl\nurl = https://h/a.git\n',
        '[url "https://token@h/"]\ninsteadOf = https://h/\n[remote "origin"]\nurl = https://h/a.git\n',
    ],
    ids=["several", "crlf", "dotted", "continued", "others", "instead-of"],
)
def test_the_first_url_of_origin_as_git_reads_the_config(config: str) -> None:
    assert project.origin(config) == "https://h/a.git"


@pytest.mark.parametrize("config", ["", "[remote]\nurl = x", '[remote "origin"]\nfetch = x', "[[[", '[remote "origin'])
def test_a_config_without_origin(config: str) -> None:
    assert project.origin(config) == ""


def test_subfolders_worktrees_and_deleted_folders_are_the_project(repo: Path, tmp_path: Path) -> None:
    git(repo, "remote", "add", "origin", "git@github.com:Acme/My-API.git")
    git(repo, "worktree", "add", "-q", str(tmp_path / "feature"))
    (repo / "docs").mkdir()
    places = [repo, repo / "docs", repo / "gone" / "deep", repo / ".git" / "hooks", tmp_path / "feature"]
    assert {found(place).id for place in places} == {"e5c363015306"}
    assert {found(place).root for place in places} == {str(repo)}
    assert found(repo).name == "my-api"


def test_a_submodule_is_its_own_project_and_a_bare_repository_is_one(repo: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--bare", str(repo), "bare.git")
    assert found(tmp_path / "bare.git" / "refs").remote == str(repo)
    git(repo, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(tmp_path / "bare.git"), "sub")
    assert found(repo / "sub").remote == str(tmp_path / "bare")
    assert found(repo / "sub").root == str(repo / "sub")
    assert found(repo).remote == ""


def test_without_a_remote_a_random_id_is_kept_beside_git(repo: Path, tmp_path: Path) -> None:
    git(repo, "worktree", "add", "-q", str(tmp_path / "feature"))
    first = found(repo)
    assert found(tmp_path / "feature").id == first.id == (repo / ".git" / "gitinstinct-id").read_text().strip()
    assert len(first.id) == 12
    assert first.name == "shop"
    assert sorted(path.name for path in (repo / ".git").glob("gitinstinct-id*")) == ["gitinstinct-id"]


@pytest.mark.parametrize("content", [b"", b"not an id\n", b"\xff\xfe"])
def test_where_the_id_cannot_be_kept_the_folder_gives_it(repo: Path, content: bytes) -> None:
    (repo / ".git" / "gitinstinct-id").write_bytes(content)
    if not content:
        (repo / ".git" / "gitinstinct-id").unlink()
        (repo / ".git" / "gitinstinct-id").mkdir()
    assert found(repo).id == short_hash(f"dir:{os.path.realpath(repo)}", 12)


def test_a_named_folder_comes_first_and_another_one_is_global(repo: Path, tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.mkdir()
    assert found(plain).id == "global"
    assert found(plain, CLAUDE_PROJECT_DIR=str(repo)).id == found(repo).id
    assert found(repo, CLAUDE_PROJECT_DIR=str(plain)).id == short_hash(f"dir:{os.path.realpath(plain)}", 12)
    assert found(repo, CLAUDE_PROJECT_DIR=str(tmp_path / "gone")).id == found(repo).id


def test_variables_of_git_change_nothing(repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = found(repo).id
    monkeypatch.setenv("GIT_DIR", str(tmp_path))
    assert found(repo, GIT_DIR=str(tmp_path)).id == before


@pytest.mark.parametrize("cwd", ["", "relative", "C:\\work\\demo", "\\\\server\\share", "/no/such\0place", "/\ud83d"])
def test_odd_working_directories_are_global(cwd: str) -> None:
    assert found(cwd).id == "global"


@pytest.mark.parametrize("content", ["gitdir: nowhere", "", "gitdir:", "\0\0"])
def test_a_broken_git_file_is_no_repository(tmp_path: Path, content: str) -> None:
    (tmp_path / ".git").write_text(content)
    assert found(tmp_path).id == "global"


def test_names_are_safe_to_show() -> None:
    assert project.Project("a1b2c3d4e5f6", "x\x1b[31m\n\u202ey" + "z" * 200).name.startswith("x?[31m??yzz")
    assert project.Project("a1b2c3d4e5f6", " ").name == "a1b2c3d4e5f6"


@pytest.mark.parametrize("locale", ["C", "C.UTF-8"])
def test_the_locale_does_not_change_the_id(tmp_path: Path, locale: str) -> None:
    folder = tmp_path / "プロジェクト"
    folder.mkdir()
    code = "import sys; sys.path.append(sys.argv[1]); from gitinstinct.capture import project\n"
    code += "import json; p = json.loads(sys.argv[2]); print(project.identify(p, {'CLAUDE_PROJECT_DIR': p}).id)"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code, str(support.ROOT), json.dumps(str(folder))],
        env={"LC_ALL": locale, "PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == short_hash(f"dir:{os.path.realpath(folder)}", 12)
