"""Bundles: a branch with its history in one file, for where there is no remote.

A bundle comes from anywhere, so its list of refs is read here, within limits, before git sees it; then one branch is
fetched like from any remote, every object checked. What `git bundle verify` says is not enough.
"""

from __future__ import annotations

import re
from pathlib import Path

from gitinstinct.errors import Found
from gitinstinct.git import run
from gitinstinct.git.repo import Repo, is_object_id
from gitinstinct.git.run import GitError

MOST = 64 * 1024 * 1024  # bytes
_MAGIC = re.compile(rb"# v([0-9]{1,9}) git bundle\n")
_REFS = 1_000
_LINE = 1_024
_BRANCH = re.compile(r"refs/heads/[A-Za-z0-9][A-Za-z0-9._/-]{0,200}")
_HINT = "ask for it to be made again: gitinstinct export --bundle FILE"


def is_bundle(data: bytes) -> bool:
    """Whether the bytes are a bundle, of whatever version."""
    return data.startswith(b"# v") and _MAGIC.match(data) is not None


def branches(data: bytes) -> dict[str, str]:
    """The branches that a bundle holds, by full name; refs that are no plain branches are left out.

    Raises:
        Found: it is of an unknown version, cut off, needs commits that it does not hold, or has too many refs.
    """
    magic = _MAGIC.match(data)
    if magic is None or magic[1] not in (b"2", b"3"):
        raise Found("the bundle is of a version that is not known", _HINT)
    found: dict[str, str] = {}
    at = magic.end()
    for _ in range(_REFS):
        end = data.find(b"\n", at, at + _LINE)
        if end < 0:
            raise Found("the bundle is cut off, or a line of its list is too long", _HINT)
        line, at = data[at:end].decode("utf-8", "replace"), end + 1
        if not line:
            return found
        _take(line, found)
    raise Found(f"the bundle lists more than {_REFS:,} refs", "one branch is enough")


def _take(line: str, found: dict[str, str]) -> None:
    if line.startswith("-"):
        raise Found(
            "the bundle needs commits that it does not hold",
            "make it with the whole history: git bundle create FILE BRANCH",
        )
    if line.startswith("@"):  # what it can do; version 3 names the hash function here
        if line not in ("@object-format=sha1", "@object-format=sha256"):
            raise Found(f"the bundle needs a git that knows {run.clean(line)}", _HINT)
        return
    oid, _, name = line.partition(" ")
    if is_object_id(oid) and _BRANCH.fullmatch(name) and ".." not in name and "//" not in name:
        found[name] = oid


def fetch(repo: Repo, file: Path, branch: str) -> None:
    """Fetches one branch of a bundle into the ref of the same name, every object checked.

    Raises:
        Found: it is damaged, or holds what git does not let in.
    """
    flags = "--quiet --no-tags --no-recurse-submodules --no-write-fetch-head --no-auto-maintenance".split()
    place = [f"--git-dir={repo.git_dir}", "-c", "core.bigFileThreshold=1m", "-c", "pack.threads=1"]
    # Before 2.46 git checks the objects of a remote and not those of a bundle.
    checks = ["fsck", "--strict", "--no-dangling", "--no-progress", "--no-reflogs"]
    try:
        run.run([*place, "fetch", *flags, "--", str(file), f"+{branch}:{branch}"], cwd=repo.git_dir, guarded=True)
        run.run([*place, *checks], cwd=repo.git_dir, guarded=True)
    except GitError as error:
        raise Found(f"the bundle is damaged, or holds what is not let in: {error.stderr}", _HINT) from error


def create(repo: Repo, branch: str, file: Path) -> None:
    """Writes a bundle of one branch with its whole history.

    Raises:
        GitError: git could not write it.
    """
    repo.run("bundle", "create", "--quiet", str(file), branch)
