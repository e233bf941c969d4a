"""A block between two marks in a file that agents read: AGENTS.md, CLAUDE.md, a rule of Claude's or Cursor's.

What stands outside of the marks is somebody else's and stays as it is, to the byte. The same instincts give the same
block; so it says nothing that changes from day to day, such as how sure we are today.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from gitinstinct.errors import Found
from gitinstinct.exchange.selection import Outgoing

BEGIN, END = "<!-- gitinstinct:begin -->", "<!-- gitinstinct:end -->"
_NOTE = "<!-- Written by `gitinstinct export`; what you change between these two marks will be lost. -->"
_RULE = "---\ndescription: What was learned while working here\nglobs:\nalwaysApply: true\n---\n\n"
_HINT = "keep one pair of them, begin before end, or delete both"


def block(items: Sequence[Outgoing]) -> str:
    """The block, with both marks, by domain."""
    ordered = sorted(items, key=lambda one: (one.instinct.domain or "~", one.id))
    lines = [BEGIN, _NOTE, "## Learned instincts"]
    for domain, some in groupby(ordered, key=lambda one: one.instinct.domain):
        lines += ["", f"### {_plain(domain) or 'other'}", ""]
        lines += [_point(one) for one in some]
    return "\n".join([*lines, END])


def _point(one: Outgoing) -> str:
    instinct = one.instinct
    where = f" ({', '.join(f'`{_plain(glob)}`' for glob in instinct.paths)})" if instinct.paths else ""
    first, *more = _plain(instinct.action).splitlines() or [""]
    head = f"- **{_plain(' '.join(instinct.trigger.split()))}**{where}: {first}"
    return "\n".join([head, *(f"  {line}".rstrip() for line in more)])


def _plain(text: str) -> str:
    """Text that opens and closes nothing around it: no comment, and so none of our marks."""
    return text.replace("<!--", "&lt;!--").replace("-->", "--&gt;")


def placed(before: bytes | None, made: str, *, is_rule: bool) -> bytes:
    """A file with the block in its place: where it stood, else at the end.

    Args:
        before: the file; None if there is none.
        made: the block.
        is_rule: whether a new file begins with the head of a Cursor rule.

    Raises:
        Found: the file is no UTF-8, or its marks are damaged.
    """
    if before is None or not before.strip():
        return ((_RULE if is_rule else "") + made + "\n").encode()
    try:
        text = before.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Found("the file is not UTF-8", "save it as UTF-8 first") from error
    newline = "\r\n" if "\r\n" in text else "\n"
    made = made.replace("\n", newline)
    start, end = text.find(BEGIN), text.find(END)
    if text.count(BEGIN) != text.count(END) or text.count(BEGIN) > 1 or end < start:
        raise Found("the marks of gitinstinct's block are damaged there", _HINT)
    if start >= 0:
        return (text[:start] + made + text[end + len(END) :]).encode()
    gap = "" if text.endswith(newline * 2) else newline if text.endswith("\n") else newline * 2
    return (text + gap + made + newline).encode()
