"""`list` and `show`: what people and scripts see."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitinstinct import paths
from gitinstinct.git.trailers import Message
from gitinstinct.instinct import markdown
from gitinstinct.store import commit
from gitinstinct.store.commit import Change
from gitinstinct.store.layout import About
from gitinstinct.store.store import Store
from gitinstinct.trust import giving
from tests.cli.conftest import PROJECT_ID
from tests.support import files
from tests.support.program import Program, process
from tests.support.stores import NOW, new_store

GOOD = files.CANONICAL.encode()


@pytest.fixture
def held(project: Path) -> Store:
    """The project's store with one good instinct, one fading one, one that cannot be read; and a global one."""
    everybody = new_store(Path(paths.store(paths.GLOBAL)), about=About("global", "", "global"))
    put(everybody, {"instincts/prefer-rg.md": files.made(scope="global")})
    store = new_store(about=About("project", PROJECT_ID, "my-api"))
    put(
        store,
        {
            "instincts/grep-before-edit.md": GOOD,
            "instincts/faded.md": files.made("faded").replace(b"2026-11-08", b"2026-05-08"),
            "instincts/broken.md": GOOD,
        },
        ("Instinct", "grep-before-edit new 0.65"),
        ("Run", "01m77pxbv0"),
        ("Detector", "local/1"),
    )
    giving.approve([markdown.parse(GOOD), markdown.parse(files.made(scope="global"))], "local/1", NOW)
    return store


def put(store: Store, contents: dict[str, bytes], *trailers: tuple[str, str]) -> None:
    change = Change(dict(contents), Message("observe: 1 new", trailers=trailers))
    commit.write(store, lambda _: change, NOW, vet=lambda path, data: None)


def test_list_is_for_people(held: Store, program: Program) -> None:
    result = program("list")
    assert result.code == 0
    lines = result.out.splitlines()
    assert lines[0] == "0.61  project     grep-before-edit  when modifying code in a file"
    assert any("prefer-rg" in line and "global" in line for line in lines)
    assert "faded" not in result.out
    assert "cannot be used: instincts/broken.md: the id 'grep-before-edit' is not the file's name" in result.out
    assert "faded" in program("list", "--all").out


def test_list_as_json_is_complete(held: Store, program: Program) -> None:
    found = program("list", "--json").json
    assert found["version"] == 1
    by_id = {item["id"]: item for item in found["instincts"]}
    assert set(by_id) == {"grep-before-edit", "faded", "prefer-rg"}
    good = by_id["grep-before-edit"]
    assert (good["confidence"], good["effective"], good["effective_status"]) == (0.65, 0.61, "active")
    assert (good["status"], good["held"], good["scope"], good["conflicts"]) == ("active", None, "project", [])
    assert by_id["faded"]["effective_status"] == "archived"
    assert found["problems"][0]["path"] == "instincts/broken.md"
    assert {"tags", "path", "created", "last_observed", "confirmations", "contradictions"} <= set(good)


def test_a_forged_number_is_shown_and_not_believed(held: Store, program: Program) -> None:
    put(held, {"instincts/grep-before-edit.md": GOOD.replace(b"confidence: 0.65", b"confidence: 0.95")})
    found = program("show", "grep-before-edit", "--json").json["instinct"]
    assert (found["confidence"], found["effective"]) == (0.95, 0.61)


def test_show_tells_how_it_came_about(held: Store, program: Program) -> None:
    out = program("show", "grep-before-edit").out
    assert "Find the exact place with Grep, read it, then edit." in out
    assert "2026-11-08  0.50  observed 5" in out
    assert "2026-11-12  0.65  confirmed 1" in out
    assert "0.61  active, as of today" in out
    assert "Observed 8 times in session abc123" in out


