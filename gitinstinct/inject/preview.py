"""What the hook would give now, made from instincts that were read in full, and why it gives no more.

The same steps as the hook's, from the same parts; only nothing is prepared, logged or withheld.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gitinstinct.inject import block, lexicon, lookup, select
from gitinstinct.inject.pick import pick
from gitinstinct.inject.select import Candidate, LeftOut, Rules

NOT_ASKED_FOR = "the prompt does not ask for it"
SWITCHED_OFF = "injection is switched off in the environment"


@dataclass(frozen=True, slots=True)
class Situation:
    """Where a session stands: what it has had (id → hash), its project's folder, the folders of programs."""

    known: Mapping[str, str]
    root: str
    search: str
    switched_off: bool = False


@dataclass(frozen=True, slots=True)
class Preview:
    """What would be given, in order, as text; and what would not."""

    chosen: tuple[Candidate, ...]
    left_out: tuple[LeftOut[Candidate], ...]
    text: str


def of(found: Iterable[Candidate], rules: Rules, situation: Situation, day: str, prompt: str | None = None) -> Preview:
    """What a session gets as it begins, or at a prompt."""
    every = list(found)
    if situation.switched_off:
        return Preview((), tuple(LeftOut(one, SWITCHED_OFF) for one in every), "")
    fit, left = select.ranked(every, rules)
    if prompt is not None:
        return _at_prompt(prompt, fit, left, rules, situation)
    chosen = select.select(every, rules, known=situation.known, root=situation.root, search=situation.search)
    notes = block.notes(select.waiting(left), (), 0)
    lines = [entry["line"] for entry in select.entries(chosen.chosen)]
    return Preview(chosen.chosen, chosen.left_out, block.text(block.START, lines, notes))


def _at_prompt(
    prompt: str, fit: Sequence[Candidate], left: list[LeftOut[Candidate]], rules: Rules, situation: Situation
) -> Preview:
    settings, made = rules.settings, select.entries(fit)
    behind = {(one.scope, one.id): one for one in fit}  # an index gives its entries anew
    asked = _asked(prompt, fit, made)
    chosen, rest = pick(
        asked,
        settings.prompt_most,
        min(settings.prompt_budget, block.ROOM),
        situation.known,
        situation.root,
        situation.search,
    )
    left = left + [LeftOut(behind[entry["scope"], entry["id"]], reason) for entry, reason in rest]
    meant = {(entry["scope"], entry["id"]) for entry in asked}
    left += [LeftOut(one, NOT_ASKED_FOR) for key, one in behind.items() if key not in meant]
    given = tuple(behind[entry["scope"], entry["id"]] for entry in chosen)
    return Preview(given, tuple(left), block.text(block.PROMPT, [entry["line"] for entry in chosen]))


def _asked(prompt: str, fit: Sequence[Candidate], made: list[dict[str, Any]]) -> list[dict[str, Any]]:
    read = [(one.item.instinct, entry) for one, entry in zip(fit, made, strict=True)]
    data = lexicon.index({}, read)
    return lookup.find(lookup.Index.of(data), prompt)
