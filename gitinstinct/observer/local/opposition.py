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
from gitinstinct.observer.local.needs import are_rivals
from gitinstinct.observer.local.programs import MANIFESTS
from gitinstinct.observer.local.safe import TERM, is_word
from gitinstinct.observer.local.smalltalk import LEADS, NO_TERMS

_LIMIT = 2_000  # characters of a prompt that are read; whoever corrects says so early
_MOST = 3  # pairs from one prompt
_BEFORE = 60  # characters before a form in which it may be hedged

_FENCE = re.compile(r"```.*?(?:```|\Z)", re.S)
_QUOTED_LINE = re.compile(r"^[ \t]*(?:>|\$ ).*$", re.M)
_SPEECH = re.compile(r"\"[^\"\n]*\"|“[^”\n]*”|«[^»\n]*»|`[^`\n]*`|(?<!\w)'[^'\n]*'(?!\w)")
_CODE_WORDS = re.compile(r"`[\w.+/-]+(?: [\w.+/-]+){1,3}`")
_SENTENCE = re.compile(r"[^.!?。！？\n]+(?:[.](?!\s|$)[^.!?。！？\n]*)*[.!?。！？\n]*")
_CLAUSE_END = re.compile(r"(?<=[.!?;:])\s+|\s[–—-]\s|[。！？；]")
_POLITE = re.compile(
    r"\b(?:(?:can|could) you (?:please |just )?(?=(?:use|run|switch|go|replace|swap|change|stick) )"
    r"|(?:kannst|könntest) du |peux-tu |pouvez-vous |(?:puedes|podrías) |você pode |можешь )",
    re.I,
)
_ARROW = re.compile(rf"(?<![\w.-]){B}\s*(?:->|→|=>|➜|⇒)\s*{A}")
_MORE = re.compile(rf"(?<![\w.-]){A}\s*>\s*{B}(?![\w.-])")
_REPORTED = re.compile(
    r"\b(?:docs?|documentation|readme|wiki|guide|article|blog|tutorial|manual|comment|message|colleague|he|she|they"
    r"|someone)\b[^.!?\n]{0,20}\b(?:says?|said|wrote|writes|recommends?|suggests?|claims?|told)\b"
    r"|\b(?:never|n't|not) (?:said|say|saying|meant|mean)\b(?! i\b)",
    re.I,
)
_NO_B = re.compile(rf"^(?:{LEADS})?[,!. ]*no {B}(?: please)?\s*[,;:.!–—-]\s*(?:please |only )?{A}$", re.I)
_TERM = re.compile(TERM)
_ROLE = re.compile(r"\s*(?:you are (?:an?|the)|act as|your (?:task|role|job) is|as an? (?:\w+ ){0,3}\w+,)(?!\w)", re.I)
_SMILEY = re.compile(r"\s[:;]-?[)(DP]+(?=\s|$)")
_TAG = re.compile(r",? *(?:ok|okay|alright|please|remember|d'accord|vale|ja|хорошо)\s*[?？]+\s*$", re.I)
_OWN_NAME = re.compile(r"[A-Za-z0-9]+(?:_[A-Za-z0-9]+)+|[A-Za-z][a-z0-9]+(?:[A-Z][a-z0-9]*)+|.*[^/.][/.][^/.].*")
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


def hints(text: str) -> list[Pair]:
    """Oppositions in ambiguous forms, at most three: to be believed when they come again in other words."""
    return list(dict.fromkeys(_anywhere(_said(text))))[:_MOST]


def wanted_only(text: str) -> list[str]:
    """Terms that a prompt asks for without naming what they replace ("we use A here")."""
    text = _said(text)
    form = single()
    found = (match["a"] for match in form.pattern.finditer(text) if not _is_hedged(text, match, form.hedge))
    return [term for term in dict.fromkeys(map(_clean, found)) if is_term(term)]


def _said(text: str) -> str:
    """What the person says in the prompt: without code, quoted lines and speech, and questions."""
    if _ROLE.match(text):
        return ""  # a pasted role speaks of another task than this one
    text = text[:_LIMIT].replace("’", "'")
    for pattern in (_FENCE, _QUOTED_LINE, _SMILEY):
        text = pattern.sub(" ", text)
    text = _SPEECH.sub(_quoted, text)
    sentences = _SENTENCE.findall(re.sub(r"[ \t]+", " ", text))
    return " ".join(_POLITE.sub("please ", sentence).strip() for sentence in sentences if _tells(sentence))


