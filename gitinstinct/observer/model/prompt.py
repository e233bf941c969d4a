"""The question: a fixed text about the task, and behind it the events as data between two marks that nobody can guess.

The fixed text comes from `templates/observer/` and has a version, which stands in the commit of every run. What a
session said is never a part of it: each event is one line of JSON, in which no line can end and no tag can close.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from gitinstinct import shipped
from gitinstinct.instinct import ids
from gitinstinct.instinct.domains import DOMAINS
from gitinstinct.observer.pattern import FAMILIES

VERSION = "1"
"""Of the texts in `templates/observer/`; a test holds it together with their hash."""

MOST = 20
"""Patterns in one answer."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a model is told: `system` is the same for every call, `user` holds the data."""

    system: str
    user: str


@dataclass(frozen=True, slots=True)
class Material:
    """What the data part is made of: lines of each kind as plain maps, and the mark, new for every call."""

    mark: str
    known: Sequence[Mapping[str, Any]]
    instincts: Sequence[Mapping[str, Any]]
    context: Sequence[Mapping[str, Any]]
    events: Sequence[Mapping[str, Any]]


def compose(material: Material) -> Prompt:
    """The prompt for some events."""
    templates = _templates()
    groups = {
        "known": material.known, "instincts": material.instincts, "context": material.context,
        "events": material.events,
    }  # fmt: skip
    texts = {name: [_line(one, material.mark) for one in group] for name, group in groups.items()}
    return Prompt(
        templates["system"].render(domains=DOMAINS, kinds=FAMILIES, most=MOST).strip(),
        templates["events"].render(mark=material.mark, **texts).strip(),
    )


def edition() -> str:
    """Version and hash of the texts that are used."""
    folder = shipped.templates() / "observer"
    texts = [(folder / f"{name}.j2").read_text("utf-8") for name in ("system", "events")]
    return f"{VERSION}.{ids.short_hash(*texts)}"


def _line(data: Mapping[str, Any], mark: str) -> str:
    """One line of ASCII JSON without the signs of markup, and without the mark, should somebody have guessed it."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for sign in "<>&\u2028\u2029\x7f\x85":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text.encode("utf-8", "replace").decode("utf-8").replace(mark, "")


@cache
def _templates() -> dict[str, Any]:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    folder: Path = shipped.templates() / "observer"
    made = Environment(loader=FileSystemLoader(folder), undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
                       autoescape=False)  # fmt: skip
    return {name: made.get_template(f"{name}.j2") for name in ("system", "events")}
