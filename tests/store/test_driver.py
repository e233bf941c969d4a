"""The merge driver as git calls it: how it is wired, what may go wrong with it, and every kind of input.

Whatever fails, both sides stand in the file and git knows of a conflict.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gitinstinct import driver as program
from gitinstinct.instinct.sheet import LENGTH
from gitinstinct.store import driver, filemerge, store, wiring
from tests.support import files
from tests.support.driven import MARK, OURS, PATH, START, THEIRS, Desk, confirmed, desk, interpreter
from tests.support.repos import git

ROOT = Path(__file__).parents[2]
MERGED = filemerge.merge(PATH, START, OURS, THEIRS).data


@pytest.fixture
def parted(tmp_path: Path) -> Desk:
    """Two sides that only our rules can join."""
    made = desk(tmp_path / "store")
    made.part(START, OURS, THEIRS)
    return made


def rewired(held: Desk, command: str) -> None:
    held.git("config", "merge.instinct.driver", command)


def assert_both_sides_stand(held: Desk) -> None:
    """A conflict that nobody can overlook, and that plain git can take back."""
    data = held.data()
    assert MARK in data
    assert data.count(b"confirmed by a") == data.count(b"confirmed by bb") == 1
    assert held.status() == f"UU {PATH}"
    held.git("merge", "--abort")
    assert held.data() == OURS


def test_git_merges_by_our_rules(parted: Desk) -> None:
    assert parted.merge() == 0
    assert parted.data() == MERGED
    assert parted.evidence() == ["seen", "confirmed by a", "confirmed by bb"]
    assert parted.status() == ""


def test_the_attribute_is_in_force(parted: Desk) -> None:
    asked = parted.git("check-attr", "merge", "diff", "--", "instincts/x.md", "README.md")
    assert asked.splitlines() == [
        "instincts/x.md: merge: instinct", "instincts/x.md: diff: instinct",
        "README.md: merge: set", "README.md: diff: set",
    ]  # fmt: skip
    lines = (parted.folder / ".git/config").read_text().splitlines()
    wired = [line.split(" = ")[0].strip() for line in lines if line.startswith(("\tdriver", "\tname ="))]
    assert wired.index("driver") < wired.index("name", 1), "git dies of a driver with a name and no command"


# --- what may go wrong with the program

SCRIPTS = {
    "raises at once": "raise RuntimeError('no')",
    "exits with Python's own code": "import sys; sys.exit(1)",
    "is killed": "import os, signal; os.kill(os.getpid(), signal.SIGKILL)",
    "gives a code of nobody": "import os; os._exit(77)",
    "gives 255": "import os; os._exit(255)",
    "is cut off by a parse error": "def",
    "finds no package": (ROOT / "hooks/merge.py").read_text(),
    "fails before it reads": "import gitinstinct.driver as d; d._read = None; run(d)",
    "fails after it has read": "import gitinstinct.driver as d; d._merge = None; run(d)",
    "fails when it writes": "import gitinstinct.driver as d; d._write = None; run(d)",
    "runs out of memory": (
        "import gitinstinct.driver as d\n"
        "def full(*_):\n    raise MemoryError\n"
        "d._merge = full\nrun(d)"
    ),
    "never ends": "import gitinstinct.driver as d, time; d.SECONDS = 1; d._merge = lambda *_: time.sleep(60); run(d)",
}  # fmt: skip
_RUN = f"""import sys
sys.path.append({str(ROOT)!r})
def run(driver):
    import os
    try:
        code = driver.main(sys.argv[1:])
    except BaseException:
        code = 3
    os._exit(code)
