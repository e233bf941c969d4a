"""All rules over one file, and over many beside each other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from gitinstinct.capture.redact import redact
from gitinstinct.check import evidence, measuring, neighbours, place, shape, steering, words
from gitinstinct.check.neighbours import Neighbour
from gitinstinct.check.rules import Finding, Found, Severity, told
from gitinstinct.check.subject import Readable, Subject
from gitinstinct.instinct.model import Instinct

ON_TEXT: Sequence[Callable[[Subject], Iterator[Found]]] = (words.secrets, words.homes, words.signs, words.alphabets)
"""Rules for every text, whether it can be read as an instinct or not."""

ON_INSTINCTS: Sequence[Callable[[Subject, Readable], Iterator[Found]]] = (
    shape.name, shape.conflicts, shape.look_alikes,
    evidence.derived, evidence.adoption, evidence.lines, evidence.order, evidence.doubles, evidence.keys,
    words.out_of_sight, words.domain, words.trigger, words.action, words.lengths,
    steering.words, place.scope, place.project, measuring.grammar,
)  # fmt: skip
"""Rules for files that can be read. A stub of what was forgotten has no words and gets those of its ledger only."""

_FOR_STUBS = frozenset((shape.name, evidence.derived, evidence.order, evidence.doubles, place.scope, place.project))


def inspect(subject: Subject, day: str) -> list[Finding]:
    """What is wrong with one file, by line.

    Args:
        subject: the file.
        day: today, as an ISO day.
    """
    found = [one for rule in ON_TEXT for one in rule(subject)]
    if isinstance(subject.read, Readable):
        found += _of_instinct(subject, subject.read, day)
    else:
        found += shape.unreadable(subject, subject.read)
    return [
        _harmless(told(one, subject.file, subject.uncommitted)) for one in sorted(dict.fromkeys(found), key=_by_line)
    ]


def _of_instinct(subject: Subject, read: Readable, day: str) -> Iterator[Found]:
    for rule in ON_INSTINCTS:
        if not read.instinct.forgotten or rule in _FOR_STUBS:
            yield from rule(subject, read)
    yield from evidence.dates(subject, read, day)


def _by_line(found: Found) -> tuple[int, str]:
    return (found.line or 0, found.rule)


def _harmless(finding: Finding) -> Finding:
    """A finding may show a piece of the file, and a secret may be in it."""
    return replace(finding, why=redact(finding.why))


def inspect_text(subject: Subject) -> list[Finding]:
    """The same for a file that is no instinct: only what its text must not be."""
    return [_harmless(told(one, subject.file)) for rule in ON_TEXT for one in rule(subject)]


def inspect_all(
    subjects: Iterable[Subject], day: str, elsewhere: Iterable[Subject] = (), beside: Iterable[Subject] = ()
) -> list[Finding]:
    """What is wrong with several files, and between them; by file and line.

    A person's version in the work tree comes beside the committed one; what is found in both is told once.

    Args:
        subjects: the files.
        day: today, as an ISO day.
        elsewhere: the global store's, where these are a project's.
        beside: others of the same store, which are compared with and not checked.
    """
    every = list(subjects)
    found = [finding for subject in every for finding in inspect(subject, day)]
    current = {subject.file: subject for subject in every}  # the person's version, where there is one
    own = _active(current.values(), day)
    found += [
        _harmless(told(one, file, current[file].uncommitted))
        for file, one in neighbours.compare(own, _active(elsewhere, day), _active(beside, day))
    ]
    return _once(sorted(found, key=lambda one: (one.file, one.uncommitted, one.line or 0, one.rule)))


def _once(findings: Sequence[Finding]) -> list[Finding]:
    committed = {(one.file, one.rule, one.why) for one in findings if not one.uncommitted}
    return [one for one in findings if not one.uncommitted or (one.file, one.rule, one.why) not in committed]


def _active(subjects: Iterable[Subject], day: str) -> list[Neighbour]:
    """Those that say something today: an archived one may well say the contrary."""
    read = [(subject.file, subject.read) for subject in subjects]
    return [
        Neighbour(file, one.line_of("trigger"), one.instinct)
        for file, one in read
        if isinstance(one, Readable) and _status(one.instinct, day) == "active"
    ]


def _status(instinct: Instinct, day: str) -> str:
    return instinct.fold(day, day).status


def failed(findings: Iterable[Finding]) -> bool:
    """Whether there is an error among them."""
    return any(one.severity is Severity.ERROR for one in findings)
