# ruff: noqa: RUF001 -- punctuation of many languages
"""The patterns that the rows of `languages` make: one for each way of setting A against B.

They are compiled when the first prompt is read. Each has two groups, `a` for what is wanted and `b` for what is not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from gitinstinct.observer.local.languages import HERE, KIND, LANGUAGES, Language
from gitinstinct.observer.local.smalltalk import LEADS, TAILS
from gitinstinct.observer.local.wholeforms import FORMS

_QUOTE = r"[`'\"“”‘’«»„「」『』]?"
JOINED = "\u02cd"  # stands for the blanks within a span of code; a letter to regular expressions
WORD = r"[.-]{0,2}\w(?:[\w.+/-]{0,37}[\w+])?"
_ASCII_WORD = r"[.-]{0,2}[A-Za-z0-9_](?:[A-Za-z0-9_.+/-]{0,37}[A-Za-z0-9_+])?"
A, B = f"{_QUOTE}(?P<a>{WORD}){_QUOTE}", f"{_QUOTE}(?P<b>{WORD}){_QUOTE}"

_PLACE = r"(?:\s+(?!(?:and|but|und|et|y|e|и|a)\s)[^\s,.;:!?–—-]+){0,4}?"
_JOIN = r"\s*[,.;:!?–—-]*\s*(?:and |but |instead |instead, |rather |und |sondern |mais |et |y |sino |e |mas |а |и )?"
_FILL = (
    r"(?:we |we've |we're |i |you |this |our |the |should |always |only |please |just |it's |to |do |wir |hier |bitte "
    r"|immer |on |il faut |nous |a gente |aquí |siempre |aqui |sempre |мы |тут |всегда |лучше |здесь ){0,3}"
)
_THEN = r"(?:\s+(?!should|must|need|have|to\b|always|please|only|better)\w+)?"  # "if we", but not "you should"


class Form(NamedTuple):
    """A way of saying it. `hedge` must not match what stands before; `is_sure` forms need no other sign."""

    pattern: re.Pattern[str]
    hedge: re.Pattern[str] | None = None
    is_sure: bool = True


@lru_cache(maxsize=1)
def forms() -> tuple[Form, ...]:
    """The forms that hold wherever they stand in a text, for all languages."""
    spaced = [form for language in LANGUAGES.values() for form in _of(language)]
    whole = [Form(_compile(_fill(form, {}, _ASCII_WORD))) for shapes in FORMS.values() for form in shapes]
    return (*spaced, *whole)


@lru_cache(maxsize=1)
def clauses() -> tuple[re.Pattern[str], ...]:
    """The bare forms that have to be a whole clause, with what people say before and after the point."""
    lead, tail = rf"(?:(?:{LEADS})[,!.:]*\s+){{0,3}}", rf"(?:,?\s+(?:{TAILS})){{0,2}}"
    shapes = (
        r"{NEGATION} {ART}{B}(?:,? {BUT}|,) {ART}{A}",
        rf"{{ART}}{{A}}(?:,? (?:{TAILS}))?,? \(?{{AND_NOT}} {{ART}}{{B}}\)?",
        rf"{{ART}}{{A}}(?:,? (?:{TAILS}))?,? {{INSTEAD}} {{ART}}{{B}}",
    )
    return tuple(
        _compile(lead + _fill(shape, _columns(language)) + tail) for language in LANGUAGES.values() for shape in shapes
    )


@lru_cache(maxsize=1)
def single() -> Form:
    """The form that names only what is wanted: "we use A here"."""
    uses = "|".join(f"{language.use}|{language.wish}" for language in LANGUAGES.values())
    hedges = "|".join(language.hedge for language in LANGUAGES.values())
    who = "we|wir|on|мы|aquí|aqui|always|please|repo|project|codebase"
    start = rf"(?:^|[.!?;,:–—-]\s*|(?:{LEADS})[,!.:]*\s+|\b(?:{who})\s+(?:always |only )?)"
    wanted = rf"{start}(?:(?:{uses}|uses)\s+|(?:用|使用)\s*){A}(?![\w/])"
    return Form(_compile(wanted), _compile(rf"(?:^|[^\w'])(?:{hedges}){_THEN}\s*$"))


def _of(language: Language) -> Iterator[Form]:
    columns = _columns(language)
    hedge = _compile(rf"(?:^|[^\w'])(?:{language.hedge}){_THEN}\s+$|n't\s+(?:\w+\s+)?$")

    def form(shape: str, hedge: re.Pattern[str] | None = None, is_sure: bool = True) -> Form:
        return Form(_compile(_fill(rf"(?<!\w){shape}(?![\w/])", columns)), hedge, is_sure)

    yield form(r"{USE} {ART}{A}(?: {KIND})?(?: {HERE})?[,;]? (?:{INSTEAD}|{NOT}) {ART}{B}", hedge)
    yield form(r"{WISH} {ART}{A}(?: {KIND})?(?: {HERE})?[,;]? (?:{INSTEAD}|{NOT}) {ART}{B}", hedge, is_sure=False)
    yield form(r"{INSTEAD} {ART}{B},? {FILL}{USE} {ART}{A}")
    yield form(r"{DONT} {ART}{B}{PLACE}{JOIN}{FILL}{USE} {ART}{A}")
    yield form(r"{USE} {ART}{A}{PLACE}{JOIN}{FILL}{DONT} {ART}{B}", hedge)
    yield form(r"{DONT} {ART}{B}{PLACE}\s*[:;]\s*{ART}{A}(?=\s*(?:[.,;!]|$))", is_sure=False)
    yield form(r"{NEGATION} {ART}{B}\s*[,.;:–—-]+ *{FILL}{USE} {ART}{A}", hedge, is_sure=False)
    # Whatever verb there is; then nothing in the sentence before may take it back.
    anywhere = _compile(rf"(?:^|[^\w'])(?:{language.hedge})(?!\w)[^.!?;]*$")
    yield form(r"(?<![/~.@-]){ART}{A}(?: {KIND})?(?: {HERE})?,? {INSTEAD} {ART}{B}", anywhere, is_sure=False)
    yield form(r"{DONT} {ART}{B},? {BUT} {ART}{A}(?=\s*(?:[.,;!?]|$))")
    yield from map(form, language.extra)


def _columns(language: Language) -> dict[str, str]:
    return {
        "USE": f"(?:{language.use})",
        "WISH": f"(?:{language.wish})",
        "DONT": f"(?:{language.dont})",
        "INSTEAD": f"(?:{language.instead})",
        "NOT": f"(?:{language.instead_or_not})",
        "NEGATION": f"(?:{language.negation})",
        "BUT": f"(?:{language.but})",
        "AND_NOT": f"(?:{language.and_not})",
        "ART": f"(?:{language.article})?",
        "HERE": f"(?:{HERE})",
        "KIND": f"(?:{KIND})",
        "PLACE": _PLACE,
        "JOIN": _JOIN,
        "FILL": _FILL,
    }


def _fill(shape: str, columns: dict[str, str], word: str = WORD) -> str:
    terms = {"A": f"{_QUOTE}(?P<a>{word}){_QUOTE}", "B": f"{_QUOTE}(?P<b>{word}){_QUOTE}"}
    for name, value in (columns | terms).items():
        shape = shape.replace(f"{{{name}}}", value)
    return shape


def _compile(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.I)
