"""Files of people who use tools of this kind: each comes in, or is named with its reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitinstinct.exchange import customs, evidence, naming, readers, settle
from gitinstinct.exchange.draft import File
from gitinstinct.instinct import markdown
from gitinstinct.instinct.errors import Invalid
from tests.support import needs_real_samples, real_samples
from tests.support.stores import ABOUT, NOW

SAMPLES = real_samples("instincts")
# Which are no instincts, or cannot be read as what they claim to be.
NONE = {"instinct-008.md": "no frontmatter", "instinct-009.md": "no frontmatter", "instinct-011.json": "no trigger"}
BROKEN_YAML = {f"instinct-0{number}.yaml" for number in (13, 19, 48, 49, 56, 60)}


@needs_real_samples
@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_each_file_comes_in_or_is_named(path: Path) -> None:
    reading = readers.read(File(path.name, path.read_bytes()))
    reasons = [reading.nothing, *(one.reason for one in reading.refused)]
    taken = 0
    for draft, name in zip(reading.drafts, naming.names(reading.drafts), strict=True):
        try:
            settled = settle.settle(draft, name, ABOUT, "file:sample")
        except Invalid as error:
            reasons.append(str(error))
            continue
        data = evidence.with_ledger(settled, "file:sample", NOW, evidence.Known())
        instinct = markdown.parse(data, name)
        assert instinct.trigger
        assert instinct.action
        assert len(instinct.ledger) == 1
        assert not customs.judge(data, name).stopped
        taken += 1
    if path.name in BROKEN_YAML:
        assert any("cannot start any token" in reason for reason in reasons)
    elif path.name in NONE:
        assert any(NONE[path.name] in reason for reason in reasons)
    else:
        assert taken
        assert not any(reasons)


@needs_real_samples
def test_no_instinct_is_lost() -> None:
    found = [readers.read(File(path.name, path.read_bytes())) for path in SAMPLES]
    blocks = sum(
        path.read_text("utf-8").count("\nid: ") + path.read_text("utf-8").startswith("id: ") for path in SAMPLES
    )
    assert sum(len(reading.drafts) for reading in found) >= blocks
