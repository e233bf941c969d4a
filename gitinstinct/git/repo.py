"""One repository, and the questions that the project asks of it.

Each question is one git process and a few lines. The git folder and the work tree are always named explicitly: a git
that looks for its repository climbs up, and where the store's `.git` is gone it would find the project around it.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from gitinstinct.git import run

_ID = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a tree: mode as git writes it (`100644`), type, object id, path."""

    mode: str
    kind: str
    oid: str
    path: str


@dataclass(frozen=True, slots=True)
class Ref:
    """A ref as it stands: its commit, that commit's time in Unix seconds, whether HEAD is this branch."""

    oid: str
    time: int
    is_head: bool


@dataclass(frozen=True, slots=True)
class Repo:
    """A repository: its git folder and its work tree, if it has one. A linked work tree is a Repo of its own.

    `guarded`: what it holds comes from outside, so that git gets only so much of the machine; see `limits`.
    """

    git_dir: Path
    work_tree: Path | None = None
    guarded: bool = False

    def run(
        self,
        *arguments: str,
        stdin: bytes = b"",
        expect: Collection[int] = (0,),
        env: Mapping[str, str] | None = None,
        most: int = run.MOST,
    ) -> run.Result:
        """Runs git here; see `run.run`."""
        place = [f"--git-dir={self.git_dir}"] + ([f"--work-tree={self.work_tree}"] if self.work_tree else [])
        cwd = self.work_tree or self.git_dir
        argv = [*place, "--literal-pathspecs", *arguments]
        return run.run(argv, cwd=cwd, stdin=stdin, expect=expect, env=env, most=most, guarded=self.guarded)

    def ask(self, *arguments: str, stdin: bytes = b"", expect: Collection[int] = (0,)) -> str:
        """The answer as text without its final newline; paths that are no UTF-8 keep their bytes as surrogates."""
        return text(self.run(*arguments, stdin=stdin, expect=expect).out).removesuffix("\n")

    def by_hand(self, command: str) -> str:
        """A git command for a person to type, wherever they are."""
        return f"git -C {shlex.quote(str(self.work_tree or self.git_dir))} {command}"


def text(data: bytes) -> str:
    """Git's bytes as text that `encode("utf-8", "surrogateescape")` turns back."""
    return data.decode("utf-8", "surrogateescape")


def moment(seconds: str) -> datetime:
    """Git's Unix seconds in UTC; 1970 for a commit that has no date, or one that no calendar holds."""
    try:
        return datetime.fromtimestamp(int(seconds), UTC)
    except (ValueError, OverflowError, OSError):
        return datetime.fromtimestamp(0, UTC)


def is_object_id(value: str) -> bool:
    """Whether this is a full object id, of either hash."""
    return _ID.fullmatch(value) is not None


def resolve(repo: Repo, revision: str) -> str | None:
    """The commit that a revision names, or None."""
    found = repo.ask("rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}", expect=(0, 1, 128))
    return found if is_object_id(found) else None


def head_branch(repo: Repo) -> str | None:
    """The full name of the branch that HEAD is, born or not; None when HEAD is detached, or its branch is damaged."""
    return repo.ask("symbolic-ref", "--quiet", "HEAD", expect=(0, 1, 128)) or None


def refs(repo: Repo, *names: str) -> dict[str, Ref]:
    """Those of the refs that exist and can be read. A broken ref is missing from the answer, as one that is not there.

    Names that end in `/` stand for all refs below.
    """
    form = "%(refname)%00%(objectname)%00%(committerdate:unix)%00%(HEAD)"
    found = {}
    for line in repo.ask("for-each-ref", f"--format={form}", "--", *names).splitlines():
        name, oid, time, head = line.split("\0")
        found[name] = Ref(oid, int(time or 0), head == "*")
    return found


def ls_tree(repo: Repo, revision: str, *paths: str, recursive: bool = False) -> list[Entry]:
    """The entries of a commit's tree: of its top, or at these paths (`folder/` for what is in a folder)."""
    flags = ["-r"] if recursive else []
    out = repo.ask("ls-tree", "-z", "--full-tree", *flags, "--end-of-options", revision, *paths)
    return [_entry(line) for line in _fields(out)]


def _entry(line: str) -> Entry:
    meta, path = line.split("\t", 1)
    mode, kind, oid = meta.split(" ")
    return Entry(mode, kind, oid, path)


def _fields(out: str) -> list[str]:
    return out.split("\0")[:-1] if out else []


@dataclass(frozen=True, slots=True)
class Change:
    """A path that differs between two commits; mode `000000` and a zero id on the side that lacks it."""

    path: str
    old_mode: str
    new_mode: str
    old: str
    new: str


def diff_tree(repo: Repo, old: str, new: str) -> list[Change]:
    """What differs between two commits, file by file, without any guess at renames."""
    flags = ("-r", "-z", "--raw", "--no-renames", "--no-abbrev", "--no-ext-diff", "--no-textconv")
    fields = _fields(repo.ask("diff-tree", *flags, "--end-of-options", old, new))
    changes = []
    for meta, path in zip(fields[::2], fields[1::2], strict=True):
        old_mode, new_mode, old_id, new_id, _ = meta.removeprefix(":").split(" ")
        changes.append(Change(path, old_mode, new_mode, old_id, new_id))
    return changes


def merge_bases(repo: Repo, one: str, other: str) -> list[str]:
    """All best common ancestors of two commits; empty when they share none."""
    return repo.ask("merge-base", "--all", "--end-of-options", one, other, expect=(0, 1)).splitlines()


def config(repo: Repo, name: str) -> str | None:
    """A value of the repository's own config, or None; the person's global settings do not count."""
    result = repo.run("config", "-z", "--get", "--end-of-options", name, expect=(0, 1))
    return text(result.out).removesuffix("\0") if result.code == 0 else None
