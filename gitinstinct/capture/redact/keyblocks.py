"""Private keys in armour, wherever a tool shows them.

Found by their first or last line. Which of the lines between belong to the key is told by their look, since a key may
be cut at either end, numbered, quoted, marked as a diff, prefixed by a log or written on one line with `\\n`: a row
ends with a long run of base64, and before it stands no more than before the first line. Prose and code that only name
such lines stay.
"""

from __future__ import annotations

import re

from gitinstinct.capture.redact import values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_KEY = r"(?:[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V\d)"
_BEGIN = re.compile(rf"-{{4,5}} ?BEGIN {_KEY} ?-{{4,5}}|Private-Lines: \d+")
_END = re.compile(rf"-{{4,5}} ?END {_KEY} ?-{{4,5}}")
_BREAK = re.compile(r"\r?\n|\\+r\\+n|\\+[rn]")
_TAIL = re.compile(r"""(?:\\+[rnt]|\\*["'`]|&quot;|&\#x?\d\d;|[\s+,;\\)\]])*\Z""")
_HEAD = re.compile(r"(?:Proc-Type|DEK-Info|Version|Comment|Subject|Hash|Charset|Private-MAC|Key-Derivation) ?:")
_ON_ONE_LINE = re.compile(
    r"(?:[ \t]{1,4}[A-Za-z0-9+/=]{16,}+)+(?:[ \t]{1,4}[A-Za-z0-9+/=]{1,15}(?=[ \t]{1,4}-))?[ \t]{0,4}"
)
_BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=\\"
_ROW = 16
_LONG_ROW = 32
# Prefixes with numbers in them grow by a few signs; other parts of a prefix hardly do.
_DIGITS = 2
_SLACK = 8
_NEAR = 400
_LONGEST_LINE = 2_000


def spans(text: str) -> Iterator[tuple[int, int, str]]:
    """(start, end, kind) of every key: from its first line to its last, or of the lines that are there."""
    done = 0
    for begin in _BEGIN.finditer(text):
        if begin.start() >= done:
            done = _forward(text, begin)
            if done:
                yield begin.start(), done, "private-key"
    for end in _END.finditer(text, done):
        start = _backward(text, end, done)
        if start < end.start():
            yield start, end.end(), "private-key"


def _forward(text: str, begin: re.Match[str]) -> int:
    """Where a key ends that begins with this line; 0 if no row of it is there."""
    inline = _ON_ONE_LINE.match(text, begin.end())
    if inline:
        closing = _END.match(text, inline.end())
        return closing.end() if closing else inline.end()
    width = _width(text, begin.start())
    rows, end, position = 0, 0, _next_line(text, begin.end())
    while 0 < position < len(text):
        following = _next_line(text, position)
        line = text[position : following or len(text)]
        closing = _END.search(line)
        if closing and rows:
            return position + closing.end()
        core = _TAIL.sub("", line[:_LONGEST_LINE])
        if _row(core, width) >= _ROW or (rows and _is_last(text, core, width, following)):
            rows, end = rows + 1, position + len(core)
        elif core and (rows or not _is_opening(core, width)):
            break
        position = following
    return end


def _is_last(text: str, core: str, width: int, following: int) -> bool:
    """Whether a line with a short run ends a key: by its padding, as the last of the text, or before the last line."""
    run = core[len(core.rstrip(_BASE64)) :]
    before = len(core) - len(run)
    if not run or (before and abs(before - width) > _DIGITS):
        return False
    after = text[following : following + 400] if following else ""
    if run.endswith("=") or _END.search(_BREAK.split(after, maxsplit=1)[0]):
        return True
    return not after and not values.wordy(run)


def _is_opening(core: str, width: int) -> bool:
    """Whether a line may stand between the first line and the rows: a mere prefix, or a header."""
    return len(core.strip()) <= width + _SLACK or _HEAD.search(core) is not None


def _row(core: str, width: int) -> int:
    """How long the run of base64 at the end of a line is; 0 if more stands before it than before the first line."""
    head = core.rstrip(_BASE64)
    return len(core) - len(head) if len(head) <= width + _SLACK else 0


def _backward(text: str, end: re.Match[str], floor: int) -> int:
    """Where the rows begin that stand before the last line of a key."""
    width, start = _width(text, end.start()), end.start()
    position, short, rows = _line_start(text, end.start(), floor), 0, 0
    while position > floor:
        above = _line_start(text, position - 1, floor)
        core = _TAIL.sub("", text[above:position][:_LONGEST_LINE])
        size = _row(core, width)
        short += core != "" and size < _LONG_ROW
        if core and (size < 1 or short > 1):
            break
        rows += size >= _LONG_ROW
        position = above
        start = above if core else start
    return start if rows else end.start()


def _width(text: str, position: int) -> int:
    """How many signs stand before a place in its line."""
    return position - _line_start(text, position, 0)


def _line_start(text: str, position: int, floor: int) -> int:
    near = max(floor, position - _NEAR)
    breaks = [found.end() for found in _BREAK.finditer(text, near, position)]
    return breaks[-1] if breaks else near


def _next_line(text: str, position: int) -> int:
    found = _BREAK.search(text, position, position + _LONGEST_LINE)
    return found.end() if found else 0
