"""The merge of two commits in this process: what it decides, how it lands, and what may come in between."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from gitinstinct.errors import Found
from gitinstinct.git.trailers import Message
from gitinstinct.instinct import markdown
from gitinstinct.store import commit, merging, store
from gitinstinct.store.errors import Waiting
from gitinstinct.store.layout import WORKFLOW
from gitinstinct.store.merging import Merging, Outcome
from gitinstinct.store.store import Store
from tests.support import files
from tests.support.driven import MARK, OURS, PATH, START, THEIRS, Desk, confirmed
from tests.support.repos import commit_all, corrupt, git, script, snapshot
from tests.support.stores import ABOUT, NOW, assert_sound, instinct, new_store, newest, subjects

ROOT = Path(__file__).parents[2]
MERGED = ["seen", "confirmed by a", "confirmed by bb"]


@pytest.fixture
def held() -> Store:
    """A store with one instinct, and a branch `side` that begins there."""
    made = new_store()
    commit_all(made.path, {PATH: START}, "start")
    git(made.path, "branch", "side")
    return made


def on_side(held: Store, some: dict[str, bytes | None], branch: str = "side") -> str:
    """Another's commit on that branch; the commit's id. Main is checked out again afterwards."""
    git(held.path, "checkout", "-q", branch)
    oid = on_main(held, some, "theirs")
    git(held.path, "checkout", "-q", "main")
    return oid


def on_main(held: Store, some: dict[str, bytes | None], message: str = "ours") -> str:
    for path, data in some.items():
        if data is None:
            git(held.path, "rm", "-q", path)
    return commit_all(held.path, {path: data for path, data in some.items() if data is not None}, message)


def merge(held: Store, theirs: str = "", *, forward: bool = True, rehearse: bool = False) -> Outcome:
    theirs = theirs or git(held.path, "rev-parse", "side")
    return merging.merge(held, theirs, NOW, message=message, forward=forward, rehearse=rehearse)


def message(found: Merging) -> Message:
    return Message(f"merge: {len(found.merged)} merged")


def evidence(held: Store, path: str = PATH) -> list[str]:
    return [entry.text for entry in markdown.parse(committed(held, path)).ledger]


def committed(held: Store, path: str = PATH) -> bytes:
    data = newest(held).read(path)
    assert data is not None
    return data


# --- deciding


def test_every_file_that_both_changed_goes_through_the_merge(held: Store) -> None:
    """Git's text merge of these calls itself clean, with 7 confirmations where 8 are right."""
    base = confirmed(START, 1, 3, 5)
    on_main(held, {PATH: base})
    git(held.path, "branch", "-qf", "side", "main")
    on_side(held, {PATH: confirmed(base, 4, who="bb")})
    on_main(held, {PATH: confirmed(base, 0)})
    done = merge(held)
    assert done.merging.merged == ("prefer-rg",)
    assert markdown.parse(committed(held)).written["confirmations"] == 8
    assert_sound(held)


def test_what_only_they_changed_is_taken(held: Store) -> None:
    on_main(held, {"instincts/gone.md": files.made("gone")})
    git(held.path, "branch", "-qf", "side", "main")
    theirs = on_side(held, {"instincts/gone.md": None, "instincts/new.md": files.made("new"), PATH: THEIRS})
    on_main(held, {"instincts/ours.md": files.made("ours")})
    done = merge(held)
    assert (done.merging.added, done.merging.changed, done.merging.removed) == (("new",), ("prefer-rg",), ("gone",))
    assert done.merging.merged == ()
    assert sorted(newest(held).instincts()[0]) == ["new", "ours", "prefer-rg"]
    assert git(held.path, "log", "-1", "--format=%P", "main").split()[1] == theirs
    assert_sound(held)


def test_a_file_is_its_id_whatever_it_looks_like(held: Store) -> None:
    """Git would carry our evidence over into the file that replaced ours there."""
    terse = files.made("other", action="Use `rg`.")
    on_side(held, {PATH: None, "instincts/other.md": terse})
    on_main(held, {PATH: OURS})
    done = merge(held)
    assert done.merging.conflicts == {"prefer-rg": ("file",)}
    assert committed(held, "instincts/other.md") == terse
    assert evidence(held) == ["seen", "confirmed by a"]
    assert markdown.parse(committed(held)).conflicts == [{"field": "file", "values": ["absent", "present"]}]