def _quoted(quoted: re.Match[str]) -> str:
    """Speech of several words is not the person's own; a short command in backticks is one term."""
    if _CODE_WORDS.fullmatch(quoted[0]):
        return quoted[0].replace(" ", JOINED)
    return " " if re.search(r"\s", quoted[0]) else quoted[0]


def _tells(sentence: str) -> bool:
    """Whether the person says something of their own there: neither asks nor tells what others say."""
    return not _asks(sentence) and _REPORTED.search(sentence) is None


def _asks(sentence: str) -> bool:
    """A question asks; only "why do you use B?" and "could you use A?" say something."""
    is_question = sentence.rstrip().endswith(("?", "？")) and not _TAG.search(sentence)
    says = _POLITE.search(sentence) or re.match(r"\W*(?:\w+\W+)?why\b(?! not)", sentence, re.I)
    return is_question and not says


def _anywhere(text: str, was_used: Callable[[str], bool] | None = None) -> Iterator[Pair]:
    """Without `was_used` no other sign is asked for."""
    for form in forms():
        for match in form.pattern.finditer(text):
            if not _is_hedged(text, match, form.hedge):
                for pair in _pair(match, was_used or _never):
                    if form.is_sure or was_used is None or is_technical(pair, was_used):
                        yield pair


def _never(_: str) -> bool:
    return False


def _as_clause(text: str) -> Iterator[Pair]:
    for clause in _CLAUSE_END.split(text):
        bare = clause.strip(" .!?;:,")
        match = next((match for pattern in clauses() if (match := pattern.fullmatch(bare))), None)
        if match:
            yield from (pair for pair in _pair(match, _never) if "".join(pair).isascii())


def _if_used(text: str, was_used: Callable[[str], bool]) -> Iterator[Pair]:
    for pattern in (_ARROW, _MORE, _NO_B):
        for match in pattern.finditer(text.strip(" .!")):
            if was_used(_clean(match["b"])):
                yield from _pair(match, was_used)


def _is_hedged(text: str, match: re.Match[str], hedge: re.Pattern[str] | None) -> bool:
    return hedge is not None and hedge.search(text[max(0, match.start() - _BEFORE) : match.start()]) is not None


def _pair(match: re.Match[str], was_used: Callable[[str], bool]) -> Iterator[Pair]:
    pair = _apart(match["a"], match["b"])
    # "instead of guessing" speaks of no tool.
    is_doing = pair.unwanted.islower() and pair.unwanted.endswith("ing") and not was_used(pair.unwanted)
    is_said = {term: _is_code(match, group) for term, group in zip(pair, "ab", strict=True)}
    may_be_words = are_rivals(*pair)  # programs called `make` and `just`
    if all(is_term(term, may_be_words or is_said[term]) for term in pair) and not is_doing and _is_choice(pair):
        yield pair


def _is_code(match: re.Match[str], group: str) -> bool:
    return match.string[max(0, match.start(group) - 1) : match.start(group)] == "`"


def _is_choice(pair: Pair) -> bool:
    """Not the same, and not two names of the project's own code: files, functions, attributes."""
    return pair.wanted.casefold() != pair.unwanted.casefold() and not all(map(_is_own, pair))


def _is_own(term: str) -> bool:
    is_style = term.casefold().endswith("case")  # snake_case, camelCase
    return term not in MANIFESTS and not is_style and _OWN_NAME.fullmatch(term) is not None


def _apart(wanted: str, unwanted: str) -> Pair:
    """The first words in which two terms differ: `pnpm test` and `npm test` set pnpm against npm."""
    a, b = wanted.split(JOINED), unwanted.split(JOINED)
    while len(a) > 1 and len(b) > 1 and a[0] == b[0]:
        a, b = a[1:], b[1:]
    return Pair(_clean(a[0]), _clean(b[0]))


def _clean(term: str) -> str:
    return term.rstrip(".-/")


def is_term(term: str, may_be_word: bool = False) -> bool:
    """Whether it can be a tool's name; an everyday word only where something else says so."""
    has_letter = any(character.isalpha() for character in term)
    is_whole = _TERM.fullmatch(term) is not None and is_word(term)
    return has_letter and is_whole and (may_be_word or term.casefold() not in NO_TERMS)


def is_technical(pair: Pair, was_used: Callable[[str], bool]) -> bool:
    """Another sign that tools are spoken of: B was used, the two serve one need, or they are spelled like names."""
    return are_rivals(*pair) or was_used(pair.unwanted) or any(_TECHNICAL.search(term) for term in pair)
