"""`import` and `export` as a person types them: flags, exit codes, what is printed and what is not changed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gitinstinct import paths
from gitinstinct.cli import output
from tests.cli.conftest import PROJECT_ID
from tests.exchange.support import BOT
from tests.support import files
from tests.support.program import Program, process
from tests.support.repos import git, snapshot


@pytest.fixture
def team(project: Path) -> Path:
    (project / "team.yaml").write_text(BOT)
    return project


def store_of(home: Path) -> Path:
    return home / "gitinstinct" / "data" / "projects" / PROJECT_ID


def test_import_needs_a_terminal_or_a_word(team: Path, home: Path, program: Program) -> None:
    before = snapshot(home)
    result = program("import", "team.yaml")
    assert (result.code, result.out) == (2, "")
    assert "--yes" in result.err
    assert snapshot(home) == before


def test_a_rehearsal_shows_what_would_come(team: Path, home: Path, program: Program) -> None:
    result = program("import", "team.yaml", "--dry-run")
    assert result.code == 0
    assert "new       shop-commit-length" in result.out
    assert "nothing was written" in result.out
    assert not store_of(home).exists()


def test_import_makes_a_store_and_tells_what_came(team: Path, home: Path, program: Program) -> None:
    result = program("import", "team.yaml", "--yes")
    assert result.code == 0
    assert result.out.startswith("file:team.yaml  2 instincts\n  new       shop-commit-length  0.60\n")
    assert "a store was made at" in result.err
    assert git(store_of(home), "status", "--porcelain") == ""
    again = program("import", "team.yaml", "--yes")
    assert (again.code, again.out) == (0, "file:team.yaml  2 instincts\nNothing new.\n")
    assert program("list").out.count("shop-") == 2


def test_what_is_not_taken_is_told_and_the_code_says_so(team: Path, program: Program) -> None:
    (team / "team.yaml").write_text(BOT.replace("0.7", "high"))
    result = program("import", "team.yaml", "--yes")
    assert result.code == 1
    assert "! not taken: team.yaml: shop-named-exports: confidence is 'high', not a number from 0 to 1" in result.out
    assert "commit " in result.out


def test_a_conflict_is_told_and_the_code_says_so(team: Path, home: Path, program: Program) -> None:
    program("import", "team.yaml", "--yes")
    path = store_of(home) / "instincts" / "shop-commit-length.md"
    path.write_text(path.read_text().replace("Write short", "Write long"))
    (team / "team.yaml").write_text(BOT.replace("Write short", "Write tiny"))
    result = program("import", "team.yaml", "--yes")
    assert result.code == 1
    assert "conflict  shop-commit-length  conflict: action" in result.out
    assert "gitinstinct resolve" in result.out


def test_import_as_json(team: Path, program: Program) -> None:
    result = program("import", "team.yaml", "--yes", "--json", "--min-confidence", "0.65")
    found = result.json
    assert found["version"] == 1
    assert found["source"] == "file:team.yaml"
    assert found["instincts"] == [{"id": "shop-named-exports", "verb": "new", "confidence": 0.7}]
    assert found["below"] == ["shop-commit-length"]
    assert len(found["commit"]) == 40
    rehearsed = program("import", "team.yaml", "--dry-run", "--json").json
    assert rehearsed["commit"] is None


def test_a_person_is_asked_on_a_terminal(
    team: Path, home: Path, program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(output, "is_terminal", lambda: True)
    answers = iter((False, True))
    monkeypatch.setattr("typer.confirm", lambda *_, **__: next(answers))
    result = program("import", "team.yaml")
    assert (result.code, "Nothing was changed." in result.out) == (0, True)
    assert not (store_of(home) / "instincts").exists()
    result = program("import", "team.yaml")
    assert (result.code, result.out.count("shop-commit-length"), "commit " in result.out) == (0, 1, True)


def test_a_single_instinct_under_another_id_in_the_global_store(project: Path, home: Path, program: Program) -> None:
    (project / "x.md").write_text(files.UNADOPTED)
    result = program("import", "x.md", "--yes", "--as", "search-with-rg", "--scope", "global", "-m", "from Ann")
    assert result.code == 0
    store = home / "gitinstinct" / "data" / "global"
    assert git(store, "ls-tree", "--name-only", "main", "instincts/") == "instincts/search-with-rg.md"
    assert "from Ann" in git(store, "log", "-1", "--format=%b", "main")


@pytest.mark.parametrize(
    "arguments",
    [
        ("nothing.md",), ("team.yaml", "--as", "Not An Id"), ("team.yaml", "--as", "x"),
        ("team.yaml", "--scope", "team"),
        ("team.yaml", "--min-confidence", "high"), ("team.yaml", "--scope", "project", "--global"),
        ("http://example.org/x.yaml",), ("ext::sh",), ("team.yaml", "-m", "AKIA" + "IOSFODNN7" + "EXAMPLQ"),
    ],
)  # fmt: skip
def test_what_cannot_be_meant_is_refused(team: Path, program: Program, arguments: tuple[str, ...]) -> None:
    result = program("import", *arguments, "--yes")
    assert result.code == 2
    assert result.err.startswith("error: ") or "\nerror: " in result.err
    assert "Traceback" not in result.err


def test_standard_input(team: Path, home: Path) -> None:
    result = process("import", "-", "--yes", "--name", "the shop", stdin=BOT.encode(), cwd=team)
    assert (result.code, result.out.split("\n")[0]) == (0, "the shop  2 instincts")


# --- export


@pytest.fixture
def filled(team: Path, program: Program) -> Path:
    assert program("import", "team.yaml", "--yes").code == 0
    return team


def test_export_to_standard_output_is_what_import_reads(filled: Path, home: Path) -> None:
    result = process("export", cwd=filled)
    assert result.code == 0
    assert result.out.startswith("# Instincts export\n")
    assert result.err == "2 instincts, branch export/all\n"
    process("export", "-o", "out.md", cwd=filled)
    assert (filled / "out.md").read_text() == result.out
    other = filled.parent / "other"
    other.mkdir()
    git(other, "init", "-q", "--template=")
    git(other, "remote", "add", "origin", "https://github.com/acme/other.git")
    assert process("import", "-", "--yes", stdin=result.out.encode(), cwd=other).code == 0
    assert process("export", cwd=other).out == result.out


def test_export_without_a_terminal_that_can_show_it(filled: Path) -> None:
    (filled / "team.yaml").write_text(BOT.replace("Prefer named exports", "Prefer 名前 → exports"))
    process("import", "team.yaml", "--yes", cwd=filled)
    assert "Prefer 名前 → exports" in process("export", cwd=filled, PYTHONIOENCODING="ascii", LC_ALL="C").out


def test_export_into_files_of_agents(filled: Path, program: Program) -> None:
    (filled / "real.md").write_text("# Mine\n")
    (filled / "AGENTS.md").symlink_to("real.md")
    result = program("export", "-o", "AGENTS.md", "--domain", "git")
    assert result.code == 0
    assert "1 instinct of others among them" in result.out
    text = (filled / "real.md").read_text()
    assert text.startswith("# Mine\n\n<!-- gitinstinct:begin -->")
    assert "- **when writing a commit message**: Write short commit messages" in text
    assert (filled / "AGENTS.md").is_symlink()
    stamp = (filled / "real.md").stat().st_mtime_ns
    assert program("export", "-o", "AGENTS.md", "--domain", "git").code == 0
    assert (filled / "real.md").stat().st_mtime_ns == stamp


def test_export_as_bundle_and_json(filled: Path, program: Program) -> None:
    result = program(
        "export", "--bundle", "x.bundle", "-o", "x.json", "--name", "shop", "--json", "--min-confidence", "0.5"
    )
    assert result.json | {"name": "shop", "branch": "export/shop", "new": True, "format": "json"} == result.json
    assert git(filled, "bundle", "list-heads", "x.bundle").split()[1] == "refs/heads/export/shop"
    assert [one["id"] for one in json.loads((filled / "x.json").read_text())["instincts"]] == result.json["instincts"]
    assert program("import", "x.bundle", "--yes", "--global").code == 0


def test_export_only_rehearsed(filled: Path, home: Path, program: Program) -> None:
    refs = git(store_of(home), "for-each-ref")
    result = program("export", "-o", "x.md", "--bundle", "x.bundle", "--dry-run")
    assert (result.code, "nothing was written" in result.out) == (0, True)
    assert git(store_of(home), "for-each-ref") == refs
    assert not (filled / "x.md").exists()
    assert not (filled / "x.bundle").exists()


def test_export_of_nothing_and_of_what_may_not_go_out(filled: Path, home: Path, program: Program) -> None:
    assert program("export", "nobody").code == 1
    assert program("export", "--format", "word").code == 2
    assert program("export", "--name", "No Name").code == 2
    (filled / "mine.md").write_text("# Mine\n")
    assert program("export", "-o", "mine.md").code == 1
    assert (filled / "mine.md").read_text() == "# Mine\n"
    path = store_of(home) / "instincts" / "shop-commit-length.md"
    path.write_text(path.read_text().replace("Write short", "See /home/ann/notes: write"))
    git(store_of(home), "commit", "-qam", "by hand")
    result = program("export", "-o", "out.md")
    assert result.code == 1
    assert "shop-commit-length" in result.err
    assert not (filled / "out.md").exists()


def test_export_before_there_is_a_store(project: Path, program: Program) -> None:
    result = program("export")
    assert result.code == 1
    assert "no store yet" in result.err


def test_nothing_to_import_makes_no_store(project: Path, home: Path, program: Program) -> None:
    (project / "bad.md").write_bytes(b"junk\xff")
    result = program("import", str(project / "bad.md"), "--yes")
    assert (result.code, "no instinct in it" in result.err) == (1, True)
    assert not Path(paths.store(PROJECT_ID)).exists()
    assert not Path(paths.store(paths.GLOBAL)).exists()
