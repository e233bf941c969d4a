"""Commits from elsewhere: what may be merged, and everything that is refused by name, within limits."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from gitinstinct.errors import EnvironmentFault, Found
from gitinstinct.git.run import GitError
from gitinstinct.store import incoming, layout
from gitinstinct.store.layout import About
from gitinstinct.store.store import Store
from tests.support.mates import GENESIS, blob, commit_of, tree
from tests.support.repos import git
from tests.support.stores import ABOUT, instinct, new_store


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """One store for all: nothing here changes it."""
    place = tmp_path_factory.mktemp("incoming")
    with pytest.MonkeyPatch.context() as patch:
        for name in ("HOME", "GITINSTINCT_HOME"):
            patch.setenv(name, str(place / name))
        yield new_store()


def theirs(held: Store, *more: tuple[str, bytes, str], about: bytes | None = None, files: int = 1) -> str:
    """A store's commit with `files` instincts and what is added at the top."""
    repo = held.repo
    good = blob(repo, instinct("good"))
    inner = tree(repo, *(("100644", f"good-{number:06}.md".encode(), good) for number in range(files)))
    yaml = blob(repo, ABOUT.render() if about is None else about)
    entries = [("40000", b"instincts", inner), ("100644", b"store.yaml", yaml)]
    names = {name for _, name, _ in more}
    entries = [entry for entry in entries if entry[1] not in names]
    return commit_of(repo, tree(repo, *sorted([*entries, *more], key=lambda entry: entry[1])), GENESIS)


def inside(held: Store, mode: str, name: bytes, oid: str | None = None) -> str:
    """A commit with one odd entry in instincts/."""
    good = blob(held.repo, instinct("good"))
    inner = tree(held.repo, ("100644", b"good.md", good), (mode, name, oid or good))
    return theirs(held, ("40000", b"instincts", inner))


def refused(held: Store, commit: str) -> str:
    before = git(held.path, "for-each-ref")
    with pytest.raises(Found) as caught:
        incoming.check(held, commit)
    assert git(held.path, "for-each-ref") == before
    assert caught.value.hint
    assert caught.value.message.isprintable()
    return caught.value.message


def test_a_store_is_taken(held: Store) -> None:
    incoming.check(held, theirs(held))
    incoming.check(held, GENESIS)
    incoming.check(held, git(held.path, "rev-parse", "main"))


@pytest.mark.parametrize(
    ("mode", "name", "says"),
    [
        ("120000", b"link.md", "instincts/link.md: a symbolic link"),
        ("160000", b"sub", "instincts/sub: a submodule"),
        ("100755", b"run.md", "instincts/run.md: mode 100755"),
        ("100644", b"GOOD.md", "instincts/GOOD.md: upper case"),
        ("100644", b"x\ny.md", "'instincts/x\\ny.md'"),
        ("100644", b"x\x1b[31m.md", "\\x1b[31m"),
        ("100644", b"x\xff.md", "not the name"),
        ("100644", b"-x.md", "instincts/-x.md: not the name"),
        ("100644", b".x.md", "not the name"),
        ("100644", b"x\\y.md", "not the name"),
        ("100644", b"x:y.md", "not the name"),
        ("100644", b"x.md ", "not the name"),
        ("100644", b"x.txt", "not the name"),
        ("100644", b"x" * 255, "not the name"),
    ],
)  # fmt: skip
def test_odd_entries_are_refused_by_name(mode: str, name: bytes, says: str, held: Store) -> None:
    oid = "1" * 40 if mode == "160000" else None
    assert says in refused(held, inside(held, mode, name, oid))


def test_a_folder_among_instincts(held: Store) -> None:
    inner = tree(held.repo, ("100644", b"a.md", blob(held.repo, b"x")))
    assert "instincts/deep: not the name" in refused(held, inside(held, "40000", b"deep", inner))


