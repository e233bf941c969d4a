"""Making a store and opening one.

A store is an ordinary repository with a work tree, so what its tree, its config or a person's habits ask of git must
never decide what we read or write: the work tree is `<path>`, the git folder `<path>/.git` and no other, and
`info/attributes` there overrides every attribute of the tree.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from gitinstinct import paths
from gitinstinct.errors import EnvironmentFault
from gitinstinct.git import config, objects, refs
from gitinstinct.git.blobs import Unreadable, blobs
from gitinstinct.git.identity import FALLBACK, Actor
from gitinstinct.git.repo import Repo, is_object_id, ls_tree
from gitinstinct.git.run import GitError, run
from gitinstinct.git.trailers import Message
from gitinstinct.store import layout
from gitinstinct.store.errors import Missing, disk
from gitinstinct.store.layout import BRANCH, About

LOCK_SECONDS = 60.0
_LOOKED_BACK = 20  # entries of the reflog
_INIT = "make one with: gitinstinct init"

_ATTRIBUTES = (
    b"# Written by gitinstinct: this overrides .gitattributes, so that no filter, encoding or foreign driver runs.\n"
    b"* !filter diff merge -text !eol !crlf !ident !working-tree-encoding !export-subst !export-ignore"
    b" !conflict-marker-size !whitespace\n"
    b"instincts/*.md merge=instinct diff=instinct\n"
)
_SETTINGS = {
    "diff.instinct.xfuncname": "^#+ .*$",  # a hunk names the section that it is in
    "push.default": "upstream",  # a project's store is pushed to the branch `instincts`, not `main`
}


@dataclass(frozen=True, slots=True)
class Store:
    """An opened store: where it is, what it is."""

    path: Path
    repo: Repo
    about: About

    @property
    def name(self) -> str:
        """The project's id, or `global`; the store's lock goes by it."""
        return self.about.project_id or paths.GLOBAL


def create(
    path: Path, about: About, now: datetime, *, identity: Actor | None = None, driver: str | None = None
) -> Store:
    """Makes a store, or opens the one that is there.

    It is built beside its place and appears there at once, so that a kill leaves no half store.

    Args:
        path: where; the folders above are made.
        about: what the store is.
        now: the time of the first commit.
        identity: the person, as read in the code repository; kept in the store's config.
        driver: see `wire`.

    Raises:
        EnvironmentFault: something else lies there, or a store that cannot be opened.
    """
    with locked(about.project_id or paths.GLOBAL), disk(f"no store could be made at {path}"):
        path.parent.mkdir(parents=True, exist_ok=True)
        if (path / ".git").exists():
            return open(path)
        if path.exists() and (not path.is_dir() or any(path.iterdir())):
            raise EnvironmentFault(f"{path} is no store, and it is not empty", "move it away, then try again")
        draft = path.with_name(f".{path.name}.draft")
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir(mode=0o700)
        _fill(draft, about, now, identity, driver)
        draft.replace(path)
    return open(path)


def _fill(draft: Path, about: About, now: datetime, identity: Actor | None, driver: str | None) -> None:
    run(["init", "--quiet", "--template=", "--initial-branch=main", "--", str(draft)], cwd=draft)
    repo = Repo(draft / ".git", draft)
    wire(repo, identity=identity, driver=driver)
    files, actor = layout.initial_files(about), identity or FALLBACK
    message = Message(f"init: {about.name or about.scope}").render()
    genesis = objects.write_genesis(repo)
    moment = max(int(now.timestamp()), objects.GENESIS_TIME)
    first = objects.Commit(message, actor, actor, moment, [genesis], files)
    [commit] = objects.write(repo, [first])
    refs.move(repo, [refs.Move(BRANCH, None, commit)], actor, "gitinstinct: init")
    for name, content in files.items():
        (draft / name).write_bytes(content)
    repo.run("read-tree", commit)
    repo.run("update-index", "-q", "--refresh")


def wire(repo: Repo, *, identity: Actor | None = None, driver: str | None = None) -> None:
    """Makes a repository behave as a store: attributes that nothing overrides, and our settings. Idempotent.

    Args:
        repo: the repository.
        identity: becomes `user.name` and `user.email`, so that a person's own commits there carry it too.
        driver: the merge driver's command line. Without one plain git merges instincts as text.

    Raises:
        EnvironmentFault: the config cannot be read.
    """
    protect(repo)
    wanted = dict(_SETTINGS)
    if identity is not None:
        wanted |= {"user.name": identity.name, "user.email": identity.mail}
    if driver is not None:  # git dies of a driver that has a name and no command, so the command comes first
        wanted |= {"merge.instinct.driver": driver, "merge.instinct.name": "merge instincts field by field"}
    config.ensure(repo, repo.git_dir / "config", wanted)


def is_protected(repo: Repo) -> bool:
    """Whether `info/attributes` is ours, byte for byte."""
    file = repo.git_dir / "info" / "attributes"
    return file.is_file() and file.read_bytes() == _ATTRIBUTES


def protect(repo: Repo) -> None:
    """Writes `info/attributes` where it is not ours: a plain clone has none, a person may have changed it."""
    if not repo.git_dir.is_dir():
        raise Missing(f"there is no store at {repo.work_tree}", _INIT)
    with disk("info/attributes could not be written"):
        if is_protected(repo):
            return
        file = repo.git_dir / "info" / "attributes"
        file.parent.mkdir(exist_ok=True)
        draft = file.with_name("attributes.draft")  # a person's link or pipe is replaced and never written through
        draft.unlink(missing_ok=True)
        draft.write_bytes(_ATTRIBUTES)
        draft.replace(file)


def open(path: Path) -> Store:
    """Opens a store. Nothing is written.

    Raises:
        Missing: there is none.
        EnvironmentFault: there is one that cannot be used; the message says why.
    """
    with disk(f"{path} cannot be opened"):
        repo = _looked_at(path)
    return Store(path, repo, layout.read_about(_about(repo), str(path)))


def _looked_at(path: Path) -> Repo:
    """The store's repository, if its folder is as it must be."""
    git_dir = path / ".git"
    repo = Repo(git_dir, path)
    if not git_dir.exists():
        raise Missing(f"there is no store at {path}", _INIT)
    if not git_dir.is_dir():
        raise EnvironmentFault(f"{git_dir} is no folder: it points into another repository", "move it away")
    if (git_dir / "shallow").exists():
        message = f"{path} is a shallow clone, whose history begins in the middle"
        raise EnvironmentFault(message, f"make it whole: {repo.by_hand('fetch --unshallow')}")
    if any((git_dir / "objects" / "pack").glob("*.promisor")):
        message = f"{path} is a partial clone: every look at it would fetch files over the network"
        raise EnvironmentFault(message, "clone it again without --filter")
    return repo


