"""Two people, a remote between them, and what a hostile one may have put there."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from gitinstinct.git.identity import Actor
from gitinstinct.git.repo import Repo
from gitinstinct.git.url import parse
from gitinstinct.store import commit, driver, store
from gitinstinct.store.layout import About
from gitinstinct.store.store import Store
from gitinstinct.team import exchange
from gitinstinct.team import link as links
from gitinstinct.team.exchange import Pulled, Synced, Talk
from gitinstinct.team.link import SHARED, Link
from tests.support.repos import ANN, git
from tests.support.stores import ABOUT, NOW, putting

BOB = Actor("Bob", "bob@example.org")
GENESIS = "c1be5b3c76d2198213cc424d4f37b1b6c4f3d43a"
TALK = Talk(seconds=30)


@dataclass(frozen=True)
class Mate:
    """Somebody with a store that is linked to the remote."""

    store: Store
    link: Link

    @property
    def tip(self) -> str:
        """Their `main`."""
        return links.tip(self.store)

    def learn(self, *names: str, action: str = "Run the tests.") -> str:
        """One observer run's commit."""
        landed = commit.write(self.store, putting(*names, action=action), NOW).commit
        assert landed is not None
        return landed

    def pull(self) -> Pulled:
        """What a pull brought."""
        return exchange.pull(self.store, self.link, NOW, TALK)

    def sync(self) -> Synced:
        """A sync that ended well."""
        return exchange.sync(self.store, self.link, NOW, TALK)

    def files(self) -> str:
        """The tree of `main`, as text."""
        return git(self.store.path, "ls-tree", "-r", "main")

    def refs(self) -> list[str]:
        """Every ref's name."""
        return git(self.store.path, "for-each-ref", "--format=%(refname)").splitlines()


def bare(place: Path) -> Path:
    """An empty repository for others to push to."""
    place.parent.mkdir(parents=True, exist_ok=True)
    git(place.parent, "init", "-q", "--bare", "-b", "main", "--template=", str(place))
    return place


def mate(place: Path, remote: Path, who: Actor = ANN, about: About = ABOUT, branch: str = SHARED) -> Mate:
    """A store, fresh if there is none, that is linked to a remote."""
    made = store.create(place, about, NOW, identity=who, driver=driver.command())
    link = Link(parse(str(remote)), branch)
    links.establish(made, link)
    return Mate(made, link)


def blob(repo: Repo, data: bytes) -> str:
    """A blob's id, its content written."""
    return repo.ask("hash-object", "-w", "--stdin", stdin=data)


def tree(repo: Repo, *entries: tuple[str, bytes, str]) -> str:
    """A tree of exactly these (mode, name, id), checked by nobody."""
    content = b"".join(mode.encode() + b" " + name + b"\0" + bytes.fromhex(oid) for mode, name, oid in entries)
    return repo.ask("hash-object", "-t", "tree", "-w", "--literally", "--stdin", stdin=content)


def commit_of(repo: Repo, tree_id: str, *parents: str, message: bytes = b"x\n") -> str:
    """A commit of a tree, checked by nobody."""
    lines = [f"tree {tree_id}", *(f"parent {parent}" for parent in parents)]
    lines += [f"{role} x <x@y> 1700000000 +0000" for role in ("author", "committer")]
    data = "\n".join(lines).encode() + b"\n\n" + message
    return repo.ask("hash-object", "-t", "commit", "-w", "--literally", "--stdin", stdin=data)
