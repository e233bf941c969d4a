"""Applies the rules to one text. Loaded only for a text that has a literal of one of them, since it needs `re`.

A rule gives spans of the text; each becomes a placeholder before the next rule looks. Whole blocks come first, then
secrets with a place of their own, then tokens by their look, then names and their values.
"""

from __future__ import annotations

import re

from gitinstinct.capture.redact import assignments, names, values
from gitinstinct.capture.redact.rules import KEY_BLOCKS, PATTERNS, TOKENS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    Span = tuple[int, int, str]
    Rule = Callable[[str], Iterable[Span]]

# A token that could be part of a word must begin one, or follow an escape, whose last letter is part of no word.
_BEGINS = (
    r"(?:(?<!\w)|(?<=\\[abfnrtv0])|(?<=\\u[0-9A-Fa-f]{4})|(?<=\\x[0-9A-Fa-f]{2})|(?<=%[0-9A-Fa-f]{2})"
    r"|(?<=[\[;]\dm)|(?<=[\[;]\d\dm))"
)
_BLOB = r"(?:data:[\w/.+-]{1,80}(?:;[\w=.-]{1,80}){0,3},)?[A-Za-z0-9+/_-]{1024,}+={0,2}"
_PAIR = r"(?P<name>[^\s=;,]{1,80})=(?P<s>[^;\s\"'`\\<]+)"
_ATTRIBUTES = frozenset("path domain expires max-age samesite version secure httponly partitioned".split())
_LONGEST_MARK = 50


def scrub(text: str, known: Iterable[str], found: list[str]) -> str:
    """The text with every secret replaced by `[REDACTED:kind]`; the kinds are added to `found`."""
    for rule in _rules(text):
        text = _replaced(text, rule(text), found)
    for value in known:
        if value in text:
            found.append("environment")
            text = text.replace(value, "[REDACTED:environment]")
    return text


def _rules(text: str) -> Iterator[Rule]:
    """The rules of which a literal is in the text."""
    lowered = text.casefold()
    yield _blobs
    if any([hint in lowered for hint in KEY_BLOCKS]):
        from gitinstinct.capture.redact import keyblocks

        yield keyblocks.spans
    for kind, hints, pattern, check in PATTERNS:
        if any([all([part in lowered for part in hint.split("…")]) for hint in hints]):
            yield _pattern(kind, pattern, check)
    if "@" in text:
        from gitinstinct.capture.redact import urls

        yield urls.spans
    for kind, literals, rest in TOKENS:
        for literal in literals.split():
            if literal.lstrip("^") in text:
                yield _token(kind, literal, rest)
    yield assignments.spans


def _replaced(text: str, spans: Iterable[Span], found: list[str]) -> str:
    """The text with a mark for every span. A span that lies in a mark of ours, or is one, changes nothing."""
    kept: list[str] = []
    done = 0
    for begin, end, kind in sorted(spans):
        start, end = _mark_around(text, begin)[0], _mark_around(text, end)[1]
        if start < done or _is_mark(text[start:end]):
            continue
        kept += (text[done:start], f"[blob {(end - start) * 3 // 4} bytes]" if kind == "blob" else f"[REDACTED:{kind}]")
        done = end
        found.append(kind)
    return "".join(kept) + text[done:] if kept else text


def _mark_around(text: str, place: int) -> tuple[int, int]:
    """Where the placeholder begins and ends that a place lies inside of; the place itself if it lies in none."""
    opened = text.rfind("[REDACTED", max(0, place - _LONGEST_MARK), place)
    closed = text.find("]", opened, opened + _LONGEST_MARK) + 1 if opened >= 0 else 0
    return (opened, closed) if closed > place and _is_mark(text[opened:closed]) else (place, place)


def _is_mark(text: str) -> bool:
    kind = text[10:-1].replace("-", "a")
    return text.startswith("[REDACTED") and text.endswith("]") and (kind.isalnum() or text == "[REDACTED]")


def _blobs(text: str) -> Iterator[Span]:
    if len(text) >= 1024:
        for blob in re.finditer(_BLOB, text):
            if len(set(blob[0])) > 8:
                yield blob.start(), blob.end(), "blob"


def _token(kind: str, literal: str, rest: str) -> Rule:
    """The tokens that begin with a literal. One that ends in `/` or `=` is the place of the secret, not part of it."""
    head = literal.lstrip("^")
    pattern = re.compile((_BEGINS if head != literal else "") + re.escape(head) + f"(?P<rest>{rest})")

    def spans(text: str) -> Iterator[Span]:
        at = text.find(head)
        while at >= 0:
            token = pattern.match(text, at)
            if token and len(set(token["rest"])) > 4 and "EXAMPLE" not in token[0]:
                yield token.start("rest") if head[-1] in "/=" else at, token.end(), kind
            at = text.find(head, token.end() if token else at + 1)

    return spans


def _pattern(kind: str, pattern: str, check: str) -> Rule:
    compiled = re.compile(pattern, re.I)

    def spans(text: str) -> Iterator[Span]:
        for match in compiled.finditer(text):
            if "pairs" in compiled.groupindex:
                yield from _cookies(text, match)
            elif not check or _CHECKS[check](match):
                yield match.start("s"), match.end("s"), kind

    return spans


def _cookies(text: str, match: re.Match[str]) -> Iterator[Span]:
    """The values of a cookie header; the attributes of Set-Cookie are none."""
    for pair in re.compile(_PAIR).finditer(text, *match.span("pairs")):
        if pair["name"].lower() not in _ATTRIBUTES and not values.stand_in(pair["s"]):
            yield pair.start("s"), pair.end("s"), "cookie"


# --- checks of what a pattern found


def _given(match: re.Match[str]) -> bool:
    return not values.stand_in(match["s"].partition("&quot;")[0])


def _named(match: re.Match[str]) -> bool:
    return bool(names.judge(match["name"])) and values.quoted_secret(match["s"], match["name"])


def _after(programs: tuple[str, ...], within: int) -> Callable[[re.Match[str]], bool]:
    """A check that one of the programs stands shortly before on the same command line."""

    def check(match: re.Match[str]) -> bool:
        before = match.string[max(0, match.start() - within) : match.start()].lower()
        command = max([before.rfind(end) for end in ("\n", ";", "| ", "&&")])
        return _given(match) and any([before.rfind(program) > command for program in programs])

    return check


_CHECKS: dict[str, Callable[[re.Match[str]], bool]] = {
    "given": _given,
    "random": lambda match: values.random(match["s"]),
    "key_like": lambda match: values.key_like(match["s"]),
    "named": _named,
    "mysql": _after(("mysql", "mariadb"), 400),
    "web_client": _after(("curl", "wget", "http", "xh "), 600),
}
