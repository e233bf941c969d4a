"""A range under the eye: all rules, in an order in which nothing boundless is touched before it was measured."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from gitinstinct.check.rules import Finding, Found, Severity, told
from gitinstinct.check.span import approval, commits, evidence, files, provenance, signed, states
from gitinstinct.check.span.asked import Span
from gitinstinct.check.span.provenance import Promotion
from gitinstinct.check.span.signed import Signed
from gitinstinct.check.span.states import States
from gitinstinct.check.span.touched import touched
from gitinstinct.git.clone import Clone
from gitinstinct.git.run import Overflow
from gitinstinct.git.signatures import Signers
from gitinstinct.promote import origin
from gitinstinct.store import history
from gitinstinct.store.history import Logged

MOST = 50  # findings of one rule; the rest is counted
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked besides the rules.

    Attributes:
        day: today, as an ISO day.
        signers: who may sign; None where signatures do not matter.
        approvers: who approved; None where that does not matter.
        author: who proposes the range, as the host knows them.
        progress: told while much is looked at.
    """

    day: str
    signers: Signers | None = None
    approvers: tuple[str, ...] | None = None
    author: str = ""
    progress: Progress | None = None


@dataclass(frozen=True, slots=True)
class Judged:
    """What was found in a range.

    Attributes:
        span: the range.
        findings: by file and line; those of commits last.
        files: how many files were looked at.
        commits: how many commits.
        promotions, signatures: what was learned of them.
    """

    span: Span
    findings: tuple[Finding, ...] = ()
    files: int = 0
    commits: int = 0
    promotions: tuple[Promotion, ...] = ()
    signatures: tuple[Signed, ...] = field(default=())


def judge(clone: Clone, span: Span, wanted: Wanted) -> Judged:
    """Looks through a range, or through the tree of one commit.

    Raises:
        UsageError: the file of signers cannot be used.
        GitError: git cannot read the commits.
    """
    if span.old is not None and not span.bases:
        why = f"{span.new[:10]} and {span.old[:10]} have no commit in common"
        return _boundless(span, "unrelated", why)
    reason = commits.limits(span)
    if reason is None:
        trees = states.read(span)
        reason = trees.boundless
    if reason:
        return _boundless(span, "boundless", reason)
    try:
        return _judged(clone, span, trees, wanted)
    except Overflow as error:
        return _boundless(span, "boundless", f"its history holds more than is looked at: {error.stderr}")


def _boundless(span: Span, rule: str, why: str) -> Judged:
    return Judged(span, (told(Found(rule, None, why, commit=span.new), ""),))


def _judged(clone: Clone, span: Span, trees: States, wanted: Wanted) -> Judged:
    found = [*files.look(trees, wanted.day), *files.both_sides(trees), *evidence.look(trees)]
    judged = Judged(span, files=len({*trees.changed, *trees.gone, *(one.path for one in trees.new.refusals)}))
    if span.old is not None:
        judged = _of_commits(clone, judged, trees, wanted)
    return replace(judged, findings=tuple(_some(sorted([*found, *judged.findings], key=_order))))


def _of_commits(clone: Clone, judged: Judged, trees: States, wanted: Wanted) -> Judged:
    span = judged.span
    entries = history.log(span.repo, revision=span.revision)
    found, people = commits.past(span, trees, wanted.progress)
    found += [*commits.messages(entries, touched(span.repo, entries)), *commits.wounds(span, trees)]
    promotions, wrong = provenance.look(span.repo, entries, trees, clone.below(origin.FOLDER))
    signatures, unsigned = (
        signed.look(span.repo, entries, wanted.signers, wanted.progress) if wanted.signers else ([], [])
    )
    if wanted.approvers is not None:
        everybody = [*people, *_helpers(entries)]
        found += approval.look(wanted.approvers, wanted.author, everybody, span.new)
    found += [*wrong, *unsigned]
    return replace(
        judged,
        findings=tuple(found),
        commits=len(entries),
        promotions=tuple(promotions),
        signatures=tuple(signatures),
    )


def _helpers(entries: Iterable[Logged]) -> Iterator[str]:
    """Whom a message names as somebody who wrote it as well."""
    for entry in entries:
        yield from (value for key, value in entry.trailers if key.lower() == "co-authored-by")


def _order(one: Finding) -> tuple[bool, str, str, int, str]:
    return (not one.file, one.file, "" if one.file else one.commit, one.line or 0, one.rule)


def _some(found: Sequence[Finding]) -> Iterator[Finding]:
    """The first of each rule and weight; how many more there are is told with the last of them."""
    kinds: dict[tuple[str, Severity], int] = defaultdict(int)
    for one in found:
        kinds[one.rule, one.severity] += 1
    seen: dict[tuple[str, Severity], int] = defaultdict(int)
    for one in found:
        kind = one.rule, one.severity
        seen[kind] += 1
        if seen[kind] < MOST or kinds[kind] == MOST == seen[kind]:
            yield one
        elif seen[kind] == MOST:
            yield replace(one, why=f"{one.why}; and {kinds[kind] - MOST} more of this kind")