def _about(repo: Repo) -> bytes:
    name, branch = f"{BRANCH}:{layout.ABOUT}", f"{BRANCH}^{{tree}}"
    try:
        found = blobs(repo, [name, branch], layout.CAP)
    except GitError as error:
        raise EnvironmentFault(f"{repo.work_tree} cannot be opened: {error.stderr}", _hint(repo, error)) from error
    content, tree = found[name], found[branch]
    if not isinstance(content, Unreadable):
        return content
    if isinstance(tree, Unreadable) and "tree" in tree.reason:
        raise EnvironmentFault(f"{repo.work_tree} is no store: {layout.ABOUT} is not on main", layout.LOOK)
    raise EnvironmentFault(f"{repo.work_tree}: the branch main is missing or damaged", way_back(repo))


def _hint(repo: Repo, error: GitError) -> str:
    if "not a git repository" in error.stderr:
        return f"HEAD, objects or refs are gone there: bring them back from a copy, or move {repo.work_tree} away"
    if "object" not in error.stderr:
        return "mend what git names there"
    # Git writes no object that it believes to have, so the damaged one would come back with the same content.
    return f"delete the file that git names, then {way_back(repo)}"


def way_back(repo: Repo) -> str:
    """For a branch that is missing or damaged: how to get back to the newest commit of its reflog that is whole.

    The work tree still has what came later; the next command commits it.
    """
    try:
        lines = (repo.git_dir / "logs" / BRANCH).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    known = [line.split(" ")[1] for line in reversed(lines[-_LOOKED_BACK:])]
    whole = next((commit for commit in known if is_object_id(commit) and _is_whole(repo, commit)), None)
    if whole is None:
        return f"see what is left: {repo.by_hand('fsck --lost-found')}"
    return f"put it back: {repo.by_hand(f'update-ref {BRANCH} {whole}')}"


def _is_whole(repo: Repo, commit: str) -> bool:
    try:
        entries = ls_tree(repo, commit, recursive=True)
        contents = blobs(repo, [entry.oid for entry in entries], layout.CAP).values()
    except GitError:
        return False
    return not any(isinstance(content, Unreadable) for content in contents)


def identity(store: Store) -> Actor:
    """Who writes here: what the store's config says, else a name that tells nothing."""
    found = store.repo.run("config", "-z", "--get-regexp", r"^user\.(name|email)$", expect=(0, 1)).out
    pairs = (item.partition("\n") for item in found.decode("utf-8", "replace").split("\0"))
    values = {key: value for key, _, value in pairs}
    name, mail = values.get("user.name"), values.get("user.email")
    return Actor(name, mail) if name and mail else FALLBACK


@contextmanager
def locked(name: str, seconds: float = LOCK_SECONDS) -> Iterator[None]:
    """Keeps our own processes apart while one writes to a store.

    Raises:
        EnvironmentFault: another one held the lock all the time.
    """
    from filelock import FileLock, Timeout

    file = Path(paths.lock(name))
    lock = FileLock(file, timeout=seconds, mode=0o600)
    with disk(f"the store {name} could not be locked"):
        paths.make_private(str(file.parent))
        try:
            lock.acquire()
        except Timeout as error:
            hint = "wait for its end, then try again"
            raise EnvironmentFault(f"another gitinstinct is writing to {name}", hint) from error
    try:
        yield
    finally:
        lock.release()
