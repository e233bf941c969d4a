"""What a run's commit says: one line of subject, what was learned with its evidence, and trailers to read back."""

from __future__ import annotations

from collections.abc import Sequence

from gitinstinct.git.trailers import Message
from gitinstinct.observer.reconcile import Learned

_VERBS = ("new", "confirmed", "contradicted")


def message(
    learned: Sequence[Learned], refused: Sequence[tuple[str, str]], *, run: str, detector: str, observations: int,
    prompt: str = "", replays: str = "",
) -> Message:  # fmt: skip
    """The message of a run that learned something, or refused something, or neither."""
    trailers = [("Instinct", f"{told.id} {told.verb} {change(told)}") for told in learned]
    trailers += [("Run", run), ("Detector", detector), ("Prompt", prompt), ("Observations", str(observations))]
    trailers += [("Replays", replays)]
    return Message(f"observe: {subject(learned)}", _paragraphs(learned, refused), trailers)


def failure(run: str) -> Message:
    """What the private record of a failed run is called."""
    return Message(f"observe: run {run} failed")


def subject(learned: Sequence[Learned]) -> str:
    """`1 new, 2 confirmed`."""
    counts = [(sum(told.verb == verb for told in learned), verb) for verb in _VERBS]
    return ", ".join(f"{number} {verb}" for number, verb in counts if number) or "nothing new"


def id_cells(learned: Sequence[Learned]) -> int:
    """The width of the column of ids."""
    return max((len(told.id) for told in learned), default=0)


def change(told: Learned) -> str:
    """`0.50`, or `0.60 -> 0.65`."""
    after = f"{told.after / 100:.2f}"
    return after if told.before is None else f"{told.before / 100:.2f} -> {after}"


def _paragraphs(learned: Sequence[Learned], refused: Sequence[tuple[str, str]]) -> list[str]:
    lines, cells = [], id_cells(learned)
    for told in learned:
        lines += [f"{told.verb:<13}{told.id:<{cells}}  {change(told)}", f"    {told.evidence}"]
    body = ["\n".join(lines)] if lines else []
    if refused:
        body.append("\n".join(f"{'refused':<13}{name}  {reason}" for name, reason in refused))
    return body
