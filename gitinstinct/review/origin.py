"""Where an instinct's words come from: who wrote them last, by which merge they came, what was approved before.

Names in a commit are claims. They tell a person where to look, and never decide alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from gitinstinct.git.blobs import blobs
from gitinstinct.git.identity import OBSERVER, Actor
from gitinstinct.git.repo import Repo
from gitinstinct.instinct import ids, markdown, words
from gitinstinct.instinct.errors import Invalid
from gitinstinct.store import history, layout
from gitinstinct.store.history import Logged, Version
from gitinstinct.store.layout import BRANCH
from gitinstinct.trace import account
from gitinstinct.trace.past import Past, State

_TEMPLATES = "local/"


@dataclass(frozen=True, slots=True)
class Origin:
    """The words of one instinct.

    Attributes:
        wrote: the commit that made them what they are; None if history does not tell.
        merge: the merge by which it came here; None if it did not come by one.
        approved: the file as it was when its words were approved last; None if they never were.
        people: whose commits brought the evidence, each once.
    """

    wrote: Logged | None = None
    merge: Logged | None = None
    approved: bytes | None = None
    people: tuple[Actor, ...] = ()

    @property
    def author(self) -> Actor | None:
        """Who claims to have written them: of an observer's commit the person whose observer it was."""
        return person(self.wrote) if self.wrote else None

    @property
    def model(self) -> str:
        """The detector that asked a model for them; empty where nobody did. What it reads can steer a model, so they
        are nobody's own words; the local detector's are templates."""
        if self.wrote is None or self.wrote.mail != OBSERVER.mail:
            return ""
        names = self.wrote.values("Detector") or ("an unknown detector",)
        return next((name for name in names if not name.startswith(_TEMPLATES)), "")


def person(entry: Logged) -> Actor:
    """Who made a commit: of an observer's the person who committed it."""
    if entry.mail == OBSERVER.mail:
        return Actor(entry.committer, entry.committer_mail)
    return Actor(entry.author, entry.mail)


def find(repo: Repo, wanted: Mapping[str, str], approved: frozenset[str]) -> dict[str, Origin]:
    """The origins of several instincts, by five processes at most.

    Args:
        repo: the store's repository.
        wanted: id → hash of the words that it has now.
        approved: content hashes.

    Raises:
        GitError: the history cannot be read.
    """
    if not wanted:
        return {}
    states = history.versions_of(repo, [ids.path_of(name) for name in wanted])
    texts = blobs(repo, [one.blob for known in states.values() for one in known if one.blob], layout.CAP)
    files = {oid: data for oid, data in texts.items() if isinstance(data, bytes)}
    hashes = {oid: _hash(data) for oid, data in files.items()}
    made = {name: _maker(states.get(ids.path_of(name), []), hashes, said) for name, said in wanted.items()}
    proof = {name: _proving(name, states.get(ids.path_of(name), []), files) for name in wanted}
    commits = [commit for commit in made.values() if commit]
    merges = _merges(repo, commits)
    signed = dict.fromkeys([*commits, *(commit for some in proof.values() for commit in some)])
    told = history.told(repo, [*signed, *merges.values()])

    def origin(name: str) -> Origin:
        before = (one.blob for one in states.get(ids.path_of(name), ()) if hashes.get(one.blob or "") in approved)
        commit = made[name] or ""
        merge = told.get(merges.get(commit, ""))
        people = each(person(told[one]) for one in proof[name])
        return Origin(told.get(commit), merge, files.get(next(before, None) or ""), people)

    return {name: origin(name) for name in wanted}


def _proving(name: str, states: Iterable[Version], files: Mapping[str, bytes]) -> list[str]:
    """The commits that brought the lines of evidence."""
    known = tuple(State(name, one.commit, one.blob, files.get(one.blob or "")) for one in states)
    return list(dict.fromkeys(account.brought(Past(name, known, None)).values()))


def each(people: Iterable[Actor]) -> tuple[Actor, ...]:
    """Each person once, by their address."""
    return tuple({one.mail.lower(): one for one in people}.values())


def _hash(data: bytes) -> str:
    try:
        return words.content_hash(markdown.parse(data))
    except Invalid:
        return ""


def _maker(states: Iterable[Version], hashes: Mapping[str, str], said: str) -> str | None:
    """The commit that gave a file these words: the oldest of its newest states that has them."""
    found = None
    for one in states:
        if hashes.get(one.blob or "") == said:
            found = one.commit
        elif found:
            break
    return found


def _merges(repo: Repo, commits: Iterable[str]) -> dict[str, str]:
    """Commit → the merge on the branch's own line that brought it; without those that are on that line themselves."""
    lines = repo.ask("rev-list", "--parents", "--end-of-options", BRANCH).splitlines()
    parents = {commit: above for commit, *above in map(str.split, lines)}
    tip = lines[0].split(" ")[0] if lines else ""
    line = list(_line(parents, tip))

    @cache
    def brought() -> dict[str, str]:
        return _brought(parents, line)

    own = set(line)
    return {commit: brought()[commit] for commit in commits if commit not in own and commit in brought()}


def _line(parents: Mapping[str, list[str]], commit: str) -> Iterable[str]:
    """A branch by its first parents, the newest first."""
    while commit:
        yield commit
        above = parents.get(commit)
        commit = above[0] if above else ""


def _brought(parents: Mapping[str, list[str]], line: list[str]) -> dict[str, str]:
    """Each commit that is not on the line, and the oldest merge on it that has it."""
    known = dict.fromkeys(line, "")
    for merge in reversed(line):
        waiting = parents.get(merge, [])[1:]
        while waiting:
            commit = waiting.pop()
            if commit not in known:
                known[commit] = merge
                waiting += parents.get(commit, [])
    return known
