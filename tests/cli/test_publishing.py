"""A promotion between two people: `promote --pr`, `review --push`, `review --update`, and what plain git does to it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support import fakes, servers
from tests.support.fakes import Fake
from tests.support.mates import bare
from tests.support.program import Program, Result
from tests.support.repos import commit_all, git, script
from tests.support.shared import file, refs

Person = Callable[..., Result]
ID = "run-the-tests-first"
HEAD = f"refs/heads/promote/{ID}"


@pytest.fixture
def person(home: Path, program: Program, monkeypatch: pytest.MonkeyPatch) -> Person:
    """Runs a command as one of several people, in one of two projects of their own."""

    def run(who: str, *arguments: str, project: str = "api") -> Result:
        folder = home / who / project
        if not folder.exists():
            folder.mkdir(parents=True)
            git(folder, "init", "-q", "-b", "main", "--template=")
            git(folder, "remote", "add", "origin", f"/srv/{project}.git")
            git(folder, "config", "user.name", who)
            git(folder, "config", "user.email", f"{who}@example.org")
        monkeypatch.setenv("GITINSTINCT_HOME", str(home / who / "gi"))
        monkeypatch.chdir(folder)
        return program(*arguments)

    return run


@pytest.fixture
def hub(home: Path) -> Path:
    """A bare folder, with nobody but git at it."""
    return bare(home / "acme" / "store.git")


@pytest.fixture
def shared(person: Person, hub: Path) -> Person:
    """Ann and Bob share a global store, and Ann has learned the same in two projects."""
    for who in ("ann", "bob"):
        assert person(who, "share", str(hub), "--global", "--yes").code == 0
    learned(person)
    return person


def learned(person: Person) -> None:
    for project in ("api", "web"):
        done = person(
            "ann", "learn", "when committing", "Run the tests first.", "--domain", "workflow", project=project
        )
        assert done.code == 0, done.err


def store(home: Path, who: str) -> Path:
    return home / who / "gi" / "data" / "global"


def host(home: Path, hub: Path) -> Path:
    """What runs behind a host's merge button: plain git, without our driver."""
    git(home, "clone", "-q", str(hub), "host")
    return home / "host"


def button(place: Path, way: str) -> None:
    """Merges the promotion as a host would, and takes its branch away."""
    git(place, "fetch", "-q")
    if way == "merge":
        git(place, "merge", "-q", "--no-ff", "-m", "button", f"origin/promote/{ID}")
    elif way == "squash":
        git(place, "merge", "-q", "--squash", f"origin/promote/{ID}")
        git(place, "commit", "-q", "-m", "squashed")
    else:
        git(place, "rebase", "-q", "main", f"origin/promote/{ID}")
        git(place, "switch", "-q", "-C", "main")
    git(place, "push", "-q", "origin", "HEAD:main", f":promote/{ID}")


@pytest.mark.parametrize("way", ["merge", "squash", "rebase"])
def test_the_whole_way_by_a_folder_and_somebody_elses_button(shared: Person, home: Path, hub: Path, way: str) -> None:
    published = shared("ann", "promote", ID, "--pr", "--yes")
    assert published.code == 0, published.err
    assert f"pushed   promote/{ID}" in published.out
    assert "Nothing is known there that takes pull requests" in published.out
    assert "gitinstinct sync --global" in published.out
    text = Path(published.out.rsplit("its text ", 1)[1].strip())
    assert text.read_text().startswith("This branch adds one *instinct*")
    assert "private: a reviewer cannot look it up" in text.read_text()
    assert text.stat().st_mode & 0o077 == 0 or text.parent.stat().st_mode & 0o077 == 0

    came = shared("bob", "pull", "--global")
    assert f"waits     promote/{ID}" in came.out
    seen = shared("bob", "review", "--json").json["waiting"]
    assert [(one["id"], one["kind"]) for one in seen] == [(ID, "promotion")]

    place = host(home, hub)
    commit_all(place, {"instincts/another.md": file("another")})
    git(place, "push", "-q", "origin", "HEAD:main")
    button(place, way)
    done = shared("ann", "sync", "--global")
    assert f"promoted now: {ID}" in done.out, done.out + done.err
    assert HEAD not in refs(store(home, "ann"))
    assert "taken away" not in done.out
    ledger = shared("ann", "show", ID, "--json", "--project", str(home / "ann" / "web")).json["instinct"]["ledger"]
    assert [entry["kind"] for entry in ledger] == ["set", "promoted"]
    again = shared("ann", "sync", "--global")
    assert "promoted now" not in again.out


