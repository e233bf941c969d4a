"""What a person means by a revision or a time: a run, a commit, `main~3`, a day, `2 weeks ago`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta

from gitinstinct import clock
from gitinstinct.errors import Found, UsageError
from gitinstinct.git.repo import Repo, merge_bases, resolve
from gitinstinct.store import history
from gitinstinct.store.layout import BRANCH

_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_AGO = re.compile(r"(\d{1,6})[ .]*(minute|hour|day|week|month|year)s?(?:[ .]*ago)?")
_MINUTES = {"minute": 1, "hour": 60, "day": 1440, "week": 7 * 1440, "month": 30 * 1440, "year": 365 * 1440}
_BRACED = re.compile(r"@\{(?!-?\d+\})(.+)\}")  # a bare number is git's: the reflog, the branch before
_RUN = re.compile(r"[0-9a-z]{6,40}")
_MAIN = re.compile(r"^main(?=[~^@]|$)")
_HOW = "a run, a commit, main~3 or a day like 2026-11-29; gitinstinct log shows them"


def moment(text: str, now: datetime, *, end: bool = False) -> datetime:
    """A time as a person gives it, aware: an ISO day or time, `today`, `yesterday`, `2 weeks ago`, `2.weeks`.

    Args:
        text: what the person wrote.
        now: the present, from which `ago` counts.
        end: a whole day means its end, not its beginning.

    Raises:
        UsageError: it is none of these.
    """
    words = text.strip().lower()
    if words in ("today", "yesterday"):
        words = (now - timedelta(days=words == "yesterday")).date().isoformat()
    ago = _AGO.fullmatch(words)
    try:
        if _DAY.fullmatch(words):
            return clock.parse(words) + (timedelta(days=1, microseconds=-1) if end else timedelta())
        return now - timedelta(minutes=int(ago[1]) * _MINUTES[ago[2]]) if ago else clock.parse(text)
    except (UsageError, OverflowError) as error:
        raise UsageError(f"{text!r} is no time", "write 2026-11-29, yesterday or '2 weeks ago'") from error


def commit(repo: Repo, text: str, now: datetime) -> str:
    """The commit that is meant, by its id.

    A day or a time means the state of `main` then, by the dates of its commits: `2026-11-29`, `@{2 weeks ago}`.

    Raises:
        Found: there is none.
        UsageError: the time cannot be read.
    """
    braced = _BRACED.fullmatch(text)
    if braced or _DAY.match(text):
        return _as_of(repo, moment(braced[1] if braced else text, now, end=True), text)
    found = _named(repo, text) or _of_run(repo, text)
    if found is None:
        raise Found(f"nothing in this store is called {text}", _HOW)
    return found


def _as_of(repo: Repo, at: datetime, text: str) -> str:
    flags = ("--max-count=1", "--first-parent", f"--before={at.isoformat()}")
    found = repo.ask("rev-list", *flags, "--end-of-options", BRANCH, "--")
    if not found:
        raise Found(f"this store had no commit yet at {text}", "gitinstinct log shows the first")
    return found


def _named(repo: Repo, text: str) -> str | None:
    """What git calls so. `main` is the branch, whatever tag of that name came along."""
    return resolve(repo, _MAIN.sub(BRANCH, text, count=1)) if text and text.isprintable() else None


def _of_run(repo: Repo, text: str) -> str | None:
    if not _RUN.fullmatch(text):
        return None
    return next((entry.commit for entry in history.log(repo, run=text, limit=1)), None)


@dataclass(frozen=True, slots=True)
class Span:
    """Two states of a store. `old` is None for the emptiness before the first commit."""

    old: str | None
    new: str


def is_span(text: str) -> bool:
    """Whether the text has the form `A..B`, either side of which may be missing."""
    return ".." in text


def span(repo: Repo, text: str, now: datetime) -> Span:
    """`A..B`: from A to B; `A...B`: from where both began to differ, to B. A missing side is `main`.

    Raises:
        Found: a side names nothing.
    """
    old, dots, new = re.split(r"(\.{2,3})", text, maxsplit=1)
    before, after = (commit(repo, side or BRANCH, now) for side in (old, new))
    if dots == "..":
        return Span(before, after)
    return Span(next(iter(merge_bases(repo, before, after)), None), after)


def step(repo: Repo, commit: str) -> Span:
    """What one commit did: from its first parent to it."""
    return Span(resolve(repo, f"{commit}^"), commit)