@pytest.mark.parametrize(
    ("mode", "name", "says"),
    [
        ("100644", b"notes.txt", "notes.txt: a file that does not belong"),
        ("100644", b"instincts", "instincts: a file that does not belong"),
        ("120000", b"instincts", "instincts: a symbolic link"),
        ("120000", b"evolved", "evolved: a symbolic link"),
        ("120000", b"store.yaml", "store.yaml: a symbolic link"),
        ("100644", b"CLAUDE.md", "does not belong"),
        ("100644", b".gitmodules", "does not belong"),
        ("100644", b"readme.md", "does not belong"),
    ],
)
def test_what_lies_at_the_top(mode: str, name: bytes, says: str, held: Store) -> None:
    assert says in refused(held, theirs(held, (mode, name, blob(held.repo, b"x"))))


def test_a_foreign_folder_is_named_once_and_not_looked_into(held: Store) -> None:
    assert refused(held, theirs(held, ("40000", b".claude", _bomb(held)))).count(".claude") == 1


def test_twins_below_evolved(held: Store) -> None:
    oid = blob(held.repo, b"x")
    evolved = tree(held.repo, ("100644", b"A.md", oid), ("100644", b"a.md", oid))
    assert "evolved/a.md: the same name as evolved/A.md" in refused(held, theirs(held, ("40000", b"evolved", evolved)))


def test_the_workflow_is_taken_and_nothing_beside_it(held: Store) -> None:
    oid = blob(held.repo, b"name: x\n")
    ours = ("100644", b"gitinstinct.yml", oid)

    def github(*inner: tuple[str, bytes, str], outer: tuple[tuple[str, bytes, str], ...] = ()) -> str:
        workflows = ("40000", b"workflows", tree(held.repo, *sorted(inner, key=lambda entry: entry[1])))
        top = tree(held.repo, *sorted([workflows, *outer], key=lambda entry: entry[1]))
        return theirs(held, ("40000", b".github", top))

    incoming.check(held, github(ours))
    beside = refused(held, github(ours, ("100644", b"evil.yml", oid), outer=(("100644", b"CODEOWNERS", oid),)))
    assert ".github/workflows/evil.yml: a file that does not belong" in beside
    assert ".github/CODEOWNERS: a file that does not belong" in beside
    assert "mode 100755" in refused(held, github(("100755", b"gitinstinct.yml", oid)))
    assert "a symbolic link" in refused(held, github(("120000", b"gitinstinct.yml", oid)))
    assert "65,537 bytes" in refused(held, github(("100644", b"gitinstinct.yml", blob(held.repo, b"x" * 65_537))))
    for deep in (github(ours, ("40000", b"sub", _bomb(held))), github(ours, outer=(("40000", b"x", _bomb(held)),))):
        assert "does not belong" in refused(held, deep)
    assert ".github" in refused(held, theirs(held, ("40000", b".github", _bomb(held))))
    assert "upper case" in refused(held, github(ours, ("100644", b"Gitinstinct.yml", oid)))


def test_what_is_evolved_is_taken(held: Store) -> None:
    skill = tree(held.repo, ("100644", b"SKILL.md", blob(held.repo, b"x")))
    for name in (b"c", b"b", b"a"):
        skill = tree(held.repo, ("40000", name, skill))
    incoming.check(held, theirs(held, ("40000", b"evolved", skill)))
    deeper = tree(held.repo, ("40000", b"d", skill))
    assert "evolved/" in refused(held, theirs(held, ("40000", b"evolved", deeper)))


@pytest.mark.parametrize(("size", "taken"), [(0, True), (layout.CAP, True), (layout.CAP + 1, False)])
def test_the_size_of_a_file(size: int, taken: bool, held: Store) -> None:
    commit = inside(held, "100644", b"big.md", blob(held.repo, b"x" * size))
    if taken:
        incoming.check(held, commit)
    else:
        assert "instincts/big.md: 65,537 bytes" in refused(held, commit)


def test_a_missing_blob(held: Store) -> None:
    assert "missing or damaged" in refused(held, inside(held, "100644", b"gone.md", "1" * 40))


# --- whose it is


def test_another_project(held: Store) -> None:
    other = About("project", "0123456789ab", "other").render()
    assert "belongs to other (0123456789ab), this store to my-api" in refused(held, theirs(held, about=other))
    assert "global" in refused(held, theirs(held, about=About("global", "", "global").render()))