def test_the_origins_go_along_and_verify_it_for_others(shared: Person, home: Path, hub: Path) -> None:
    shared("ann", "promote", ID, "--pr", "--yes")
    origins = [name for name in refs(hub) if name.startswith("refs/gitinstinct/promoted/")]
    assert len(origins) == 2
    shared("bob", "pull", "--global")
    assert set(origins) <= set(refs(store(home, "bob")))


def test_nobody_is_there_to_be_asked(shared: Person, hub: Path) -> None:
    assert shared("ann", "promote", ID, "--yes").code == 0
    for options in (("--push",), ("--update",)):
        asked = shared("ann", "review", *options)
        assert (asked.code, "--yes" in asked.err) == (2, True)
    assert HEAD not in refs(hub)


def test_a_rehearsal_pushes_nothing_and_says_what_would_go(shared: Person, home: Path, hub: Path) -> None:
    shared("ann", "promote", ID, "--yes")
    before = refs(hub), refs(store(home, "ann"))
    rehearsed = shared("ann", "review", "--push", "--dry-run")
    assert rehearsed.code == 0
    for part in (f"branch promote/{ID}  (will be made)", "2 commits with 1 instinct", "ann <ann@example.org>"):
        assert part in rehearsed.out
    assert (refs(hub), refs(store(home, "ann"))) == before
    told = shared("ann", "review", ID, "--push", "--dry-run", "--json").json["published"]
    assert [(one["id"], one["exists"], one["commits"], one["findings"]) for one in told] == [(ID, False, 2, [])]


def test_for_scripts_and_with_a_file_of_ones_own(shared: Person, hub: Path, tmp_path: Path) -> None:
    shared("ann", "promote", ID, "--yes")
    done = shared("ann", "review", f"promote/{ID}", "--push", "--yes", "--json", "--body", str(tmp_path / "text.md"))
    assert done.code == 0, done.err
    [one] = done.json["published"]
    assert (one["made"], one["request"], one["page"]) == (True, None, None)
    assert one["commit"] == refs(hub)[HEAD]
    assert (tmp_path / "text.md").read_text().startswith("This branch adds")
    again = shared("ann", "review", "--push", "--yes")
    assert "Nothing new for" in again.out


def test_what_must_not_go_stops_it(shared: Person, home: Path, hub: Path) -> None:
    shared("ann", "promote", ID, "--yes")
    place = store(home, "ann")
    git(place, "switch", "-q", f"promote/{ID}")
    text = (place / "instincts" / f"{ID}.md").read_text()
    (place / "instincts" / f"{ID}.md").write_text(
        text.replace("Run the", "Use ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8, run the")
    )
    git(place, "commit", "-q", "-am", "oh")
    git(place, "switch", "-q", "main")
    stopped = shared("ann", "review", "--push", "--yes")
    assert stopped.code == 1
    assert "secret" in stopped.out + stopped.err
    assert "ghp_" not in stopped.out + stopped.err
    assert HEAD not in refs(hub)
    assert shared("ann", "review", "--push", "--yes", "--json").code == 1


