"""Files of frontmatter blocks: one instinct, or many below each other with a banner before the first.

A line `---` opens a block only where the fields of an instinct follow, so that a rule in a body ends nothing; what
stands in a code fence is an example and no instinct. A file that we wrote says in its banner where its blocks begin, if
a body could be taken for a block.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from gitinstinct.exchange.draft import Draft, Reading, Refused
from gitinstinct.instinct import body as bodies
from gitinstinct.instinct import dialect
from gitinstinct.instinct.body import outside_code
from gitinstinct.instinct.errors import Invalid

PLACES = "# Blocks begin in lines: "
"""The banner's line that says where each block begins, counted from 1."""

_FENCE = re.compile(r"---[ \t]*\r?\n?")
_CODE = re.compile(r" {0,3}(`{3,}|~{3,})([^\r\n]*)")
_KEY = re.compile(r"[\"']?(?P<name>[A-Za-z_][\w .-]*)[\"']?[ \t]*:")
_BESIDE = frozenset({"confidence", "domain", "source", "status"})
_ID = re.compile(r"[\"']?id[\"']?[ \t]*:[ \t]*[\"']?(.*?)[\"']?[ \t]*\r?\n?")


def begins(text: str) -> bool:
    """Whether a line of the text could open a block."""
    return re.search(r"^---[ \t]*\r?$", text, re.MULTILINE) is not None


def read(path: str, text: str) -> Reading:
    """The instincts of a file."""
    lines = dialect.cut(text)
    told = _places_told(lines)
    starts = told or _starts(lines)
    if not starts:
        return _without_blocks(path, lines)
    whole = starts == [0]
    stem = PurePosixPath(path).stem if len(starts) == 1 else ""
    drafts, refused = [], []
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        block = lines[start:end] if whole else _ended(lines[start:end])
        drafts.append(Draft(path, _label(block, start), "".join(block).encode(), stem, start + 1))
        swallowed = [] if told else _swallowed(block)
        if swallowed:
            why = f"a code fence that is never closed hides what follows, {len(swallowed)} or more instincts"
            refused.append(Refused(path, f"line {start + swallowed[0] + 1}", why))
    return Reading(tuple(drafts), tuple(refused))


def _without_blocks(path: str, lines: Sequence[str]) -> Reading:
    """A file that begins as one and does not go on as one is named; any other is none of ours."""
    if lines and _FENCE.fullmatch(lines[0]) and _is_telling(lines[1:]):
        try:
            dialect.closing_fence(lines)
        except Invalid as error:
            return Reading(refused=(Refused(path, "", str(error)),))
    body = bodies.read(lines)
    if body.named("trigger") and body.named(bodies.ACTION):  # headings in place of fields
        return Reading((Draft(path, body.title or path, ("---\n---\n" + "".join(lines)).encode()),))
    return Reading()


def _places_told(lines: Sequence[str]) -> list[int]:
    """Where a file of ours says that its blocks begin; empty if it does not, or is no longer as we wrote it."""
    for line in lines:
        if not line.startswith("#"):
            return []
        if line.startswith(PLACES):
            told = [int(word) - 1 for word in line[len(PLACES) :].split() if word.isascii() and word.isdigit()]
            fit = all(0 < place < len(lines) and _FENCE.fullmatch(lines[place]) for place in told)
            return told if fit and told == sorted(set(told)) else []
    return []


def _starts(lines: Sequence[str]) -> list[int]:
    """Where the blocks begin. Each body is looked at from its own beginning, so that fences are counted there."""
    starts: list[int] = []
    at = 0
    while at < len(lines):
        start = next((index for index in _outside(lines, at) if _opens(lines, index)), None)
        if start is None:
            break
        starts.append(start)
        at = _closing(lines, start) + 1
    return starts


def _outside(lines: Sequence[str], at: int) -> Iterator[int]:
    """The lines that are in no code fence, one by one: `outside_code` looks at all that follow before the first, and
    a file may hold thousands of blocks."""
    fence = ""
    for index in range(at, len(lines)):
        found = _CODE.match(lines[index])
        if fence:
            fence = "" if found and found[1].startswith(fence) and not found[2].strip() else fence
        elif found and not (found[1][0] == "`" and "`" in found[2]):
            fence = found[1]
        else:
            yield index


def _opens(lines: Sequence[str], index: int) -> bool:
    if not _FENCE.fullmatch(lines[index]):
        return False
    end = _closing(lines, index)
    return end > index + 1 and _is_telling(lines[index + 1 : end])


def _closing(lines: Sequence[str], start: int) -> int:
    """The index of the block's second fence; of the fence itself if there is none."""
    return next((at for at in range(start + 1, len(lines)) if _FENCE.fullmatch(lines[at])), start)


def _is_telling(lines: Sequence[str]) -> bool:
    """Whether the lines are fields, and those of an instinct."""
    first = next((line for line in lines if line.strip() and not line.lstrip().startswith("#")), "")
    keys = {found["name"] for line in lines if (found := _KEY.match(line))}
    return _KEY.match(first) is not None and ("trigger" in keys or ("id" in keys and not keys.isdisjoint(_BESIDE)))


def _swallowed(block: Sequence[str]) -> list[int]:
    """The openings of blocks in a code fence that is never closed, by their lines in the block."""
    body = _closing(block, 0) + 1
    outside = [index for index, _ in outside_code([*block, ""], body)]
    if outside[-1:] == [len(block)]:
        return []
    return [index for index in range(max([body, *outside]), len(block)) if _opens(block, index)]


def _ended(block: Sequence[str]) -> list[str]:
    """A block without the blank lines that part it from the next, and with a final line end."""
    kept = list(block)
    while kept and not kept[-1].strip():
        kept.pop()
    if kept and not kept[-1].endswith("\n"):
        kept[-1] += "\n"
    return kept


def _label(block: Sequence[str], start: int) -> str:
    for line in block[1 : _closing(block, 0)]:
        found = _ID.fullmatch(line)
        if found and found[1]:
            return found[1]
    return f"line {start + 1}"
