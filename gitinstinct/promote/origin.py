"""Where a promotion comes from: the ref `refs/gitinstinct/promoted/<project>/<id>`, the same in both stores.

`<project>` is the project's id where the person discloses it, else a hash of it with a key that only this machine has:
others see that two promotions are of one project, and not of which. Twelve hex digits are easily tried out, so a hash
without a key would tell.
"""

from __future__ import annotations

import contextlib
import hmac
import os
import re
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from gitinstinct import paths
from gitinstinct.errors import EnvironmentFault
from gitinstinct.git.repo import Repo
from gitinstinct.git.repo import refs as read_refs
from gitinstinct.instinct import ids
from gitinstinct.store.errors import disk

FOLDER = "refs/gitinstinct/promoted/"
PROMOTED_FROM = "Promoted-From"
"""Trailer of a promotion: the project, and the commit of its `main` that it was taken from."""
LONGEST = 200
"""Promotions of one instinct by one project, each made on the one before; what leads further counts for nothing."""
_TAG = re.compile(r"[0-9a-f]{12}")
_KEY = 32  # bytes
_DIGITS = 12


@dataclass(frozen=True, slots=True)
class Promoted:
    """A promotion commit of a project: the project's name in refs, the id in the global store, the commit."""

    tag: str
    id: str
    commit: str


def ref(tag: str, name: str) -> str:
    """The ref of a project's promotion of an instinct."""
    return f"{FOLDER}{tag}/{name}"


def promoted(repo: Repo) -> list[Promoted]:
    """The promotions that a store knows of. Refs whose name is not as we make it are none."""
    return list(_promoted(repo)) if _may_have_some(repo) else []


def _promoted(repo: Repo) -> Iterator[Promoted]:
    return (one for full, found in read_refs(repo, FOLDER).items() if (one := parse(full, found.oid)))


def parse(full: str, commit: str) -> Promoted | None:
    """What a ref of this name and commit is, here or at a remote; None if it is no promotion's."""
    tag, _, name = full.removeprefix(FOLDER).partition("/")
    is_one = full.startswith(FOLDER) and _TAG.fullmatch(tag) and ids.is_id(name)
    return Promoted(tag, name, commit) if is_one else None


def _may_have_some(repo: Repo) -> bool:
    """Most projects have none, and a look at two files is cheaper than a process."""
    if (repo.git_dir / FOLDER).is_dir() or (repo.git_dir / "reftable").exists():
        return True
    with contextlib.suppress(OSError):
        return FOLDER.encode() in (repo.git_dir / "packed-refs").read_bytes()
    return False


# --- the project's name in refs


def tag(project_id: str, *, disclose: bool) -> str:
    """What a project is called in refs and messages that others see.

    Args:
        project_id: the project's id.
        disclose: whether others may know it.

    Raises:
        EnvironmentFault: this machine's key cannot be read or made.
    """
    return project_id if disclose else _hashed(project_id, _key())


def tags(project_id: str) -> set[str]:
    """Everything that the project may be called: the settings may have changed meanwhile. Errors as `tag`."""
    known = {project_id}
    if Path(paths.promotion_key()).exists():
        known.add(_hashed(project_id, _key()))
    return known


def _hashed(project_id: str, key: bytes) -> str:
    return hmac.new(key, project_id.encode(), "sha256").hexdigest()[:_DIGITS]


def _key() -> bytes:
    """This machine's key, made once: whoever comes first, all others take theirs."""
    file = Path(paths.promotion_key())
    with disk("the key for the names of projects cannot be used"):
        if not file.exists():
            _make(file)
        found = file.read_bytes()
    if len(found) != _KEY:
        hint = f"move it away; projects are then called otherwise from now on: {file}"
        raise EnvironmentFault(f"{file} is no key of this program", hint)
    return found


def _make(file: Path) -> None:
    """Whole or not at all: a draft gets its name by a link, which fails where there is one already."""
    paths.make_private(str(file.parent))
    draft = file.with_name(f".{file.name}.{secrets.token_hex(4)}")
    try:
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
        with os.fdopen(descriptor, "wb") as opened:
            opened.write(secrets.token_bytes(_KEY))
            opened.flush()
            os.fsync(opened.fileno())
        with contextlib.suppress(FileExistsError):
            os.link(draft, file)
    finally:
        draft.unlink(missing_ok=True)