def test_a_branch_that_was_taken_away_is_told_once_and_ours_stays(shared: Person, home: Path, hub: Path) -> None:
    shared("ann", "promote", ID, "--pr", "--yes")
    git(hub, "update-ref", "-d", HEAD)
    told = shared("ann", "sync", "--global")
    assert f"promote/{ID} was taken away there without being merged; yours stays" in told.out
    assert HEAD in refs(store(home, "ann"))
    assert "taken away" not in shared("ann", "sync", "--global").out
    assert shared("ann", "review", "--push", "--yes").code == 0
    assert HEAD in refs(hub)


def test_brought_up_to_date_and_merged_by_a_squash(shared: Person, home: Path, hub: Path) -> None:
    shared("ann", "promote", ID, "--pr", "--yes")
    place = host(home, hub)
    git(place, "merge", "-q", "--squash", f"origin/promote/{ID}")
    git(place, "commit", "-q", "-m", "squashed")
    git(place, "push", "-q", "origin", "HEAD:main")
    shared("ann", "sync", "--global")
    for project in ("api", "web"):
        assert shared("ann", "confirm", ID, project=project).code == 0
    assert shared("ann", "promote", ID, "--pr", "--yes").code == 0
    shared("bob", "pull", "--global")
    shared("bob", "confirm", ID, "--global")
    shared("bob", "sync", "--global")
    rehearsed = shared("ann", "review", "--update", "--dry-run")
    assert "nothing was written" in rehearsed.out
    done = shared("ann", "review", "--update", "--yes")
    assert done.code == 0, done.err
    assert "brought up to date, and pushed" in done.out
    git(place, "pull", "-q")
    button(place, "squash")
    shared("ann", "sync", "--global")
    ledger = shared("ann", "show", ID, "--json", "--global").json["instinct"]["ledger"]
    assert sorted(entry["kind"] for entry in ledger) == ["confirmed"] * 3 + ["set"] * 2
    assert shared("ann", "check", "--global").code == 0
    again = shared("ann", "review", "--update", "--yes")
    assert (again.code, "no promotion waits" in again.err) == (1, True)


def test_a_conflict_is_told_by_its_exit_code(shared: Person, home: Path, hub: Path) -> None:
    shared("ann", "promote", ID, "--pr", "--yes")
    place = host(home, hub)
    commit_all(place, {f"instincts/{ID}.md": file(ID, action="Run nothing.", trigger="when committing")})
    git(place, "push", "-q", "origin", "HEAD:main")
    done = shared("ann", "review", "--update", "--yes", "--json")
    assert done.code == 1
    [one] = done.json["updated"]
    assert one["conflicts"][0]["id"] == ID
    assert "action" in one["conflicts"][0]["fields"]


def test_a_conflict_is_settled_by_the_commands_that_are_named(shared: Person, home: Path, hub: Path) -> None:
    shared("ann", "promote", ID, "--pr", "--yes")
    place = host(home, hub)
    commit_all(place, {f"instincts/{ID}.md": file(ID, action="Run nothing.", trigger="when committing")})
    git(place, "push", "-q", "origin", "HEAD:main")
    before = refs(store(home, "ann"))["refs/heads/main"]
    for _ in "again", "and again":  # it is told as long as it stands
        done = shared("ann", "review", "--update", "--yes")
        assert done.code == 1
        assert f"conflict  {ID}  " in done.out
        assert "do not merge it there" in done.out
    seen = shared("ann", "review", f"promote/{ID}")
    assert f"gitinstinct resolve {ID} --global settles it" in seen.out
    assert "An agent would read" not in seen.out
    assert shared("ann", "review", "--all", "--yes").code == 1
    assert refs(store(home, "ann"))["refs/heads/main"] == before

    ways = [line.strip() for line in done.out.splitlines() if line.startswith("  gitinstinct ")]
    accept, resolve, push = (way.split(" ")[1:] for way in ways)
    landed = shared("ann", *accept, "--yes")
    assert landed.code == 1
    assert f"gitinstinct resolve {ID} --global" in landed.out
    assert shared("ann", "show", ID, "--global", "--json").json["instinct"]["held"] == "conflicted"
    assert shared("ann", *resolve, "--theirs").code == 0
    assert shared("ann", *push).code == 0
    git(place, "pull", "-q", "--ff-only")
    assert "conflicts:" not in (place / f"instincts/{ID}.md").read_text()
    assert HEAD not in refs(store(home, "ann"))