"""


@pytest.mark.parametrize("what", SCRIPTS)
def test_a_script_that_fails_leaves_both_sides(parted: Desk, tmp_path: Path, what: str) -> None:
    script = tmp_path / "elsewhere" / "hooks" / "merge.py"
    script.parent.mkdir(parents=True)
    body = SCRIPTS[what]
    script.write_text(_RUN + body if "run(d)" in body else body)
    rewired(parted, driver.command(script=script))
    assert parted.merge() == 1
    assert_both_sides_stand(parted)


@pytest.mark.parametrize("line", ["exit 1", "exit 2", "exit 126", "exit 127", "exit 129", "exec /gone", "kill -9 $$"])
def test_an_interpreter_that_fails_leaves_both_sides(parted: Desk, tmp_path: Path, line: str) -> None:
    rewired(parted, driver.command(interpreter(tmp_path / "bin/python", line)))
    assert parted.merge() == 1
    assert_both_sides_stand(parted)


@pytest.mark.parametrize("gone", ["interpreter", "script"])
def test_what_is_gone_leaves_both_sides_and_is_told(parted: Desk, tmp_path: Path, gone: str) -> None:
    place = tmp_path / "gone"
    rewired(parted, driver.command(str(place)) if gone == "interpreter" else driver.command(script=place))
    assert wiring.fault(parted.repo) == f"its merge driver is gone: {place}"
    assert parted.merge() == 1
    assert_both_sides_stand(parted)


def test_a_program_that_is_no_program(parted: Desk, tmp_path: Path) -> None:
    file = tmp_path / "python"
    file.write_text("not executable")
    rewired(parted, driver.command(str(file)))
    assert parted.merge() == 1
    assert_both_sides_stand(parted)


@pytest.mark.parametrize("git_says", ["conflict", "clean"])
def test_the_kill_switch_leaves_all_to_gits_text_merge(parted: Desk, git_says: str) -> None:
    env = {program.SWITCH: "0"}
    if git_says == "conflict":
        assert parted.merge(env=env) == 1
        assert_both_sides_stand(parted)
        return
    parted.git("checkout", "-q", "-b", "other", "main~1")
    parted.commit(START.replace(b"# Prefer Rg", b"# Prefer Ripgrep"), "a title")
    assert parted.merge(env=env) == 0
    assert parted.evidence() == ["seen", "confirmed by bb"]
    assert b"# Prefer Ripgrep" in parted.data()


# --- names

_MORE = ['double"quote', "`touch ran`", "semi;touch ran;", "back\\slash", "#hash", "a & touch ran &", "~tilde"]
NAMES = [
    "with blank", "quote's", "$(touch ran)", "new\nline", "-leading", "日本-naïve", "per%Lcent%%",
    *(pytest.param(name, marks=pytest.mark.slow) for name in _MORE),
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_odd_names_of_the_store_and_of_the_interpreter(tmp_path: Path, name: str) -> None:
    place = tmp_path / name
    python = interpreter(place / "bin" / "python")
    held = desk(place / "store", driver.command(python))
    held.part(START, OURS, THEIRS)
    assert held.merge() == 0
    assert held.data() == MERGED
    assert wiring.fault(held.repo) == ""
    assert not [*tmp_path.rglob("ran")]


@pytest.mark.parametrize("name", NAMES)
def test_a_path_in_the_tree_is_never_taken_for_a_command(tmp_path: Path, name: str) -> None:
    held, path = desk(tmp_path / "store"), f"instincts/{name}.md"
    held.part(START, OURS, THEIRS, path)
    assert held.merge() == 0
    assert held.data(path) == MERGED
    assert not [*tmp_path.rglob("ran")]


def test_nothing_in_the_work_tree_is_imported(parted: Desk, tmp_path: Path) -> None:
    canary = f"open({str(tmp_path / 'ran')!r}, 'w')"
    for module in ("gitinstinct/__init__", "gitinstinct/driver", "yaml", "gc", "os", "re", "sitecustomize", "site"):
        file = parted.folder / f"{module}.py"
        file.parent.mkdir(exist_ok=True)
        file.write_text(canary)
    env = {"PYTHONPATH": str(parted.folder), "PYTHONSTARTUP": str(parted.folder / "os.py"), "PYTHONHOME": "/gone"}
    assert parted.merge(env=env) == 0
    assert parted.data() == MERGED
    assert not (tmp_path / "ran").exists()


# --- places


@pytest.mark.parametrize(
    ("tree", "info", "by_us"),
    [
        (None, "ours", True),
        ("* merge=union\n", "ours", True),
        ("instincts/*.md -merge\n", "ours", True),
        ("instincts/*.md merge=instinct\n", None, True),
        (None, None, False),
        ("*.md merge=instinct\ninstincts/*.md merge=text\n", None, False),
    ],
)
def test_where_the_attributes_come_from(tmp_path: Path, tree: str | None, info: str | None, by_us: bool) -> None:
    held = desk(tmp_path / "store")
    if tree:
        held.commit(tree.encode(), "attributes", ".gitattributes")
    if info is None:
        (held.folder / ".git/info/attributes").unlink()
    held.part(START, OURS, THEIRS)
    assert held.merge() == (0 if by_us else 1)
    assert (held.data() == MERGED) is by_us


def test_attributes_of_their_side_alone_come_too_late(tmp_path: Path) -> None:
    held = desk(tmp_path / "store")
    (held.folder / ".git/info/attributes").unlink()
    held.part(START, OURS, THEIRS)
    held.on("side")
    held.commit(b"instincts/*.md merge=instinct\n", "attributes", ".gitattributes")
    held.on("main")
    assert held.merge() == 1
    assert MARK in held.data()


def test_a_clone_without_the_driver_gets_markers_and_is_wired(parted: Desk, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", str(parted.folder), "clone")
    clone = Desk(tmp_path / "clone")
    assert "no merge driver is set" in wiring.fault(clone.repo)
    assert clone.merge("origin/side") == 1
    assert MARK in clone.data()
    clone.git("merge", "--abort")
    store.wire(clone.repo, driver=driver.command())
    assert wiring.fault(clone.repo) == ""
    assert clone.merge("origin/side") == 0
    assert clone.data() == MERGED


def test_what_others_have_set_stays_beside_ours(parted: Desk) -> None:
    file = parted.folder / ".git/config"
    before = file.read_text() + '# mine\n[merge "other"]\n\tdriver = "other; %A"\n[alias]\n\tst = status\n'
    file.write_text(before)
    store.wire(parted.repo, driver=driver.command())
    assert file.read_text() == before
    assert wiring.fault(parted.repo) == ""
    parted.git("config", "--add", "merge.instinct.driver", "true")
    assert "another program" in wiring.fault(parted.repo), "of two the last one counts"
    store.wire(parted.repo, driver=driver.command())
    assert wiring.fault(parted.repo) == ""
    assert 'driver = "other; %A"' in file.read_text()


def test_a_bare_repository(parted: Desk, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--bare", str(parted.folder), "bare")
    bare = tmp_path / "bare"
    (bare / "info").mkdir(exist_ok=True)
    (bare / "info/attributes").write_bytes((parted.folder / ".git/info/attributes").read_bytes())
    git(bare, "config", "merge.instinct.driver", driver.command())
    tree = git(bare, "merge-tree", "--write-tree", "main", "side")
    assert (git(bare, "cat-file", "blob", f"{tree}:{PATH}") + "\n").encode() == MERGED


def test_a_linked_work_tree(parted: Desk, tmp_path: Path) -> None:
    parted.git("worktree", "add", "-q", "-b", "there", str(tmp_path / "linked tree"), "main")
    linked = Desk(tmp_path / "linked tree")
    assert linked.merge() == 0
    assert linked.data() == MERGED


def test_started_from_a_subfolder(parted: Desk) -> None:
    assert parted.tried("merge", "-q", "--no-edit", "side", cwd=parted.folder / "instincts").returncode == 0
    assert parted.data() == MERGED


def test_variables_that_a_hook_leaves_behind(parted: Desk, tmp_path: Path) -> None:
    """Git is told where it works by variables, and stands somewhere else."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    env = {"GIT_DIR": str(parted.folder / ".git"), "GIT_WORK_TREE": str(parted.folder)}
    env |= {"GIT_INDEX_FILE": str(parted.folder / ".git/index"), "GIT_PREFIX": "x/", "GIT_REFLOG_ACTION": "x"}
    assert parted.tried("merge", "-q", "--no-edit", "side", env=env, cwd=elsewhere).returncode == 0
    assert parted.data() == MERGED
    assert not [*elsewhere.iterdir()]


