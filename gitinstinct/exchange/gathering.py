"""From the files of a source to one document for each id."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gitinstinct.errors import Found, UsageError
from gitinstinct.exchange import naming, readers
from gitinstinct.exchange.draft import Draft, Refused
from gitinstinct.exchange.sources.source import Source
from gitinstinct.instinct import body as bodies
from gitinstinct.instinct import dialect, sheet
from gitinstinct.instinct import fields as known
from gitinstinct.instinct.errors import Invalid

MOST = 10_000
"""Instincts of one import."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What a person wants of an import.

    Attributes:
        name: the source's name; empty for its own.
        id: the id that a single instinct shall get; empty for its own.
        least: hundredths below which nothing is taken.
        why: the person's reason.
    """

    name: str = ""
    id: str = ""
    least: int = 0
    why: str = ""


@dataclass(frozen=True, slots=True)
class Gathered:
    """What a source holds.

    Attributes:
        drafts: one for each id, in the order of ids.
        refused: what could not be read, or stands twice.
        skipped: files without any instinct.
        forgotten: ids that were forgotten there.
    """

    drafts: tuple[tuple[str, Draft], ...]
    refused: tuple[Refused, ...]
    skipped: tuple[Refused, ...]
    forgotten: frozenset[str]

    @property
    def names(self) -> frozenset[str]:
        """The ids that it has or had."""
        return frozenset(name for name, _ in self.drafts) | self.forgotten


def gather(source: Source, wish: Wish) -> Gathered:
    """Reads every file of a source.

    Raises:
        UsageError: one id was given for several instincts.
        Found: it holds too many.
    """
    drafts: list[Draft] = []
    refused, skipped = list(source.refused), list[Refused]()
    for file in source.files:
        reading = readers.read(file)
        drafts += reading.drafts
        refused += reading.refused
        if reading.nothing:
            skipped.append(Refused(file.path, "", reading.nothing))
    if len(drafts) > MOST:
        raise Found(f"{source.name} holds more than {MOST:,} instincts", "import it in parts")
    names = naming.names(drafts)
    if wish.id:
        if len(drafts) > 1:
            message = f"--as names one instinct, and {source.name} holds {len(drafts)}"
            raise UsageError(message, "import it without --as")
        names = [wish.id] * len(drafts)
    kept, forgotten, doubles = _sorted_out(zip(names, drafts, strict=True))
    return Gathered(kept, (*refused, *doubles), tuple(skipped), forgotten)


def _sorted_out(
    pairs: Iterable[tuple[str, Draft]],
) -> tuple[tuple[tuple[str, Draft], ...], frozenset[str], list[Refused]]:
    by_name: dict[str, list[Draft]] = {}
    forgotten: set[str] = set()
    unnamed: list[tuple[str, Draft]] = []
    for name, draft in pairs:
        if not name:
            unnamed.append((name, draft))
        elif _is_forgotten(draft):
            forgotten.add(name)
        else:
            by_name.setdefault(name, []).append(draft)
    kept, doubles = [], []
    for name in sorted(by_name):
        best, others = _best(by_name[name])
        kept.append((name, best))
        doubles += [Refused(one.file, one.label, _twice(name, best), name) for one in others]
    return (*unnamed, *kept), frozenset(forgotten - by_name.keys()), doubles


def _twice(name: str, best: Draft) -> str:
    return f"{name} stands twice; it was taken from {best.file} ({max(_claim(best), 0) / 100:.2f})"


def _best(drafts: Sequence[Draft]) -> tuple[Draft, list[Draft]]:
    """The one that claims most, the first of several, and those that say otherwise."""
    best = max(drafts, key=_claim)
    return best, [one for one in drafts if one is not best and one.data != best.data]


def _claim(draft: Draft) -> int:
    """Hundredths; -1 where none can be read."""
    try:
        values = {name: field.value for name, field in dialect.fields(sheet.split(draft.data).fields).items()}
        return int(known.derived({"confidence": values.get("confidence", "")}).get("confidence", 0))
    except Invalid:
        return -1


def _is_forgotten(draft: Draft) -> bool:
    """Whether it is the stub of an instinct that was forgotten. It takes nothing away here: it counts as gone."""
    try:
        body = bodies.read(sheet.split(draft.data).body)
    except Invalid:
        return False
    return any(bullet.entry and bullet.entry.kind == "forgotten" for bullet in body.bullets())
