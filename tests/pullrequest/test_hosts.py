"""What is at a remote's address, and the page where a request is opened."""

from __future__ import annotations

import pytest

from gitinstinct.git.url import parse
from gitinstinct.pullrequest import hosts

PAGES = {
    "https://github.com/Acme/store.git": "https://github.com/Acme/store/compare/main...promote/x?expand=1",
    "git@github.com:Acme/store.git": "https://github.com/Acme/store/compare/main...promote/x?expand=1",
    "ssh://git@ssh.github.com:443/Acme/store": "https://github.com/Acme/store/compare/main...promote/x?expand=1",
    "https://github.acme.org/Acme/store": "https://github.acme.org/Acme/store/compare/main...promote/x?expand=1",
    "https://gitlab.com/a/b/c.git": "https://gitlab.com/a/b/c/-/merge_requests/new"
    "?merge_request%5Bsource_branch%5D=promote%2Fx&merge_request%5Btarget_branch%5D=main",
    "ssh://git@gitlab.acme.org:2222/a/b": "https://gitlab.acme.org/a/b/-/merge_requests/new"
    "?merge_request%5Bsource_branch%5D=promote%2Fx&merge_request%5Btarget_branch%5D=main",
    "https://codeberg.org/a/b": "https://codeberg.org/a/b/compare/main...promote/x",
    "https://gitea.acme.org:3000/a/b.git": "https://gitea.acme.org:3000/a/b/compare/main...promote/x",
    "git@bitbucket.org:a/b.git": "https://bitbucket.org/a/b/pull-requests/new?source=promote%2Fx&dest=main",
}


@pytest.mark.parametrize(("address", "page"), PAGES.items())
def test_the_page_of_each_kind_of_host(address: str, page: str) -> None:
    host = hosts.of(parse(address))
    assert host is not None
    assert host.page("main", "promote/x") == page


@pytest.mark.parametrize(
    "address", ["/srv/git/store.git", "git@git.acme.org:store.git", "ssh://acme.org/srv/store.git", "https://x.org/a/b"]
)
def test_a_folder_and_a_machine_of_which_nobody_said_what_it_is_have_none(address: str) -> None:
    assert hosts.of(parse(address)) is None


def test_the_setting_says_what_runs_on_a_host() -> None:
    address = parse("git@git.acme.org:team/store.git")
    found = {kind: hosts.of(address, kind) for kind in ("gitea", "github", "none")}
    assert found["none"] is None
    assert found["gitea"] is not None
    assert found["gitea"].page("main", "promote/x") == "https://git.acme.org/team/store/compare/main...promote/x"
    assert hosts.of(parse("/srv/git/store.git"), "github") is None


@pytest.mark.parametrize("path", ["a", "a/b/c", "a/-b", "a/..", "a/b%2f"])
def test_a_path_that_is_no_repository_there_has_no_page(path: str) -> None:
    assert hosts.of(parse(f"https://github.com/{path}")) is None
