"""A person's own edit of a file is their word: once it is committed as theirs, no review asks for it again.

Only for what they wrote in the work tree and this program commits. What plain git committed, staged, or took from
another commit may be anybody's, and waits. Git knows such a text already, and no text that somebody has just written.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from gitinstinct.git.blobs import Unreadable, blob_id, blobs
from gitinstinct.instinct import ids, markdown, words
from gitinstinct.instinct.errors import Invalid
from gitinstinct.instinct.model import Instinct
from gitinstinct.store import layout
from gitinstinct.store.tree import Tree


def own_words(before: Tree, edits: Mapping[str, bytes | None]) -> list[Instinct]:
    """The edited instincts that say something else now. To be asked before git gets to know the edits.

    Args:
        before: the commit below the edits.
        edits: path to new content, None for a deletion.
    """
    changed = dict(_changed(before, edits))
    known = blobs(before.repo, list(changed), layout.CAP) if changed else {}
    return [instinct for oid, instinct in changed.items() if isinstance(known[oid], Unreadable)]


def _changed(before: Tree, edits: Mapping[str, bytes | None]) -> Iterator[tuple[str, Instinct]]:
    """Blob id and instinct. Another's words stay another's where only the evidence was edited."""
    old = before.read_all(edits)[0]
    for path, data in edits.items():
        was, instinct = _read(path, old.get(path)), _read(path, data)
        if data is None or instinct is None:
            continue
        if was is None or words.content_hash(was) != words.content_hash(instinct):
            yield blob_id(data, before.commit), instinct


def _read(path: str, data: bytes | None) -> Instinct | None:
    try:
        return markdown.parse(data, ids.of_path(path)) if data is not None else None
    except Invalid:
        return None
