# ruff: noqa: RUF001 -- punctuation of many languages
"""What a person sets against what: (wanted, unwanted) pairs in a prompt.

Three degrees of trust. A form with a verb of use ("use A instead of B") is believed wherever it stands. A bare form
("A, not B") is believed only as the whole of a clause, since it is also how people chat. A form that is ambiguous
even so ("I want A, not B", "B -> A", "no B, A") is believed only if there is another sign that tools are spoken of: the
agent just used B, say. Questions, thanks, conditions and quoted speech are none of these.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from gitinstinct.observer.local.grammar import JOINED, A, B, clauses, forms, single
from gitinstinct.observer.local.needs import NEED_OF
from gitinstinct.observer.local.safe import TERM, is_word
from gitinstinct.observer.local.smalltalk import LEADS, NO_TERMS

_LIMIT = 2_000  # characters of a prompt that are read; whoever corrects says so early
_MOST = 3  # pairs from one prompt
_BEFORE = 30  # characters before a form in which it may be hedged

_FENCE = re.compile(r"```.*?(?:```|\Z)", re.S)
_QUOTED_LINE = re.compile(r"^[ \t]*(?:>|\$ ).*$", re.M)
_SPEECH = re.compile(r"\"[^\"\n]*\"|“[^”\n]*”|«[^»\n]*»|`[^`\n]*`")
_CODE_WORDS = re.compile(r"`[\w.+/-]+(?: [\w.+/-]+){1,3}`")
_SENTENCE = re.compile(r"[^.!?。！？\n]+(?:[.](?!\s|$)[^.!?。！？\n]*)*[.!?。！？\n]*")
_CLAUSE_END = re.compile(r"(?<=[.!?;:])\s+|\s[–—-]\s|[。！？；]")
_POLITE = re.compile(r"\b(?:can|could) you (?:please |just )?(?=use |run |switch |go )", re.I)
_ARROW = re.compile(rf"(?<![\w.-]){B}\s*(?:->|→|=>|➜|⇒)\s*{A}")
_NO_B = re.compile(rf"^(?:{LEADS})?[,!. ]*no {B}(?: please)?\s*[,;:.!–—-]\s*(?:please |only )?{A}$", re.I)
_TERM = re.compile(TERM)
_TECHNICAL = re.compile(r"[._/+\d-]|[a-z][A-Z]")


class Pair(NamedTuple):
    """Two terms, each one token: what is wanted and what is not."""

    wanted: str
    unwanted: str


def pairs(text: str, was_used: Callable[[str], bool]) -> list[Pair]:
    """The oppositions in a person's prompt, at most three; `was_used` tells whether the agent just used a term."""
    text = _said(text)
    found = [*_anywhere(text, was_used), *_as_clause(text), *_if_used(text, was_used)]
    return list(dict.fromkeys(found))[:_MOST]


def wanted_only(text: str) -> list[str]:
    """Terms that a prompt asks for without naming what they replace ("we use A here")."""
    text = _said(text)
    form = single()
    found = (match["a"] for match in form.pattern.finditer(text) if not _is_hedged(text, match, form.hedge))
    return [term for term in dict.fromkeys(map(_clean, found)) if _is_term(term)]


def _said(text: str) -> str:
    """What the person says in the prompt: without code, quoted lines and speech, and questions."""
    text = text[:_LIMIT].replace("’", "'")
    for pattern in (_FENCE, _QUOTED_LINE):
        text = pattern.sub(" ", text)
    text = _SPEECH.sub(_quoted, text)
    sentences = _SENTENCE.findall(re.sub(r"[ \t]+", " ", text))
    return " ".join(_POLITE.sub("please ", sentence).strip() for sentence in sentences if not _asks(sentence))


def _quoted(quoted: re.Match[str]) -> str:
    """Speech of several words is not the person's own; a short command in backticks is one term."""
    if _CODE_WORDS.fullmatch(quoted[0]):
        return quoted[0].replace(" ", JOINED)
    return " " if re.search(r"\s", quoted[0]) else quoted[0]


def _asks(sentence: str) -> bool:
    """A question asks; only "why do you use B?" and "could you use A?" say something."""
    is_question = sentence.rstrip().endswith(("?", "？"))
    says = _POLITE.search(sentence) or re.match(r"\W*(?:no\W+)?why\b(?! not)", sentence, re.I)
    return is_question and not says


def _anywhere(text: str, was_used: Callable[[str], bool]) -> Iterator[Pair]:
    for form in forms():
        for match in form.pattern.finditer(text):
            if not _is_hedged(text, match, form.hedge):
                yield from (pair for pair in _pair(match, was_used) if form.is_sure or _is_technical(pair, was_used))


def _as_clause(text: str) -> Iterator[Pair]:
    for clause in _CLAUSE_END.split(text):
        bare = clause.strip(" .!?;:,")
        match = next((match for pattern in clauses() if (match := pattern.fullmatch(bare))), None)
        if match:
            yield from (pair for pair in _pair(match, lambda _: False) if "".join(pair).isascii())


def _if_used(text: str, was_used: Callable[[str], bool]) -> Iterator[Pair]:
    for pattern in (_ARROW, _NO_B):
        for match in pattern.finditer(text.strip(" .!")):
            if was_used(_clean(match["b"])):
                yield from _pair(match, was_used)


def _is_hedged(text: str, match: re.Match[str], hedge: re.Pattern[str] | None) -> bool:
    return hedge is not None and hedge.search(text[max(0, match.start() - _BEFORE) : match.start()]) is not None


def _pair(match: re.Match[str], was_used: Callable[[str], bool]) -> Iterator[Pair]:
    pair = _apart(match["a"], match["b"])
    is_doing = pair.unwanted.casefold().endswith("ing") and not was_used(pair.unwanted)  # "instead of guessing"
    if all(map(_is_term, pair)) and pair.wanted.casefold() != pair.unwanted.casefold() and not is_doing:
        yield pair


def _apart(wanted: str, unwanted: str) -> Pair:
    """The first words in which two terms differ: `pnpm test` and `npm test` set pnpm against npm."""
    a, b = wanted.split(JOINED), unwanted.split(JOINED)
    while len(a) > 1 and len(b) > 1 and a[0] == b[0]:
        a, b = a[1:], b[1:]
    return Pair(_clean(a[0]), _clean(b[0]))


def _clean(term: str) -> str:
    return term.rstrip(".-/")


def _is_term(term: str) -> bool:
    has_letter = any(character.isalpha() for character in term)
    is_whole = _TERM.fullmatch(term) is not None and is_word(term)
    return has_letter and is_whole and term.casefold() not in NO_TERMS


def _is_technical(pair: Pair, was_used: Callable[[str], bool]) -> bool:
    """Another sign that tools are spoken of: B was used, the two serve one need, or they are spelled like names."""
    need = NEED_OF.get(pair.wanted.casefold())
    is_rival = need is not None and NEED_OF.get(pair.unwanted.casefold()) is need
    return is_rival or was_used(pair.unwanted) or any(_TECHNICAL.search(term) for term in pair)
