"""One promotion from beginning to end: what would come of it, whether anything stands against it, and doing it.

Who promotes has read the words, so that is consent: to new words at once, where they land on `main`; to those that the
global store had before only as far as the project's are the same.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial

from gitinstinct.capture import redact
from gitinstinct.capture.reader import about
from gitinstinct.errors import FatalError, Found
from gitinstinct.git import refs
from gitinstinct.git.repo import Repo, config
from gitinstinct.git.repo import refs as read_refs
from gitinstinct.git.trailers import Message
from gitinstinct.instinct import ids, markdown, private, words
from gitinstinct.instinct.confidence import Fold
from gitinstinct.instinct.errors import Invalid
from gitinstinct.promote import branches, form, landing, origin, pick, rejection
from gitinstinct.promote.candidates import Candidate
from gitinstinct.promote.form import Form
from gitinstinct.promote.landing import Settled
from gitinstinct.promote.landscape import is_live
from gitinstinct.promote.pick import Brought, Picks
from gitinstinct.promote.sources import Source
from gitinstinct.store import commit, library, merging, tree
from gitinstinct.store.commit import Change, Written
from gitinstinct.store.layout import BRANCH, Refusal
from gitinstinct.store.store import Store, identity, locked, protect
from gitinstinct.store.tree import Tree
from gitinstinct.trust import book, giving

ON_MAIN, ON_BRANCH = "main", "branch"
_NONE: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class Plan:
    """What a promotion comes to.

    Attributes:
        candidate: what is promoted.
        forms: each project's instinct in its global form, the one whose words count first.
        place: where it lands, `main` or `branch`.
        hosts: names of hosts whose addresses are no finding.
    """

    candidate: Candidate
    forms: tuple[tuple[Source, Form], ...]
    place: str
    hosts: tuple[str, ...] = ()

    @property
    def words(self) -> Form:
        """The form whose words all projects get."""
        return self.forms[0][1]

    @property
    def names(self) -> tuple[str, ...]:
        """Where a project is named, each as `field: name`."""
        return tuple(dict.fromkeys(name for _, one in self.forms for name in one.names))


def plan(candidate: Candidate, place: str, hosts: Collection[str] = (), remotes: Mapping[str, str] = _NONE) -> Plan:
    """What a promotion would come to.

    Args:
        candidate: what is promoted.
        place: where it lands.
        hosts: names of hosts whose addresses are no finding.
        remotes: project id to its remote, as far as the caller knows more than what was captured.

    Raises:
        Found: something stands against it, whoever wants it.
    """
    name, there = candidate.name, candidate.everybody
    if candidate.contraries:
        raise Found(f"{name} is contradicted", "see both, and archive the one that is wrong")
    if there is not None:
        pick.refuse(there)
    if there is None and words.content_hash(candidate.sources[0].item.instinct) in book.read().rejected:
        raise Found(f"the words of {name} were rejected", f"gitinstinct review --revoke {candidate.sources[0].id}")
    known = {source.project: telling(source, remotes.get(source.project, "")) for source in candidate.sources}
    made = [(source, _formed(source, candidate, known[source.project])) for source in candidate.sources]
    if there is None:  # the first one's words are everybody's
        first = replace(candidate.sources[0].item, data=made[0][1].data, instinct=made[0][1].instinct, as_written="")
        made[1:] = [(source, form.of(source.item, name, first, known[source.project])) for source, _ in made[1:]]
    if rejection.is_rejected(made[0][1].instinct, book.read()):
        hint = f"gitinstinct review --revoke {branches.called(name)} lets it be proposed again"
        raise Found(f"the promotion of {name} was turned down here", hint)
    for source, one in made:
        _refuse(source, one, hosts)
    return Plan(candidate, tuple(made), place, tuple(hosts))


def _formed(source: Source, candidate: Candidate, names: Collection[str]) -> Form:
    try:
        return form.of(source.item, candidate.name, candidate.everybody, names)
    except Invalid as error:
        raise Found(f"{source.id} of {source.store.about.name} cannot be promoted: {error}") from error


def _refuse(source: Source, one: Form, hosts: Collection[str]) -> None:
    against = form.objections(one, redact.findings(one.data.decode()), hosts)
    if against:
        message = f"{source.id} of {source.store.about.name} cannot be everybody's: {'; '.join(against[:3])}"
        raise Found(message, f"mend it there: gitinstinct edit {source.id} --project {source.project}")


def telling(source: Source, remote: str = "") -> tuple[str, ...]:
    """Words that name a project: its own name, and those of its remote."""
    remote = (remote or about(source.project).get("remote", "")).removesuffix(".git")
    _, _, path = re.sub(r"^\w+://", "", remote).replace(":", "/").partition("/")
    return private.telling((source.store.about.name, *path.split("/")))


def place(everybody: Store | None, land: str, *, direct: bool) -> str:
    """Where a promotion lands, by the settings and what the person said."""
    if direct or land == ON_MAIN:
        return ON_MAIN
    if land == "auto":
        return ON_BRANCH if everybody is not None and _is_shared(everybody.repo) else ON_MAIN
    return ON_BRANCH


def _is_shared(repo: Repo) -> bool:
    return config(repo, "remote.origin.url") is not None


# --- doing it


@dataclass(frozen=True, slots=True)
class Done:
    """What a promotion did.

    Attributes:
        id: the id in the global store.
        place: where it landed.
        commit: the new tip there; None if there was nothing new.
        brought: by project.
        before, after: what it was worth globally, and is worth now; None where it was or is not there.
        settled: what projects were told.
        problems: projects that could not take part, each with the reason.
        pending: why index and files of the global store could not follow yet; empty if they did.
    """

    id: str
    place: str
    commit: str | None
    brought: tuple[Brought, ...]
    before: Fold | None
    after: Fold | None
    settled: Settled = field(default_factory=Settled)
    problems: tuple[Refusal, ...] = ()
    pending: str = ""


def carry_out(made: Plan, everybody: Store, now: datetime, *, disclose: bool) -> Done:
    """Promotes.

    Args:
        made: what was planned.
        everybody: the global store.
        now: the moment.
        disclose: whether the global store tells the projects' ids.

    Raises:
        Found: meanwhile something stands against it; nothing was changed.
        Waiting: something that a person has begun is in the way; nothing was changed.
        GitError: git could not read or write.
    """
    name, day = made.candidate.name, made.candidate.day
    problems: list[Refusal] = []
    sources, tag = _fresh(made, now, problems), partial(origin.tag, disclose=disclose)

    def bring(onto: Tree) -> Picks:
        return pick.bring(everybody, onto, sources, name, tag, now) if sources else Picks(onto.commit)

    _refuse_other_words(made, sources, problems)
    merging.refuse_unfinished(everybody)
    land = _on_main if made.place == ON_MAIN else _on_branch
    picks, written, tip = land(everybody, name, bring, now)
    after = markdown.parse(picks.data).fold(day, day) if picks.data else None
    if tip and made.place == ON_MAIN:
        _consent(made, picks, now)
    before = made.candidate.everybody.fold(day) if made.candidate.everybody else None
    settled = landing.settle(now) if made.place == ON_MAIN else Settled()
    return Done(
        name, made.place, tip, picks.brought, before, after or before, settled, tuple(problems), written.pending
    )


def _refuse_other_words(made: Plan, sources: Sequence[Source], problems: Sequence[Refusal]) -> None:
    """The words of another project would land than those that the person has seen."""
    first = made.forms[0][0]
    if made.candidate.everybody is None and (not sources or sources[0].project != first.project):
        why = next((one.reason for one in problems if one.path == first.store.about.name), "it is gone")
        raise Found(f"{first.id} of {first.store.about.name} cannot be promoted now: {why}", "nothing was changed")


def _consent(made: Plan, picks: Picks, now: datetime) -> None:
    """To the words that the person has seen, and to no others: somebody may have been quicker."""
    landed = markdown.parse(picks.data or b"")
    if made.candidate.everybody is None and words.content_hash(landed) == words.content_hash(made.words.instinct):
        giving.landed([landed], "promote", now, typed=True)


def _fresh(made: Plan, now: datetime, problems: list[Refusal]) -> list[Source]:
    """The instincts as their stores have them now, a person's own edits of them committed first."""
    found = []
    for source, one in made.forms:
        try:
            commit.write(source.store, lambda _: None, now)
            newest = library.newest(source.store)
            item = library.of_tree(newest).items.get(source.id) if newest.commit != source.commit else source.item
            if item is None or not is_live(item, made.candidate.day):
                raise Found(f"{source.id} is gone, put away or in conflict there")
            fresh = Source(source.store, newest.commit, item)
            if item.data != source.item.data:
                _refuse(fresh, replace(one, data=item.data, instinct=item.instinct), made.hosts)
            found.append(fresh)
        except FatalError as fault:
            problems.append(Refusal(source.store.about.name, fault.message))
    return found


