"""The body: title, action and evidence by their own rules, all else section by section and then line by line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet

from gitinstinct.instinct import dialect
from gitinstinct.instinct.merge import ledger, rules, words
from gitinstinct.instinct.merge.choice import lines, three_way
from gitinstinct.instinct.merge.ledger import Line
from gitinstinct.instinct.merge.order import in_order
from gitinstinct.instinct.merge.side import EVIDENCE, INTRO, PREAMBLE, TITLE, Side, is_evidence
from gitinstinct.instinct.merge.words import Reading, Word

_ACTION = "## action"
_CANONICAL = (PREAMBLE, TITLE, INTRO, _ACTION, EVIDENCE)


def merge(base: Side, ours: Side, theirs: Side, merged: Sequence[Line]) -> tuple[str, dict[str, AbstractSet[str]]]:
    """The merged body, and what is in dispute in it."""
    found: dict[str, str] = {}
    disputes: dict[str, AbstractSet[str]] = {}
    disputed = any(side.disputes for side in (base, ours, theirs))
    for name in _names(base, ours, theirs):
        agreed = ours.parts.get(name, "")
        if agreed == theirs.parts.get(name, "") and not disputed:
            found |= {name: agreed} if agreed else {}
            continue
        word = _section(name, base, ours, theirs)
        found |= {name: word.raw} if word.raw else {}
        disputes |= {_called(name, word): word.dispute} if word.dispute else {}
    evidence = ledger.evidence(base, ours, theirs, merged)
    found |= {EVIDENCE: evidence} if evidence else {}
    order = in_order(_CANONICAL, found, *(_order(side) for side in (base, ours, theirs)))
    return _joined([found[name] for name in order]), disputes


def _names(*sides: Side) -> Iterable[str]:
    names = dict.fromkeys(name for side in sides for name in side.parts)
    return (name for name in names if not is_evidence(name))


def _order(side: Side) -> list[str]:
    return list(dict.fromkeys(EVIDENCE if is_evidence(name) else name for name in side.parts))


def _section(name: str, base: Side, ours: Side, theirs: Side) -> Word:
    texts = [side.parts.get(name, "") for side in (base, ours, theirs)]
    field = {TITLE: rules.TITLE, _ACTION: rules.ACTION}.get(name, _heading(texts))
    if field not in (rules.TITLE, rules.ACTION):
        settled = _line_by_line(field, base, ours, theirs, texts)
        if settled is not None:
            return Word(settled, frozenset())
    return words.merge(field, _reading(name, texts), base, ours, theirs)


def _line_by_line(field: str, base: Side, ours: Side, theirs: Side, texts: Sequence[str]) -> str | None:
    """The section with both sides' changes; None where that cannot be, or an earlier merge left it open."""
    if any(field in side.disputes for side in (base, ours, theirs)) or not all(texts[1:]):
        return None
    merged = three_way(texts[0], texts[1], texts[2], lambda *_: "")
    if merged:
        return merged
    both = lines(*(dialect.cut(text) for text in texts))
    return None if both is None else "".join(both)


def _reading(name: str, texts: Sequence[str]) -> Reading:
    heading = next(text for text in (*texts[1:], *texts) if text).partition("\n")[0]

    def raw(side: Side) -> str:
        return side.parts.get(name, "")

    if name == TITLE:
        return Reading(lambda side: side.sheet.body.title if side.sheet else "", raw, lambda value: f"# {value}\n")
    if name == _ACTION:
        return Reading(lambda side: _content(raw(side)), raw, lambda value: f"{heading}\n{value}\n\n")
    return Reading(lambda side: raw(side).rstrip("\n"), raw, lambda value: f"{value}\n\n")


def _content(section: str) -> str:
    return section.partition("\n")[2].strip()


def _heading(texts: Sequence[str]) -> str:
    """What `conflicts` calls any other section: its heading."""
    return next((text.partition("\n")[0].strip() for text in sorted(texts) if text.strip()), PREAMBLE)


def _called(name: str, word: Word) -> str:
    named = {TITLE: rules.TITLE, _ACTION: rules.ACTION}
    return named.get(name) or _heading([*word.dispute])


def _joined(parts: Sequence[str]) -> str:
    """Every part on lines of its own."""
    return "".join(part if part.endswith("\n") else part + "\n" for part in parts)
