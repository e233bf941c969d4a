"""What is merged how: field → rule, in one place. README prints this table, and a test compares.

The kind of a field decides, never its history: so the same three files give the same bytes in every caller, whichever
side is called ours.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from gitinstinct.instinct.fields import DERIVED
from gitinstinct.instinct.merge.side import Side

TABLE = (
    (
        "ledger, free bullets, `tags`, `paths`, `anchors`, other lists",
        "three-way set: what both have, and what either added; sorted, without doubles. `retracted` and `forgotten`"
        " stay whoever removes them. One key with two texts: the side that changed it; both: the bytewise smaller",
    ),
    (
        "`confidence`, `status`, `created`, `last_observed`, `confirmations`, `contradictions`",
        "computed from the merged ledger; `created` never rises",
    ),
    (
        "`trigger`, title, `## Action`, a person's own keys",
        "the side that changed it; both the same: that; both differently: a **conflict**",
    ),
    (
        "`domain`, `source`, `scope`, `project_id`, `project_name`, `source_repo`, `imported_from`, `x_original_*`",
        "the side that changed it; both differently: the bytewise smaller",
    ),
    ("own `confidence` of a file without ledger", "the side that has a ledger; else as a value, the smaller of two"),
    ("other sections", "section by section, then line by line; both changed the same lines: a **conflict**"),
    ("`conflicts`", "each field's values as a three-way set; an entry goes when a side settled it"),
    ("`id`", "equal on all sides, else nothing is merged"),
    ("`forgotten` on a side", "the stub wins"),
    ("deleted against unchanged", "deleted"),
    ("deleted against edited", "the edit stays, held by a **conflict** on `file`"),
    (
        "order of keys and sections",
        "the side that changed it; what is put in or taken out moves no other; a new one stands behind what it stood"
        " behind",
    ),
    ("`README.md`, `.gitattributes`, `store.yaml`", "the newer format, else the bytewise smaller; never a conflict"),
)
"""What, and its rule, as Markdown."""


class Rule(Enum):
    """How a field of the frontmatter is merged."""

    WORDS = "words"
    QUIET = "quiet"
    LIST = "list"
    DERIVED = "derived"
    CONFLICTS = "conflicts"


TITLE, ACTION, FILE = "title", "action", "file"
"""What `conflicts` calls the heading, the text below `## Action`, and the file as a whole."""

_NAMED = (
    dict.fromkeys(DERIVED, Rule.DERIVED)
    | dict.fromkeys(("tags", "paths", "anchors"), Rule.LIST)
    | {"trigger": Rule.WORDS, "conflicts": Rule.CONFLICTS}
    | dict.fromkeys(("id", "domain", "source", "scope", "project_id", "project_name"), Rule.QUIET)
    | dict.fromkeys(("source_repo", "imported_from"), Rule.QUIET)
    | {FILE: Rule.QUIET}  # in `conflicts` the name means the whole
)


def rule_of(name: str, sides: Iterable[Side]) -> Rule:
    """The rule for a field; that of one which is not known by name depends on what it holds wherever it is."""
    if name in _NAMED:
        return _NAMED[name]
    if name.startswith("x_original_"):
        return Rule.QUIET
    present = [value for side in sides if (value := side.value(name)) is not None]
    lists = all(isinstance(value, list) and all(isinstance(item, str) for item in value) for value in present)
    return Rule.LIST if present and lists else Rule.WORDS
