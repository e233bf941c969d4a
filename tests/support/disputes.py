"""A store in which two people disagree, made with plain git: each on a branch of their own."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from gitinstinct import paths
from gitinstinct.git.repo import resolve
from gitinstinct.git.trailers import Message
from gitinstinct.instinct import ids
from gitinstinct.store import driver, merging, store
from gitinstinct.store.layout import About
from gitinstinct.store.merging import Outcome
from gitinstinct.store.store import Store
from tests.support import files
from tests.support.repos import ANN, commit_all, git
from tests.support.stores import ABOUT, NOW

NAME = "prefer-rg"
PATH = ids.path_of(NAME)
BASE = files.made(NAME, note="kept")

Words = Mapping[str, str]
"""What is written in place of what."""


@dataclass(frozen=True)
class Quarrel:
    """A store whose branches say different things."""

    store: Store

    def git(self, *arguments: str, ok: bool = True, date: str = "2026-11-20") -> str:
        """Plain git there, at ten o'clock of a day."""
        moment = f"{date}T10:00:00Z"
        return git(self.store.path, *arguments, ok=ok, env={"GIT_AUTHOR_DATE": moment, "GIT_COMMITTER_DATE": moment})

    @property
    def file(self) -> Path:
        """The instinct in the work tree."""
        return self.store.path / PATH

    def committed(self, revision: str = "main") -> bytes:
        """The instinct's bytes in a commit."""
        return self.store.repo.run("cat-file", "blob", f"{revision}:{PATH}").out

    def says(self, words: Words, date: str = "2026-11-20", message: str = "edit: by hand") -> str:
        """A commit on what is checked out; its id."""
        data = self.file.read_bytes()
        for old, new in words.items():
            assert old.encode() in data, old
            data = data.replace(old.encode(), new.encode())
        self.file.write_bytes(data)
        self.git("commit", "-q", "-a", "-m", message, date=date)
        return self.git("rev-parse", "HEAD")

    def elsewhere(self, branch: str, words: Words, date: str = "2026-11-20", start: str = "main") -> str:
        """The same on a branch; `main` is checked out again then."""
        self.git("checkout", "-q", "-B", branch, start)
        commit = self.says(words, date, f"edit: {branch}")
        self.git("checkout", "-q", "main")
        return commit

    def removed_elsewhere(self, branch: str) -> None:
        """A branch that has the instinct no more."""
        self.git("checkout", "-q", "-B", branch, "main")
        self.git("rm", "-q", PATH)
        self.git("commit", "-q", "-m", "remove it")
        self.git("checkout", "-q", "main")

    def merged(self, branch: str) -> Outcome:
        """The in-process merge of a branch into `main`."""
        theirs = resolve(self.store.repo, branch)
        assert theirs is not None
        return merging.merge(self.store, theirs, NOW, message=lambda _: Message(f"merge: {branch}"), forward=False)

    def without_driver(self) -> None:
        """As in a clone where nobody ran gitinstinct."""
        for key in ("driver", "name"):
            self.git("config", "--unset", f"merge.instinct.{key}")


def quarrel(data: bytes = BASE, about: About = ABOUT) -> Quarrel:
    """A store with one instinct, its driver wired."""

    def build(place: Path) -> None:
        made = store.create(place, about, NOW.replace(day=1), identity=ANN, driver=driver.command())
        commit_all(made.path, {PATH: data}, "learn: one")

    return _copied(("alone", data, about), about, build)


ANN_SAYS = {"Use `rg`.": "Use `rg -n`.", "when searching text": "when looking for a word"}
BOB_SAYS = {"Use `rg`.": "Use `git grep`\nin a repository.", "when searching text": "when grepping"}


def parted(about: About = ABOUT) -> Quarrel:
    """Ann on `main` and Bob on `bob` disagree on action and trigger; not merged yet."""

    def build(place: Path) -> None:
        shutil.copytree(quarrel(about=about).store.path, place)
        made = Quarrel(store.open(place))
        made.elsewhere("bob", BOB_SAYS, "2026-11-22")
        made.says(ANN_SAYS, "2026-11-21")

    return _copied(("parted", about), about, build)


def disagreed(about: About = ABOUT) -> Quarrel:
    """The same, merged, so that the conflict stands in the file."""

    def build(place: Path) -> None:
        shutil.copytree(parted(about).store.path, place)
        Quarrel(store.open(place)).merged("bob")

    return _copied(("disagreed", about), about, build)


def _copied(key: Hashable, about: About, build: Callable[[Path], None]) -> Quarrel:
    """A store at its place in the test's home, built once for all tests."""
    place = Path(paths.store(about.project_id or paths.GLOBAL))
    if key not in _BUILT:
        _BUILT[key] = Path(_room().name) / str(len(_BUILT))
        build(_BUILT[key])
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(_BUILT[key], place)
    return Quarrel(store.open(place))


_BUILT: dict[Hashable, Path] = {}


@cache
def _room() -> TemporaryDirectory[str]:
    """Goes with the process."""
    return TemporaryDirectory(prefix="gitinstinct-tests-")
