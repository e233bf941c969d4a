"""Where a store goes, what that publishes, and what stays here."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitinstinct.capture.project import Project
from gitinstinct.errors import Found, UsageError
from gitinstinct.git.url import Address, parse
from gitinstinct.instinct import ids
from gitinstinct.store import store
from gitinstinct.store.layout import BRANCH
from gitinstinct.store.store import Store
from gitinstinct.team import joining, sharing, standing
from gitinstinct.team import link as links
from gitinstinct.team.link import SHARED
from tests.support.mates import BOB, GENESIS, TALK, bare, mate
from tests.support.repos import commit_all, git, repository
from tests.support.stores import ABOUT, NOW, instinct

SECRET = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"


def start(alone: Store, project: Project | None, where: Address, *, fresh: bool = False) -> str:
    """Shares; the backup ref."""
    link = sharing.choose(alone, project, where, TALK)
    plan = sharing.plan(alone, link, NOW, TALK, fresh=fresh)
    return sharing.begin(alone, plan, NOW, TALK)[1]


# --- where


def test_by_default_it_is_the_projects_own_origin(project: Project, hub: Path, tmp_path: Path) -> None:
    assert sharing.address(project, None).url == str(hub)
    git(Path(project.root), "remote", "set-url", "origin", "../hub.git")
    assert sharing.address(project, None).url == str(hub)
    assert sharing.address(project, "git@host:x").kind == "ssh"


@pytest.mark.parametrize("text", [None, ""])
def test_without_an_origin_an_address_must_be_named(text: str | None, tmp_path: Path) -> None:
    repository(tmp_path / "lone")
    for project in (None, Project("a1b2c3d4e5f6", "lone", str(tmp_path / "lone"))):
        with pytest.raises(UsageError, match="named") as caught:
            sharing.address(project, text)
        assert "share URL" in caught.value.hint


def test_a_token_in_an_address_is_refused(project: Project) -> None:
    git(Path(project.root), "remote", "set-url", "origin", f"https://{SECRET}@github.com/acme/x")
    with pytest.raises(UsageError, match="secret") as caught:
        sharing.address(project, None)
    assert SECRET not in caught.value.message + caught.value.hint


def test_the_branch_beside_code_and_in_a_store_of_its_own(
    alone: Store, project: Project, hub: Path, tmp_path: Path
) -> None:
    def chosen(place: Path) -> str:
        return sharing.choose(alone, project, parse(str(place)), TALK).branch

    assert chosen(hub) == SHARED
    assert chosen(bare(tmp_path / "empty.git")) == BRANCH
    other = mate(tmp_path / "bob", bare(tmp_path / "stores.git"), BOB, branch=BRANCH)
    other.sync()
    assert chosen(tmp_path / "stores.git") == BRANCH
    git(tmp_path / "stores.git", "branch", "dev", "main")
    assert chosen(tmp_path / "stores.git") == SHARED
    git(tmp_path, "clone", "-q", "--bare", "--single-branch", "-b", "main", "hub.git", "readme-only.git")
    assert chosen(tmp_path / "readme-only.git") == SHARED
    assert "refs/heads/dev" not in git(alone.path, "for-each-ref")


# --- what


def test_the_plan_tells_and_changes_nothing(alone: Store, project: Project, hub: Path, tmp_path: Path) -> None:
    before = git(alone.path, "for-each-ref"), (alone.path / ".git" / "config").read_bytes()
    link = sharing.choose(alone, project, sharing.address(project, None), TALK)
    plan = sharing.plan(alone, link, NOW, TALK, fresh=False)
    assert (plan.theirs, plan.is_open, plan.fresh) == (None, None, None)
    assert (plan.outgoing.commits, plan.outgoing.instincts) == (2, ("run-tests",))
    assert (git(alone.path, "for-each-ref"), (alone.path / ".git" / "config").read_bytes()) == before
    assert SHARED not in git(hub, "for-each-ref")


def test_plain_git_goes_the_same_way_afterwards(alone: Store, project: Project, hub: Path, tmp_path: Path) -> None:
    start(alone, project, sharing.address(project, None))
    assert git(alone.path, "config", "--get-all", "remote.origin.fetch") == (
        "+refs/heads/instincts:refs/remotes/origin/instincts"
    )
    assert git(alone.path, "rev-parse", "--abbrev-ref", "main@{upstream}") == "origin/instincts"
    commit_all(alone.path, {ids.path_of("use-rg"): instinct("use-rg")})
    git(alone.path, "push", "-q")
    assert git(hub, "rev-parse", SHARED) == git(alone.path, "rev-parse", "main")
    assert set(git(hub, "for-each-ref", "--format=%(refname:short)").split()) == {
        "main", "dev", "feature/x", "release", "v1", "instincts",
    }  # fmt: skip


def test_another_address_forgets_the_first(alone: Store, project: Project, hub: Path, tmp_path: Path) -> None:
    start(alone, project, sharing.address(project, None))
    start(alone, project, parse(str(bare(tmp_path / "other.git"))))
    assert git(tmp_path / "other.git", "rev-parse", "main") == git(alone.path, "rev-parse", "main")
    assert git(alone.path, "for-each-ref", "--format=%(refname)", "refs/remotes") == "refs/remotes/origin/main"


def test_sharing_again_makes_a_branch_that_went_away(alone: Store, project: Project, hub: Path) -> None:
    where = sharing.address(project, None)
    start(alone, project, where)
    git(hub, "update-ref", "-d", SHARED)
    start(alone, project, where)
    assert git(hub, "rev-parse", SHARED) == git(alone.path, "rev-parse", "main")


def test_a_branch_that_is_called_nearly_like_a_stores(
    alone: Store, project: Project, hub: Path, tmp_path: Path
) -> None:
    mate(tmp_path / "bob", bare(tmp_path / "stores.git"), BOB, branch=BRANCH).sync()
    git(tmp_path / "stores.git", "branch", "maintenance", "main")
    assert sharing.choose(alone, project, parse(str(tmp_path / "stores.git")), TALK).branch == SHARED


def test_a_secret_in_the_history_stops_it_and_fresh_leaves_it_here(
    alone: Store, project: Project, hub: Path, tmp_path: Path
) -> None:
    path = ids.path_of("deploy")
    commit_all(alone.path, {path: instinct("deploy", f"Use {SECRET}.")})
    commit_all(alone.path, {path: instinct("deploy", "Use the token in the vault.")})
    where, old = sharing.address(project, None), git(alone.path, "rev-parse", "main")
    with pytest.raises(Found, match=r"deploy\.md"):
        start(alone, project, where)
    assert SHARED not in git(hub, "for-each-ref")
    assert links.read(alone) is None

    backup = start(alone, project, where, fresh=True)
    assert git(alone.path, "rev-parse", backup) == old
    assert git(alone.path, "rev-list", "main").split()[1:] == [GENESIS]
    assert git(alone.path, "rev-parse", "main^{tree}") == git(alone.path, "rev-parse", f"{old}^{{tree}}")
    assert git(alone.path, "status", "--porcelain") == ""
    assert git(hub, "rev-list", "--count", SHARED) == "2"
    assert git(hub, "cat-file", "-t", old, ok=False) == ""

    bob = mate(tmp_path / "bob", hub, BOB)
    bob.sync()
    bob.learn("use-rg")
    bob.sync()
    ann = mate(alone.path, hub)
    ann.learn("prefer-uv")
    ann.sync()
    assert git(hub, "cat-file", "-t", old, ok=False) == "", "a later push does not publish it either"
    assert {"instincts/use-rg.md", "instincts/prefer-uv.md"} <= set(ann.files().split())


def test_a_secret_in_the_newest_state_stops_fresh_too(alone: Store, project: Project) -> None:
    commit_all(alone.path, {ids.path_of("deploy"): instinct("deploy", f"Use {SECRET}.")})
    tip = git(alone.path, "rev-parse", "main")
    with pytest.raises(Found, match=r"deploy\.md"):
        start(alone, project, sharing.address(project, None), fresh=True)
    assert git(alone.path, "rev-parse", "main") == tip


# --- joining, standing


def test_joining_what_is_there(alone: Store, project: Project, hub: Path, tmp_path: Path) -> None:
    assert joining.look(project) is None
    start(alone, project, sharing.address(project, None))
    link = joining.look(project)
    assert link is not None
    mine = store.create(tmp_path / "mine", ABOUT, NOW, identity=BOB)
    assert standing.of(mine) is None
    assert joining.join(mine, link, NOW, TALK).outcome.merging.added == ("run-tests",)
    found = standing.of(mine)
    assert found is not None
    assert (found.ahead, found.behind, found.went) == (0, 0, None)
    assert found.came is not None
    assert links.tip(mine) == links.tip(alone)


def test_what_may_not_be_merged_is_not_joined(alone: Store, project: Project, hub: Path, tmp_path: Path) -> None:
    git(Path(project.root), "push", "-q", "origin", "main:instincts")
    link = joining.look(project)
    assert link is not None
    with pytest.raises(Found, match="no common beginning"):
        joining.join(alone, link, NOW, TALK)
    assert links.read(alone) is None


def test_how_a_store_stands_without_asking(alone: Store, project: Project, hub: Path, tmp_path: Path) -> None:
    start(alone, project, sharing.address(project, None))
    commit_all(alone.path, {ids.path_of("use-rg"): instinct("use-rg")})
    found = standing.of(alone)
    assert found is not None
    assert (found.ahead, found.behind, found.came) == (1, 0, None)
    assert found.went is not None
    git(alone.path, "push", "-q")
    again = standing.of(alone)
    assert again is not None
    assert again.ahead == 0


def test_an_address_in_the_config_that_git_may_not_be_given(alone: Store, project: Project) -> None:
    start(alone, project, sharing.address(project, None))
    git(alone.path, "config", "remote.origin.url", "ext::sh -c true")
    with pytest.raises(Exception, match="no address") as caught:
        links.read(alone)
    assert "share URL" in getattr(caught.value, "hint", "")
    start(alone, project, sharing.address(project, None))
    assert links.read(alone) is not None
