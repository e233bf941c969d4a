from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from gitinstinct.git.repo import Repo
from gitinstinct.git.run import GitError, Overflow, clean, run
from tests.support.repos import commit_all, git, repository, script, snapshot


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    made = repository(tmp_path / "repo")
    commit_all(tmp_path / "repo", {"a": "x\n"})
    return made


def test_a_failure_tells_what_git_said_without_credentials(repo: Repo) -> None:
    with pytest.raises(GitError) as caught:
        repo.run("ls-remote", "--", "https://ann:s3cret@localhost:1/x.git")
    assert caught.value.exit_code == 128
    assert caught.value.argv == ("ls-remote", "--", "https://***@localhost:1/x.git")
    assert "s3cret" not in caught.value.message + caught.value.stderr
    assert "\n" not in caught.value.message


@pytest.mark.parametrize(("said", "way_out"), [("No space left on device", "room"), ("bad object", "doctor")])
def test_a_failure_has_a_way_out(said: str, way_out: str) -> None:
    assert way_out in GitError(["x"], 128, f"fatal: {said}").hint


@pytest.mark.parametrize("text", ["\x1b[31mred\x1b[0m", "a\rb", "x\u202ey", "one\ntwo\0"])
def test_foreign_text_comes_out_printable(text: str) -> None:
    assert clean(text).isprintable()


@pytest.mark.parametrize(
    "name", ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_NAMESPACE", "GIT_COMMON_DIR"]
)
def test_variables_of_a_surrounding_git_do_not_reach_ours(
    name: str, repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = repository(tmp_path / "other")
    commit_all(tmp_path / "other", {"b": "y\n"})
    before = snapshot(tmp_path / "other")
    monkeypatch.setenv(name, str(other.git_dir / "index" if name == "GIT_INDEX_FILE" else other.git_dir))
    (tmp_path / "repo" / "a").write_text("changed\n")
    repo.run("add", "a")
    assert repo.ask("diff", "--cached", "--name-only") == "a"
    assert snapshot(tmp_path / "other") == before


def test_a_trace_and_a_forged_config_are_ignored(repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {
        "GIT_TRACE": str(tmp_path / "trace"),
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "alias.ls-tree",
        "GIT_CONFIG_VALUE_0": "!touch canary",
        "GIT_EXTERNAL_DIFF": f"touch {tmp_path}/canary",
    }.items():
        monkeypatch.setenv(name, value)
    repo.run("diff", "HEAD")
    assert not (tmp_path / "trace").exists()
    assert not (tmp_path / "canary").exists()


def test_the_persons_settings_count_only_where_they_are_asked_for(repo: Repo, home: Path) -> None:
    (home / ".gitconfig").write_text("[user]\n\tname = Ann\n")
    question = ["config", "--get", "user.name"]
    assert run(question, cwd=repo.git_dir, expect=(0, 1)).out == b""
    assert run(question, cwd=repo.git_dir, personal=True).out == b"Ann\n"


def test_no_hook_runs_whoever_set_it(repo: Repo, tmp_path: Path) -> None:
    for folder in ("own", "configured"):
        script(tmp_path / folder, "reference-transaction", f"touch {tmp_path}/canary; exit 1")
    (repo.git_dir / "hooks").symlink_to(tmp_path / "own")
    git(tmp_path / "repo", "config", "core.hooksPath", str(tmp_path / "configured"))
    repo.run("update-ref", "refs/heads/other", "HEAD")
    assert not (tmp_path / "canary").exists()


def test_a_git_that_hangs_is_killed_with_all_it_started(repo: Repo, tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    with pytest.raises(GitError, match=r"within 0\.5 seconds") as caught:
        run(["-c", f"alias.hang=!echo $$ > {pid}; sleep 600", "hang"], cwd=repo.git_dir, seconds=0.5)
    assert caught.value.exit_code is None
    _wait_for_end_of(int(pid.read_text()))


def _wait_for_end_of(pid: int) -> None:
    for _ in range(500):
        stat = Path(f"/proc/{pid}/stat")
        if not stat.exists() or stat.read_text().rsplit(")", 1)[1].split()[0] == "Z":
            return
        time.sleep(0.01)
    pytest.fail("it still lives")


def test_too_much_output_is_an_error_and_not_a_memory_of_it(repo: Repo) -> None:
    with pytest.raises(Overflow, match="more than 1,000 bytes"):
        run(["-c", "alias.flood=!yes", "flood"], cwd=repo.git_dir, most=1000)


def test_megabytes_in_both_directions_at_once(repo: Repo) -> None:
    oid = repo.ask("hash-object", "-w", "--stdin", stdin=os.urandom(1_000_000))
    assert len(repo.run("cat-file", "--batch", stdin=f"{oid}\n".encode() * 20).out) > 20_000_000


def test_a_git_that_ends_before_it_read_its_input_is_judged_by_its_code(repo: Repo) -> None:
    with pytest.raises(GitError, match="unknown option"):
        repo.run("cat-file", "--nonsense", stdin=b"x" * 10_000_000)


@pytest.mark.parametrize("missing", ["git", "folder"])
def test_what_is_missing_is_named(missing: str, repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if missing == "git":
        monkeypatch.setenv("PATH", str(tmp_path))
    cwd = tmp_path / "gone" if missing == "folder" else repo.git_dir
    with pytest.raises(GitError, match="not on PATH" if missing == "git" else "is gone"):
        run(["version"], cwd=cwd)


def test_an_argument_with_nul_is_refused_and_not_a_crash(repo: Repo) -> None:
    with pytest.raises(GitError):
        repo.run("cat-file", "-e", "a\0b")


def test_an_outer_repository_is_never_found(repo: Repo, tmp_path: Path) -> None:
    inner = tmp_path / "repo" / "store"
    inner.mkdir()
    with pytest.raises(GitError, match="not a git repository"):
        Repo(inner / ".git", inner).run("rev-parse", "HEAD")
