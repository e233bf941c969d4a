"""What a project's instinct is globally, without a store."""

from __future__ import annotations

import pytest
from hypothesis import assume, given

from gitinstinct.instinct import ids, ledger, markdown, merge
from gitinstinct.instinct.errors import Invalid
from gitinstinct.instinct.ledger import Entry
from gitinstinct.instinct.shelf import Item
from gitinstinct.promote import form
from gitinstinct.promote.form import evidence, of
from tests.support.ledgers import ledgers
from tests.support.projects import ACTION, API, NAME, TRIGGER, WEB, made, seen


def item(data: bytes, as_written: str = "2026-11-28") -> Item:
    instinct = markdown.parse(data)
    return Item(ids.path_of(instinct.id), data, instinct, as_written)


def test_it_is_the_same_file_without_the_project() -> None:
    data = made(API)
    before, after = data.splitlines(), of(item(data), NAME, None).data.splitlines()
    assert [line for line in before if line not in after] == [
        b"scope: project",
        b"project_id: aaaaaaaaaaaa",
        b"project_name: api",
    ]
    assert [line for line in after if line not in before] == [b"scope: global"]


def test_comments_order_and_further_sections_stay() -> None:
    data = made(API, reviewer="ann").replace(b"domain:", b"# why\ndomain:") + b"\n## Notes\nOld.\n"
    assert {b"# why", b"reviewer: ann", b"## Notes"} <= set(of(item(data), NAME, None).data.splitlines())


@pytest.mark.parametrize(
    ("glob", "fits"),
    [
        ("**/*.py", True), ("*.{ts,tsx}", True), ("Makefile", True), ("**/Makefile", True), ("**", True),
        ("src/**/*.py", False), ("**/api/*.py", False), ("./src/a.py", False), ("{src,lib}/*.py", False),
        ("api*/x", False), ("*/x.py", True),
    ],
)  # fmt: skip
def test_a_glob_that_names_a_folder_is_the_projects_own(glob: str, fits: bool) -> None:
    assert form.fits_anywhere(glob) is fits
    found = of(item(made(API, paths=[glob, "*.md"])), NAME, None)
    assert found.left_out == (() if fits else (f"paths: {glob}",))
    assert found.instinct.paths == ((glob, "*.md") if fits else ("*.md",))


def test_anchors_in_folders_are_left_out_and_a_field_without_values_goes() -> None:
    found = of(item(made(API, anchors=["src/main.py"], paths=["src/*.py"])), NAME, None)
    assert found.left_out == ("paths: src/*.py", "anchors: src/main.py")
    assert not {"anchors", "paths"} & set(found.data.decode().replace(":", " ").split())


def test_it_tells_where_the_project_is_named() -> None:
    data = made(API, action="Ask acme-team before you touch the Billing-API.")
    found = of(item(data), NAME, None, ["billing-api", "acme-team", "ask-ac"])
    assert found.names == ("action: billing-api", "action: acme-team")


def test_where_it_is_global_already_only_the_evidence_is_the_projects() -> None:
    theirs = made(WEB, action="Search first.", owner="ann", domain="git", entries=[seen(WEB.project_id, "w", 6)])
    found = of(item(made(API)), NAME, item(theirs.replace(b"scope: project", b"scope: global")))
    assert (found.instinct.action, found.instinct.extra["owner"], found.instinct.domain) == (
        "Search first.", "ann", "git",
    )  # fmt: skip
    assert list(found.instinct.ledger) == evidence(item(made(API)))
    assert found.instinct.written["confidence"] == 85
    assert {(one.field, one.project, one.everybody) for one in found.differs} == {
        ("action", ACTION, "Search first."), ("domain", "workflow", "git"),
    }  # fmt: skip


def test_another_id_is_written_and_the_words_stay() -> None:
    found = of(item(made(API)), "another", None)
    assert (found.instinct.id, found.instinct.trigger, found.instinct.title) == ("another", TRIGGER, NAME.title())


def test_a_file_that_would_be_too_large_is_invalid() -> None:
    theirs = made(WEB, note="x" * 15_000) + b"\n## More\n" + b"y" * 49_000
    entries = [seen(API.project_id, f"s{number}") for number in range(200)]
    with pytest.raises(Invalid, match="the most for one instinct"):
        of(item(made(API, entries=entries)), NAME, item(theirs))


# --- laws


def _file(entries: list[Entry]) -> bytes | None:
    counting = [entry for entry in entries if entry.kind == "set"]
    return made(API, entries=entries) if counting else None


@given(ledgers(), ledgers())
def test_a_merge_with_it_brings_evidence_and_no_words(mine: list[Entry], theirs: list[Entry]) -> None:
    by_key = {entry.key: entry for entry in (*mine, *theirs)}
    assume(all(by_key[entry.key] == entry for entry in (*mine, *theirs)))
    ours, everybody = _file(mine), _file(theirs)
    if ours is None or everybody is None:
        return
    everybody = everybody.replace(ACTION.encode(), b"Curated.").replace(b"scope: project", b"scope: global")
    found = of(item(ours), NAME, item(everybody))
    merged = merge.merge(None, everybody, found.data, NAME)
    assert isinstance(merged, merge.Merged)
    instinct = markdown.parse(merged.data or b"")
    assert instinct.action == "Curated."
    assert ledger.origins(instinct.ledger) == ledger.origins([*evidence(item(ours)), *theirs])
    again = merge.merge(found.data, merged.data, of(item(ours), NAME, item(merged.data or b"")).data, NAME)
    assert isinstance(again, merge.Merged)
    assert markdown.parse(again.data or b"").ledger == instinct.ledger


@given(ledgers())
def test_making_it_again_gives_the_same_bytes(mine: list[Entry]) -> None:
    data = _file(mine)
    if data is None:
        return
    found = of(item(data), NAME, None)
    assert of(item(found.data), NAME, None).data == found.data
    assert not {entry.kind for entry in found.instinct.ledger} & form.LEFT_OUT
