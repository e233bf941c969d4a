"""Blanks what is secret in what a hook sees.

A text is looked at in three steps, each only as far as needed: is there any literal of any rule (substring searches, no
`re`); if so, the rules are applied to the text without invisible signs; what they find becomes `[REDACTED:kind]`. A
text in which nothing is found comes out as it went in, less terminal sequences. Structured values are walked, and what
stands below a telling key goes whatever it looks like. Redacting twice changes nothing.
"""

from __future__ import annotations

from gitinstinct.capture.redact import names
from gitinstinct.capture.redact.rules import KEY_BLOCKS, PATTERNS, TOKENS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

DEPTH = 100
_SHORTEST = 8
_LONGEST_WORD = 20

_LITERALS = tuple(
    [(literal.lstrip("^"), literal[0] == "^") for _, literals, _ in TOKENS for literal in literals.split()]
)
_HINTS = tuple([hint.split("…") for hint in dict.fromkeys([hint for row in PATTERNS for hint in row[1]])])
_AFTER_NAME = frozenset(":=>,\"'\\&%\uff1a`]|?(")
_ESCAPES = ("\\u001b[", "\\x1b[", "\\033[", "\\e[", "\\/")
_BLANKS = frozenset("\t\n\r")
# Printable, yet nothing is seen of them; and the wide forms of ASCII.
_UNSEEN = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")


def redact(text: str, known: Iterable[str] = ()) -> str:
    """The text without its secrets. `known` are values that are secret wherever they stand (see `known_values`)."""
    return _redacted(text, known, [])


def findings(text: str) -> list[str]:
    """The kinds of secret in a text, in the order of the rules; empty if there are none."""
    found: list[str] = []
    _redacted(text, (), found)
    return [kind for kind in dict.fromkeys(found) if kind != "blob"]


def redact_value(value: Any, text: Callable[[str], str] = redact, depth: int = DEPTH) -> Any:
    """A copy of a JSON value with every text, keys too, put through `text`, and without what telling keys hold."""
    if isinstance(value, str):
        return text(value)
    if depth == 0:
        return "[nested deeper]" if isinstance(value, list | dict) else value
    if isinstance(value, list):
        return [redact_value(item, text, depth - 1) for item in value]
    if isinstance(value, dict):
        pair = _pair_name(value)
        return {text(key): _member(key, item, text, depth, pair) for key, item in value.items()}
    return value


def known_values(env: Mapping[str, str]) -> tuple[str, ...]:
    """The values of environment variables with telling names that are too odd to be anything else, longest first."""
    told = [env[name] for name in env if names.judge(name) == names.STRONG]
    odd = [
        value
        for value in told
        if len(value) >= _SHORTEST and not value.isalpha() and not value.isdigit() and not value.startswith(("/", "~"))
    ]
    return tuple(sorted([value for value in odd if value[0] not in "/~"], key=len, reverse=True))


# --- values


def _pair_name(value: Mapping[str, Any]) -> str:
    """The name in a map such as {"name": …, "value": …}."""
    if "value" not in value and "Value" not in value:
        return ""
    found = next((value[key] for key in ("name", "key", "Name", "Key") if isinstance(value.get(key), str)), "")
    return found if isinstance(found, str) else ""


def _member(key: str, item: Any, text: Callable[[str], str], depth: int, pair: str) -> Any:
    name = pair if pair and key.lower() == "value" else key
    judged = names.judge(name)
    if judged == names.STRONG:
        return _blanked(item, name, f"[REDACTED:{names.kind(name)}]")
    if judged == names.WEAK and isinstance(item, str):
        return _weak(item, name, text)
    return redact_value(item, text, depth - 1)


def _blanked(item: Any, name: str, mark: str) -> Any:
    """What stands below a telling key: nothing but its shape. Counts of tokens are none."""
    if isinstance(item, list):
        return [_blanked(inner, name, mark) for inner in item]
    if isinstance(item, dict):
        return {redact(key): _blanked(inner, name, mark) for key, inner in item.items()}
    if not item or (item is True and not names.is_password(name)):
        return item
    counts = isinstance(item, int | float) and names.split(name)[-1:] == ["tokens"]
    return item if counts else mark


def _weak(item: str, name: str, text: Callable[[str], str]) -> str:
    from gitinstinct.capture.redact import values

    return f"[REDACTED:{names.kind(name)}]" if values.quoted_secret(item, name) else text(item)


# --- texts


def _redacted(text: str, known: Iterable[str], found: list[str]) -> str:
    if len(text) < _LONGEST_WORD and text.isascii() and text.isalpha():
        return text
    if _is_veiled(text):
        from gitinstinct.capture.redact import signs

        text = signs.without_noise(text)
        plain = signs.visible(text)
    else:
        plain = text
    if len(plain) < 4 or not (suspicious(plain) or any([value in plain for value in known])):
        return text
    from gitinstinct.capture.redact import engine

    clean = engine.scrub(plain, known, found)
    return text if clean == plain else clean


def _is_veiled(text: str) -> bool:
    """Whether a text holds signs or escapes that could hide something from the rules. Loads nothing."""
    return any([escape in text for escape in _ESCAPES]) or any(
        [
            not sign.isprintable() or sign in _UNSEEN or "\ufe00" <= sign <= "\ufe0f" or "\uff01" <= sign <= "\uff5e"
            for sign in set(text) - _BLANKS
        ]
    )


def suspicious(text: str) -> bool:
    """Whether a text has a literal of any rule. Loads nothing."""
    lowered = text.casefold()
    return (
        _has_token(text)
        or any([literal in lowered for literal in KEY_BLOCKS])
        or any([hint[0] in lowered and hint[-1] in lowered for hint in _HINTS])
        or ("@" in text and ("://" in text or "%3a%2f" in lowered))
        or _has_name(text)
        or (len(text) >= 1024 and max([len(word) for word in text.split()], default=0) >= 1024)
    )


def _has_token(text: str) -> bool:
    """Whether a literal of a family stands before a run of signs, and at the beginning of a word if it must."""
    for head, begins in [literal for literal in _LITERALS if literal[0] in text]:
        at = text.find(head)
        while at >= 0:
            end = at + len(head)
            run = text[end : end + _SHORTEST]
            if len(run.split()) == 1 and len(run) == _SHORTEST and (not begins or _may_begin(text, at)):
                return True
            at = text.find(head, end)
    return False


def _may_begin(text: str, at: int) -> bool:
    """Whether a place is the beginning of a word, or stands right behind what could be an escape."""
    return not (text[at - 1 : at].isalnum() and text[max(0, at - 7) : at].replace("_", "").isalnum())


def _has_name(text: str) -> bool:
    """Whether a telling name stands before something that could set its value."""
    for start, end in names.found_in(text):
        sets = text[start] == "-" or "--" in text[start:end] or not _AFTER_NAME.isdisjoint(text[end : end + 3])
        if sets and names.judge(text[start:end]):
            return True
    return False
