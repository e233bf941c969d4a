"""An import: what a source holds, made into instincts of this store, on the source's branch, merged into `main`.

The merge does what an import must: a correction at the source comes, a local edit stays, what both changed is a
conflict that is told, and what came already changes nothing. Nothing is ever deleted: what is gone at its source is put
away.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING

from gitinstinct.capture.redact import findings, redact
from gitinstinct.errors import Found, UsageError
from gitinstinct.exchange import branch, gathering
from gitinstinct.exchange.branch import Line
from gitinstinct.exchange.draft import Refused
from gitinstinct.exchange.gathering import Wish
from gitinstinct.exchange.intake import Intake
from gitinstinct.exchange.sources.source import Source, fit
from gitinstinct.git.blobs import blob_id
from gitinstinct.git.trailers import Message
from gitinstinct.instinct import ids, markdown
from gitinstinct.instinct.errors import Invalid
from gitinstinct.store import layout, library
from gitinstinct.store.store import Store

if TYPE_CHECKING:
    from gitinstinct.store.merging import Merging, Outcome

Progress = Callable[[int, int], None]
_TOLD = 200  # instincts that a commit's message names; a message of more is refused by other stores


@dataclass(frozen=True, slots=True)
class Plan:
    """What an import would bring.

    Attributes:
        line: the source's branch.
        files: the tree of the new commit.
        coming: the ids that the source has and that are taken.
        gone: the ids that it no longer has.
        refused: what is not taken, and why.
        skipped: files without any instinct.
        below: ids that claim less than was asked for.
        notes: what is odd about what is taken: id and sentence.
    """

    line: Line
    files: Mapping[str, bytes]
    coming: tuple[str, ...]
    gone: tuple[str, ...]
    refused: tuple[Refused, ...]
    skipped: tuple[Refused, ...]
    below: tuple[str, ...]
    notes: tuple[tuple[str, str], ...]
    why: str = ""

    @property
    def is_new(self) -> bool:
        """Whether the source says anything that it did not say last time."""
        last = self.line.last
        if last is None:
            return bool(self.coming)
        return {path: blob_id(data, last.commit) for path, data in self.files.items()} != dict(last.files)


def plan(store: Store, source: Source, wish: Wish, now: datetime, progress: Progress | None = None) -> Plan:
    """Makes instincts of what a source holds, and finds what it brought before. Nothing is written.

    Raises:
        Found: it holds no instinct that could be taken.
        UsageError: one id was given for several instincts, or the source's name holds a secret.
    """
    found = gathering.gather(source, wish)
    if not (found.drafts or found.refused or found.forgotten):
        raise Found(f"{source.name}: no instinct in it", _nothing(found.skipped))
    called = fit(wish.name or source.name) + (f" as {wish.id}" if wish.id else "")
    if findings(called):
        raise UsageError("the name of the source holds what looks like a secret", "call it otherwise: --name NAME")
    line = branch.find(store.repo, called, found.names, loose=source.loose and not wish.name)
    main = library.newest(store)
    intake = Intake(store.about, line, main, now, wish.least)
    for done, (name, draft) in enumerate(found.drafts, 1):
        intake.take(name, draft)
        if progress:
            progress(done, len(found.drafts))
    intake.refused += found.refused
    gone = intake.put_away(found.forgotten, may_miss=any(not one.id for one in intake.refused))
    about = main.read(layout.ABOUT) or store.about.render()
    files = {ids.path_of(name): data for name, data in intake.files.items()} | {layout.ABOUT: about}
    notes = tuple((name, redact(note)) for name, note in intake.notes)
    refused = tuple(map(_harmless, intake.refused))
    return Plan(line, files, tuple(intake.coming), gone, refused, found.skipped, tuple(intake.below), notes, wish.why)


def _harmless(one: Refused) -> Refused:
    """A reason may show a piece of the file, and a secret may be in it."""
    return replace(one, file=redact(one.file), item=redact(one.item), reason=redact(one.reason))


def _nothing(skipped: Iterable[Refused]) -> str:
    reason = next((one.reason for one in skipped), "")
    return reason or "an instinct is a Markdown file with frontmatter; lists in YAML and JSON are read, too"


def bring(
    store: Store, made: Plan, now: datetime, *, rehearse: bool = False, progress: Progress | None = None
) -> Outcome:
    """Commits an import on its branch and merges it into `main`.

    Args:
        store: where.
        made: the plan.
        now: the commits' time.
        rehearse: tell what the merge would do; no ref moves.
        progress: told how far the merge is.

    Raises:
        Waiting, GitError, Found: as `store.merging.merge`; nothing of the import is on `main`.
    """
    from gitinstinct.store import merging

    source = made.line.source
    told = [f"{len(made.gone)} gone"] if made.gone else []
    message = Message(branch.subject(len(made.coming), source, told), [made.why], [(branch.TRAILER, source)])
    commit = branch.write(store, made.line, made.files, message, now)
    outcome = merging.merge(
        store, commit, now, message=lambda one: _message(made, one), forward=False, rehearse=rehearse,
        progress=progress,
    )  # fmt: skip
    if not rehearse:
        branch.keep(store, source, commit)
    return outcome


def _message(made: Plan, merging: Merging) -> Message:
    """The merge's message: what came of each instinct."""
    told = outcomes(made, merging)
    lines = [f"{one.verb:<10}{one.id:<24}  {one.change}" for one in told[:_TOLD]]
    if len(told) > _TOLD:
        lines.append(f"and {len(told) - _TOLD} more")
    trailers = [("Instinct", f"{one.id} {one.verb} {one.change}") for one in told[:_TOLD]]
    return Message(branch.subject(len(told), made.line.source), [made.why, "\n".join(lines)], trailers)


@dataclass(frozen=True, slots=True)
class Told:
    """What an import does to one instinct: the verb, and the confidence that it has then."""

    id: str
    verb: str
    value: int | None
    fields: tuple[str, ...] = field(default=())

    @property
    def change(self) -> str:
        """The value as a message shows it, or which fields are in conflict."""
        if self.fields:
            return f"conflict: {', '.join(self.fields)}"
        return "" if self.value is None else f"{self.value / 100:.2f}"


def outcomes(made: Plan, merging: Merging) -> list[Told]:
    """What the merge does to each instinct, in the order of ids."""
    told = []
    for path, data in sorted(merging.files.items()):
        name = ids.of_path(path)
        if name is None:
            continue
        verb = "new" if name in merging.added else "put away" if name in made.gone else "changed"
        one = Told(name, verb, _value(data))
        fields = merging.conflicts.get(name)
        told.append(replace(one, verb="conflict", fields=tuple(fields)) if fields else one)
    return told


def _value(data: bytes | None) -> int | None:
    if data is None:
        return None
    try:
        found = markdown.parse(data)
    except Invalid:
        return None
    return found.fold(found.newest or "1970-01-01", "1970-01-01").confidence