@pytest.mark.parametrize("gone", ["ours", "theirs"])
def test_deleted_against_edited_is_held(held: Store, gone: str) -> None:
    on_side(held, {PATH: None if gone == "theirs" else THEIRS})
    on_main(held, {PATH: None if gone == "ours" else OURS})
    assert merge(held).merging.conflicts == {"prefer-rg": ("file",)}
    assert b"field: file" in committed(held)
    assert_sound(held)


@pytest.mark.parametrize("both", [True, False])
def test_deleted_against_unchanged_or_deleted_is_gone(held: Store, both: bool) -> None:
    on_side(held, {PATH: None})
    on_main(held, {PATH: None} if both else {"instincts/ours.md": files.made("ours")})
    merge(held)
    assert PATH not in newest(held).files
    assert_sound(held)


def test_both_made_it(held: Store) -> None:
    path = "instincts/other.md"
    on_side(held, {path: confirmed(files.made("other"), 2, who="bb")})
    on_main(held, {path: confirmed(files.made("other"), 1)})
    merge(held)
    assert evidence(held, path) == MERGED


def test_words_in_dispute_are_committed_as_data(held: Store) -> None:
    on_side(held, {PATH: THEIRS.replace(b"when searching text", b"when b")})
    on_main(held, {PATH: OURS.replace(b"when searching text", b"when a")})
    done = merge(held)
    assert done.merging.conflicts == {"prefer-rg": ("trigger",)}
    assert MARK not in committed(held)
    assert evidence(held) == MERGED
    assert_sound(held)


@pytest.mark.parametrize(
    ("ours", "theirs", "stands"),
    [
        (b"b\n", b"a\n", b"a\n"),
        (b"a\n", b"b\n", b"a\n"),
        (None, b"b\n", b"b\n"),
        (b"a\n", None, b"a\n"),
    ],
)
@pytest.mark.parametrize("path", ["README.md", WORKFLOW])
def test_what_is_no_instinct_is_never_in_conflict(
    path: str, held: Store, ours: bytes | None, theirs: bytes | None, stands: bytes
) -> None:
    if path == WORKFLOW:
        commit_all(held.path, {path: b"first\n"})
        git(held.path, "branch", "-f", "side")
    on_side(held, {path: theirs})
    on_main(held, {path: ours})
    assert not merge(held).merging.conflicts
    assert committed(held, path) == stands


def test_a_workflow_that_one_side_changed_is_that_sides(held: Store) -> None:
    commit_all(held.path, {WORKFLOW: b"a\n"})
    git(held.path, "branch", "-f", "side")
    on_side(held, {WORKFLOW: b"b\n"})
    on_main(held, {PATH: OURS})
    assert merge(held).merging.files[WORKFLOW] == b"b\n"
    assert (held.path / WORKFLOW).read_bytes() == b"b\n"
    assert_sound(held)


def test_of_two_formats_the_newer_stands(held: Store) -> None:
    about = ABOUT.render()
    on_side(held, {"store.yaml": about.replace(b"format: 1", b"format: 2")})
    on_main(held, {"store.yaml": about.replace(b"my-api", b"a-name")})
    found = merging.decide(held.repo, "main", git(held.path, "rev-parse", "side"))
    assert found.files == {"store.yaml": about.replace(b"format: 1", b"format: 2")}


def test_what_no_store_may_hold_is_not_taken(held: Store) -> None:
    on_side(held, {"payload.sh": b"x\n", "instincts/Upper.md": b"x\n", PATH: THEIRS})
    on_main(held, {PATH: OURS})
    merge(held)
    assert {"payload.sh", "instincts/Upper.md"}.isdisjoint(
        git(held.path, "ls-tree", "-r", "--name-only", "main").split()
    )
    assert evidence(held) == MERGED


UNREADABLE = {
    "no frontmatter": b"# Prefer rg\n",
    "not UTF-8": START.replace(b"Use", b"\xff"),
    "marks": START.replace(b"# Prefer Rg\n", b"<<<<<<< HEAD\n# A\n=======\n# B\n>>>>>>> x\n"),
    "too large": START + b"x" * 70_000,
}


@pytest.mark.parametrize(
    ("what", "side"),
    [(what, side) for what in UNREADABLE for side in ("ours", "theirs") if (what, side) != ("too large", "ours")],
)
def test_a_side_that_cannot_be_read_never_displaces_one_that_can(held: Store, what: str, side: str) -> None:
    on_side(held, {PATH: UNREADABLE[what] if side == "theirs" else THEIRS})
    on_main(held, {PATH: UNREADABLE[what] if side == "ours" else OURS})
    done = merge(held)
    assert [refusal.path for refusal in done.merging.unreadable] == [PATH]
    assert evidence(held) == ["seen", "confirmed by a" if side == "theirs" else "confirmed by bb"]


