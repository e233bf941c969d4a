"""What the commits of a range say, and what their history holds although the newest tree does not.

Git's own reading of trailers is the one that counts, here and everywhere. A line that looks like one of ours and is
none for git is for the eye only, and so is worth telling: a forged message lives from it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from gitinstinct.check import merges
from gitinstinct.check.rules import Finding, Found, told
from gitinstinct.check.span.asked import Span
from gitinstinct.check.span.states import States
from gitinstinct.git.run import GitError
from gitinstinct.instinct import hidden
from gitinstinct.instinct.fields import shown
from gitinstinct.store import incoming, outgoing
from gitinstinct.store.history import Logged
from gitinstinct.store.outgoing import Kind

_OURS = ("Instinct", "Run", "Detector", "Observations", "Promoted-From", "Import-Source")
_ONCE = ("Run", "Detector", "Observations")
_LINE = re.compile(rf"({'|'.join(_OURS)}):[ \t]*(.*)", re.IGNORECASE)
_MOST_NAMED = 100  # a merge names no more of its instincts


def limits(span: Span) -> str | None:
    """Why the range has too many or too large commits; None if it has not.

    Raises:
        GitError: its history cannot be read.
    """
    return incoming.oversized(span.repo, span.new, span.old or "") if span.old else None


def messages(entries: Sequence[Logged], touched: Mapping[str, Collection[str]]) -> Iterator[Finding]:
    """What is wrong with each commit's message, measured against the instincts that the commit touched."""
    for entry in entries:
        found = [*_hidden(entry), *_trailers(entry), *_unnamed(entry, touched.get(entry.commit, ()))]
        yield from (told(replace(one, commit=entry.commit), "") for one in found)


def _hidden(entry: Logged) -> Iterator[Found]:
    """The first sign in the message, and in who made it, that a reader does not see."""
    for what, text in (("message", f"{entry.subject}\n{entry.body}"), ("author", f"{entry.author} {entry.mail}")):
        lines = (hidden.find(line.rstrip("\r")) for line in text.split("\n"))
        signs = (one for line in lines for one in line if not hidden.is_space(one.sign))
        yield from (Found("hidden-in-message", None, f"its {what} holds {sign}") for sign in islice(signs, 1))


def _trailers(entry: Logged) -> Iterator[Found]:
    for key, number in Counter(key.lower() for key, _ in entry.trailers).items():
        if number > 1 and key in map(str.lower, _ONCE):
            yield Found("doubled-trailer", None, f"its message has {number} lines {key.title()}:")
    known = {(key.lower(), " ".join(value.split())) for key, value in entry.trailers}
    loose = [pair for pair in _looks_like(entry) if (pair[0].lower(), pair[1]) not in known]
    if loose:
        key, value = loose[0]
        more = f", and {len(loose) - 1} more such lines" if len(loose) > 1 else ""
        yield Found("loose-trailer", None, f"its message has {shown(f'{key}: {value}')} outside of its trailers{more}")


def _looks_like(entry: Logged) -> list[tuple[str, str]]:
    lines = (_LINE.fullmatch(line.rstrip()) for line in entry.body.split("\n"))
    return [(found[1], " ".join(found[2].split())) for found in lines if found]


def _unnamed(entry: Logged, touched: Collection[str]) -> Iterator[Found]:
    """A squash by a host keeps the trailers of all its commits as lines of the body; they name as well."""
    said = [*entry.values("Instinct"), *(value for key, value in _looks_like(entry) if key.lower() == "instinct")]
    named = {value.split(" ")[0] for value in said}
    others = sorted(set(touched) - named)
    if named and others and len(named) < _MOST_NAMED:
        listed = ", ".join(others[:3]) + (f" and {len(others) - 3} more" if len(others) > 3 else "")
        yield Found("unnamed-change", None, f"it says it is about {', '.join(sorted(named)[:3])}, and changes {listed}")


# --- what the history holds


def past(
    span: Span, states: States, progress: Callable[[int, int], None] | None
) -> tuple[list[Finding], tuple[str, ...]]:
    """Secrets and paths of persons in any version and message of the range, and who made its commits.

    What the newest tree still has is the rules' for files.
    """
    seen = outgoing.look(span.repo, span.new, [span.old or ""], (), progress)
    newest = set(states.new.files.values())
    return [_past(one) for one in seen.findings if not one.oid or one.oid not in newest], seen.people


def _past(one: outgoing.Finding) -> Finding:
    rule = _RULES[one.kind]
    if not one.path:
        return told(Found(rule, None, f"its message holds {one.what}", commit=one.commit), "")
    where = f" in commit {one.commit[:10]}" if one.commit else ""
    holds = ": " if one.kind is Kind.UNSEEN else " held "
    return told(Found(rule, None, f"a version of it{where}{holds}{one.what}", commit=one.commit), one.path)


_RULES = {
    Kind.SECRET: "past-secret",
    Kind.HOME: "past-home-path",
    Kind.NAME: "past-home-path",
    Kind.UNSEEN: "unseen-version",
}


def wounds(span: Span, states: States) -> Iterator[Finding]:
    """What merges by plain git in the range left wrong, and that still is."""
    try:
        wounded, more = merges.look_since(states.new, span.old or "")
    except GitError as error:  # a tree without end somewhere in the history
        yield told(Found("boundless", None, f"its merges cannot be made again: {error.stderr}", commit=span.new), "")
        return
    yield from (replace(one.finding, commit=one.commit) for one in wounded)
    if more:
        why = f"only its newest {merges.MOST} merges were made again and compared"
        yield told(Found("unseen-merges", None, why, commit=span.new), "")
