"""Several projects on one machine that have learned the same, and what a promotion makes of that."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path

from gitinstinct import paths
from gitinstinct.config import Promote
from gitinstinct.git.identity import Actor
from gitinstinct.git.trailers import Message
from gitinstinct.instinct import edit, ids, ledger, markdown
from gitinstinct.instinct.ledger import Entry
from gitinstinct.instinct.model import Instinct
from gitinstinct.promote import candidates, landscape, promotion
from gitinstinct.promote.candidates import Candidate
from gitinstinct.promote.promotion import Done
from gitinstinct.store import commit, homes, store, tree
from gitinstinct.store.commit import Change
from gitinstinct.store.layout import About
from gitinstinct.store.store import Store
from gitinstinct.trust import giving
from tests.support.repos import ANN, git
from tests.support.stores import NOW, new_store, newest

NAME = "grep-first"
TRIGGER, ACTION = "when modifying code in a file", "Find the place with `rg`, read it, then edit."
SINCE = NOW - timedelta(days=1)
API, WEB, CLI = (About("project", digit * 12, name) for digit, name in (("a", "api"), ("b", "web"), ("c", "cli")))


def seen(project: str, session: str, n: int = 12, at: datetime = SINCE, others: Sequence[Entry] = ()) -> Entry:
    """Evidence of one session in a project."""
    origin = ledger.observed_origin(project, session, "observed")
    return ledger.new_entry(at, "observed", n, f"seen in {session}", origin, others)


def made(
    about: About, name: str = NAME, *, trigger: str = TRIGGER, action: str = ACTION, n: int = 12,
    domain: str = "workflow", entries: Sequence[Entry] | None = None, **further: object,
) -> bytes:  # fmt: skip
    """A project's instinct; 12 sightings make 0.85."""
    fields = {"id": name, "trigger": trigger, "domain": domain, "source": "session-observation", "scope": "project"}
    fields |= {"project_id": about.project_id, "project_name": about.name}
    return markdown.compose(
        fields | further, name.title(), action, entries or [seen(about.project_id, f"session {name}", n)]
    )


def put(held: Store, *files: bytes, trusted: bool = True) -> str:
    """Commits instincts, as trusted words unless told otherwise."""
    found = {ids.path_of(markdown.parse(data).id): data for data in files}
    landed = commit.write(held, lambda _: Change(found, Message("observe: some")), NOW).commit
    assert landed is not None
    if trusted:
        giving.approve((markdown.parse(data) for data in files), "test", NOW)
    return landed


def project(about: About, *files: bytes, who: Actor = ANN) -> Store:
    """A project's store with these instincts."""
    held = new_store(identity=who, about=about)
    if files:
        put(held, *files)
    return held


def two(**further: object) -> tuple[Store, Store]:
    """Two projects that have learned the same."""
    return project(API, made(API, **further)), project(WEB, made(WEB, **further))  # type: ignore[arg-type]


def more(held: Store, session: str, name: str = NAME, at: datetime = NOW) -> None:
    """One more session that shows it."""
    data = newest(held).read(ids.path_of(name))
    assert data is not None
    entry = seen(held.name, session, 1, at, markdown.parse(data).ledger)
    put(held, edit.record(data, [entry], "2026-11-28"), trusted=False)


def everybody() -> Store:
    """The global store."""
    return store.open(Path(paths.store(paths.GLOBAL)))


def shared(remote: Path) -> Store:
    """The global store, as if it had a remote."""
    made = homes.make_global(NOW)
    git(made.path, "config", "remote.origin.url", str(remote))
    return made


def listed() -> list[Candidate]:
    """What can be promoted, and what cannot."""
    return candidates.candidates(landscape.survey(NOW.date().isoformat()), Promote(), "review")


def named(name: str = NAME, here: str = "") -> Candidate:
    """One candidate."""
    found = candidates.named(landscape.survey(NOW.date().isoformat()), Promote(), "review", name, here)
    assert found is not None
    return found


def promote(
    name: str = NAME, *, direct: bool = False, now: datetime = NOW, here: str = "", disclose: bool = False
) -> Done:
    """One promotion from beginning to end."""
    one = named(name, here)
    place = promotion.place(landscape.survey(NOW.date().isoformat()).everybody, "auto", direct=direct)
    plan = promotion.plan(one, place)
    return promotion.carry_out(plan, homes.make_global(now), now, disclose=disclose)


def there(name: str = NAME, revision: str = "main") -> Instinct:
    """An instinct as the global store has it."""
    return markdown.parse(data(everybody(), name, revision), name)


def data(held: Store, name: str = NAME, revision: str = "main") -> bytes:
    """A file's bytes."""
    found = tree.read(held.repo, git(held.path, "rev-parse", revision)).read(ids.path_of(name))
    assert found is not None
    return found


def origins(instinct: Instinct) -> set[str]:
    """What its evidence is."""
    return {entry.origin for entry in instinct.ledger}