def test_a_file_of_ours_that_is_too_large_to_be_looked_at_waits(held: Store) -> None:
    on_side(held, {PATH: THEIRS})
    on_main(held, {PATH: UNREADABLE["too large"]})
    with pytest.raises(Waiting, match=r"prefer-rg\.md waits for you"):
        merge(held)
    assert (held.path / PATH).read_bytes() == UNREADABLE["too large"]


def test_a_damaged_blob_of_theirs_is_named(held: Store) -> None:
    on_side(held, {PATH: THEIRS, "instincts/new.md": files.made("new")})
    on_main(held, {"instincts/ours.md": files.made("ours")})
    corrupt(held.repo, git(held.path, "rev-parse", "side:instincts/new.md"), None)
    done = merge(held)
    assert [refusal.path for refusal in done.merging.unreadable] == ["instincts/new.md"]
    assert evidence(held) == ["seen", "confirmed by bb"]


def test_no_common_beginning(held: Store) -> None:
    tree = git(held.path, "rev-parse", "main^{tree}")
    root = git(held.path, "commit-tree", "-m", "a root of its own", tree)
    before = snapshot(held.path)
    with pytest.raises(Found, match="no common beginning"):
        merge(held, root)
    assert snapshot(held.path) == before


def criss_cross(held: Store, deep: int) -> None:
    """Both sides take each other in `deep` times, and go on."""
    for number in range(deep):
        on_side(held, {PATH: confirmed(at(held, "side"), number, who="bb")})
        on_main(held, {PATH: confirmed(at(held, "main"), number)})
        ours, theirs = git(held.path, "rev-parse", "main", "side").splitlines()
        for branch, other in (("main", theirs), ("side", ours)):
            git(held.path, "checkout", "-q", branch)
            git(held.path, "merge", "-q", "--no-edit", other)
        git(held.path, "checkout", "-q", "main")
    on_side(held, {PATH: confirmed(at(held, "side"), 5, who="bb")})
    on_main(held, {PATH: confirmed(at(held, "main"), 5)})


def at(held: Store, revision: str) -> bytes:
    return (git(held.path, "show", f"{revision}:{PATH}") + "\n").encode()


@pytest.mark.parametrize("deep", [1, pytest.param(4, marks=pytest.mark.slow)])
def test_several_merge_bases_are_folded(held: Store, deep: int) -> None:
    criss_cross(held, deep)
    found = merge(held)
    assert len(found.merging.bases) == 2
    assert len(evidence(held)) == 1 + 2 * (deep + 1)
    assert_sound(held)


def test_a_retraction_outlives_a_criss_cross(held: Store) -> None:
    criss_cross(held, 1)
    data = at(held, "main")
    key = markdown.parse(data).ledger[1].key
    line = f"- 2026-11-20 retracted {key}: undone [01m7pjsb80-0b0b0b0b]\n".encode()
    on_main(held, {PATH: data.rstrip() + b"\n" + line})
    merge(held)
    assert "undone" in evidence(held)


# --- landing


def test_forward_where_it_is_possible(held: Store) -> None:
    theirs = on_side(held, {PATH: THEIRS})
    done = merge(held)
    assert (done.forwarded, done.commit, git(held.path, "rev-parse", "main")) == (True, theirs, theirs)
    assert (held.path / PATH).read_bytes() == THEIRS
    assert_sound(held)


def test_a_commit_of_its_own_where_that_is_wanted(held: Store) -> None:
    theirs = on_side(held, {PATH: THEIRS})
    before = git(held.path, "rev-parse", "main")
    done = merge(held, forward=False)
    assert not done.forwarded
    assert git(held.path, "log", "-1", "--format=%P", "main") == f"{before} {theirs}"
    assert_sound(held)


@pytest.mark.parametrize("side", ["the same", "an older one"])
def test_nothing_to_do(held: Store, side: str) -> None:
    if side == "an older one":
        on_main(held, {PATH: OURS})
    before = snapshot(held.path)
    done = merge(held)
    assert done.merging.up_to_date
    assert (done.commit, done.forwarded) == (None, False)
    assert snapshot(held.path) == before