def test_one_that_cannot_be_sent_waits_here_and_goes_later(shared: Person, home: Path, hub: Path) -> None:
    away = hub.rename(hub.with_suffix(".away"))
    done = shared("ann", "promote", ID, "--pr", "--yes")
    assert done.code != 0
    assert f"gitinstinct review --push {ID} sends it later" in done.err
    away.rename(hub)
    assert shared("ann", "review", "--push", ID, "--yes").code == 0
    assert HEAD in refs(hub)


@pytest.mark.parametrize("more", [(), ("--update",), ("--push", "--update")])
def test_a_file_for_a_text_that_is_not_made_is_refused(shared: Person, tmp_path: Path, more: tuple[str, ...]) -> None:
    done = shared("ann", "review", "--body", str(tmp_path / "text.md"), *more)
    assert (done.code, "--body is where the text of --push goes" in done.err) == (2, True)


def test_deciding_and_publishing_at_once_is_refused(shared: Person) -> None:
    assert shared("ann", "review", "--push", "--accept", ID, "--yes").code == 2


def test_a_store_that_is_not_shared_cannot_publish(person: Person) -> None:
    learned(person)
    assert person("ann", "promote", ID, "--pr", "--yes").code == 1
    assert person("ann", "review", "--push", "--yes").code == 1


def test_a_look_at_the_remote_brings_them_and_a_bad_one_stops_nothing(shared: Person, home: Path, hub: Path) -> None:
    shared("ann", "promote", ID, "--pr", "--yes")
    place = host(home, hub)
    git(place, "switch", "-q", "-c", "promote/bad")
    commit_all(place, {"run.sh": "x"})
    git(place, "push", "-q", "origin", "HEAD:promote/bad", "HEAD:promote/No-Id")
    rehearsed = shared("bob", "pull", "--global", "--dry-run")
    assert (rehearsed.code, f"promote/{ID}" in rehearsed.out) == (0, True)
    looked = shared("bob", "remote", "--global", "--fetch", "--json")
    told = looked.json["promotions"]
    assert (looked.code, told["waiting"], told["ignored"]) == (0, [ID], 1)
    assert told["refused"][0]["name"] == "promote/bad"
    pulled = shared("bob", "pull", "--global")
    assert pulled.code == 0
    assert "promote/bad is left out: " in pulled.out
    assert "run.sh" in pulled.out


def test_a_projects_store_has_no_promotions(shared: Person, home: Path, hub: Path) -> None:
    other = bare(home / "acme" / "api.git")
    assert shared("ann", "share", str(other), "--yes").code == 0
    assert "promotions" not in shared("ann", "sync", "--json").json


def test_an_update_that_could_not_be_pushed_goes_with_the_next(shared: Person, home: Path, hub: Path) -> None:
    shared("ann", "promote", ID, "--pr", "--yes")
    place = host(home, hub)
    commit_all(place, {"instincts/another.md": file("another")})
    git(place, "push", "-q", "origin", "HEAD:main")
    hook = script(hub / "hooks", "pre-receive", "exit 1")
    stopped = shared("ann", "review", "--update", "--yes")
    assert (stopped.code, "declined" in stopped.err) == (1, True)
    hook.unlink()
    done = shared("ann", "review", "--update", "--yes", "--json").json["updated"][0]
    assert (done["changed"], done["pushed"]) == (False, True)
    assert refs(hub)[HEAD] == refs(store(home, "ann"))[HEAD]


