"""Signs that a reader does not see, or that show something other than what is written.

A category of Unicode alone does not tell: joiners, marks and selectors are honest parts of Persian, Hindi and emoji,
and blank letters are letters. So each class has its rule, and what honest writing needs is let through. Two kinds are
harmless where they stand alone, because taking them out changes no word: zero-width signs and odd spaces.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

_TAGS = range(0xE0000, 0xE0080)
_FLAG = re.compile("\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{2,6}\U000e007f")  # England, Texas …
_SELECTORS = frozenset((*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0), *range(0x180B, 0x1810)))
_ZERO_WIDTH = frozenset((0x200B, *range(0x2060, 0x2065), 0xFEFF, 0x180E, 0x00AD, 0x034F))
_JOINERS = frozenset((0x200C, 0x200D))
_BIDI = frozenset((*range(0x202A, 0x202F), *range(0x2066, 0x206A)))
_BIDI_MARKS = frozenset((0x200E, 0x200F, 0x061C))
_BLANK = frozenset((0x115F, 0x1160, 0x3164, 0xFFA0, 0x2800, 0x17B4, 0x17B5, 0x1D159, 0xFFFC))
_SEPARATORS = frozenset((0x2028, 0x2029))
# Scripts whose letters take joiners: Arabic and Syriac, the Indic ones, Tibetan to Khmer and Mongolian.
_JOINING = (range(0x0600, 0x0900), range(0x0900, 0x0E00), range(0x0F00, 0x10A0), range(0x1780, 0x18B0))
_GREEK_TWINS = frozenset("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧνο")  # noqa: RUF001 -- an honest delta before a letter is none of them
_MARKS_IN_A_ROW = 4
_FRENCH = "«»!?;:%0123456789"
_NONE = " "


@dataclass(frozen=True, slots=True)
class Sign:
    """A sign where it stands in a line: its place counted from 0, what is wrong with it, whether it may simply go."""

    place: int
    sign: str
    what: str
    harmless: bool = False

    def __str__(self) -> str:
        code = f"U+{ord(self.sign):04X}"
        return f"{code} {unicodedata.name(self.sign, '')}".rstrip() + f", {self.what}, in column {self.place + 1}"


def find(line: str) -> list[Sign]:
    """The hidden signs of a line, or of a value without line ends, in order."""
    if line.isascii() and line.replace("\t", "").isprintable():
        return []
    honest = _FLAG.sub(lambda found: "x" * len(found[0]), line)
    found = [Sign(at, sign, what) for at, sign in enumerate(honest) if (what := _wrong(honest, at))]
    places = {sign.place for sign in found}
    return [
        Sign(one.place, one.sign, one.what, harmless=_is_harmless(one) and not {one.place - 1, one.place + 1} & places)
        for one in found
    ]


def without_harmless(line: str) -> str:
    """The line without its lone zero-width signs, and with plain blanks for odd spaces."""
    signs = list(line)
    for one in find(line):
        if one.harmless:
            signs[one.place] = " " if is_space(one.sign) else ""
    return "".join(signs)


def is_space(sign: str) -> bool:
    """Whether it is a space, of whatever width."""
    return unicodedata.category(sign) == "Zs"


def smuggled(line: str) -> str:
    """The text that tag characters spell out, unseen by a reader and read by a model."""
    return "".join(chr(ord(sign) - 0xE0000) for sign in _FLAG.sub("", line) if 0xE0020 <= ord(sign) < 0xE007F)


def mixed_words(line: str) -> Iterator[str]:
    """Words that mix Latin letters with such of Cyrillic or Greek as look like them."""
    if line.isascii():
        return
    for word in re.findall(r"[^\W\d_]{2,}", line):
        names = [unicodedata.name(sign, "") for sign in word]
        foreign = any(name.startswith("CYRILLIC") for name in names) or not _GREEK_TWINS.isdisjoint(word)
        if foreign and any(name.startswith("LATIN") for name in names):
            yield word


def _is_harmless(one: Sign) -> bool:
    return ord(one.sign) in _ZERO_WIDTH or is_space(one.sign)


def _wrong(line: str, at: int) -> str:
    """What is wrong with the sign at a place; empty if nothing is."""
    sign = line[at]
    if sign == "\t" or " " <= sign <= "~":
        return ""
    code, before, after = ord(sign), line[at - 1 : at] or _NONE, line[at + 1 : at + 2] or _NONE
    if code in _JOINERS:
        return "" if _joins(before, after) else "an invisible joiner"
    if code in _SELECTORS:
        return "" if _selects(before, code) else "an invisible selector"
    if code in _BIDI_MARKS:
        return "" if _is_rtl(before) or _is_rtl(after) else "a direction mark"
    if unicodedata.category(sign) == "Zs":
        return "" if _is_usual_space(code, before, after) else "an odd space"
    return _class(code) or _category(line, at)


def _class(code: int) -> str:
    if code in _TAGS:
        return "a tag character"
    if code in _ZERO_WIDTH:
        return "a zero-width sign"
    if code in _BIDI:
        return "it turns the direction of writing"
    if code in _BLANK:
        return "a blank that counts as a letter"
    return "a hidden line end" if code in _SEPARATORS else ""


_CATEGORIES = {
    "Cc": "a control character",
    "Cf": "an invisible format character",
    "Co": "a private character",
    "Cs": "half a character",
    "Cn": "no character of Unicode",
}


def _category(line: str, at: int) -> str:
    category = unicodedata.category(line[at])
    if category in {"Mn", "Me"}:
        row = line[max(0, at - _MARKS_IN_A_ROW) : at + 1]
        flood = len(row) > _MARKS_IN_A_ROW and all(unicodedata.category(sign) in {"Mn", "Me"} for sign in row)
        return "one of a heap of marks" if flood else ""
    return _CATEGORIES.get(category, "")


def _joins(before: str, after: str) -> bool:
    """Between two parts of an emoji, or between letters of a script that needs it."""
    emoji = before == "\ufe0f" or unicodedata.category(before) in {"So", "Sk"}
    if emoji and unicodedata.category(after) == "So":
        return True
    return any(ord(before) in script for script in _JOINING) and any(ord(after) in script for script in _JOINING)


def _selects(before: str, code: int) -> bool:
    """An emoji's colour, a keycap, a variant of an ideograph."""
    if code in (0xFE0E, 0xFE0F):
        return unicodedata.category(before) in {"So", "Sm", "Sk", "Po"} or before.isdigit()
    return code >= 0xE0100 and "CJK UNIFIED" in unicodedata.name(before, "")


def _is_rtl(sign: str) -> bool:
    return unicodedata.bidirectional(sign) in {"R", "AL", "AN"}


def _is_usual_space(code: int, before: str, after: str) -> bool:
    """The ideographic space in its own scripts, and the narrow ones of French and of numbers."""
    if code == 0x3000:
        return unicodedata.east_asian_width(before) in "WF" or unicodedata.east_asian_width(after) in "WF"
    return code == 0x20 or (code in (0xA0, 0x202F) and (before in _FRENCH or after in _FRENCH))