def test_both_came_to_the_same(held: Store) -> None:
    """No file changes, and yet the history is joined, so that it need not be merged again."""
    theirs = on_side(held, {PATH: OURS})
    on_main(held, {PATH: OURS})
    done = merge(held)
    assert done.commit == git(held.path, "rev-parse", "main")
    assert git(held.path, "log", "-1", "--format=%P", "main").split()[1] == theirs
    assert merge(held).commit is None
    assert_sound(held)


def test_a_rehearsal_writes_nothing(held: Store) -> None:
    on_side(held, {PATH: THEIRS})
    on_main(held, {PATH: OURS})
    before = snapshot(held.path)
    done = merge(held, rehearse=True)
    assert (done.commit, done.merging.merged) == (None, ("prefer-rg",))
    assert snapshot(held.path) == before


def test_head_on_another_branch_stays_there(held: Store) -> None:
    on_side(held, {PATH: THEIRS})
    on_main(held, {PATH: OURS})
    git(held.path, "checkout", "-q", "side")
    merge(held)
    assert evidence(held) == MERGED
    assert (held.path / PATH).read_bytes() == THEIRS
    assert git(held.path, "status", "--porcelain", "-b") == "## side"
    git(held.path, "checkout", "-q", "main")
    assert_sound(held)


def test_a_detached_head_stays_there(held: Store) -> None:
    on_side(held, {PATH: THEIRS})
    on_main(held, {PATH: OURS})
    git(held.path, "checkout", "-q", "--detach")
    merge(held)
    assert (held.path / PATH).read_bytes() == OURS
    assert evidence(held) == MERGED


def test_a_repository_without_a_work_tree_decides_the_same(held: Store, tmp_path: Path) -> None:
    from gitinstinct.git.repo import Repo

    theirs, ours = on_side(held, {PATH: THEIRS}), on_main(held, {PATH: OURS})
    git(tmp_path, "clone", "-q", "--bare", str(held.path), "bare")
    found = merging.decide(Repo(tmp_path / "bare"), ours, theirs)
    assert found == merging.decide(held.repo, ours, theirs)


# --- a person's own work


def test_an_edit_that_is_valid_is_committed_first_and_merged(held: Store) -> None:
    on_side(held, {PATH: THEIRS})
    (held.path / PATH).write_bytes(OURS)
    done = merge(held)
    assert len(done.edits) == 1
    assert {"merge: 1 merged", "edit: prefer-rg", "theirs"} <= {*subjects(held)}
    assert evidence(held) == MERGED
    assert_sound(held)


def test_an_edit_in_the_way_that_is_not_valid_waits(held: Store) -> None:
    on_side(held, {PATH: THEIRS})
    on_main(held, {"instincts/ours.md": files.made("ours")})
    (held.path / PATH).write_bytes(START.replace(b"confirmations: ", b"confirmations: many"))
    before = git(held.path, "rev-parse", "main")
    with pytest.raises(Waiting, match=r"prefer-rg\.md waits for you"):
        merge(held)
    assert git(held.path, "rev-parse", "main") == before
    assert b"many" in (held.path / PATH).read_bytes()


def test_what_lies_elsewhere_is_not_touched(held: Store) -> None:
    on_side(held, {PATH: THEIRS})
    on_main(held, {"instincts/other.md": files.made("other"), PATH: OURS})
    (held.path / "instincts/other.md").write_text("half written")
    (held.path / "notes.txt").write_text("mine")
    done = merge(held)
    assert {refusal.path for refusal in done.held} >= {"instincts/other.md"}
    assert (held.path / "instincts/other.md").read_text() == "half written"
    assert (held.path / "notes.txt").read_text() == "mine"
    assert evidence(held) == MERGED


@pytest.mark.parametrize("begun", ["merge", "cherry-pick", "revert", "rebase"])
def test_what_a_person_has_begun_comes_first(held: Store, begun: str) -> None:
    on_side(held, {PATH: THEIRS.replace(b"when searching text", b"when b")})
    theirs = git(held.path, "rev-parse", "side")
    on_main(held, {PATH: OURS.replace(b"when searching text", b"when a")})
    on_main(held, {PATH: OURS.replace(b"when searching text", b"when c")})
    Desk(held.path).tried(*(begun, "--no-edit", "main~1") if begun == "revert" else (begun, theirs))
    before = git(held.path, "rev-parse", "refs/heads/main")
    with pytest.raises(Waiting, match=r"unfinished|rewritten"):
        merge(held)
    assert git(held.path, "rev-parse", "refs/heads/main") == before
    Desk(held.path).git(begun, "--abort")
    merge(held)
    assert evidence(held) == MERGED


