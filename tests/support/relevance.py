"""How well prompts are matched: precision, recall and rank on a set that was labelled by hand."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gitinstinct.inject import lexicon, lookup, render
from gitinstinct.instinct import markdown
from gitinstinct.instinct.ledger import Entry

DATA = Path(__file__).parents[1] / "data" / "relevance.json"
MOST = 2  # as the settings have it


@dataclass(frozen=True)
class Quality:
    """Of what is given: the share that was wanted; of what was wanted: the share that is given; and how early."""

    precision: float
    recall: float
    mrr: float
    prompts: int
    silent: float
    """The share of those prompts that ask for nothing at which nothing is given."""


def load() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(DATA.read_text("utf-8"))
    return found


def index(data: dict[str, Any]) -> lookup.Index:
    """The index over the set's instincts."""
    entry = Entry("2026-11-29", "set", 85, "by hand", "01m7v41f00-c5d89181")
    read = []
    for one in data["instincts"]:
        fields = {name: value for name, value in one.items() if name != "action"} | {"source": "manual"}
        instinct = markdown.parse(markdown.compose(fields, one["id"].replace("-", " "), one["action"], [entry]))
        read.append((instinct, render.entry("project", instinct, 85, "")))
    return lookup.Index.of(lexicon.index({}, read))


def given(found: lookup.Index, prompt: str) -> list[str]:
    """The ids that a prompt brings."""
    return [str(entry["id"]) for entry in lookup.find(found, prompt)]


def measure(prompts: list[dict[str, Any]], found: lookup.Index) -> Quality:
    """The quality over some prompts."""
    hits = shown = wanted = quiet = 0
    ranks = []
    for one in prompts:
        ids, wants = given(found, one["prompt"]), set(one["wants"])
        hits, shown, wanted = hits + len(wants & set(ids[:MOST])), shown + len(ids[:MOST]), wanted + len(wants)
        quiet += not wants and not ids
        if wants:
            ranks.append(next((1 / place for place, name in enumerate(ids, 1) if name in wants), 0.0))
    nothing = sum(not one["wants"] for one in prompts)
    return Quality(hits / max(1, shown), hits / wanted, sum(ranks) / len(ranks), len(prompts), quiet / max(1, nothing))
