"""The person's own `gh` and `glab`: how they are called, and what becomes of whatever they answer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gitinstinct.pullrequest import programs
from gitinstinct.pullrequest.hosts import Host, Kind
from gitinstinct.pullrequest.programs import Failed, Request
from tests.support import fakes
from tests.support.fakes import Fake

GITHUB = Host(Kind.GITHUB, "https://github.com", "acme/store")
GITLAB = Host(Kind.GITLAB, "https://gitlab.acme.org", "team/sub/store")
REQUEST = Request("main", "promote/run-tests", "Promote run-tests to all projects", "The text.\n$(id) `id`\n")
URL = "https://github.com/acme/store/pull/7"
MERGE = "https://gitlab.acme.org/team/sub/store/-/merge_requests/7"
SIGNED_IN: tuple[str, dict[str, object]] = ("auth status", {})


@pytest.fixture
def gh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Fake:
    """One that is signed in and knows of no request."""
    fake = fakes.install("gh", tmp_path, monkeypatch)
    fake.answers(SIGNED_IN, ("pr list", {"out": "[]"}), ("pr create", {"out": f"{URL}\n"}))
    return fake


@pytest.fixture
def glab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Fake:
    """The same for GitLab."""
    fake = fakes.install("glab", tmp_path, monkeypatch)
    made = {"out": json.dumps({"web_url": MERGE})}
    fake.answers(SIGNED_IN, ("--method=POST", made), ("merge_requests?", {"out": "[]"}))
    return fake


def test_gh_opens_a_request_with_the_text_from_a_file(gh: Fake) -> None:
    opened = programs.open_request(GITHUB, REQUEST)
    assert (opened.url, opened.made) == (URL, True)
    status, _, create = gh.calls
    assert status["argv"] == ["auth", "status", "--hostname=github.com"]
    assert create["files"]["--body-file"] == REQUEST.body
    assert REQUEST.body not in create["argv"]
    assert {"--repo=github.com/acme/store", "--head=promote/run-tests", "--base=main"} <= set(create["argv"])


def test_what_it_gets_of_the_environment_is_little(gh: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GIT_DIR", "ANTHROPIC_API_KEY", "GH_REPO", "GH_DEBUG", "EDITOR", "GITINSTINCT_HOME", "LD_PRELOAD"):
        monkeypatch.setenv(name, "")
    monkeypatch.setenv("GH_TOKEN", "x")
    programs.open_request(GITHUB, REQUEST)
    env = gh.calls[0]["env"]
    assert not set(env) & {"GIT_DIR", "ANTHROPIC_API_KEY", "GH_REPO", "GH_DEBUG", "EDITOR", "GITINSTINCT_HOME"}
    assert (env["GH_TOKEN"], env["GH_PROMPT_DISABLED"], env["NO_COLOR"]) == ("x", "1", "1")
    assert "gitinstinct-" in gh.calls[0]["cwd"], "an empty folder, where no repository has a say"
    assert gh.calls[0]["stdin"] == ""


def test_a_request_that_is_open_is_not_doubled(gh: Fake) -> None:
    listed = json.dumps([{"url": f"{URL}0", "isCrossRepository": True}, {"url": URL, "isCrossRepository": False}])
    gh.answers(SIGNED_IN, ("pr list", {"out": listed}))
    opened = programs.open_request(GITHUB, REQUEST)
    assert (opened.url, opened.made, len(gh.calls)) == (URL, False, 2)


def test_glab_opens_one_by_the_api_with_the_text_from_a_file(glab: Fake) -> None:
    opened = programs.open_request(GITLAB, REQUEST)
    assert (opened.url, opened.made) == (MERGE, True)
    post = glab.calls[-1]
    assert "projects/team%2Fsub%2Fstore/merge_requests" in post["argv"]
    assert json.loads(post["files"]["--input"]) == {
        "source_branch": "promote/run-tests",
        "target_branch": "main",
        "title": REQUEST.title,
        "description": REQUEST.body,
    }


def test_glab_does_not_double_one(glab: Fake) -> None:
    glab.answers(SIGNED_IN, ("merge_requests?", {"out": json.dumps([{"web_url": MERGE}])}))
    opened = programs.open_request(GITLAB, REQUEST)
    assert (opened.url, opened.made) == (MERGE, False)


@pytest.mark.parametrize(
    ("told", "why"),
    [
        ([("auth status", {"code": 1, "err": "You are not logged in"})], "not signed in to github.com"),
        ([SIGNED_IN, ("pr list", {"code": 1, "err": "HTTP 404\n\x1b[31mno"})], "ended with code 1: HTTP 404"),
        ([SIGNED_IN, ("pr list", {"out": "nonsense"})], "cannot be read"),
        ([SIGNED_IN, ("pr list", {"out": "[" * 100_000})], "cannot be read"),
        ([SIGNED_IN, ("pr list", {"out": "[]"}), ("pr create", {"out": "done!"})], "did not say where"),
        ([SIGNED_IN, ("pr list", {"out": "[]"}), ("pr create", {"out": "https://evil.org/x"})], "did not say where"),
        ([SIGNED_IN, ("pr list", {"out": "[]"}), ("pr create", {"out": f"{URL}\x1b[0m"})], "did not say where"),
        ([SIGNED_IN, ("pr list", {"out": "x" * 3_000_000})], "more than"),
        ([SIGNED_IN, ("pr list", {"out": json.dumps([{"url": 7}])})], "did not say where"),
    ],
)
def test_one_that_misbehaves_is_told_in_a_sentence(
    gh: Fake, told: list[tuple[str, dict[str, object]]], why: str
) -> None:
    gh.answers(*told)
    with pytest.raises(Failed, match=why) as failed:
        programs.open_request(GITHUB, REQUEST)
    assert str(failed.value).isprintable()


def test_one_that_hangs_is_ended(gh: Fake) -> None:
    gh.answers(("auth status", {"sleep": 60}))
    with pytest.raises(Failed, match=r"did not end within 0\.5 seconds"):
        programs.open_request(GITHUB, REQUEST, seconds=0.5)


def test_none_is_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Failed, match="gh is not installed"):
        programs.open_request(GITHUB, REQUEST)
    with pytest.raises(Failed, match="no program is known"):
        programs.open_request(Host(Kind.GITEA, "https://codeberg.org", "a/b"), REQUEST)


def test_one_beside_the_working_directory_is_not_taken(
    tmp_path: Path, gh: Fake, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(gh.folder)
    monkeypatch.setenv("PATH", ".")
    with pytest.raises(Failed, match="not installed"):
        programs.open_request(GITHUB, REQUEST)