def test_a_newer_format(held: Store) -> None:
    with pytest.raises(EnvironmentFault, match="format 2") as caught:
        incoming.check(held, theirs(held, about=ABOUT.render().replace(b"format: 1", b"format: 2")))
    assert "newer gitinstinct" in caught.value.hint


@pytest.mark.parametrize("about", [b"", b"[", b"format: x\n", b"&a [*a, *a]\n"])
def test_a_store_yaml_that_says_nothing(about: bytes, held: Store) -> None:
    with pytest.raises(EnvironmentFault, match=r"store\.yaml"):
        incoming.check(held, theirs(held, about=about))


def test_no_store_at_all(held: Store) -> None:
    oid = blob(held.repo, b"x")
    bare = commit_of(held.repo, tree(held.repo, ("100644", b"README.md", oid)), GENESIS)
    assert "it has no store.yaml" in refused(held, bare)
    unrelated = commit_of(held.repo, tree(held.repo, ("100644", b"README.md", oid)))
    assert "no common beginning" in refused(held, unrelated)


# --- bombs


def _bomb(held: Store, levels: int = 10) -> str:
    """Ten levels of ten: ten thousand million files in eleven objects."""
    made = tree(held.repo, ("100644", b"x.md", blob(held.repo, b"x")))
    for _ in range(levels):
        made = tree(held.repo, *(("40000", b"%d" % number, made) for number in range(10)))
    return made


@pytest.mark.parametrize("where", [b"instincts", b"evolved", b"other"])
def test_a_tree_without_end(where: bytes, held: Store) -> None:
    message = refused(held, theirs(held, ("40000", where, _bomb(held))))
    assert where.decode() in message


def test_too_many_files(held: Store) -> None:
    assert "20,000 files" in refused(held, theirs(held, files=20_001))


def test_a_tree_to_compare_with_may_be_odd_and_not_boundless(held: Store) -> None:
    """A file that somebody once put there is no reason to refuse for ever."""
    odd = theirs(held, ("100644", b"notes.txt", blob(held.repo, b"x")))
    main = git(held.path, "rev-parse", "main")
    for base, taken in ((odd, True), (theirs(held, ("40000", b"instincts", _bomb(held))), True),
                        (theirs(held, ("40000", b"evolved", _bomb(held))), False)):  # fmt: skip
        git(held.path, "update-ref", "refs/heads/main", commit_of(held.repo, _tree_of(held, theirs(held)), base))
        new = commit_of(held.repo, _tree_of(held, theirs(held)), base, message=b"y\n")
        if taken:
            incoming.check(held, new)
        else:
            assert "folders" in refused(held, new)
    git(held.path, "update-ref", "refs/heads/main", main)


def _tree_of(held: Store, commit: str) -> str:
    return git(held.path, "rev-parse", f"{commit}^{{tree}}")


def test_all_files_together(held: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(incoming, "BYTES", 1_000)
    assert "1,000 are the most" in refused(held, theirs(held, files=10))


def test_a_commit_with_a_huge_message_or_very_many_parents(held: Store) -> None:
    top = _tree_of(held, theirs(held))
    assert "65,536 are the most" in refused(held, commit_of(held.repo, top, GENESIS, message=b"x" * 1_000_000))
    parents = [commit_of(held.repo, top, GENESIS, message=b"%d" % number) for number in range(17)]
    many = commit_of(held.repo, top, *parents)
    assert "17 parents; 16 are the most" in refused(held, many)
    assert "17 parents" in refused(held, commit_of(held.repo, top, many))


def test_too_many_commits(held: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(incoming, "COMMITS", 20)
    top, commit = _tree_of(held, theirs(held)), GENESIS
    for _ in range(20):
        commit = commit_of(held.repo, top, commit)
    incoming.check(held, commit)
    assert "more than 20 new commits" in refused(held, commit_of(held.repo, top, commit))


def test_a_commit_that_is_not_there(held: Store) -> None:
    with pytest.raises(GitError):
        incoming.check(held, "1" * 40)
