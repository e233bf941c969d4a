"""What the words of a file must not be: secret, private, hidden, boundless, empty.

Only what concerns a file's schema and text. Whether a text tries to steer an agent is another question: `steering`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from gitinstinct.capture.redact import findings
from gitinstinct.check.rules import Found
from gitinstinct.check.subject import Readable, Subject
from gitinstinct.instinct import domains, hidden, lint, private
from gitinstinct.instinct.body import ACTION, outside_code
from gitinstinct.instinct.fields import shown
from gitinstinct.instinct.fit import ACTION as MOST_ACTION
from gitinstinct.instinct.fit import BLANK_LINES, BLANKS, LINE, TITLE, TRIGGER
from gitinstinct.instinct.ledger import parse_line

_MOST_LINES = 5  # of one rule in one file; the rest is counted

_COMMENT = re.compile(r"<!--")
_BEHIND_BLANKS = re.compile(rf"(?<![ \t])[ \t]{{{BLANKS},}}\S")
_POINT = re.compile(r"[-*+] \S")


# --- the whole text, readable as an instinct or not


def secrets(subject: Subject) -> Iterator[Found]:
    """What looks like a secret, by kind and line; the secret itself is never named."""
    if not subject.lines:
        return
    kinds = dict.fromkeys(findings("\n".join(subject.lines)))
    for number, line in enumerate(subject.lines if kinds else (), 1):
        for kind in findings(line):
            kinds.pop(kind, None)
            yield Found("secret", number, _secret(kind))
    yield from (Found("secret", None, _secret(kind)) for kind in kinds)  # over several lines
    if isinstance(subject.read, Readable):
        escaped = [(line, kind) for line, text in subject.read.escaped for kind in findings(text)]
        yield from (Found("secret", line, _secret(kind)) for line, kind in escaped)


def _secret(kind: str) -> str:
    return f"it holds what looks like a secret ({kind})"


def homes(subject: Subject) -> Iterator[Found]:
    """Paths that name a person of this machine."""
    for number, line in enumerate(subject.lines, 1):
        path = next(private.homes(line), None)
        if path is not None:
            yield Found("home-path", number, f"a path in somebody's home: {shown(path)}")


def signs(subject: Subject) -> Iterator[Found]:
    """Characters that a reader does not see, as they are and behind escapes."""
    found = list(_raw_signs(subject))
    if isinstance(subject.read, Readable):
        seen = {one.line for one in found}
        found += [one for one in _escaped_signs(subject.read) if one.line not in seen]
    yield from _some(found)


def _raw_signs(subject: Subject) -> Iterator[Found]:
    for number, line in enumerate(subject.lines, 1):
        wrong = hidden.find(line)
        if wrong:
            yield _sign(number, line, wrong, mendable=parse_line(line) is None)


def _sign(number: int, line: str, wrong: list[hidden.Sign], mendable: bool) -> Found:
    worst = next((one for one in wrong if not one.harmless), None)
    first = worst or next((one for one in wrong if not hidden.is_space(one.sign)), wrong[0])
    rule = "hidden-character" if worst else "odd-space" if hidden.is_space(first.sign) else "zero-width"
    more = f", and {len(wrong) - 1} more" if len(wrong) > 1 else ""
    spelled = hidden.smuggled(line)
    hides = f"; they spell {shown(spelled)}" if spelled else ""
    return Found(rule, number, f"{first}{more}{hides}", None if mendable else False)


def _escaped_signs(read: Readable) -> Iterator[Found]:
    for line, text in read.escaped:
        wrong = [sign for part in text.split("\n") for sign in hidden.find(part)]
        if wrong:
            why = f"behind an escape stands {wrong[0].what}, U+{ord(wrong[0].sign):04X}"
            yield Found("hidden-character", line, why)


def out_of_sight(subject: Subject, read: Readable) -> Iterator[Found]:
    """Text that is there and that a reader does not get to see: comments of HTML, and what stands far away."""
    empty = 0
    for index, line in outside_code(read.document.body):
        number = read.body_line(index)
        if _COMMENT.search(line):
            yield Found("hidden-text", number, "an HTML comment: shown nowhere, read by an agent")
        if _BEHIND_BLANKS.search(line):
            yield Found("hidden-text", number, f"text behind more than {BLANKS} blanks")
        if line.strip() and empty >= BLANK_LINES:
            yield Found("hidden-text", number, f"text behind {empty} empty lines")
        empty = 0 if line.strip() else empty + 1


def alphabets(subject: Subject) -> Iterator[Found]:
    """Words of letters that only look alike."""
    found = [
        Found("mixed-scripts", number, f"{word!a} mixes two alphabets")
        for number, line in enumerate(subject.lines, 1)
        for word in hidden.mixed_words(line)
    ]
    yield from _some(found)


def _some(found: Iterable[Found]) -> Iterator[Found]:
    """The first few of each rule; how many more there are is told with the last of them."""
    kinds: dict[str, list[Found]] = {}
    for one in found:
        kinds.setdefault(one.rule, []).append(one)
    for few in kinds.values():
        yield from few[:_MOST_LINES]
        if len(few) > _MOST_LINES:
            rest = few[_MOST_LINES]
            yield Found(
                rest.rule, rest.line, f"{rest.why}; {len(few) - _MOST_LINES} lines in all from here", rest.fixable
            )


# --- the fields


def domain(subject: Subject, read: Readable) -> Iterator[Found]:
    """A domain that is missing, unknown or called otherwise."""
    written, line = read.instinct.domain, read.line_of("domain")
    known = domains.canonical(written)
    if not written:
        yield Found("no-domain", line, "it has no domain")
    elif known not in domains.DOMAINS:
        yield Found("unknown-domain", line, f"{shown(written)} is no domain")
    elif known != written:
        yield Found("domain-synonym", line, f"the domain is called {known}, not {shown(written)}")


def trigger(subject: Subject, read: Readable) -> Iterator[Found]:
    """A trigger that says nothing, or everything."""
    words, line = read.instinct.trigger, read.line_of("trigger")
    if lint.placeholder(words) and set(words) != {"*"}:
        yield Found("placeholder", line, f"the trigger {shown(words)} says nothing")
    elif lint.too_broad(words):
        yield Found("too-broad", line, f"the trigger {shown(words)} applies to nearly everything")


def action(subject: Subject, read: Readable) -> Iterator[Found]:
    """An action that is missing, stands for another text, or is several."""
    words, line = read.instinct.action, read.section_line(ACTION) or read.line_of("action")
    if not words:
        yield Found("no-action", line, "it does not say what to do")
    elif lint.placeholder(words):
        yield Found("placeholder", line, f"the action {shown(words)} says nothing")
    for section in read.body.named(ACTION)[1:]:
        number = read.body_line(section.start)
        yield Found("several-actions", number, "a second ## Action; only the first is used")
    points = [text for _, text in outside_code(words.split("\n")) if _POINT.match(text)]
    if len(points) > 1:
        yield Found(
            "several-actions", line, f"the action has {len(points)} points, each of which may be one of its own"
        )


def lengths(subject: Subject, read: Readable) -> Iterator[Found]:
    """Texts that are too long for what they are."""
    instinct = read.instinct
    for name, text, line, most in (
        ("title", instinct.title, None, TITLE),
        ("trigger", instinct.trigger, read.line_of("trigger"), TRIGGER),
        ("action", instinct.action, read.section_line(ACTION), MOST_ACTION),
    ):
        if len(text) > most:
            yield Found("too-long", line, f"the {name} has {len(text):,} characters; {most:,} are enough")
    for number, raw in enumerate(subject.lines, 1):
        if len(raw) > LINE:
            yield Found("too-long", number, f"a line of {len(raw):,} characters")
