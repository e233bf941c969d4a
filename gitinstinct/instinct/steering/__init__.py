"""Words that sound as if they wanted to steer an agent against the person it works for.

Patterns find the lazy attack and the honest mistake, no more: whoever knows them writes round them, and other languages
than English are covered in part. The gate is that unknown words wait for a person; this only tells the person where to
look. So a pattern may be wrong in both directions, and what it finds can be accepted with a reason.

What warns elsewhere stands behind a "never" or "do not" in honest advice; there it is a remark.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator
from functools import cache

from gitinstinct.instinct import hidden, lint
from gitinstinct.instinct.fields import shown
from gitinstinct.instinct.fit import REMARK, WARNING, Finding, refusals, texts
from gitinstinct.instinct.model import Instinct
from gitinstinct.instinct.steering import addresses, packages
from gitinstinct.instinct.steering.patterns import FAMILIES, SPELLED_OUT, Pattern

_LONGEST = 60  # characters of a text that a finding shows


def findings(instinct: Instinct, hosts: Collection[str] = ()) -> list[Finding]:
    """All that is wrong with an instinct's words, what is refused first; of one family the worst of each field.

    Args:
        instinct: which.
        hosts: names of hosts whose addresses are no finding.
    """
    found = [*refusals(instinct), *_odd(instinct)]
    for field, text, most in texts(instinct):
        if field not in ("check", "anchors", "paths") and text and len(text) <= most:
            found += _of_text(field, text, hosts)
    worst: dict[tuple[str, str], Finding] = {}
    for one in sorted(found, key=lambda one: _ORDER.index(one.level)):
        worst.setdefault((one.family, one.field), one)
    return list(worst.values())


_ORDER = ("refused", WARNING, REMARK)


def _odd(instinct: Instinct) -> Iterator[Finding]:
    trigger = instinct.trigger
    if lint.placeholder(trigger) or lint.too_broad(trigger):
        yield Finding(WARNING, "too-wide", "trigger", f"{shown(trigger)} applies to nearly everything")
    for field, text, _ in texts(instinct):
        for word in hidden.mixed_words(text) if field != "paths" else ():
            yield Finding(WARNING, "look-alike", field, f"{word!a} mixes two alphabets")
        if any(hidden.is_space(sign.sign) for line in text.split("\n") for sign in hidden.find(line)):
            yield Finding(REMARK, "odd-space", field, "a blank that is none of the usual ones")


def _of_text(field: str, text: str, hosts: Collection[str]) -> Iterator[Finding]:
    plain = unicodedata.normalize("NFKC", text)
    for pattern in FAMILIES:
        if field in pattern.fields:
            yield from _found(pattern, field, [plain, *_spelled(plain)] if pattern.family in SPELLED_OUT else [plain])
    yield from (Finding(level, "address", field, why) for level, why in addresses.findings(plain, hosts))
    yield from (Finding(WARNING, "package", field, why) for why in packages.findings(plain))


def _found(pattern: Pattern, field: str, forms: Iterable[str]) -> Iterator[Finding]:
    for form in forms:
        for match in _compiled(pattern.expression).finditer(form):
            piece = " ".join(match[0].split())
            cut = piece if len(piece) <= _LONGEST else piece[: _LONGEST - 1] + "…"
            level = REMARK if pattern.weak or _is_advice_against(form[: match.start()]) else WARNING
            yield Finding(level, pattern.family, field, f'{pattern.why}: "{cut}"')


@cache
def _compiled(expression: str) -> re.Pattern[str]:
    return re.compile(expression, re.IGNORECASE | re.MULTILINE)


def _is_advice_against(before: str) -> bool:
    """Whether what stands right before says not to do what follows. "Never forget to" says the contrary."""
    against = _compiled(
        r"\b(?:never|do not|don't|must not|should not|avoid|refuse to|rather than|instead of|not)"
        r"(?! (?:forget|fail|hesitate|skip|omit|miss|only|just)\b)"
        r"(?:\s+(?!(?:and|but|then|or|to)\b)[\w~./'-]+){0,3}\s*[`\"'(]*$"
    )
    return against.search(before[-100:]) is not None


def _spelled(text: str) -> Iterator[str]:
    """The text as it reads aloud: digits for letters taken back, and letters that stand apart put together."""
    if re.search(r"[a-zA-Z][0134578@$][a-zA-Z]|\b[a-zA-Z][0134578@$]", text):
        yield text.translate(_LEET)
    if re.search(r"\b(?:\w[ ._-]){4,}\w\b", text):
        yield re.sub(r"\b(?:\w[ ._-]){2,}\w\b", lambda run: re.sub(r"[ ._-]", "", run[0]), text)


_LEET = str.maketrans("0134578@$", "oieastbas")