@pytest.mark.skipif(os.name != "posix" or os.getuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written(parted: Desk) -> None:
    parted.folder.chmod(0o555)
    try:
        assert parted.merge() != 0
    finally:
        parted.folder.chmod(0o755)
    assert parted.data() == OURS


def test_nothing_is_left_behind(parted: Desk) -> None:
    before = {file.name for file in parted.folder.iterdir()}
    assert parted.merge() == 0
    assert {file.name for file in parted.folder.iterdir()} == before


# --- inputs


def crlf(data: bytes) -> bytes:
    return data.replace(b"\n", b"\r\n")


def field(data: bytes, name: str, value: str) -> bytes:
    """With another value in a field's line."""
    return b"".join(
        f"{name}: {value}\n".encode() if line.startswith(f"{name}:".encode()) else line
        for line in data.splitlines(keepends=True)
    )


BOM = b"\xef\xbb\xbf"
MARKED = OURS.replace(b"# Prefer Rg\n", b"<<<<<<< HEAD\n# Prefer Rg\n=======\n# Rg\n>>>>>>> side\n")
DIFF3 = OURS.replace(b"# Prefer Rg\n", b"<<<<<<< HEAD\n# Rg\n||||||| 1a2b3c\n# R\n=======\n# G\n>>>>>>> side\n")
NINE = START.replace(b"# Prefer Rg\n", b"<<<<<<<<< HEAD\n# Prefer Rg\n=========\n# Rg\n>>>>>>>>> side\n")
COMMENTED = START.replace(b"domain:", b"# what it is about\ndomain:").replace(b"tags:", b"tags: # some\n  - search\nx:")
INPUTS: dict[str, tuple[bytes | None, bytes, bytes]] = {
    "as usual": (START, OURS, THEIRS),
    "CRLF on our side": (START, crlf(OURS), THEIRS),
    "CRLF on their side": (START, OURS, crlf(THEIRS)),
    "CRLF on both": (START, crlf(OURS), crlf(THEIRS)),
    "CRLF everywhere": (crlf(START), crlf(OURS), crlf(THEIRS)),
    "CRLF and LF mixed": (START, OURS.replace(b"\n", b"\r\n", 3), THEIRS),
    "BOM on our side": (START, BOM + OURS, THEIRS),
    "BOM everywhere": (BOM + START, BOM + OURS, BOM + THEIRS),
    "no final newline on ours": (START, OURS.rstrip(), THEIRS),
    "no final newline at all": (START.rstrip(), OURS.rstrip(), THEIRS.rstrip()),
    "no base": (None, OURS, THEIRS),
    "another trigger on each": (START, field(OURS, "trigger", "when a"), field(THEIRS, "trigger", "when b")),
    "a rule in the body": (START, OURS + b"\n---\n\nmore\n", THEIRS + b"\n---\n"),
    "a setext heading": (START, OURS + b"\nNotes\n=======\nmine\n", THEIRS),
    "comments in the frontmatter": (COMMENTED, confirmed(COMMENTED, 1), confirmed(COMMENTED, 2, who="bb")),
    "block lists and quotes": (
        START, OURS.replace(b"tags:", b"owner: 'ann'\ntags:"), THEIRS.replace(b"tags:", b'owner: "ann"\ntags:'),
    ),
    "an unknown key": (START, OURS.replace(b"tags:", b"x: 1\ntags:"), THEIRS.replace(b"tags:", b"y: 2\ntags:")),
    "a project id of digits": (START, field(OURS, "project_id", "123456789012"), THEIRS),
    "no ledger at all": (files.UNADOPTED.encode(), OURS, THEIRS),
    "nine marks in the base": (NINE, OURS, THEIRS),
    "a base that is none": (b"\xff\xfe\n", OURS, THEIRS),
    "not UTF-8": (START, OURS, THEIRS.replace(b"Use", b"\xff\xfe")),
    "not UTF-8 on ours": (START, OURS.replace(b"Use", b"\xff\xfe"), THEIRS),
    "NUL": (START, OURS, THEIRS.replace(b"Use", b"\0")),
    "NUL on ours": (START, OURS.replace(b"Use", b"\0"), THEIRS),
    "neither UTF-8 nor text": (START, OURS, THEIRS.replace(b"Use", b"\0\xff")),
    "neither UTF-8 nor text on ours": (START, OURS.replace(b"Use", b"\0\xff"), THEIRS),
    "marks in ours": (START, MARKED, THEIRS),
    "three-way marks in ours": (START, DIFF3, THEIRS),
    "no frontmatter": (START, OURS, b"# Prefer\n\nconfirmed by bb\n"),
    "not ended frontmatter": (START, OURS, THEIRS.replace(b"\n---\n", b"\n", 1)),
    "a key twice": (START, OURS, THEIRS.replace(b"domain:", b"domain: git\ndomain:")),
    "a list as frontmatter": (START, OURS, b"---\n- confirmed by bb\n---\n"),
    "another id": (START, OURS, field(THEIRS, "id", "prefer-grep")),
    "a word for a number": (START, OURS, field(THEIRS, "confidence", "high")),
    "no number": (START, OURS, field(THEIRS, "confidence", ".nan")),
    "a number out of range": (START, OURS, field(THEIRS, "confidence", "1.2")),
    "more digits than we write": (START, OURS, field(THEIRS, "confidence", "0.595")),
    "too large": (START, OURS, THEIRS + b"x" * LENGTH),
    "too large on ours": (START, OURS + b"confirmed\n" * 7000, THEIRS),
    "together too large": (START, OURS + b"\n## A\n" + b"a\n" * 25_000, THEIRS + b"\n## B\n" + b"b\n" * 25_000),
    "an empty side": (START, OURS, b""),
}  # fmt: skip


_RARE = {
    "CRLF on both", "BOM everywhere", "no final newline at all", "a setext heading", "block lists and quotes",
    "an unknown key", "not UTF-8 on ours", "NUL on ours", "neither UTF-8 nor text on ours", "three-way marks in ours",
    "no number", "a number out of range", "more digits than we write",
}  # fmt: skip


@pytest.mark.parametrize(
    "what", [pytest.param(what, marks=pytest.mark.slow if what in _RARE else ()) for what in INPUTS]
)
def test_every_input_is_merged_as_in_process_or_both_sides_stand(tmp_path: Path, what: str) -> None:
    base, ours, theirs = INPUTS[what]
    held = desk(tmp_path / "store")
    held.part(base, ours, theirs)
    verdict, code = filemerge.merge(PATH, base, ours, theirs), held.merge()
    if not verdict.reason:
        assert held.data() == verdict.data
        assert code == (1 if verdict.conflicts else 0)
        return
    assert (code, held.status()) == (1, f"{'AA' if base is None else 'UU'} {PATH}")
    for side in (ours, theirs):
        assert not missing(side, held.data()), "a side was dropped"


def missing(side: bytes, data: bytes) -> set[bytes]:
    """The lines that only this side has, as far as the file lacks them."""
    return (
        {line.strip() for line in side.splitlines()}
        - {line.strip() for line in START.splitlines()}
        - {line.strip() for line in data.splitlines()}
    )


def test_a_conflict_leaves_a_file_that_can_be_read(tmp_path: Path) -> None:
    held = desk(tmp_path / "store")
    held.part(START, field(OURS, "trigger", "when a"), field(THEIRS, "trigger", "when b"))
    done = held.tried("merge", "--no-edit", "side")
    assert done.returncode == 1
    assert b"gitinstinct: instincts/prefer-rg.md: conflict in trigger" in done.stderr
    assert MARK not in held.data()
    assert held.evidence() == ["seen", "confirmed by a", "confirmed by bb"]
    held.git("checkout", "--theirs", PATH)
    assert held.data() == field(THEIRS, "trigger", "when b")


# --- lightness

_LISTED = """
import sys
sys.path.append({root!r})
from gitinstinct.driver import main
assert main(sys.argv[1:]) == 0
print(*sorted(sys.modules))
"""


def test_plain_files_load_nothing_heavy(tmp_path: Path) -> None:
    for name, data in (("base", START), ("ours", OURS), ("theirs", THEIRS)):
        (tmp_path / name).write_bytes(data)
    argv = [sys.executable, "-I", "-S", "-c", _LISTED.format(root=str(ROOT)), "base", "ours", "theirs", "7", PATH]
    done = subprocess.run(argv, cwd=tmp_path, capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    heavy = {
        "yaml", "dataclasses", "pathlib", "subprocess", "typing_extensions", "json", "logging", "difflib",
        "hashlib", "frontmatter", "git", "inspect", "site", "shutil", "shlex", "tempfile",
    }  # fmt: skip
    assert loaded & heavy == set()
    assert (tmp_path / "ours").read_bytes() == MERGED


def test_a_write_that_fails_leaves_ours_as_it_was(tmp_path: Path) -> None:
    for name, data in (("base", START), ("ours", OURS), ("theirs", THEIRS)):
        (tmp_path / name).write_bytes(data)
    (tmp_path / "ours.draft").mkdir()
    argv = [sys.executable, "-I", "-S", str(ROOT / "hooks/merge.py"), "base", "ours", "theirs", "7", PATH]
    done = subprocess.run(argv, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.partition(":")[0]) == (program.UNMERGED, "gitinstinct")
    assert (tmp_path / "ours").read_bytes() == OURS
