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
_BULLET = re.compile(r"[-*+] ")


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


class Body(NamedTuple):
    """The body's lines (with their ends) and what stands where in them."""

    lines: tuple[str, ...]
    title: str
    sections: tuple[Section, ...]

    def named(self, name: str) -> list[Section]:
        """The sections of that name, whatever its case."""
        return [section for section in self.sections if section.name.lower() == name]

    def text(self, name: str) -> str:
        """The text below the first heading of that name, without blank lines around it; empty if there is none."""
        first = next(iter(self.named(name)), None)
        return "".join(self.lines[first.start + 1 : first.end]).strip() if first else ""

    def bullets(self) -> list[Bullet]:
        """The bullets of every evidence section, in the order of the file."""
        return [bullet for section in self.named(EVIDENCE) for bullet in _bullets(self.lines, section)]


def read(lines: Sequence[str]) -> Body:
    """Finds title and sections."""
    title, starts = "", []
    for index, level, text in _headings(lines):
        if level == 1 and not title:
            title = text
        if level <= 2:
            starts.append((index, text if level == 2 else None))
    ends = [index for index, _ in starts[1:]] + [len(lines)]
    sections = [Section(name, start, end) for (start, name), end in zip(starts, ends, strict=False) if name is not None]
    return Body(tuple(lines), title, tuple(sections))


def _headings(lines: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """Line index, level and text of each heading outside code fences."""
    for index, line in outside_code(lines):
        found = _HEADING.fullmatch(line.rstrip("\r\n"))
        if found:
            yield index, len(found[1]), (found[2] or "").strip()


def outside_code(lines: Sequence[str], start: int = 0, end: int | None = None) -> Iterator[tuple[int, str]]:
    """The lines that are in no code fence, with their index. A fence that is never closed runs to the end."""
    open_fence = ""
    for index in range(start, len(lines) if end is None else end):
        found = _CODE.match(lines[index].rstrip("\r\n"))
        if open_fence:
            if found and found[1].startswith(open_fence) and not found[2].strip():
                open_fence = ""
        elif found and not (found[1][0] == "`" and "`" in found[2]):
            open_fence = found[1]
        else:
            yield index, lines[index]


def _bullets(lines: Sequence[str], section: Section) -> Iterator[Bullet]:
    outside = dict(outside_code(lines, section.start + 1, section.end))
    index = section.start + 1
    while index < section.end:
        start, index = index, index + 1
        if start not in outside or not _BULLET.match(lines[start]):
            continue
        while index < section.end and _continues(lines, index, outside):
            index += 1
        text = "".join(lines[start:index]).rstrip()
        yield Bullet(start, index, text, parse_line(text))


def _continues(lines: Sequence[str], index: int, outside: dict[int, str]) -> bool:
    """Whether the line belongs to the bullet above it: it is indented, and so not blank."""
    return index in outside and lines[index][:1] in (" ", "\t") and lines[index].strip() != ""
