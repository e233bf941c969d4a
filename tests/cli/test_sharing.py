"""`share`, `pull`, `push`, `sync`, `remote` and the joining `init`, as two people use them."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from gitinstinct.cli import workflows
from gitinstinct.git.url import parse
from gitinstinct.store import layout, store
from gitinstinct.store.layout import WORKFLOW
from gitinstinct.team.link import SHARED, Link
from tests.support import servers
from tests.support.mates import bare
from tests.support.program import Program, Result
from tests.support.repos import commit_all, git, script
from tests.support.work import tree_of

Person = Callable[..., Result]


@pytest.fixture
def hub(home: Path) -> Path:
    place = bare(home / "hub" / "my-api.git")
    git(home, "clone", "-q", str(place), "first")
    commit_all(home / "first", {"code": "x\n"})
    git(home / "first", "push", "-q", "origin", "HEAD:main", "HEAD:dev")
    return place


@pytest.fixture
def person(home: Path, hub: Path, program: Program, monkeypatch: pytest.MonkeyPatch) -> Person:
    """Runs a command as one of several people, each with a clone and a place of their own."""

    def run(who: str, *arguments: str) -> Result:
        clone = home / who / "my-api"
        if not clone.exists():
            git(home, "clone", "-q", str(hub), str(clone))
            git(clone, "config", "user.name", who)
            git(clone, "config", "user.email", f"{who}@example.org")
        monkeypatch.setenv("GITINSTINCT_HOME", str(home / who / "gi"))
        monkeypatch.chdir(clone)
        return program(*arguments)

    return run


def store_of(home: Path, who: str) -> Path:
    [place] = (home / who / "gi" / "data" / "projects").iterdir()
    return place


def learn(person: Person, who: str, what: str) -> None:
    assert person(who, "learn", f"when {what} comes up", f"Do {what}.").code == 0


def begun(person: Person) -> None:
    """Ann has shared a store with one instinct."""
    assert person("ann", "init", "--yes", "--no-hooks").code == 0
    learn(person, "ann", "alpha")
    assert person("ann", "share", "--yes").code == 0


def test_share_says_what_and_to_whom_and_asks(person: Person, hub: Path, home: Path) -> None:
    person("ann", "init", "--yes", "--no-hooks", "--no-join")
    learn(person, "ann", "alpha")
    asked = person("ann", "share")
    assert (asked.code, "--yes" in asked.err) == (2, True)
    rehearsed = person("ann", "share", "--dry-run")
    assert rehearsed.code == 0
    for part in (str(hub), "branch instincts", "2 commits with 1 instinct, since 2026-11-29", "ann <ann@example.org>"):
        assert part in rehearsed.out
    assert "instincts" not in git(hub, "for-each-ref")
    done = person("ann", "share", "--yes")
    assert done.code == 0, done.err
    assert "pushed" in done.out
    assert git(hub, "rev-parse", "instincts") == git(store_of(home, "ann"), "rev-parse", "main")


def test_share_for_scripts(person: Person) -> None:
    person("ann", "init", "--yes", "--no-hooks", "--no-join")
    learn(person, "ann", "alpha")
    plan = person("ann", "share", "--dry-run", "--json").json
    assert plan["version"] == 1
    assert plan["remote"]["branch"] == "instincts"
    assert (plan["commits"], plan["instincts"], plan["findings"], plan["exists"]) == (2, ["do-alpha"], [], False)
    assert person("ann", "share", "--yes", "--json").json["push"]["answer"] == "accepted"


def test_what_must_not_be_published_is_listed(person: Person, home: Path, hub: Path) -> None:
    person("ann", "init", "--yes", "--no-hooks", "--no-join")
    learn(person, "ann", "alpha")
    place = store_of(home, "ann")
    commit_all(place, {"README.md": "see /home/annabel/x\n"}, "as /home/annabel/y says")
    result = person("ann", "share", "--yes")
    assert result.code == 1
    assert "! README.md in commit" in result.out
    assert "! the message of commit" in result.out
    assert "--fresh" in result.err
    assert person("ann", "share", "--dry-run", "--json").code == 1
    assert "instincts" not in git(hub, "for-each-ref")


def test_init_joins_and_both_work_on(person: Person, home: Path) -> None:
    begun(person)
    joined = person("bob", "init", "--yes", "--no-hooks")
    assert joined.code == 0
    assert "will be joined" in joined.out
    assert "do-alpha" in joined.out
    learn(person, "bob", "beta")
    assert "pushed" in person("bob", "sync").out
    rehearsed = person("ann", "pull", "--dry-run")
    assert "do-beta" in rehearsed.out
    assert "nothing was written" in rehearsed.out
    pulled = person("ann", "pull", "--json").json
    assert (pulled["added"], pulled["forwarded"], pulled["conflicts"]) == (["do-beta"], True, [])
    assert "Already up to date" in person("ann", "pull").out
    assert "Nothing new" in person("ann", "push").out
    assert {row["id"] for row in person("ann", "list", "--json").json["instincts"]} == {"do-alpha", "do-beta"}


def test_init_asks_nobody_where_it_must_not(person: Person, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun(person)
    ran = home / "ran"
    monkeypatch.setenv("PATH", f"{_logging_git(home, ran)}{os.pathsep}{os.environ['PATH']}")
    assert "team" not in person("bob", "init", "--yes", "--no-hooks", "--no-join").out
    (home / "carl" / "my-api").mkdir(parents=True)
    git(home / "carl" / "my-api", "init", "-q")
    person("carl", "init", "--yes", "--no-hooks")
    assert "ls-remote" not in (ran.read_text() if ran.exists() else "")
    before = tree_of(home / "ann" / "gi")
    assert person("ann", "init", "--yes", "--no-hooks").code == 0
    assert tree_of(home / "ann" / "gi") == before
    assert "ls-remote" not in ran.read_text(), "it is shared already"


def _logging_git(home: Path, log: Path) -> Path:
    real = shutil.which("git")
    return script(home / "bin", "git", f'echo "$@" >> {log}; exec {real} "$@"').parent


def test_a_remote_that_does_not_answer_is_a_note(person: Person, home: Path) -> None:
    begun(person)
    person("bob", "status")
    git(home / "bob" / "my-api", "remote", "set-url", "origin", str(home / "nowhere.git"))
    result = person("bob", "init", "--yes", "--no-hooks")
    assert result.code == 0
    assert "note: whether others share" in result.err


def test_a_conflict_is_told_with_the_way_out(person: Person, home: Path) -> None:
    begun(person)
    person("bob", "init", "--yes", "--no-hooks")
    for who, words in (("ann", "Do it first."), ("bob", "Do it last.")):
        file = store_of(home, who) / "instincts" / "do-alpha.md"
        file.write_text(file.read_text().replace("Do alpha.", words))
    assert person("ann", "sync").code == 0
    result = person("bob", "sync")
    assert result.code == 1
    assert "conflict  do-alpha" in result.out
    assert "gitinstinct resolve" in result.out
    assert person("ann", "pull", "--json").json["conflicts"] == []


def test_push_is_explained_when_others_were_quicker(person: Person) -> None:
    begun(person)
    person("bob", "init", "--yes", "--no-hooks")
    learn(person, "ann", "beta")
    person("ann", "push")
    learn(person, "bob", "gamma")
    result = person("bob", "push")
    assert (result.code, "gitinstinct sync" in result.err) == (1, True)
    assert person("bob", "push", "--json").json["answer"] == "behind"
    assert person("bob", "sync").code == 0


def test_remote_shows_how_it_stands(person: Person, hub: Path) -> None:
    person("ann", "init", "--yes", "--no-hooks")
    assert "not shared" in person("ann", "remote").out
    assert person("ann", "remote", "--json").json["remote"] is None
    for verb in ("pull", "push", "sync"):
        result = person("ann", verb)
        assert (result.code, "gitinstinct share" in result.err) == (1, True)
    learn(person, "ann", "alpha")
    person("ann", "share", "--yes")
    person("bob", "init", "--yes", "--no-hooks")
    learn(person, "bob", "beta")
    person("bob", "push")
    assert "equal" in person("ann", "remote").out
    assert "behind" in person("ann", "remote", "--fetch").out
    found = person("ann", "remote", "--json").json["remote"]
    assert (found["address"], found["branch"], found["ahead"]) == (str(hub), "instincts", 0)
    assert found["behind"] > 0


def test_the_global_store_needs_an_address(person: Person, home: Path) -> None:
    person("ann", "init", "--yes", "--no-hooks")
    assert person("ann", "share", "--global", "--yes").code == 2
    place = bare(home / "hub" / "mine.git")
    assert person("ann", "share", str(place), "--global", "--yes").code == 0
    assert git(place, "for-each-ref", "--format=%(refname)") == "refs/heads/main"
    assert person("ann", "remote", "--global", "--json").json["remote"]["branch"] == "main"


def test_over_http_it_says_whether_it_is_public(person: Person, home: Path, hub: Path) -> None:
    person("ann", "init", "--yes", "--no-hooks")
    learn(person, "ann", "alpha")
    with servers.http(hub.parent) as url:
        assert "it is public" in person("ann", "share", f"{url}/my-api.git", "--dry-run").out
        assert person("ann", "share", f"{url}/my-api.git", "--yes").code == 0
        assert person("ann", "sync").code == 0
    assert git(hub, "rev-parse", "instincts") == git(store_of(home, "ann"), "rev-parse", "main")


@pytest.mark.parametrize(
    "url", ["ext::sh -c x", "--upload-pack=x", "https://u:hunter2@h/x", "http://example.org/x", "x\x1b[31m"]
)
def test_an_address_that_is_none(url: str, person: Person) -> None:
    person("ann", "init", "--yes", "--no-hooks")
    result = person("ann", "share", "--yes", "--", url)
    assert result.code == 2
    assert "hunter2" not in result.err
    assert "\x1b" not in result.err + result.out


def test_nothing_that_a_remote_says_reaches_the_terminal_raw(person: Person, hub: Path) -> None:
    begun(person)
    script(hub / "hooks", "pre-receive", r"printf '\033]0;x\007[link=https://e]y[/link] \302\233 [red]\n' >&2; exit 1")
    learn(person, "ann", "beta")
    result = person("ann", "push")
    assert result.code == 1
    assert "[link=https://e]y[/link]" in result.err
    assert (result.out + result.err).replace("\n", "").isprintable()


def test_without_a_store(person: Person) -> None:
    for verb in ("share", "pull", "push", "sync", "remote"):
        result = person("ann", verb, *(["--yes"] if verb == "share" else []))
        assert (result.code, "no store yet" in result.err) == (1, True), verb


# --- the workflow that checks what is proposed


def test_the_workflow_comes_along_where_it_is_asked_for(person: Person, hub: Path, home: Path) -> None:
    person("ann", "init", "--yes", "--no-hooks", "--no-join")
    learn(person, "ann", "alpha")
    before, after = (
        person("ann", "share", *more, "--dry-run", "--json").json["commits"] for more in ((), ("--workflow",))
    )
    assert after == before + 1
    told = person("ann", "share", "--workflow", "--dry-run").out
    assert f"checks   {WORKFLOW}" in told
    assert "as one commit more" in told
    assert not (store_of(home, "ann") / WORKFLOW).exists()
    assert person("ann", "share", "--workflow", "--yes").code == 0
    assert git(hub, "show", f"instincts:{WORKFLOW}") + "\n" == layout.workflow().decode()
    assert git(store_of(home, "ann"), "log", "-1", "--format=%s").startswith("share: ")
    before = git(hub, "rev-parse", "instincts")
    assert "checks" not in person("ann", "share", "--workflow", "--yes").out, "it is there"
    assert git(hub, "rev-parse", "instincts") == before
    assert person("ann", "check").code == 0
    assert person("ann", "log", "--json").json["commits"][0]["verb"] == "share"


def test_without_history_the_workflow_comes_along_as_well(person: Person, hub: Path) -> None:
    person("ann", "init", "--yes", "--no-hooks", "--no-join")
    learn(person, "ann", "alpha")
    done = person("ann", "share", "--workflow", "--fresh", "--yes")
    assert (done.code, "one commit more" in done.out) == (0, False)
    assert WORKFLOW in git(hub, "ls-tree", "-r", "--name-only", "instincts")


def test_who_pulls_another_workflow_is_told(person: Person, home: Path) -> None:
    begun(person)
    assert WORKFLOW not in person("bob", "init", "--yes", "--no-hooks").out
    assert person("ann", "share", "--workflow", "--yes").code == 0
    assert f"! {WORKFLOW} came; your host runs it, nothing here does" in person("bob", "pull").out
    commit_all(store_of(home, "bob"), {WORKFLOW: "on: push\n"}, "by hand")
    assert person("bob", "push").code == 0
    told = person("ann", "pull").out
    assert f"! {WORKFLOW} came and is not ours: read it; your host runs it" in told
    (store_of(home, "ann") / WORKFLOW).unlink()
    git(store_of(home, "ann"), "commit", "-q", "-a", "-m", "gone")
    assert person("ann", "push").code == 0
    assert person("bob", "pull", "--dry-run", "--json").json["workflow"] is True
    assert f"! {WORKFLOW} is gone" in person("bob", "pull").out
    assert person("bob", "pull", "--json").json["workflow"] is False


@pytest.mark.parametrize(
    ("url", "may_ask", "answer", "added"),
    [
        ("git@github.com:acme/x.git", True, True, True),
        ("git@github.com:acme/x.git", True, False, False),
        ("git@github.com:acme/x.git", False, None, False),
        ("git@gitlab.com:acme/x.git", True, None, False),
        ("/srv/git/x.git", True, None, False),
    ],
)
def test_it_is_offered_where_the_host_runs_it(
    url: str,
    may_ask: bool,
    answer: bool | None,
    added: bool,
    person: Person,
    monkeypatch: pytest.MonkeyPatch,
    home: Path,
) -> None:
    person("ann", "init", "--yes", "--no-hooks", "--no-join")
    held = store.open(store_of(home, "ann"))
    asked: list[str] = []

    def confirm(question: str, **_: object) -> bool:
        asked.append(question)
        return bool(answer)

    monkeypatch.setattr("typer.confirm", confirm)
    assert workflows.wanted(held, Link(parse(url), SHARED), False, may_ask=may_ask, quiet=True) is added
    assert asked == ([] if answer is None else ["Add it?"])
    workflows.add(held)
    assert not workflows.wanted(held, Link(parse(url), SHARED), False, may_ask=may_ask, quiet=True), "it is there"
