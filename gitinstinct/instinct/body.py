"""The lower half of a file: Markdown with a title and sections, one of them `## Evidence`.

Only what we need of Markdown is read: code fences (nothing inside one is a heading or a bullet), the first `# Title`,
second-level headings, and the bullets of the evidence. Lines keep their ends, so that joining them gives the text back.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from gitinstinct.instinct.ledger import Entry, parse_line

ACTION = "action"
EVIDENCE = "evidence"

_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))??(?:[ \t]+#+)?[ \t]*")
_CODE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")
_FENCES = ("```", "~~~")
_BULLETS = ("- ", "* ", "+ ")
_NOWHERE: frozenset[int] = frozenset()


class Section(NamedTuple):
    """A second-level heading and the lines below it: `lines[start]` is the heading, `end` is exclusive."""

    name: str
    start: int
    end: int


class Bullet(NamedTuple):
    """A bullet of the evidence: its lines `start` to `end`, and the ledger entry that it holds, if it does."""

    start: int
    end: int
    text: str
    entry: Entry | None


class Heading(NamedTuple):
    """A heading outside code fences: its line, level and text."""

    line: int
    level: int
    text: str


class Body(NamedTuple):
    """The body's lines (with their ends) and what stands where in them. `code` are the lines inside of code fences."""

    lines: tuple[str, ...]
    title: str
    headings: tuple[Heading, ...]
    sections: tuple[Section, ...]
    code: frozenset[int]

    def named(self, name: str) -> list[Section]:
        """The sections of that name, whatever its case."""
        return [section for section in self.sections if section.name.lower() == name]

    def text(self, name: str) -> str:
        """The text below the first heading of that name, without blank lines around it; empty if there is none."""
        first = next(iter(self.named(name)), None)
        return "".join(self.lines[first.start + 1 : first.end]).strip() if first else ""

    def bullets(self) -> list[Bullet]:
        """The bullets of every evidence section, in the order of the file."""
        return [bullet for section in self.named(EVIDENCE) for bullet in _bullets(self, section)]


def read(lines: Sequence[str]) -> Body:
    """Finds title and sections."""
    code = _inside_code(lines)
    headings = tuple(_headings(lines, code))
    title = next((heading.text for heading in headings if heading.level == 1 and heading.text), "")
    cuts = [heading for heading in headings if heading.level <= 2]
    ends = [heading.line for heading in cuts[1:]] + [len(lines)]
    sections = tuple(
        Section(heading.text, heading.line, end) for heading, end in zip(cuts, ends, strict=False) if heading.level == 2
    )
    return Body(tuple(lines), title, headings, sections, code)


def _headings(lines: Sequence[str], code: frozenset[int]) -> Iterator[Heading]:
    for index, line in enumerate(lines):
        if "#" in line[:4] and index not in code and (found := _HEADING.fullmatch(line.rstrip("\r\n"))):
            yield Heading(index, len(found[1]), (found[2] or "").strip())


def outside_code(lines: Sequence[str], start: int = 0, end: int | None = None) -> Iterator[tuple[int, str]]:
    """The lines that are in no code fence, with their index. A fence that is never closed runs to the end."""
    some = lines[start:end]
    code = _inside_code(some)
    return ((start + index, line) for index, line in enumerate(some) if index not in code)


def open_fence(lines: Sequence[str]) -> str:
    """The fence of the code that is never closed; empty if all is. What is put behind it would be code."""
    return _code(lines)[1]


def _inside_code(lines: Sequence[str]) -> frozenset[int]:
    """The lines of code fences, the fences themselves among them."""
    return _code(lines)[0]


def _code(lines: Sequence[str]) -> tuple[frozenset[int], str]:
    if not any(line.lstrip(" ").startswith(_FENCES) for line in lines):
        return _NOWHERE, ""
    inside: set[int] = set()
    open_fence = ""
    for index, line in enumerate(lines):
        found = _CODE.match(line.rstrip("\r\n"))
        if open_fence:
            inside.add(index)
            if found and found[1].startswith(open_fence) and not found[2].strip():
                open_fence = ""
        elif found and not (found[1][0] == "`" and "`" in found[2]):
            inside.add(index)
            open_fence = found[1]
    return frozenset(inside), open_fence


def _bullets(body: Body, section: Section) -> Iterator[Bullet]:
    lines, index = body.lines, section.start + 1
    while index < section.end:
        start, index = index, index + 1
        if lines[start][:2] not in _BULLETS or start in body.code:
            continue
        while index < section.end and _continues(body, index):
            index += 1
        text = "".join(lines[start:index]).rstrip()
        yield Bullet(start, index, text, parse_line(text))


def _continues(body: Body, index: int) -> bool:
    """Whether the line belongs to the bullet above it: it is indented, and so not blank."""
    line = body.lines[index]
    return line[:1] in (" ", "\t") and line.strip() != "" and index not in body.code
