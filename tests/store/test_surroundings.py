"""What a person, their machine or a shared tree may have set up: writing works, or waits and says why."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gitinstinct.git.identity import OBSERVER
from gitinstinct.git.trailers import Message
from gitinstinct.store import store as stores
from gitinstinct.store.commit import Change, Written
from gitinstinct.store.commit import write as commit
from gitinstinct.store.errors import Waiting
from gitinstinct.store.store import Store
from tests.support.repos import commit_all, git, repository, script, snapshot
from tests.support.stores import NOW, assert_sound, instinct, new_store, newest, putting, readable, subjects


def write(store: Store, *names: str, action: str = "Run the tests.") -> Written:
    return commit(store, putting(*names, action=action), NOW, vet=readable)


@pytest.fixture
def store() -> Store:
    made = new_store()
    write(made, "a", "b")
    return made


PERSONAL = {
    "signing without a key": "[commit]\n\tgpgSign = true\n[gpg]\n\tprogram = {hooks}/canary",
    "failing hooks": "[core]\n\thooksPath = {hooks}",
    "useConfigOnly": "[user]\n\tuseConfigOnly = true",
    "other defaults": "[init]\n\tdefaultBranch = x\n\ttemplateDir = {hooks}\n[push]\n\tdefault = nothing\n"
    "[core]\n\tautocrlf = true\n\tfileMode = false\n[color]\n\tui = always\n[log]\n\tshowSignature = true\n",
    "alias, pager, editor": "[alias]\n\tupdate-ref = !false\n[core]\n\tpager = {hooks}/canary\n\teditor = false",
    "a missing include": "[include]\n\tpath = /none\n[merge]\n\tff = only\n[diff]\n\tnoprefix = true\n",
    "a broken file": "[broken",
}


@pytest.mark.parametrize(
    ("where", "config"),
    [("global", text) for text in PERSONAL.values()] + [("store", text) for text in list(PERSONAL.values())[:-1]],
)
def test_a_persons_git_settings(store: Store, config: str, where: str, home: Path, tmp_path: Path) -> None:
    hooks = tmp_path / "hooks"
    for name in ("canary", "pre-commit", "commit-msg", "post-commit", "reference-transaction", "post-index-change"):
        script(hooks, name, f"touch {tmp_path}/touched; exit 1")
    text = config.format(hooks=hooks) + "\n"
    file = home / ".gitconfig" if where == "global" else store.path / ".git/config"
    before = file.read_text() if file.exists() else ""
    file.write_text(before + text)
    (store.path / "instincts/b.md").write_bytes(instinct("b", "By hand."))
    write(store, "c")
    made = new_store(tmp_path / "another")
    file.write_text(before)
    assert subjects(store)[:2] == ["observe: 1 new", "edit: b"]
    assert not (tmp_path / "touched").exists()
    assert_sound(store)
    assert_sound(made)


def test_no_identity_anywhere(tmp_path: Path) -> None:
    made = new_store(tmp_path / "s", identity=None)
    write(made, "a")
    assert git(made.path, "log", "-1", "--format=%cn <%ce>", "main") == "gitinstinct <gitinstinct@localhost>"
    assert_sound(made)


LEAKS = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES",
         "GIT_COMMON_DIR", "GIT_NAMESPACE", "GIT_CEILING_DIRECTORIES", "GIT_PREFIX", "GIT_SHALLOW_FILE")  # fmt: skip


@pytest.mark.parametrize("name", LEAKS)
def test_called_from_a_hook_of_another_repository(
    store: Store, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other"
    repository(other)
    commit_all(other, {"code": "x\n"})
    before = snapshot(other)
    value = {"GIT_INDEX_FILE": ".git/index", "GIT_WORK_TREE": "", "GIT_SHALLOW_FILE": ".git/HEAD"}.get(name, ".git")
    with monkeypatch.context() as hook:
        hook.setenv(name, str(other / value))
        hook.chdir(other)
        write(store, "c")
        made = new_store(tmp_path / "new")
    assert snapshot(other) == before
    assert newest(store).read("instincts/c.md") == instinct("c")
    assert_sound(store)
    assert_sound(made)


ATTRIBUTES = ("filter=evil", "diff=evil", "merge=evil", "text eol=crlf", "working-tree-encoding=UTF-16", "ident")


@pytest.mark.parametrize("attribute", ATTRIBUTES)
def test_attributes_of_a_shared_tree_run_nothing_and_change_no_byte(
    store: Store, attribute: str, home: Path, tmp_path: Path
) -> None:
    canary = script(tmp_path, "canary", f"touch {tmp_path}/touched; cat")
    sections = {"filter": ("clean", "smudge", "process"), "diff": ("textconv", "command"), "merge": ("driver",)}
    config = "".join(
        f'[{kind} "evil"]\n' + "".join(f"\t{key} = {canary}\n" for key in keys) for kind, keys in sections.items()
    )
    (home / ".gitconfig").write_text(config)
    file = store.path / ".git/config"
    file.write_text(file.read_text() + config)
    commit_all(store.path, {".gitattributes": f"* {attribute}\n"})
    odd = instinct("a", "Keep $Id$ and \u00fc.")
    (store.path / "instincts/b.md").write_bytes(instinct("b", "By hand $Id$."))
    change = Change({"instincts/a.md": odd}, Message("observe: 1 new"), OBSERVER)
    commit(store, lambda _: change, NOW, vet=readable)
    assert (store.path / "instincts/a.md").read_bytes() == newest(store).read("instincts/a.md") == odd
    git(store.path, "log", "-p", "-3")
    assert_sound(store)
    assert not (tmp_path / "touched").exists()


def test_a_plain_clone_with_filters_is_protected_before_anything_is_looked_at(store: Store, tmp_path: Path) -> None:
    commit_all(store.path, {".gitattributes": "* filter=evil\n"})
    git(tmp_path, "clone", "-q", str(store.path), "clone")
    canary = script(tmp_path, "canary", f"touch {tmp_path}/touched; cat")
    for key in ("clean", "smudge"):
        git(tmp_path / "clone", "config", f"filter.evil.{key}", str(canary))
    (tmp_path / "clone/instincts/b.md").write_bytes(instinct("b", "By hand."))
    write(stores.open(tmp_path / "clone"), "c")
    assert not (tmp_path / "touched").exists()


# --- what a person has begun and not ended


def _diverged(store: Store) -> None:
    """A branch `side` and main, which both changed b; side also has its own c."""
    git(store.path, "checkout", "-q", "-b", "side")
    commit_all(store.path, {"instincts/c.md": instinct("c")}, "c on side")
    commit_all(store.path, {"instincts/b.md": instinct("b", "Side.")}, "b on side")
    git(store.path, "checkout", "-q", "main")
    commit_all(store.path, {"instincts/b.md": instinct("b", "Main.")}, "b on main")


BEGUN: dict[str, tuple[str, ...]] = {
    "merge": ("merge", "side"),
    "cherry-pick": ("cherry-pick", "side"),
    "revert": ("revert", "--no-edit", "HEAD~1"),
}


def _begin(store: Store, operation: str) -> None:
    _diverged(store)
    if operation == "revert":
        commit_all(store.path, {"instincts/b.md": instinct("b", "Main, again.")}, "b on main, again")
    git(store.path, *BEGUN[operation], ok=False)
    assert "UU instincts/b.md" in git(store.path, "status", "--porcelain")


@pytest.mark.parametrize("operation", BEGUN)
def test_during_an_unfinished_operation_other_paths_are_brought_along(store: Store, operation: str) -> None:
    _begin(store, operation)
    written = write(store, "a", "new", action="Other.")
    assert (written.pending, written.edits) == ("", ())
    assert ["unfinished" in held.reason for held in written.held].count(True) == len(written.held) > 0
    (store.path / "instincts/b.md").write_bytes(instinct("b", "Resolved."))
    git(store.path, "add", "-A")
    git(store.path, "commit", "-q", "-m", "resolved")
    assert newest(store).read("instincts/a.md") == instinct("a", "Other.")
    assert newest(store).read("instincts/new.md") == instinct("new", "Other.")
    assert newest(store).read("instincts/b.md") == instinct("b", "Resolved.")
    assert subjects(store)[0] == "resolved"
    assert_sound(store)


@pytest.mark.parametrize("operation", BEGUN)
def test_a_run_on_an_undecided_path_waits_and_consumes_nothing(store: Store, operation: str) -> None:
    _begin(store, operation)
    status, refs = git(store.path, "status", "--porcelain=v2"), git(store.path, "for-each-ref")
    with pytest.raises(Waiting, match=r"instincts/b\.md waits for you"):
        commit(store, putting("b", run="01x"), NOW, vet=readable)
    assert (git(store.path, "status", "--porcelain=v2"), git(store.path, "for-each-ref")) == (status, refs)


def test_a_run_on_a_path_that_the_merge_has_staged_waits(store: Store) -> None:
    _begin(store, "merge")
    with pytest.raises(Waiting, match=r"instincts/c\.md waits for you: a merge is unfinished"):
        write(store, "c", action="Other.")


def _rebase(store: Store) -> None:
    git(store.path, "rebase", "side", ok=False)


def _rebase_apply(store: Store) -> None:
    git(store.path, "rebase", "--apply", "side", ok=False)


def _am(store: Store) -> None:
    patch = git(store.path, "format-patch", "--stdout", "-1", "side")
    git(store.path, "am", stdin=patch.encode(), ok=False)


@pytest.mark.parametrize("begin", [_rebase, _rebase_apply, _am])
@pytest.mark.parametrize("linked", [False, True])
def test_while_main_is_being_rewritten_everything_waits(
    store: Store, begin: Callable[[Store], None], linked: bool, tmp_path: Path
) -> None:
    _diverged(store)
    place = store
    if linked:
        git(store.path, "checkout", "-q", "-b", "x")
        git(store.path, "worktree", "add", "-q", str(tmp_path / "linked"), "main")
        place = Store(tmp_path / "linked", store.repo, store.about)
    begin(place)
    before = git(store.path, "for-each-ref")
    with pytest.raises(Waiting, match="being rewritten") as caught:
        write(store, "new")
    assert str(place.path) in caught.value.hint
    assert git(store.path, "for-each-ref") == before


def test_a_rebase_of_another_branch_is_no_reason_to_wait(store: Store) -> None:
    _diverged(store)
    git(store.path, "checkout", "-q", "side")
    git(store.path, "rebase", "main", ok=False)
    write(store, "new")
    assert newest(store).read("instincts/new.md") == instinct("new")


def test_staged_changes_of_other_files_stay_staged(store: Store) -> None:
    (store.path / "README.md").write_text("mine\n")
    git(store.path, "add", "README.md")
    write(store, "c")
    assert git(store.path, "status", "--porcelain") == "M  README.md"
    git(store.path, "commit", "-q", "-m", "mine")
    assert newest(store).read("instincts/c.md") == instinct("c")
    assert_sound(store)
