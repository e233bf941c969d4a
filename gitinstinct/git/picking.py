"""Git's own `cherry-pick`, in a work tree that is there for it alone and goes away afterwards.

The work tree is linked to the repository and detached, so nobody's files, index or branch are touched: what comes out
is a commit that no ref holds yet. No file is checked out; git reads the index, and writes only what it picks. The
person's signing, hooks and identity have no say, and a pick that would change nothing is left out instead of stopping
in the middle.

A process that is killed leaves the work tree behind. The next one takes it away, which is why callers hold the
repository's lock.
"""

from __future__ import annotations

import contextlib
import secrets
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from gitinstinct.git.identity import Actor
from gitinstinct.git.repo import Repo, moment
from gitinstinct.git.run import GitError

PREFIX = "gitinstinct-pick-"
_SETTINGS = ("-c", "rerere.enabled=false", "-c", "merge.renames=false", "-c", "core.sparseCheckout=false")
_FETCH = "--quiet --no-tags --no-recurse-submodules --no-write-fetch-head --no-auto-maintenance --refmap=".split()


@dataclass(frozen=True, slots=True)
class Picked:
    """What came of it.

    Attributes:
        tip: the newest commit; the one to begin with if nothing was picked.
        made: commit that was picked to the new commit; what would have changed nothing is missing.
        conflict: the commit that could not be picked; the work ended there. None if there was none.
        paths: the files that it could not change.
    """

    tip: str
    made: Mapping[str, str]
    conflict: str | None = None
    paths: tuple[str, ...] = ()


def fetch(repo: Repo, source: Repo, names: Sequence[str]) -> None:
    """Fetches refs from another repository of this machine into the refs of the same name, wherever those stood.

    Raises:
        GitError: one of them is not there, an object is damaged, or the two use different hashes.
    """
    repo.run("fetch", *_FETCH, "--", str(source.git_dir), *(f"+{name}:{name}" for name in names))


def pick(
    repo: Repo, folder: Path, onto: str, commits: Sequence[str], actor: Actor, time: int, env: Mapping[str, str],
    settings: Mapping[str, str],
) -> Picked:  # fmt: skip
    """Picks commits onto another one, each with `-x`.

    Args:
        repo: the repository, whose lock the caller holds.
        folder: where the work tree may lie for that time.
        onto: the commit to begin with.
        commits: what to pick, in order; full ids.
        actor: who commits; authors stay.
        time: Unix seconds of the new commits.
        env: further variables.
        settings: further settings of git, such as a merge driver.

    Raises:
        GitError: git could not do it; nothing points at what it may have written.
    """
    flags = [*_SETTINGS, *(part for name, value in settings.items() for part in ("-c", f"{name}={value}"))]
    who = {name: value for name, value in actor.variables().items() if "COMMITTER" in name}
    env = dict(env) | who | {"GIT_COMMITTER_DATE": f"@{time} +0000"}
    made: dict[str, str] = {}
    tip = onto
    with _work_tree(repo, folder, onto) as desk:
        for commit in commits:
            done = desk.run(*flags, "cherry-pick", "-x", "--no-gpg-sign", commit, env=env, expect=(0, 1))
            if done.code == 0:
                tip = made[commit] = desk.ask("rev-parse", "--verify", "HEAD")
                continue
            unmerged = desk.ask("diff", "--name-only", "--diff-filter=U", "-z", "--cached").split("\0")[:-1]
            if unmerged or desk.run("diff", "--cached", "--quiet", expect=(0, 1)).code:
                return Picked(tip, made, commit, tuple(unmerged))
            desk.run(*flags, "cherry-pick", "--skip", env=env)
    return Picked(tip, made)


@contextmanager
def _work_tree(repo: Repo, folder: Path, commit: str) -> Iterator[Repo]:
    sweep(repo)
    place = folder / f"{PREFIX}{secrets.token_hex(6)}"
    try:
        repo.run("worktree", "add", "--quiet", "--no-checkout", "--detach", "--", str(place), commit)
        desk = Repo(repo.git_dir / "worktrees" / place.name, place)
        desk.run("read-tree", commit)
        yield desk
    finally:
        _remove(repo, place)


def sweep(repo: Repo) -> None:
    """Takes away what processes that were killed have left. The caller holds the repository's lock."""
    for left in (repo.git_dir / "worktrees").glob(f"{PREFIX}*"):
        pointer = left / "gitdir"
        with contextlib.suppress(OSError):
            _remove(repo, Path(pointer.read_text("utf-8").strip()).parent)
        shutil.rmtree(left, ignore_errors=True)


def _remove(repo: Repo, place: Path) -> None:
    if not place.name.startswith(PREFIX):
        return
    with contextlib.suppress(GitError):
        repo.run("worktree", "remove", "--force", "--force", "--", str(place))
    shutil.rmtree(place, ignore_errors=True)
    shutil.rmtree(repo.git_dir / "worktrees" / place.name, ignore_errors=True)
    with contextlib.suppress(OSError):
        (repo.git_dir / "worktrees").rmdir()


def time_of(repo: Repo, commit: str) -> int:
    """A commit's time in Unix seconds."""
    return int(moment(repo.ask("log", "-1", "--no-walk", "--format=%ct", "--end-of-options", commit)).timestamp())