def test_show_as_json_has_the_ledger(held: Store, program: Program) -> None:
    ledger = program("show", "grep-before-edit", "--json").json["instinct"]["ledger"]
    assert ledger[0] == {
        "date": "2026-11-08", "kind": "observed", "amount": 5, "live": True, "key": "01m6x9kf80-9f3ac1d0",
        "text": "Grep, then Read, then Edit, 5 times in one session",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("show", "no-such"), 1, "no instinct is called no-such"),
        (("show", "broken"), 1, "is not the file's name"),
        (("show",), 2, "give an id, or --file"),
        (("show", "a", "--file", "b"), 2, "give an id, or --file"),
        (("show", "--file", "missing.md"), 2, "No such file"),
        (("show", "../x"), 1, "no instinct is called ../x"),
        (("list", "--nonsense"), 2, "--nonsense"),
        (("list", "--project", "nowhere"), 2, "neither a folder nor a project's id"),
        (("list", "--project", "0123456789ab"), 1, "no project 0123456789ab is known"),
        (("list", "--project", ".", "--global"), 2, "exclude each other"),
        (("nonsense",), 2, "nonsense"),
        (("-C", "nowhere", "list"), 2, "nowhere"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(
    arguments: tuple[str, ...], code: int, message: str, held: Store, program: Program
) -> None:
    result = program(*arguments)
    assert result.code == code
    assert result.err.startswith("error: ")
    assert message in result.err
    assert "Traceback" not in result.err
    assert result.out == ""


def test_show_reads_a_bare_file(program: Program, tmp_path: Path) -> None:
    file = tmp_path / "any-name.md"
    file.write_text(files.UNADOPTED)
    assert program("show", "--file", str(file), "--json").json["instinct"]["effective"] == 0.8
    file.write_text("no frontmatter")
    result = program("show", "--file", str(file))
    assert result.code == 1
    assert "no frontmatter" in result.err


def test_without_a_store_there_is_nothing_and_that_is_no_failure(project: Path, program: Program) -> None:
    assert program("list").code == 0
    assert "No instincts yet" in program("list").out
    assert program("list", "--json").json == {"version": 1, "instincts": [], "problems": []}


def test_elsewhere_by_project_or_directory(
    held: Store, project: Path, program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir("/")
    assert "grep-before-edit" not in program("list").out
    for arguments in (
        ("list", "--project", str(project)),
        ("list", "--project", PROJECT_ID),
        ("-C", str(project), "list"),
    ):
        assert "grep-before-edit" in program(*arguments).out
        monkeypatch.chdir("/")
    assert "grep-before-edit" not in program("list", "--global", "--json").out


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
def test_any_terminal_can_show_any_text(encoding: str, held: Store, project: Path) -> None:
    put(held, {"instincts/hostile.md": files.made("hostile", trigger='"テスト \\e[31m \\u202e [red]x[/red] :smile:"')})
    hostile = files.made(
        "hostile", trigger="テスト [red]x[/red] [link=https://e.vil]y :smile:", action="\x1b]0;owned\x07 \u202e"
    )
    put(held, {"instincts/hostile.md": hostile})
    for arguments in (("list",), ("show", "hostile")):
        result = process(*arguments, cwd=project, PYTHONIOENCODING=encoding)
        assert result.code == 0, result.err
        assert not {"\x1b", "\x07", "\u202e"} & set(result.out)
        assert "[red]x[/red]" in result.out


def test_a_closed_pipe_is_no_failure(held: Store, project: Path) -> None:
    import subprocess
    import sys

    shell = f"{sys.executable} -m gitinstinct list --all | true; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, check=True, cwd=project)
    assert done.stdout.strip() == "0"
    assert done.stderr == ""


def test_a_closed_output_is_no_failure(held: Store, project: Path) -> None:
    import subprocess
    import sys

    for closing in (">&-", "2>&-", ">&- 2>&-"):
        shell = f"{sys.executable} -m gitinstinct list {closing}"
        assert subprocess.run(["sh", "-c", shell], check=False, cwd=project, timeout=60).returncode == 0


def test_a_filter_that_finds_nothing_says_so(held: Store, program: Program) -> None:
    assert program("list", "--domain", "nosuch").out.startswith("None in the domain nosuch.\n")


@pytest.mark.parametrize("verb", ["list", "show", "log", "status", "inject"])
def test_looking_loads_nothing_heavy(verb: str, held: Store, project: Path) -> None:
    import subprocess
    import sys

    arguments = [verb, "grep-before-edit"] if verb == "show" else [verb]
    code = f"import sys; from gitinstinct.cli.app import run; run({arguments!r}); print(sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=project)
    loaded = set(done.stdout.splitlines()[-1].strip("[]").replace("'", "").split(", "))
    assert not loaded & {"anthropic", "deepdiff", "git", "rapidfuzz", "snowballstemmer"}
