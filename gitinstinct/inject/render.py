"""An instinct in the words that an agent reads: one fact, with its id, where it holds, and how sure it is.

Whatever stands in an instinct stays text here: nothing of it can close or imitate our marks, speak for somebody else,
or reach a terminal. `fit` refuses most of that beforehand; this does not lean on it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from gitinstinct.inject import facts
from gitinstinct.instinct import globs, hidden
from gitinstinct.instinct.model import Instinct
from gitinstinct.measure import persons, texts

_SPEAKER = re.compile(r"^(\W*)(human|assistant|system|user|developer|tool)(\s*):", re.IGNORECASE)
_ANGLES = str.maketrans({"\uff1c": "<", "\ufe64": "<", "\uff1e": ">", "\ufe65": ">"})
# Not those of `a < b` and `sort < in > out`.
_TAG = re.compile(r"<(?=\s*[/!?|]|[A-Za-z<]|\s*(?:gitinstinct|system|user|human|assistant))", re.IGNORECASE)
_HARMLESS = ((re.compile(r"\[(?=/?INST\])", re.IGNORECASE), "[ "), (re.compile(r"]]>"), "]] >"))


def line(scope: str, instinct: Instinct, confidence: int) -> str:
    """One instinct, its action whole; further lines of the action are indented."""
    action = "\n  ".join(safe(part) for part in instinct.action.split("\n") if part.strip())
    return f"- {safe(instinct.trigger)}: {action} [{instinct.id}, {scope}, {confidence / 100:.2f}]"


def safe(text: str) -> str:
    """A line of foreign text as mere text, without what a reader does not see."""
    made = " ".join(text.split())
    if not made.isascii() or not made.isprintable():
        made = _visible(made)
    made = _TAG.sub("&lt;", made).replace("```", "'''").replace("~~~", "'''")
    for pattern, instead in _HARMLESS:
        made = pattern.sub(instead, made)
    return _SPEAKER.sub(r"\1\2\3 -", made)


def _visible(line: str) -> str:
    signs = list(line)
    for one in hidden.find(line):
        signs[one.place] = " " if hidden.is_space(one.sign) else ""
    return "".join(signs).translate(_ANGLES).strip()


def entry(scope: str, instinct: Instinct, confidence: int, text: str, settled: Iterable[str] = ()) -> dict[str, Any]:
    """What the hook has to know of an instinct that it may give; see `pick`.

    Args:
        scope: of its store.
        instinct: itself.
        confidence: hundredths today.
        text: the hash of its words.
        settled: the models with which nothing is left to find out about it.
    """
    return {
        "id": instinct.id,
        "scope": scope,
        "text": text,
        "measured": texts.of(instinct),
        "probation": persons.may_withhold(instinct),
        "settled": list(settled),
        "line": line(scope, instinct, confidence),
        "anchors": list(facts.anchors(instinct)),
        "roots": globs.roots(list(instinct.paths)),
        "paths": list(instinct.paths),
    }
