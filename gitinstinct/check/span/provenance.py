"""Where promotions come from: what such a commit cites, and whether the project's own promotion says the same.

A promotion brings one instinct of a project to all projects. It is picked by git from a commit of the project's store,
which whoever promotes pushes beside the shared one, on `refs/gitinstinct/promoted/<project>/<id>`. Where that is there,
words and evidence are compared; where it is not, what is cited is a claim. Who may push can forge such a ref, too: what
is verified is that the two agree.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from gitinstinct.check.rules import Finding, Found, Severity, told
from gitinstinct.check.span.states import States, instincts
from gitinstinct.check.subject import Readable, Subject
from gitinstinct.git.blobs import blobs
from gitinstinct.git.repo import Repo, merge_bases, resolve
from gitinstinct.instinct import ids, words
from gitinstinct.instinct.ledger import Entry
from gitinstinct.instinct.model import Instinct
from gitinstinct.promote.origin import FOLDER, PROMOTED_FROM
from gitinstinct.store import history, layout
from gitinstinct.store.history import Logged
from gitinstinct.store.layout import ABOUT

_SOURCE = re.compile(r"([0-9a-f]{12}) [0-9a-f]{40,64}")
_OWN = frozenset({"promoted", "imported", "effect", "evolved"})  # kinds that the shared store adds itself


@dataclass(frozen=True, slots=True)
class Promotion:
    """A promotion in a range: its commit, the ids that it names, the projects that it cites, whether that is proved."""

    commit: str
    ids: tuple[str, ...]
    projects: tuple[str, ...]
    verified: bool


class _Claim(Exception):
    """What is cited is not here."""


class _False(Exception):
    """What is cited is otherwise."""


def look(
    repo: Repo, entries: Sequence[Logged], states: States, refs: Mapping[str, str]
) -> tuple[list[Promotion], list[Finding]]:
    """The promotions of a range, and what is wrong with them.

    Args:
        repo: where the commits are.
        entries: the commits of the range.
        states: its trees.
        refs: the clone's refs below `origin.FOLDER`, with their commits.
    """
    made, findings, sources = list[Promotion](), list[Finding](), defaultdict[str, list[Instinct]](list)
    for entry in entries:
        if len(entry.parents) < 2 and (entry.verb == "promote" or entry.values(PROMOTED_FROM)):
            promotion, found = _judged(repo, entry, refs, sources)
            made.append(promotion)
            findings += [told(replace(one, commit=entry.commit), "") for one in found]
    return made, [*findings, *(_others(made, states) if made else ()), *_added(entries, made, sources, states)]


def _judged(
    repo: Repo, entry: Logged, refs: Mapping[str, str], sources: Mapping[str, list[Instinct]]
) -> tuple[Promotion, list[Found]]:
    """A promotion and what is wrong with it; what it was picked from is added to `sources` where it proves it."""
    names = tuple(value.split(" ")[0] for value in entry.values("Instinct"))
    projects = tuple(found[1] for value in entry.values(PROMOTED_FROM) if (found := _SOURCE.fullmatch(value)))
    promotion = Promotion(entry.commit, names, projects, verified=False)
    missing = _missing(names, projects, entry.picked)
    if missing:
        return promotion, [Found("no-provenance", None, f"it is a promotion and {missing}")]
    try:
        sources[names[0]] += _proved(repo, entry, names[0], projects[0], refs)
    except _Claim as claim:
        return promotion, [Found("claimed-provenance", None, f"where it comes from is a claim: {claim}")]
    except _False as fault:
        return promotion, [Found("false-provenance", None, str(fault))]
    return replace(promotion, verified=True), []


def _missing(names: Sequence[str], projects: Sequence[str], picked: Sequence[str]) -> str:
    if len(names) != 1:
        return "does not name the one instinct that it brings"
    if len(projects) != 1:
        return f"lacks the one line `{PROMOTED_FROM}: PROJECT COMMIT`"
    return "" if picked else "lacks the line `(cherry picked from commit …)`"


def _proved(repo: Repo, entry: Logged, name: str, project: str, refs: Mapping[str, str]) -> list[Instinct]:
    """Holds a promotion against the commit that it was picked from, and returns what that one has.

    A squash by a host has several in one, and cites them all in its message; the last one is in its trailers.

    Raises:
        _Claim: the project's promotions are not here.
        _False: they are, and that commit is none of them or says something else.
    """
    tip = refs.get(f"{FOLDER}{project}/{name}")
    if tip is None:
        raise _Claim("no promotion of it by that project is here")
    picked = entry.picked[-1]
    commit = resolve(repo, picked)
    if commit is None or merge_bases(repo, tip, commit) != [commit]:
        raise _False(f"{picked[:10]} is none of that project's promotions of it")
    source = history.told(repo, [commit])[commit]
    if source.values(PROMOTED_FROM) != entry.values(PROMOTED_FROM):
        raise _False(f"{picked[:10]} says that it comes from elsewhere")
    before, now, there, *others = _versions(repo, name, [commit, *_squashed(repo, entry, name, refs)], entry)
    if there is None or now is None:
        raise _False(f"{picked[:10]} has no {ids.path_of(name)} that can be read")
    cited = [there, *filter(None, others)]
    _agree(cited, before, now, picked[:10])
    return cited


def _squashed(repo: Repo, entry: Logged, name: str, refs: Mapping[str, str]) -> list[str]:
    """The other commits that a promotion cites and that are some project's promotions of it."""
    cited = entry.picked[:-1][-_SQUASHED:]
    tips = [tip for ref, tip in refs.items() if ref.endswith(f"/{name}")]
    if not cited or not tips:
        return []
    known = set(repo.ask("rev-list", "--stdin", stdin="".join(f"{tip}\n" for tip in tips).encode()).split())
    return [one for one in dict.fromkeys(cited) if one in known]


