"""Why a confidence moved, or did not, and what follows from it: the sentence that every command ends with.

`0.80 -> 0.70: one contradiction; below 0.70 it is listed, no longer injected`.
"""

from __future__ import annotations

from gitinstinct.instinct.confidence import ARCHIVE_BELOW, CAP, LIST_FROM, Fold

_FLOOR = 10
_STEP = 10  # what a contradiction takes, where the words are not a person's own


def consequence(before: Fold | None, after: Fold | None, threshold: int) -> str:
    """What is different for the agent now; empty if nothing is.

    Args:
        before: what the instinct was worth; None if it was not there.
        after: what it is worth now; None if it is gone.
        threshold: hundredths from which an instinct is injected.
    """
    was, now = _zone(before, threshold), _zone(after, threshold)
    if was == now or after is None:
        return ""
    if now == "archived":
        below = after.confidence < ARCHIVE_BELOW
        return f"below {_value(ARCHIVE_BELOW)} it is archived" if below else "it is neither injected nor listed"
    if now == "injected":
        return f"from {_value(threshold)} on it is injected"
    if now == "silent":
        return f"below {_value(LIST_FROM)} it is silent"
    if was == "injected":
        return f"below {_value(threshold)} it is listed, no longer injected"
    return f"from {_value(LIST_FROM)} on it is listed"


def _zone(fold: Fold | None, threshold: int) -> str:
    if fold is None:
        return "absent"
    if fold.status != "active":
        return "archived"
    if fold.confidence >= threshold:
        return "injected"
    return "listed" if fold.confidence >= LIST_FROM else "silent"


def confirmed(before: Fold, after: Fold) -> str:
    """What a confirmation did."""
    if before.confidence >= CAP:
        did = f"it stays at {_value(before.confidence)}: confirmations go up to {_value(CAP)}"
    elif after.confidence == CAP and after.confidence - before.confidence < 5:
        did = f"one confirmation, up to the most that confirmations give, {_value(CAP)}"
    else:
        did = _moved("one confirmation", before, after)
    return did + _still_archived(after)


def contradicted(before: Fold, after: Fold) -> str:
    """What a contradiction did."""
    lost = before.confidence - after.confidence
    if before.confidence <= _FLOOR:
        did = f"it stays at {_value(before.confidence)}: contradictions go down to {_value(_FLOOR)}"
    elif after.confidence == _FLOOR and lost < _STEP:
        did = f"one contradiction, down to the least that contradictions leave, {_value(_FLOOR)}"
    elif 0 < lost < _STEP:
        did = "one contradiction, which counts half against what a person wrote"
    else:
        did = _moved("one contradiction", before, after)
    return did


def set_(before: Fold, after: Fold, value: int) -> str:
    """What setting a value did."""
    if after.confidence != value:
        return f"set to {_value(value)}, and evidence of a later day changes it" + _still_archived(after)
    stays = "it was that already; it counts as news all the same" if before.confidence == value else "set by hand"
    return stays + _still_archived(after)


def _moved(what: str, before: Fold, after: Fold) -> str:
    """A clock that goes wrong may have dated other evidence behind today."""
    return what if before.confidence != after.confidence else f"{what}, and evidence of a later day decides"


def _still_archived(after: Fold) -> str:
    still = after.status == "archived" and after.confidence >= ARCHIVE_BELOW
    return "; it is still archived, `restore` brings it back" if still else ""


def joined(*parts: str) -> str:
    """The parts that say something, as one sentence."""
    return "; ".join(part for part in parts if part)


def _value(hundredths: int) -> str:
    return f"{hundredths / 100:.2f}"
