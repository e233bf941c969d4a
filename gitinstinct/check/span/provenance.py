"""Where the promotions of a range come from, each by the rule of `promote.provenance`, and what comes beside them.

A promotion is judged by what its commit brings, as many of them make a range; then the newest tree is held against all
of them together, so that nothing slips in above or below.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from gitinstinct.check.rules import Finding, Found, Severity, told
from gitinstinct.check.span.states import States, instincts
from gitinstinct.git.blobs import blobs
from gitinstinct.git.repo import Repo
from gitinstinct.instinct import ids, words
from gitinstinct.instinct.model import Instinct
from gitinstinct.promote import note, origin, provenance
from gitinstinct.promote.provenance import Cited, Doubt, Kind, Proof, Records
from gitinstinct.store import layout
from gitinstinct.store.history import Logged
from gitinstinct.store.layout import ABOUT

_Known = Mapping[str, Sequence[Instinct]]


@dataclass(frozen=True, slots=True)
class Promotion:
    """A promotion in a range: its commit, the ids that it names, the projects that it cites, whether that is proved."""

    commit: str
    ids: tuple[str, ...]
    projects: tuple[str, ...]
    verified: bool


def look(
    repo: Repo, entries: Sequence[Logged], states: States, refs: Mapping[str, str]
) -> tuple[list[Promotion], list[Finding]]:
    """The promotions of a range, and what is wrong with them. The number of processes does not grow with theirs.

    Args:
        repo: where the commits are.
        entries: the commits of the range.
        states: its trees.
        refs: the clone's refs below `origin.FOLDER`, with their commits.
    """
    promotions = {entry: provenance.cited(entry) for entry in entries if provenance.is_promotion(entry)}
    if not promotions:
        return [], []
    desk = _Desk(repo, promotions, states, refs)
    made, findings, sources = list[Promotion](), list[Finding](), defaultdict[str, list[Instinct]](list)
    for entry, said in promotions.items():
        proof = desk.judged(entry, said)
        projects = tuple(project for project, _ in said.projects)
        made.append(Promotion(entry.commit, said.ids, projects, verified=isinstance(proof, Proof)))
        if isinstance(proof, Proof):
            sources[said.ids[0]] += proof.instincts
        else:
            findings.append(told(replace(_found(proof), commit=entry.commit), ""))
    return made, [*findings, *_others(made, states), *_added(entries, made, sources, desk.before, states)]


def _found(doubt: Doubt) -> Found:
    if doubt.kind is Kind.SILENT:
        return Found("no-provenance", None, f"it is a promotion, and {doubt.why}")
    if doubt.kind is Kind.UNKNOWN:
        return Found("claimed-provenance", None, f"where it comes from is a claim: {doubt.why}")
    return Found("false-provenance", None, doubt.why)


class _Desk:
    """What is read once for all promotions of a range."""

    def __init__(self, repo: Repo, promotions: Mapping[Logged, Cited], states: States, refs: Mapping[str, str]) -> None:
        known = [one for full, commit in refs.items() if (one := origin.parse(full, commit))]
        self._records = Records(repo, known, promotions)
        names = {entry: next(filter(ids.is_id, said.ids), "") for entry, said in promotions.items()}
        self.before = _before(states, filter(None, names.values()))
        self._is_proposal = ABOUT in states.old.files
        wanted = [
            f"{commit}:{ids.path_of(name)}"
            for entry, name in names.items()
            if name
            for commit in (entry.commit, *entry.parents)
        ]
        self._contents = blobs(repo, wanted, layout.CAP) if wanted else {}

    def judged(self, entry: Logged, said: Cited) -> Proof | Doubt:
        """What proves a promotion, or why nothing does."""
        name = said.ids[0] if said.ids else ""
        proof = self._records.proof(entry, name)
        if isinstance(proof, Doubt):
            return proof
        now = self._instinct(entry.commit, name)
        if now is None:
            return Doubt(Kind.FALSE, f"it has no {ids.path_of(name)} that can be read")
        below = [one for parent in entry.parents if (one := self._instinct(parent, name))]
        more = provenance.surplus(now, [*proof.instincts, *below])
        ours = self.before[name] if self._is_proposal else below  # else its words may be of any commit of the range
        return proof.disagreement(now, ours) or (Doubt(Kind.FALSE, more) if more else proof)

    def _instinct(self, commit: str, name: str) -> Instinct | None:
        data = self._contents.get(f"{commit}:{ids.path_of(name)}")
        return note.readable(data, name) if isinstance(data, bytes) else None


def _before(states: States, names: Iterable[str]) -> _Known:
    """Each of these instincts as the range found it: on each base that has it."""
    found = {name: list[Instinct]() for name in names}
    for base in states.bases:
        for path, data in instincts(base, map(ids.path_of, found)).items():
            name = ids.of_path(path) or ""
            found[name] += filter(None, [note.readable(data, name)])
    return found


def _others(made: Sequence[Promotion], states: States) -> Iterator[Finding]:
    """What comes along with promotions and is not theirs; a range that holds the store's beginning is no proposal."""
    if ABOUT not in states.old.files:
        return
    named = {name for promotion in made for name in promotion.ids}
    for path in sorted({*states.changed, *states.gone}):
        if ids.of_path(path) not in named:
            yield told(Found("second-file", None, "it comes with a promotion that does not name it"), path)


def _added(
    entries: Sequence[Logged], made: Sequence[Promotion], sources: _Known, before: _Known, states: States
) -> Iterator[Finding]:
    """What the newest tree has beyond promotions that are proved: a later commit, or one below them, put it in."""
    unproved = {name for promotion in made if not promotion.verified for name in promotion.ids}
    commands = _commands(entries, made)
    paths = [ids.path_of(name) for name in sources if name not in unproved]
    for path, data in instincts(states.new, [one for one in paths if one in states.changed]).items():
        name = ids.of_path(path) or ""
        now = note.readable(data, name)
        if now is not None:
            known = [*before[name], *sources[name]]
            yield from (told(one, path) for one in _beyond(now, known, said=name in commands))


def _commands(entries: Sequence[Logged], made: Sequence[Promotion]) -> set[str]:
    """The ids of which another commit of the range says that it is about them, as `confirm` does."""
    promotions = {promotion.commit for promotion in made}
    others = (entry for entry in entries if entry.commit not in promotions and len(entry.parents) < 2)
    return {value.split(" ")[0] for entry in others for value in entry.values("Instinct")}


def _beyond(now: Instinct, known: Sequence[Instinct], *, said: bool) -> Iterator[Found]:
    if words.content_hash(now) not in {words.content_hash(one) for one in known}:
        yield Found("unpromoted-words", None, "it says something else than the promotions that it comes with")
    if more := provenance.surplus(now, known):
        yield Found("unpromoted-evidence", None, more, severity=Severity.WARNING if said else None)
