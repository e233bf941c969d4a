"""The private record of observer runs: what happened on this machine and is nobody else's business.

It is a chain of commits without files on `refs/gitinstinct/runs`, a ref that is never pushed; each message holds one
record as JSON (cursor, digest of the cited observations, run, detector, tokens, cost). It moves together with the
branch, so a cursor and what was learned up to it cannot come apart, and it survives squashing and re-cloning of the
branch.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import TypeAlias

from gitinstinct.git.identity import Actor
from gitinstinct.git.objects import Commit
from gitinstinct.git.repo import Ref, Repo
from gitinstinct.git.trailers import one_line
from gitinstinct.store.checkout import RUNS

JSON: TypeAlias = "bool | int | float | str | Sequence[JSON] | Mapping[str, JSON] | None"
Record: TypeAlias = Mapping[str, JSON]


def latest(repo: Repo, kind: str = "") -> Record | None:
    """The newest record, or None; of one kind of detector if that is given. One that names none is the local one's."""
    newest = next(iter(records(repo, limit=1)), None)
    if not kind or (newest is not None and _is_of(newest, kind)):
        return newest
    return next((record for record in records(repo) if _is_of(record, kind)), None)


def _is_of(record: Record, kind: str) -> bool:
    return str(record.get("detector", "local")).partition("/")[0] == kind


def records(repo: Repo, limit: int | None = None) -> Iterator[Record]:
    """The records, newest first. A commit in the chain that holds none is passed over."""
    some = [f"--max-count={limit}"] if limit is not None else []
    found = repo.run("log", "-z", "--format=%b", *some, "--end-of-options", RUNS, "--", expect=(0, 128))
    for body in found.out.decode("utf-8", "replace").split("\0"):
        try:
            record = json.loads(body)
        except ValueError:
            continue
        if isinstance(record, dict):
            yield record


def commit(record: Record, before: Ref | None, actor: Actor, now: datetime) -> Commit:
    """The commit that puts a record on top of the chain."""
    body = json.dumps(record, sort_keys=True, allow_nan=False)
    message = f"run {one_line(str(record.get('run', '')), 80)}".rstrip() + f"\n\n{body}\n"
    time = max(int(now.timestamp()), before.time if before else 0)
    return Commit(message.encode(), actor, actor, time, [before.oid] if before else [], empty=True)
