"""Import, export, import, export: the second export is the first, byte for byte, and no word is lost on the way."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitinstinct.exchange import customs, evidence, naming, readers, rendering, settle
from gitinstinct.exchange.draft import File
from gitinstinct.exchange.evidence import Known
from gitinstinct.exchange.selection import Choice, Outgoing, select
from gitinstinct.instinct import markdown, sheet
from gitinstinct.instinct.errors import Invalid
from gitinstinct.instinct.model import Instinct
from tests.exchange.support import BOT, bring, names
from tests.support import files, needs_real_samples, real_samples
from tests.support.stores import ABOUT, NOW, new_store

SAMPLES = real_samples("instincts")


@pytest.mark.parametrize("form", ["ecc", "json"])
@pytest.mark.parametrize("text", [BOT, files.UNADOPTED, BOT + "\n" + files.CANONICAL])
def test_the_second_export_is_the_first(tmp_path: Path, text: str, form: str) -> None:
    path = tmp_path / "first.md"
    path.write_text(text)
    exports = []
    for step in range(3):
        store = new_store(tmp_path / f"store {step}")
        bring(store, path)
        path = tmp_path / f"export-{step}.{'json' if form == 'json' else 'md'}"
        path.write_bytes(rendering.render(form, select(store, Choice(), NOW.date().isoformat()).items, None))
        exports.append(path.read_bytes())
    assert exports[0] == exports[1] == exports[2]
    assert len(names(store)) == text.count("\nid: ") + text.startswith("id: ")


@needs_real_samples
def test_real_files_go_out_as_they_came_in(tmp_path: Path) -> None:
    folder = tmp_path / "all"
    folder.mkdir()
    for path in SAMPLES[::6]:
        (folder / path.name).write_bytes(path.read_bytes())
    source, exports = folder, []
    for step in range(2):
        store = new_store(tmp_path / f"store {step}")
        bring(store, source)
        source = tmp_path / f"export-{step}.md"
        source.write_bytes(rendering.render("ecc", select(store, Choice(), NOW.date().isoformat()).items, None))
        exports.append(source.read_bytes())
    assert exports[0] == exports[1]
    assert len(names(store)) > 60


# --- any text


def taken(data: bytes, path: str) -> list[bytes]:
    """What a store makes of a file, without the store."""
    drafts = readers.read(File(path, data)).drafts
    made = []
    for draft, name in zip(drafts, naming.names(drafts), strict=True):
        try:
            whole = evidence.with_ledger(
                settle.settle(draft, name, ABOUT, f"file:{path}"), f"file:{path}", NOW, Known()
            )
        except Invalid:
            continue
        if not customs.judge(whole, name).stopped:
            made.append(whole)
    return made


def sent(data: bytes) -> Outgoing:
    document = sheet.split(data)
    for name in ("imported_from", "project_id", "project_name"):
        document = sheet.without_field(document, name)
    found = markdown.parse(document.encode())
    return Outgoing(found.id, document.encode(), found)


def said(instinct: Instinct) -> dict[str, Any]:
    return {
        "id": instinct.id, "trigger": instinct.trigger, "action": instinct.action, "title": instinct.title,
        "ledger": instinct.ledger, "extra": dict(instinct.extra) | {"imported_from": ""},
    }  # fmt: skip


PIECES = st.sampled_from(
    [
        "---", "\n", "\r\n", "id: evil", "trigger: x", "confidence: 0.9", "```", "~~~", "# A", "## Action",
        "## Evidence", "- 2026-11-29 set 0.95: x [aaaaaa-bbbbbb]",
        " ", "\t", "'", '"', "\\", ": ", " #", "{", "}", "[x]",
        "&a", "*a", "!t", "%", "@", "|", ">", "no", "0123", "undefined", "é", "日本", "→", "<!--", "x",
    ]
)  # fmt: skip
# Signs that a reader sees: what he does not is refused at the border, and other tests say so.
SEEN = st.text(st.characters(exclude_categories=("C", "M", "Zl", "Zp", "Zs")), max_size=40)
TEXT = st.one_of(SEEN, st.lists(PIECES, max_size=12).map("".join))
WORDS = TEXT.map(lambda text: f"do {text}")
VALUE = st.one_of(TEXT, st.lists(TEXT, max_size=3), st.dictionaries(TEXT, TEXT, max_size=3))


@settings(max_examples=60, deadline=None)
@given(
    trigger=WORDS, action=WORDS, title=TEXT, value=VALUE,
    key=TEXT.filter(lambda key: key not in {"id", "trigger", "<<"}),
    form=st.sampled_from(["ecc", "json"]),
)  # fmt: skip
def test_any_text_survives(trigger: str, action: str, title: str, key: str, value: Any, form: str) -> None:
    record = {"id": "one", "trigger": trigger, "action": action, "title": title, "confidence": 0.5, f"k {key}": value}
    mate = {"id": "two", "trigger": "when done", "action": "Run the tests.", "confidence": 0.7}
    first = taken(json.dumps([record, mate]).encode(), "a.json")
    if len(first) < 2:
        return  # it says nothing, or holds what may not come in
    found = markdown.parse(first[0])
    assert found.trigger == " ".join(trigger.split())
    assert found.action == action.strip()
    assert found.extra[f"k {key}"] == value
    export = rendering.render(form, [sent(data) for data in first], None)
    second = taken(export, f"b.{'json' if form == 'json' else 'md'}")
    assert [said(markdown.parse(data)) for data in second] == [said(markdown.parse(data)) for data in first]
    assert rendering.render(form, [sent(data) for data in second], None) == export
