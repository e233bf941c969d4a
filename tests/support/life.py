"""A store with a past, made step by step: runs as the observer makes them, a person's plain commits, merges."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from gitinstinct import paths
from gitinstinct.git.identity import OBSERVER
from gitinstinct.git.trailers import Message
from gitinstinct.instinct import edit, ids, ledger, markdown
from gitinstinct.store import store
from gitinstinct.store.commit import Change, write
from gitinstinct.store.layout import About
from gitinstinct.store.store import Store
from tests.support.repos import ANN, git
from tests.support.stores import ABOUT, readable


def at(day: str) -> datetime:
    """Ten o'clock of that ISO day, UTC."""
    return datetime.fromisoformat(f"{day}T10:00:00").replace(tzinfo=UTC)


def fresh(about: About = ABOUT) -> Life:
    """A store that is older than all that will happen in it."""
    return Life(
        store.create(Path(paths.store(about.project_id or paths.GLOBAL)), about, at("2026-11-01"), identity=ANN)
    )


@dataclass(frozen=True)
class Life:
    """What happens to a store."""

    store: Store

    def observe(self, day: str, run: str, *names: str, kind: str = "confirmed", n: int = 1, text: str = "seen") -> str:
        """One observer run that adds a line to each of these instincts, or makes them; its commit."""
        files = {ids.path_of(name): self._with_line(name, day, run, kind, n, text) for name in names}
        told = [*(("Instinct", f"{name} {kind} 0.50") for name in names), ("Run", run), ("Detector", "local/1")]
        change = Change(files, Message(f"observe: {len(names)} {kind}", trailers=told), OBSERVER)
        return self._landed(change, day)

    def put(self, day: str, name: str, data: bytes | None, subject: str = "set: by a command") -> str:
        """A commit of ours that writes or removes one file as it is given."""
        return self._landed(Change({ids.path_of(name): data}, Message(subject)), day)

    def by_hand(self, day: str, files: Mapping[str, bytes], message: str = "tidy up") -> str:
        """A person's plain commit on whatever is checked out; `files` by id."""
        for name, data in files.items():
            path = self.store.path / ids.path_of(name)
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(data)
        git(self.store.path, "add", "-A")
        return self.commit(day, message)

    def commit(self, day: str, message: str, *flags: str) -> str:
        """A person's plain commit of what is staged."""
        dates = {"GIT_AUTHOR_DATE": at(day).isoformat(), "GIT_COMMITTER_DATE": at(day).isoformat()}
        git(self.store.path, "commit", "-q", "-m", message, *flags, env=dates)
        return git(self.store.path, "rev-parse", "HEAD")

    def data(self, name: str, revision: str = "main") -> bytes:
        """The file's bytes in a commit."""
        return (git(self.store.path, "show", f"{revision}:{ids.path_of(name)}") + "\n").encode()

    def _with_line(self, name: str, day: str, run: str, kind: str, n: int, text: str) -> bytes:
        origin = ledger.observed_origin("a1b2c3d4e5f6", run, kind)
        path = ids.path_of(name)
        if git(self.store.path, "ls-tree", "main", path):
            known = markdown.parse(self.data(name)).ledger
            return edit.record(self.data(name), [ledger.new_entry(at(day), kind, n, text, origin, known)], day)
        entry = ledger.new_entry(at(day), kind, n, text, origin, [])
        fields = {"id": name, "trigger": f"when working on {name}", "domain": "workflow", "scope": "project"}
        source = {"source": "session-observation", "project_id": "a1b2c3d4e5f6", "project_name": "my-api"}
        return markdown.compose(fields | source, name.replace("-", " ").title(), f"Use `{name}`.", [entry])

    def _landed(self, change: Change, day: str) -> str:
        landed = write(self.store, lambda _: change, at(day), vet=readable).commit
        assert landed is not None
        return landed


@dataclass(frozen=True)
class Lived(Life):
    """The commits of its past, by what they did."""

    made: str
    confirmed: str
    by_person: str
    merged: str
    removed: str


def three_weeks(life: Life) -> Lived:
    """`use-rg` is found, confirmed, edited by hand, confirmed on two branches and merged; `faded` comes and goes."""
    made = life.observe("2026-11-02", "01aaaaaaaa", "use-rg", kind="observed", n=5, text="used 5 times")
    confirmed = life.observe("2026-11-10", "01bbbbbbbb", "use-rg", "faded", text="used again")
    edited = life.data("use-rg").replace(b"working on use-rg", b"searching text")
    by_person = life.by_hand("2026-11-12", {"use-rg": edited}, "Say it better")
    merged = _merge(life)
    return Lived(life.store, made, confirmed, by_person, merged, life.put("2026-11-20", "faded", None, "prune: faded"))


def _merge(life: Life) -> str:
    """Both sides confirm; the person keeps both lines."""
    path = life.store.path
    life.observe("2026-11-14", "01cccccccc", "use-rg", text="on main")
    git(path, "checkout", "-q", "-b", "side", "main~1")
    both = life.data("use-rg")
    line = b"- 2026-11-15 confirmed 1: on the side [01kcfqrs00-deadbeef]\n"
    life.by_hand("2026-11-15", {"use-rg": life.data("use-rg", "side") + line}, "observe by hand")
    git(path, "checkout", "-q", "main")
    git(path, "merge", "-q", "side", ok=False)
    (path / ids.path_of("use-rg")).write_bytes(both + line)
    git(path, "add", "-A")
    return life.commit("2026-11-16", "Merge branch 'side'")