# --- others at the same time


def test_a_branch_that_moves_meanwhile_is_decided_on_again(held: Store) -> None:
    on_side(held, {PATH: THEIRS})
    seen = list[Merging]()

    def meanwhile(found: Merging) -> Message:
        if not seen:
            on_main(held, {PATH: confirmed(OURS, 3)}, "meanwhile")
        seen.append(found)
        return message(found)

    on_main(held, {PATH: OURS})
    merging.merge(held, git(held.path, "rev-parse", "side"), NOW, message=meanwhile)
    assert len(seen) == 2
    assert evidence(held) == [*MERGED, "confirmed by a"]
    assert_sound(held)


def test_the_swap_of_a_fast_forward_is_lost_too(held: Store) -> None:
    theirs, seen = on_side(held, {PATH: THEIRS}), list[Merging]()

    def meanwhile(found: Merging) -> Message:
        if not seen:
            on_main(held, {PATH: OURS}, "meanwhile")
        seen.append(found)
        return message(found)

    done = merging.merge(held, theirs, NOW, message=meanwhile)
    assert not done.forwarded
    assert evidence(held) == MERGED
    assert_sound(held)


KILLED = """
import os, signal, sys
from pathlib import Path
from gitinstinct.git import objects, refs
from gitinstinct.store import checkout, merging, store
from tests.store.test_merging import NOW, message
def die(*_, **__):
    os.kill(os.getpid(), signal.SIGKILL)
module, name, late = sys.argv[3].split(".")
place = {"objects": objects, "refs": refs, "checkout": checkout}[module]
real = getattr(place, name)
setattr(place, name, (lambda *a, **k: (real(*a, **k), die())) if late == "late" else die)
held = store.open(Path(sys.argv[1]))
merging.merge(held, sys.argv[2], NOW, message=message, forward=sys.argv[4] == "forward")
"""
STEPS = ("objects.write", "refs.move", "checkout._stage", "checkout._bring")


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("forward", ["commit", pytest.param("forward", marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    "step", [*(f"{step}.late" for step in STEPS), *(pytest.param(f"{s}.early", marks=pytest.mark.slow) for s in STEPS)]
)
def test_a_kill_at_any_step_leaves_the_old_state_or_the_new(held: Store, step: str, forward: str) -> None:
    theirs = on_side(held, {PATH: THEIRS, "instincts/new.md": files.made("new")})
    if forward == "commit":
        on_main(held, {PATH: OURS})
    wanted = MERGED if forward == "commit" else ["seen", "confirmed by bb"]
    before = git(held.path, "rev-parse", "main")
    argv = [sys.executable, "-c", KILLED, str(held.path), theirs, step, forward]
    killed = subprocess.run(argv, cwd=ROOT, capture_output=True, check=False)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    landed = git(held.path, "rev-parse", "main") != before
    assert landed is not step.startswith(("objects", "refs.move.early"))
    merge(held, theirs)
    commit.write(held, lambda _: None, NOW)
    assert evidence(held) == wanted
    assert (held.path / "instincts/new.md").read_bytes() == files.made("new")
    assert_sound(held)


# --- processes


def counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """Counts the git processes from here on, by a `git` in front of the real one."""
    log = tmp_path / "log"
    real = subprocess.run(["sh", "-c", "command -v git"], capture_output=True, text=True, check=True).stdout.strip()
    script(tmp_path / "bin", "git", f'echo x >>"{log}"\nexec {real} "$@"')
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    return lambda: len(log.read_text().splitlines()) if log.exists() else 0


def test_the_number_of_processes_does_not_grow_with_the_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = []
    for many in (1, 60):
        held = new_store(tmp_path / str(many))
        names = [f"made-{number}" for number in range(many)]
        starts = {f"instincts/{name}.md": instinct(name) for name in names}
        commit_all(held.path, dict(starts), "start")
        git(held.path, "branch", "side")
        on_side(held, {path: confirmed(data, 2, who="bb") for path, data in starts.items()})
        on_main(held, {path: confirmed(data, 1) for path, data in starts.items()})
        with monkeypatch.context() as patched:
            count = counted(tmp_path / f"count-{many}", patched)
            done = merge(held)
            numbers.append(count())
        assert len(done.merging.merged) == many
        assert_sound(held)
    assert 0 < numbers[0] == numbers[1] < 25


def test_the_store_opens_as_before(held: Store) -> None:
    on_side(held, {PATH: THEIRS})
    merge(held)
    assert store.open(held.path) == held
