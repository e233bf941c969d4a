"""Remotes that work, and remotes that do not: each ends in time, with one sentence, and without a ref that moved."""

from __future__ import annotations

import shutil
import socket
import time
from pathlib import Path

import pytest

from gitinstinct.git import limits, remote
from gitinstinct.git.remote import Answer, Step
from gitinstinct.git.repo import Repo, refs
from gitinstinct.git.unreachable import NoBranch, Unreachable
from gitinstinct.git.url import Address, parse
from tests.support import servers
from tests.support.repos import commit_all, git, raw_commit, repository, script

SHARED = "refs/heads/instincts"
HERE = "refs/here"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `there` is a copy of."""
    place = tmp_path_factory.mktemp("remote")
    repository(place / "work")
    commit_all(place / "work", {"code": "x\n"})
    for name in ("dev", "feature/x", "instincts"):
        git(place / "work", "branch", name)
    git(place / "work", "tag", "v1")
    git(place, "clone", "-q", "--mirror", str(place / "work"), "there.git")
    return place / "there.git"


@pytest.fixture
def there(made: Path, tmp_path: Path) -> Path:
    """A bare repository with code on three branches and our own one."""
    shutil.copytree(made, tmp_path / "there.git", symlinks=True)
    return tmp_path / "there.git"


def tip(there: Path, branch: str = SHARED) -> str:
    return git(there, "rev-parse", branch)


def test_the_branches_of_a_remote(repo: Repo, there: Path) -> None:
    found = remote.heads(parse(str(there)), repo)
    assert set(found) == {"refs/heads/main", "refs/heads/dev", "refs/heads/feature/x", SHARED}
    assert remote.heads(parse(f"file://{there}")) == found


def test_an_empty_remote_has_none(repo: Repo, tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "--bare", "empty.git")
    assert remote.heads(parse(str(tmp_path / "empty.git"))) == {}
    with pytest.raises(NoBranch):
        remote.fetch(repo, parse(str(tmp_path / "empty.git")), {SHARED: HERE})


def test_a_fetch_takes_one_branch_and_nothing_else(repo: Repo, there: Path) -> None:
    remote.fetch(repo, parse(str(there)), {SHARED: HERE})
    assert git(repo.git_dir, "for-each-ref", "--format=%(refname) %(objectname)") == f"{HERE} {tip(there)}"
    assert not (repo.git_dir / "FETCH_HEAD").exists()


def test_a_fetch_follows_a_branch_that_was_set_back(repo: Repo, there: Path) -> None:
    older = tip(there)
    newer = git(there, "commit-tree", f"{older}^{{tree}}", "-p", older, "-m", "x")
    for commit in (newer, older):
        git(there, "update-ref", SHARED, commit)
        remote.fetch(repo, parse(str(there)), {SHARED: HERE})
        assert refs(repo, HERE)[HERE].oid == commit


@pytest.mark.parametrize(
    "branch",
    ["--upload-pack=x", "refs/heads/a..b", "refs/heads/*", "HEAD", "refs/replace/x", "refs/heads/x.lock",
     "refs/heads/-x", "refs/heads/a b", "refs/heads/a\nb", ""],
)  # fmt: skip
def test_only_a_branch_can_be_asked_for(branch: str, tmp_path: Path) -> None:
    address, repo = parse(str(tmp_path)), Repo(tmp_path)
    with pytest.raises(ValueError, match="no branch"):
        remote.fetch(repo, address, {branch: HERE})
    with pytest.raises(ValueError, match="no branch"):
        remote.push(repo, address, "0" * 40, branch)


def test_the_origin_of_a_project(repo: Repo, folder: Path, tmp_path: Path) -> None:
    assert remote.origin(folder) is None
    git(folder, "remote", "add", "origin", "https://one/x")
    git(folder, "remote", "set-url", "--add", "origin", "https://two/x")
    assert remote.origin(folder) == "https://one/x"
    assert remote.origin(tmp_path) is None


# --- pushing


def test_a_push_and_its_answers(repo: Repo, folder: Path, there: Path) -> None:
    address = parse(str(there))
    first = commit_all(folder, {"a": "1\n"})
    made = remote.push(repo, address, first, "refs/heads/new")
    assert (made.answer, made.made) == (Answer.ACCEPTED, True)
    assert remote.push(repo, address, first, "refs/heads/new").answer is Answer.ACCEPTED
    second = commit_all(folder, {"a": "2\n"})
    assert not remote.push(repo, address, second, "refs/heads/new").made
    assert tip(there, "refs/heads/new") == second
    behind = remote.push(repo, address, first, "refs/heads/new")
    assert behind.answer is Answer.BEHIND
    assert remote.push(repo, address, second, SHARED).reason == "fetch first"
    assert tip(there, "refs/heads/new") == second, "nothing is forced"


def test_a_push_onto_what_was_seen_alone(repo: Repo, folder: Path, there: Path) -> None:
    address, branch = parse(str(there)), "refs/heads/new"
    first, second, third = (commit_all(folder, {"a": f"{number}\n"}) for number in range(3))
    assert remote.push(repo, address, second, branch, expected=first).answer is Answer.BEHIND, "it is not there"
    assert remote.push(repo, address, first, branch, expected="").made
    assert remote.push(repo, address, second, branch, expected="").answer is Answer.BEHIND, "it is there"
    assert remote.push(repo, address, second, branch, expected=first).answer is Answer.ACCEPTED
    assert remote.push(repo, address, third, branch, expected=first).answer is Answer.BEHIND, "it went on"
    assert tip(there, branch) == second


def test_of_several_each_is_answered_for_itself(repo: Repo, folder: Path, there: Path) -> None:
    address, origin = parse(str(there)), "refs/gitinstinct/promoted/0123456789ab/run-tests"
    first, second = (commit_all(folder, {"a": f"{number}\n"}) for number in range(2))
    remote.push(repo, address, second, "refs/heads/ahead")
    steps = [Step(first, "refs/heads/ahead"), Step(first, "refs/heads/new", ""), Step(second, origin, "")]
    answers = {name: one.answer for name, one in remote.push_all(repo, address, steps).items()}
    assert answers == {"refs/heads/ahead": Answer.BEHIND, "refs/heads/new": Answer.ACCEPTED, origin: Answer.ACCEPTED}
    assert (tip(there, "refs/heads/ahead"), tip(there, "refs/heads/new")) == (second, first), "nothing is forced"
    assert remote.listed(address, repo)[origin] == second
    assert origin not in remote.heads(address, repo)


def test_a_hook_that_declines_is_quoted_harmlessly(repo: Repo, folder: Path, there: Path) -> None:
    said = "\\033]0;owned\\007 \\033[31mNo.\\033[0m https://u:zq7wvx@h/ \\342\\200\\256"
    script(there / "hooks", "pre-receive", f"printf '{said}\\n' >&2; exit 1")
    pushed = remote.push(repo, parse(str(there)), commit_all(folder, {"a": "1\n"}), "refs/heads/new")
    assert (pushed.answer, pushed.reason) == (Answer.DECLINED, "pre-receive hook declined")
    assert "No." in pushed.said
    assert pushed.said.isprintable()
    assert "zq7wvx" not in pushed.said


def test_settings_of_the_person_change_nothing(repo: Repo, folder: Path, there: Path, home: Path) -> None:
    """Signing without a key, failing hooks, options for the server, pruning, another refspec: as if not there."""
    script(home / "hooks", "pre-push", f"touch {home}/ran; exit 1")
    script(home / "hooks", "reference-transaction", f"touch {home}/ran; exit 1")
    wanted = {
        "core.hooksPath": str(home / "hooks"), "push.gpgSign": "true", "push.pushOption": "x",
        "push.default": "matching", "push.followTags": "true", "fetch.prune": "true",
        "fetch.pruneTags": "true", "pull.rebase": "true",
        "fetch.recurseSubmodules": "true", "commit.gpgSign": "true", "push.recurseSubmodules": "only",
        "merge.ff": "only", "core.autocrlf": "true", "remote.pushDefault": "elsewhere",
    }  # fmt: skip
    kept = commit_all(folder, {"a": "1\n"})
    git(folder, "update-ref", "refs/remotes/origin/kept", kept)
    for name, value in wanted.items():
        git(home, "config", "--global", name, value)
    remote.fetch(repo, parse(str(there)), {SHARED: HERE})
    assert refs(repo, HERE)[HERE].oid == tip(there)
    assert remote.push(repo, parse(str(there)), kept, "refs/heads/new").made
    assert "refs/remotes/origin/kept" in git(repo.git_dir, "for-each-ref")
    assert not (home / "ran").exists()


# --- what does not work


def test_what_is_not_there(repo: Repo, tmp_path: Path) -> None:
    for work in (lambda: remote.heads(parse(str(tmp_path / "none"))),
                 lambda: remote.fetch(repo, parse(str(tmp_path / "none")), {SHARED: HERE}),
                 lambda: remote.push(repo, parse(str(tmp_path / "none")), "0" * 40, SHARED)):  # fmt: skip
        with pytest.raises(Unreachable, match="no repository"):
            work()


def test_a_file_is_no_remote(repo: Repo, there: Path, tmp_path: Path) -> None:
    git(there, "bundle", "create", "-q", str(tmp_path / "x.bundle"), "instincts")
    with pytest.raises(Unreachable, match="is a file"):
        remote.fetch(repo, parse(str(tmp_path / "x.bundle")), {SHARED: HERE})


@pytest.mark.parametrize(
    ("status", "says"),
    [(401, "sign in"), (403, "does not let you"), (404, "no repository"), (500, "cannot be used")],
)
def test_what_a_web_server_refuses(status: int, says: str, repo: Repo) -> None:
    sign_in = ("WWW-Authenticate", 'Basic realm="x"')
    with servers.answering(status, sign_in) as url, pytest.raises(Unreachable, match=says) as caught:
        remote.fetch(repo, parse(f"{url}/x.git"), {SHARED: HERE})
    assert caught.value.hint


def test_a_port_where_nobody_listens(repo: Repo) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with pytest.raises(Unreachable, match="cannot be reached"):
        remote.fetch(repo, parse(f"http://127.0.0.1:{port}/x"), {SHARED: HERE})


def test_a_server_that_says_nothing_is_left_in_time(repo: Repo) -> None:
    silent = servers.listening(lambda caller: time.sleep(30))
    with silent as port, pytest.raises(Unreachable, match="within 1 seconds"):
        remote.fetch(repo, parse(f"http://127.0.0.1:{port}/x"), {SHARED: HERE}, seconds=1)


@pytest.mark.parametrize("cut", [0, 20, 120])
def test_an_answer_that_breaks_off(cut: int, repo: Repo, there: Path) -> None:
    with servers.http(there.parent, cut=cut) as url, pytest.raises(Unreachable):
        remote.fetch(repo, parse(f"{url}/there.git"), {SHARED: HERE})
    assert refs(repo, HERE) == {}


def test_a_redirect_to_another_way_is_not_followed(repo: Repo, there: Path) -> None:
    with servers.answering(302, ("Location", f"file://{there}/info/refs")) as url, pytest.raises(Unreachable):
        remote.fetch(repo, parse(f"{url}/x"), {SHARED: HERE})


@pytest.mark.parametrize("name", [b".git", b"..", b"a/b", b".GIT", b"git~1"])
def test_objects_that_git_calls_dangerous_do_not_come_in(name: bytes, repo: Repo, there: Path) -> None:
    bare = Repo(there)
    blob = bare.ask("hash-object", "-w", "--stdin", stdin=b"x")
    git(there, "update-ref", SHARED, raw_commit(bare, [("100644", name, blob)]))
    with pytest.raises(Unreachable, match="damaged or dangerous"):
        remote.fetch(repo, parse(str(there)), {SHARED: HERE})
    assert refs(repo, HERE) == {}


@pytest.mark.skipif(not Path("/proc").exists(), reason="limits of files and memory are Linux's")
def test_a_pack_that_is_too_large_names_the_limit(repo: Repo, there: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "FILE", 200_000)
    bare = Repo(there)
    blob = bare.ask("hash-object", "-w", "--stdin", stdin=bytes(i * i % 251 ^ i >> 7 & 255 for i in range(3_000_000)))
    git(there, "update-ref", SHARED, raw_commit(bare, [("100644", b"x", blob)]))
    with pytest.raises(Unreachable, match="sends more than"):
        remote.fetch(repo, parse(str(there)), {SHARED: HERE})
    assert refs(repo, HERE) == {}


def test_many_branches_cost_nothing(repo: Repo, there: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commit = tip(there)
    lines = "".join(f"create refs/heads/b{number:05} {commit}\n" for number in range(4_000))
    git(there, "update-ref", "--stdin", stdin=lines.encode())
    git(there, "pack-refs", "--all")
    remote.fetch(repo, parse(str(there)), {SHARED: HERE})
    assert list(refs(repo, "refs/")) == [HERE]
    monkeypatch.setattr(remote, "_LISTED", 100_000)
    with pytest.raises(Unreachable, match="100,000 branches"):
        remote.heads(parse(str(there)), repo)


# --- over the wire


def test_over_http(repo: Repo, folder: Path, there: Path) -> None:
    with servers.http(there.parent) as url:
        address = parse(f"{url}/there.git")
        assert SHARED in remote.heads(address)
        remote.fetch(repo, address, {SHARED: HERE})
        assert refs(repo, HERE)[HERE].oid == tip(there)
        assert remote.push(repo, address, commit_all(folder, {"a": "1\n"}), "refs/heads/new").made
        assert remote.is_open(address, seconds=10) is True
    with servers.answering(401, ("WWW-Authenticate", 'Basic realm="x"')) as url:
        assert remote.is_open(parse(f"{url}/x"), seconds=10) is False
    assert remote.is_open(parse(f"{url}/x"), seconds=10) is None
    assert remote.is_open(parse(str(there)), seconds=10) is None


@pytest.mark.skipif(not servers.SSHD.exists(), reason="no sshd here")
def test_over_ssh(repo: Repo, folder: Path, there: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with servers.sshd(home / "sshd", home) as port:
        options = f"ssh -F none -i {home}/sshd/user -o IdentitiesOnly=yes -o UserKnownHostsFile={home}/sshd/"
        address = parse(f"ssh://127.0.0.1:{port}{there}")
        monkeypatch.setenv("GIT_SSH_COMMAND", options + "none")
        with pytest.raises(Unreachable, match="does not know"):
            remote.heads(address)
        monkeypatch.setenv("GIT_SSH_COMMAND", options + "known")
        remote.fetch(repo, address, {SHARED: HERE})
        assert refs(repo, HERE)[HERE].oid == tip(there)
        assert remote.push(repo, address, commit_all(folder, {"a": "1\n"}), "refs/heads/new").made
        monkeypatch.setenv("GIT_SSH_COMMAND", (options + "known").replace("sshd/user", "sshd/host"))
        with pytest.raises(Unreachable, match="sign in"):
            remote.heads(address)


def test_a_host_that_no_one_knows(repo: Repo, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = script(
        home, "ssh", "echo 'ssh: Could not resolve hostname nowhere: Name or service not known' >&2; exit 255"
    )
    monkeypatch.setenv("GIT_SSH_COMMAND", str(fake))
    with pytest.raises(Unreachable, match="cannot be reached"):
        remote.heads(Address("ssh", "git@nowhere:x", "nowhere"))
