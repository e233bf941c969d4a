"""`demo`: the whole loop, as a stranger sees it first."""

from __future__ import annotations

from pathlib import Path

from tests.support.program import process
from tests.support.repos import git
from tests.support.work import tree_of


def test_it_shows_the_loop_and_leaves_a_place_to_look_at(tmp_path: Path, home: Path) -> None:
    before = tree_of(home)
    result = process("demo", "--in", str(tmp_path / "demo"))
    assert result.code == 0, result.err
    for said in ("orders-api", "storefront", "secrets blanked", "learned", "observe:", "Run: ", "Look around:"):
        assert said in result.out
    assert tree_of(home) == before, "nothing of the person's is touched"
    stores = list((tmp_path / "demo" / "home" / "data" / "projects").iterdir())
    assert len(stores) == 2
    for store in stores:
        assert git(store, "status", "--porcelain") == ""
    export = next(line for line in result.out.splitlines() if "export GITINSTINCT_HOME=" in line).strip()
    place = export.partition("=")[2]
    look = process("-C", str(tmp_path / "demo" / "orders-api"), "status", GITINSTINCT_HOME=place)
    assert "> " in look.out


def test_a_folder_that_is_in_use_is_not_taken(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("x")
    result = process("demo", "--in", str(tmp_path))
    assert result.code == 3
    assert "is not empty" in result.err
    assert (tmp_path / "mine.txt").read_text() == "x"
