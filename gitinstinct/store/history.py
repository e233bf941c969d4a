"""What happened in a store: commits with their trailers, versions of one file, and the index that keeps this quick.

Trailers are what a commit *says*; the versions of a file are what it *did*. A file is its path for its whole life, so
nothing here guesses at renames.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from gitinstinct.git import run, trailers
from gitinstinct.git.repo import Repo, is_object_id, moment, text
from gitinstinct.instinct import ids
from gitinstinct.store.layout import BRANCH

_FORM = "%x00".join(("%H", "%P", "%an", "%ae", "%at", "%s", "%b", "%(trailers:only,unfold)", "%cn", "%ce"))
_FIELDS = 10
_VERB = re.compile(r"[a-z][a-z-]*")
_RUN = re.compile(r"[A-Za-z0-9-]{1,80}")
_PICKED = re.compile(r"^\(cherry picked from commit ([0-9a-f]{40}|[0-9a-f]{64})\)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Logged:
    """A commit as the log tells it. `date` is the author's, in UTC; `body` includes the trailers.

    `committer` and `committer_mail` are who made it, also where the author is an observer.
    """

    commit: str
    parents: tuple[str, ...]
    author: str
    mail: str
    date: datetime
    subject: str
    body: str
    trailers: tuple[tuple[str, str], ...]
    committer: str
    committer_mail: str

    @property
    def verb(self) -> str:
        """The command's name at the head of the subject; empty for a commit that is not of our making."""
        verb, colon, _ = self.subject.partition(":")
        return verb if colon and _VERB.fullmatch(verb) else ""

    @property
    def picked(self) -> tuple[str, ...]:
        """The commits that it was cherry-picked from, as `-x` notes them; git counts these lines as no trailers."""
        return tuple(_PICKED.findall(self.body))

    def values(self, key: str) -> tuple[str, ...]:
        """The values of one trailer, in order."""
        return tuple(value for name, value in self.trailers if name.lower() == key.lower())


def log(
    repo: Repo,
    instincts: Sequence[str] = (),
    *,
    revision: str = BRANCH,
    limit: int | None = None,
    since: datetime | None = None,
    verb: str | None = None,
    run: str | None = None,
) -> list[Logged]:
    """Commits, newest first, by one `git log`.

    Args:
        repo: the store's repository.
        instincts: ids; only commits that touched one of their files.
        revision: where to begin, or a range.
        limit: at most so many.
        since: none that was committed before.
        verb: only commits of this command.
        run: only commits of this observer run.

    Raises:
        GitError: the revision cannot be read.
    """
    flags = ["--full-history"] if instincts else []
    flags += [f"--since-as-filter={since.isoformat()}"] if since else []
    flags += [f"--max-count={limit}"] if limit is not None and verb is None and run is None else []
    flags += ["--fixed-strings", f"--grep=Run: {run}"] if run and _RUN.fullmatch(run) else []  # spares us most of them
    paths = [ids.path_of(name) for name in instincts]
    out = repo.run("log", "-z", f"--format={_FORM}", *flags, "--end-of-options", revision, "--", *paths).out
    return list(islice((entry for entry in _logged(text(out)) if _wanted(entry, verb, run)), limit))


def _logged(out: str) -> Iterator[Logged]:
    fields = out.split("\0")
    for at in range(0, len(fields) - _FIELDS + 1, _FIELDS):
        commit, parents, author, mail, time, subject, body, block, *committer = fields[at : at + _FIELDS]
        told = trailers.parse(block)
        yield Logged(commit, tuple(parents.split()), author, mail, moment(time), subject, body, told, *committer)


def _wanted(entry: Logged, verb: str | None, run: str | None) -> bool:
    return (verb is None or entry.verb == verb) and (run is None or run in entry.values("Run"))


@dataclass(frozen=True, slots=True)
class Version:
    """One state of a file: the commit that made it, and the blob; None where the commit removed the file."""

    commit: str
    blob: str | None


def versions(repo: Repo, path: str, revision: str = BRANCH) -> list[Version]:
    """All states that a file ever had, newest first; merges that changed it are among them. One process.

    Raises:
        GitError: the revision cannot be read.
    """
    return versions_of(repo, [path], revision).get(path, [])


def versions_of(repo: Repo, paths: Sequence[str], revision: str = BRANCH) -> dict[str, list[Version]]:
    """The same for several files, still by one process.

    Raises:
        GitError: the revision cannot be read.
    """
    shown = ("--format=%H", "--raw", "--no-abbrev", "-c", "--no-ext-diff", "--no-textconv")
    flags = ("-c", "log.showRoot=true", "log", "-z", "--full-history", *shown)
    fields = text(repo.run(*flags, "--end-of-options", revision, "--", *paths).out).split("\0")
    found: dict[str, list[Version]] = {}
    for path, version in _versions(fields):
        found.setdefault(path, []).append(version)
    return found


def _versions(fields: Iterable[str]) -> Iterator[tuple[str, Version]]:
    """Reads `commit, change, path, commit, change, path …`; a merge's change names a blob of each parent first."""
    commit = blob = ""
    for item in map(str.strip, fields):
        if blob:
            yield item, Version(commit, blob if blob.strip("0") else None)
            blob = ""
        elif is_object_id(item):
            commit = item
        elif item.startswith(":"):
            blob = item.split(" ")[-2]


def told(repo: Repo, commits: Iterable[str]) -> dict[str, Logged]:
    """What these commits say, by their ids. One process."""
    wanted = dict.fromkeys(commits)
    if not wanted:
        return {}
    stdin = "".join(commit + "\n" for commit in wanted).encode()
    out = repo.run("log", "-z", f"--format={_FORM}", "--no-walk=unsorted", "--stdin", stdin=stdin).out
    return {entry.commit: entry for entry in _logged(text(out))}


def keep_up(repo: Repo) -> None:
    """Housekeeping after a run, in the background: the index of changed paths, and git's own `gc` when it is due.

    Best effort: a failure costs speed and nothing else.
    """
    place = [f"--git-dir={repo.git_dir}"]
    graph = ["commit-graph", "write", "--reachable", "--changed-paths", "--split", "--no-progress"]
    run.start_detached([*place, *graph], cwd=repo.git_dir)
    run.start_detached([*place, "-c", f"gc.auto={_LOOSE}", "gc", "--auto", "--quiet"], cwd=repo.git_dir)


_LOOSE = 6_700  # git's own default; `run` switches gc off for every other command
