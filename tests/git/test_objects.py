from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from gitinstinct.git.identity import FALLBACK, OBSERVER
from gitinstinct.git.objects import Commit, write, write_genesis
from gitinstinct.git.repo import Repo
from gitinstinct.git.run import GitError
from tests.support.repos import ANN, commit_all, git, repository, script

TIME = 1_700_000_000


def test_genesis_is_the_same_everywhere(repo: Repo, tmp_path: Path) -> None:
    assert write_genesis(repo) == write_genesis(repo) == "c1be5b3c76d2198213cc424d4f37b1b6c4f3d43a"
    other = repository(tmp_path / "other", object_format="sha256")
    assert len(write_genesis(other)) == 64


def test_a_commit_is_what_git_itself_would_write(repo: Repo, folder: Path) -> None:
    base = commit_all(folder, {"instincts/a.md": "1\n", "b": "1\n"})
    changes = {"instincts/c.md": b"no end", "b": None, "gone": None}
    [ours] = write(repo, [Commit(b"say\n\n  it\n", OBSERVER, ANN, TIME, [base], changes)])
    git(folder, "rm", "-q", "b")
    (folder / "instincts" / "c.md").write_bytes(b"no end")
    git(folder, "add", "-A")
    who = {f"GIT_AUTHOR_{key}": value for key, value in (("NAME", OBSERVER.name), ("EMAIL", OBSERVER.mail))}
    when = {f"GIT_{role}_DATE": f"{TIME} +0000" for role in ("AUTHOR", "COMMITTER")}
    git(folder, "commit", "-q", "-m", "say\n\n  it", env=who | when)
    assert ours == git(folder, "rev-parse", "HEAD")


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
def test_several_commits_at_once_and_no_ref(tmp_path: Path, object_format: str) -> None:
    repo = repository(tmp_path / "r", object_format=object_format)
    one, two, three = write(
        repo,
        [
            Commit(b"one\n", ANN, ANN, TIME, [], {"a": b"1\n"}),
            Commit(b"two\n", ANN, ANN, TIME, [":1"], {"b": b"2\n"}),
            Commit(b"three\n", ANN, ANN, TIME, [":1", ":2"], empty=True),
        ],
    )
    assert git(tmp_path / "r", "log", "--format=%s %P", three).splitlines()[0] == f"three {one} {two}"
    assert git(tmp_path / "r", "ls-tree", "--name-only", two).split() == ["a", "b"]
    assert git(tmp_path / "r", "ls-tree", three) == ""
    assert git(tmp_path / "r", "for-each-ref") == ""
    assert git(tmp_path / "r", "log", "--format=%s", one) == "one"


def test_neither_signing_nor_hooks_take_part(repo: Repo, folder: Path, home: Path, tmp_path: Path) -> None:
    script(tmp_path / "hooks", "reference-transaction", f"touch {tmp_path}/canary; exit 1")
    (home / ".gitconfig").write_text(f"[commit]\n\tgpgSign = true\n[core]\n\thooksPath = {tmp_path}/hooks\n")
    git(folder, "config", "commit.gpgSign", "true")
    [oid] = write(repo, [Commit(b"x\n", ANN, ANN, TIME, [], {"a": b"1"})])
    assert "gpgsig" not in repo.ask("cat-file", "commit", oid)
    assert not (tmp_path / "canary").exists()


@pytest.mark.parametrize("path", ["", '"a', "a\nM 100644 inline b"])
def test_a_path_cannot_forge_a_command(repo: Repo, path: str) -> None:
    with pytest.raises(ValueError, match="no path"):
        write(repo, [Commit(b"x\n", ANN, ANN, TIME, [], {path: b""})])


def test_a_parent_that_is_not_there_leaves_nothing(repo: Repo, folder: Path) -> None:
    with pytest.raises(GitError):
        write(repo, [Commit(b"x\n", FALLBACK, FALLBACK, TIME, ["f" * 40], {"a": b"1"})])
    assert git(folder, "for-each-ref") == ""


@pytest.mark.skipif(not shutil.which("strace"), reason="needs strace")
def test_what_was_written_is_on_the_disk(repo: Repo, tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from gitinstinct.git.repo import Repo;"
        "from gitinstinct.git.objects import *; from gitinstinct.git.identity import OBSERVER as o;"
        "write(Repo(Path(sys.argv[1])), [Commit(b'x', o, o, 1, [], {'a': b'1'})])"
    )
    log = tmp_path / "trace"
    argv = ["strace", "-f", "-e", "trace=fsync,fdatasync", "-o", str(log), sys.executable, "-c", code]
    done = subprocess.run([*argv, str(repo.git_dir)], capture_output=True, check=False, cwd=Path(__file__).parents[2])
    if done.returncode:
        pytest.skip(f"strace may not trace here: {done.stderr.decode()[-200:]}")
    assert log.read_text().count("fsync(") >= 3  # blob, tree, commit