_SQUASHED = 100  # promotions in one


def _versions(repo: Repo, name: str, cited: Sequence[str], entry: Logged) -> list[Instinct | None]:
    """The instinct in the shared store before, and after, and in each promotion that is cited."""
    parent = entry.parents[0] if entry.parents else entry.commit
    wanted = [f"{one}:{ids.path_of(name)}" for one in (parent, entry.commit, *cited)]
    found = blobs(repo, wanted, layout.CAP)
    return [_read(data) if isinstance(data := found[one], bytes) else None for one in wanted]


def _read(data: bytes) -> Instinct | None:
    read = Subject("", data, "").read
    return read.instinct if isinstance(read, Readable) else None


def _agree(cited: Sequence[Instinct], before: Instinct | None, now: Instinct, source: str) -> None:
    """What came is the sources', or was there before."""
    known = [*cited, *filter(None, [before])]
    if words.content_hash(now) not in {words.content_hash(one) for one in known}:
        raise _False(f"it brings other words than {source} has")
    more = _surplus(now, known)
    if more:
        raise _False(f"it brings evidence that {source} does not have: {more[0].date} {more[0].claim}")


def _surplus(now: Instinct, known: Iterable[Instinct]) -> list[Entry]:
    """The evidence that none of the others has."""
    essences = {_essence(entry) for one in known for entry in one.ledger}
    return [entry for entry in now.ledger if entry.kind not in _OWN and _essence(entry) not in essences]


def _essence(entry: Entry) -> tuple[str, str, str]:
    return (entry.date, entry.claim, entry.key)


def _others(made: Sequence[Promotion], states: States) -> Iterator[Finding]:
    """What comes along with promotions and is not theirs; a range that holds the store's beginning is no proposal."""
    if ABOUT not in states.old.files:
        return
    named = {name for promotion in made for name in promotion.ids}
    for path in sorted({*states.changed, *states.gone}):
        if ids.of_path(path) not in named:
            yield told(Found("second-file", None, "it comes with a promotion that does not name it"), path)


def _added(
    entries: Sequence[Logged],
    made: Sequence[Promotion],
    sources: Mapping[str, Sequence[Instinct]],
    states: States,
) -> Iterator[Finding]:
    """What the newest tree has beyond promotions that are proved: a later commit, or one below them, put it in."""
    unproved = {name for promotion in made if not promotion.verified for name in promotion.ids}
    commands = _commands(entries, made)
    paths = [ids.path_of(name) for name in sources if name not in unproved]
    before = [instincts(base, paths) for base in states.bases]
    for path, data in instincts(states.new, [one for one in paths if one in states.changed]).items():
        now = _read(data)
        known = [one for files in before if path in files and (one := _read(files[path]))]
        known += sources[ids.of_path(path) or ""]
        if now is not None:
            yield from (told(one, path) for one in _beyond(now, known, said=now.id in commands))


def _commands(entries: Sequence[Logged], made: Sequence[Promotion]) -> set[str]:
    """The ids of which another commit of the range says that it is about them, as `confirm` does."""
    promotions = {promotion.commit for promotion in made}
    others = (entry for entry in entries if entry.commit not in promotions and len(entry.parents) < 2)
    return {value.split(" ")[0] for entry in others for value in entry.values("Instinct")}


def _beyond(now: Instinct, known: Sequence[Instinct], *, said: bool) -> Iterator[Found]:
    if words.content_hash(now) not in {words.content_hash(one) for one in known}:
        yield Found("unpromoted-words", None, "it says something else than the promotions that it comes with")
    more = _surplus(now, known)
    if more:
        why = f"it has evidence that none of the promotions has: {more[0].date} {more[0].claim}"
        why += f", and {len(more) - 1} more" if len(more) > 1 else ""
        yield Found("unpromoted-evidence", None, why, severity=Severity.WARNING if said else None)
