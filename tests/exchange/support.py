"""Foreign files for tests, and imports in one call."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from gitinstinct.exchange import importing, readers, sources
from gitinstinct.exchange.draft import File, Reading
from gitinstinct.exchange.gathering import Wish
from gitinstinct.exchange.importing import Plan
from gitinstinct.instinct import ids, markdown
from gitinstinct.instinct.model import Instinct
from gitinstinct.store.merging import Outcome
from gitinstinct.store.store import Store
from tests.support.stores import NOW, newest

BOT = """\
# Instincts generated from https://github.com/acme/shop
# Generated: 2026-07-27T13:18:16.873Z

---
id: shop-commit-length
trigger: "when writing a commit message"
confidence: 0.6
domain: git
source: repo-analysis
source_repo: https://github.com/acme/shop
---

# Shop Commit Length

## Action

Write short commit messages

## Evidence

- Average length: 37 chars

---
id: shop-named-exports
trigger: "when exporting from a module"
confidence: 0.7
domain: code-style   # of the front end
source: repo-analysis
reviewed: yes
---

# Shop Named Exports

## Action

Prefer named exports
"""


def read(text: str | bytes, path: str = "team.md") -> Reading:
    """What the readers make of a file."""
    return readers.read(File(path, text.encode() if isinstance(text, str) else text))


def bring(
    store: Store, path: Path, *, now: datetime = NOW, wish: Wish | None = None, rehearse: bool = False
) -> tuple[Plan, Outcome | None]:
    """Imports a path; the plan, and what the merge did."""
    plan = importing.plan(store, sources.gather(str(path)), wish or Wish(), now)
    return plan, importing.bring(store, plan, now, rehearse=rehearse) if plan.is_new else None


def instinct(store: Store, name: str) -> Instinct:
    """An instinct of `main`."""
    return markdown.parse(data(store, name), name)


def data(store: Store, name: str) -> bytes:
    """The bytes of an instinct of `main`."""
    found = newest(store).read(ids.path_of(name))
    assert found is not None
    return found


def names(store: Store) -> list[str]:
    """The ids on `main`."""
    return sorted(name for path in newest(store).files if (name := ids.of_path(path)))