def test_one_that_was_merged_and_left_there_is_no_obstacle(shared: Person, home: Path, hub: Path) -> None:
    shared("ann", "promote", ID, "--pr", "--yes")
    place = host(home, hub)
    git(place, "merge", "-q", "--squash", f"origin/promote/{ID}")
    git(place, "commit", "-q", "-m", "squashed")
    git(place, "push", "-q", "origin", "HEAD:main")
    left = refs(hub)[HEAD]
    shared("ann", "sync", "--global")
    assert shared("ann", "confirm", ID).code == 0
    assert shared("ann", "promote", ID, "--pr", "--yes").code == 0
    assert git(hub, "merge-base", "--is-ancestor", left, HEAD) == "", "it went forward"


def test_of_several_one_that_cannot_go_stops_no_other(shared: Person, home: Path, hub: Path) -> None:
    shared("ann", "promote", ID, "--pr", "--yes")
    place = host(home, hub)
    git(place, "checkout", "-q", f"origin/promote/{ID}")
    git(place, "commit", "-q", "--amend", "-m", "made anew")
    git(place, "push", "-q", "-f", "origin", f"HEAD:{HEAD}")
    for project in ("api", "web"):
        shared("ann", "learn", "when pushing", "Fetch before a push.", "--domain", "git", project=project)
    shared("ann", "promote", "fetch-before-a-push", "--yes")
    done = shared("ann", "review", "--push", "--yes")
    assert done.code == 1
    assert f"{ID}: the branch of {ID}" in done.err
    assert "refs/heads/promote/fetch-before-a-push" in refs(hub)


# --- with a host


@pytest.fixture
def site(home: Path, hub: Path, person: Person) -> Iterator[str]:
    """The same remote over http, which the settings call a GitHub; Ann has a promotion that waits."""
    git(hub, "config", "http.receivepack", "true")
    with servers.http(home) as url:
        for who in ("ann", "bob"):
            config = home / who / "gi" / "config" / "config.yaml"
            config.parent.mkdir(parents=True)
            config.write_text("team:\n  host: github\n")
        done = person("ann", "share", f"{url}/acme/store.git", "--global", "--yes")
        assert done.code == 0, done.err
        learned(person)
        assert person("ann", "promote", ID, "--yes").code == 0
        yield url


@pytest.fixture
def gh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Fake:
    return fakes.install("gh", tmp_path, monkeypatch)


def test_gh_opens_the_request_and_a_second_push_moves_it(site: str, person: Person, gh: Fake, hub: Path) -> None:
    url = f"{site}/acme/store/pull/1"
    gh.answers(("auth status", {}), ("pr list", {"out": "[]"}), ("pr create", {"out": url}))
    done = person("ann", "review", "--push", "--yes")
    assert done.code == 0, done.err
    assert f"opened   {url}" in done.out
    create = gh.calls[-1]
    assert f"--title=Promote {ID} to all projects" in create["argv"]
    assert create["files"]["--body-file"].startswith("This branch adds one *instinct*")
    gh.answers(("auth status", {}), ("pr list", {"out": json.dumps([{"url": url}])}))
    again = person("ann", "review", "--push", "--yes", "--json").json["published"][0]
    assert (again["request"], again["opened"]) == (url, False)


@pytest.mark.parametrize(
    "told",
    [("auth status", {"code": 1}), ("auth status", {"out": "x" * 3_000_000}), ("auth", {"code": 9, "err": "\x1b["})],
)
def test_whatever_gh_does_the_branch_is_there_and_the_page_is_told(
    site: str, person: Person, gh: Fake, hub: Path, told: tuple[str, dict[str, object]]
) -> None:
    gh.answers(told)
    done = person("ann", "review", "--push", "--yes")
    assert done.code == 0, done.err
    assert f"{site}/acme/store/compare/main...promote/{ID}?expand=1" in done.out
    assert "no request was opened: " in done.out
    assert HEAD in refs(hub)