_Landed = tuple[Picks, Written, str | None]


def _on_main(everybody: Store, name: str, bring: pick.Bring, now: datetime) -> _Landed:
    picks = Picks("")

    def decide(newest: Tree) -> Change | None:
        nonlocal picks
        picks = bring(newest)
        if picks.data is None:
            return None
        return Change({ids.path_of(name): picks.data}, Message(f"promote: {name}"), forward=picks.tip)

    written = commit.write(everybody, decide, now)
    return picks, written, written.commit


def _on_branch(everybody: Store, name: str, bring: pick.Bring, now: datetime) -> _Landed:
    """On top of the branch that waits already, else on `main`."""
    written = commit.write(everybody, lambda _: None, now)
    repo, full = everybody.repo, branches.branch(name)
    with locked(everybody.name):
        branches.refuse_checked_out(everybody, name)
        protect(repo)
        found = read_refs(repo, full, BRANCH)
        old = found[full].oid if full in found else None
        waits = old is not None and not branches.has_landed(repo, old)
        picks = bring(tree.read(repo, old if old and waits else found[BRANCH].oid))
        if picks.data is None:
            return picks, written, None
        step = refs.Move(full, old, picks.tip)
        if not refs.move(repo, [step], identity(everybody), f"gitinstinct: promote {name}"):
            raise Found(f"{full} moved meanwhile", "try again")
    return picks, written, picks.tip
