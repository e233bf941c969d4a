"""The only printer. A terminal gets its text through rich, which knows its width, its colours and `NO_COLOR`; a pipe
or a file gets plain lines, which is many times quicker.

Nothing that comes from data is taken for markup or reaches the terminal raw: control and invisible characters are
shown as escapes. A terminal that cannot show a sign gets another one.
"""

from __future__ import annotations

import io
import json
import os
import re
import sys
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from rich.console import Console

JSON_VERSION = 1
_NARROW = 80
_BARS = {"unicode": ("█", "░"), "ascii": ("#", ".")}
_BAR_LENGTH = 10
_MUCH = 200  # pieces of work
_LEVELS = {"unicode": "▁▂▃▄▅▆▇█", "ascii": "_.-~=+*#"}

Part = str | tuple[str, str]
"""A piece of a line: text, or text and a style."""


def console() -> Console:
    """The terminal, or the file or pipe that stands for it."""
    return _console(_prepared(sys.stdout))


@lru_cache(maxsize=1)
def _console(stream: TextIO) -> Console:
    from rich.console import Console

    width = None if stream.isatty() else _NARROW  # a pipe has no width: tables are laid out for the narrowest terminal
    made = Console(file=stream, width=width, markup=False, emoji=False, highlight=False, soft_wrap=True)
    made.on_broken_pipe = _reader_has_gone  # type: ignore[method-assign] # rich would exit with 1
    return made


@lru_cache(maxsize=1)
def _prepared(stream: TextIO) -> TextIO:
    """The stream, set to show another sign where its encoding lacks one."""
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="replace")
    return stream


def _reader_has_gone() -> None:
    raise BrokenPipeError


def say(*parts: Part) -> None:
    """Prints one line, made of pieces."""
    pieces = [(clean(part), "") if isinstance(part, str) else (clean(part[0]), part[1]) for part in parts]
    if not sys.stdout.isatty():
        print("".join(text for text, _ in pieces), file=_prepared(sys.stdout))
        return
    from rich.text import Text

    console().print(Text.assemble(*pieces))


def blank() -> None:
    """Prints an empty line."""
    say()


def raw(text: str) -> None:
    """Prints a text of several lines as it is, made harmless."""
    for line in text.rstrip("\n").split("\n"):
        say(line)


def raw_bytes(data: bytes) -> None:
    """Writes bytes as they are, for what is piped or redirected into a file."""
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def complain(message: str, hint: str = "") -> None:
    """One sentence on standard error, and the way out."""
    sys.stdout.flush()
    print(f"error: {clean(message)}", file=sys.stderr)
    if hint:
        print(f"hint: {clean(hint)}", file=sys.stderr)


def note(message: str) -> None:
    """Something worth knowing, on standard error, so that it never gets into piped output."""
    print(clean(message), file=sys.stderr)


def as_json(data: Mapping[str, Any]) -> None:
    """Prints versioned JSON."""
    print(json.dumps({"version": JSON_VERSION, **data}, ensure_ascii=True, indent=2, allow_nan=False))


def clean(text: str) -> str:
    """The text with everything that a terminal would obey, or a reader not see, written as an escape."""
    unseen = _unseen(text)
    if text.isprintable() and not unseen:
        return text
    return "".join(_escape(sign) if at in unseen or not sign.isprintable() else sign for at, sign in enumerate(text))


def _unseen(text: str) -> Collection[int]:
    """The places of signs that Unicode calls printable and nobody sees: blank letters, selectors out of place."""
    if text.isascii() or not re.search(_BLANK, text):
        return ()
    from gitinstinct.instinct import hidden

    return {one.place for one in hidden.find(text) if not hidden.is_space(one.sign)}


_BLANK = (
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\ufffc\U0001d159\U000e0100-\U000e01ef]"
)


def _escape(sign: str) -> str:
    if unicodedata.category(sign) == "Zs":
        return " "
    return sign.encode("unicode_escape").decode("ascii")


def bar(hundredths: int) -> str:
    """A bar of ten cells for a confidence."""
    full, empty = _BARS["unicode" if can_show("█░") else "ascii"]
    cells = round(max(0, min(100, hundredths)) * _BAR_LENGTH / 100)
    return full * cells + empty * (_BAR_LENGTH - cells)


def spark(hundredths: Iterable[int | None]) -> str:
    """A line of small bars for confidences, 0 to 1; a blank where there is none."""
    levels = _LEVELS["unicode" if can_show(_LEVELS["unicode"]) else "ascii"]
    return "".join(" " if value is None else levels[min(7, max(0, value) * 8 // 100)] for value in hundredths)


def arrow() -> str:
    """From one value to another, in signs that the terminal has."""
    return "→" if can_show("→") else "->"


def can_show(signs: str) -> bool:
    """Whether the terminal's encoding has these signs."""
    try:
        signs.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def fit(text: str, cells: int) -> str:
    """The text in exactly that many cells of the terminal: cut with a mark, or filled with blanks."""
    shown = clean(text)
    if shown.isascii() and len(shown) <= cells:
        return shown.ljust(cells)
    from rich.cells import cell_len, set_cell_size

    if cell_len(shown) <= cells:
        return set_cell_size(shown, cells)
    mark = "…" if can_show("…") else "..."
    return set_cell_size(shown, cells - cell_len(mark)) + mark


def cut(text: str, used: int) -> str:
    """The text as far as it has room on the terminal's line behind `used` cells; in a pipe all of it."""
    if not sys.stdout.isatty():
        return text
    return fit(text, max(console().width - used, 12)).rstrip()


def wrapped(text: str, used: int) -> list[str]:
    """The text as lines that have room behind `used` cells, broken between words."""
    from rich.text import Text

    lines = Text(clean(text)).wrap(console(), max(console().width - used, 20))
    return [line.plain.rstrip() for line in lines]


def flowed(text: str, used: int) -> list[str]:
    """The text in as many lines as it needs behind `used` cells of the terminal; in a pipe it stays whole."""
    return (wrapped(text, used) if sys.stdout.isatty() else [text]) or [""]


def hang(label: Part, parts: Iterable[Part]) -> None:
    """Prints a text of several pieces behind a label, its further lines below its first; in a pipe none is broken."""
    text, style = (label, "") if isinstance(label, str) else label
    for line in _lines(parts):
        for pieces in _broken(line, len(text)) if sys.stdout.isatty() else [line]:
            say((text, style), *pieces)
            text = " " * len(text)


def _lines(parts: Iterable[Part]) -> list[list[tuple[str, str]]]:
    """The pieces line by line, as the text itself is."""
    lines: list[list[tuple[str, str]]] = [[]]
    for part in parts:
        text, style = (part, "") if isinstance(part, str) else part
        first, *rest = text.split("\n")
        lines[-1].append((first, style))
        lines += [[(line, style)] for line in rest]
    return lines


def _broken(line: Sequence[tuple[str, str]], used: int) -> Iterator[list[tuple[str, str]]]:
    """One line as several that have room behind `used` cells, broken between words, each piece with its style."""
    from rich.text import Text

    whole = Text.assemble(*((clean(text), style) for text, style in line))
    for found in whole.wrap(console(), max(console().width - used, 20)):
        found.rstrip()
        edges = sorted({0, len(found), *(edge for span in found.spans for edge in (span.start, span.end))})
        pieces = [piece for piece in found.divide(edges[1:-1]) if piece.plain]
        yield [(piece.plain, str(piece.spans[0].style) if piece.spans else "") for piece in pieces]


def counted(number: int, what: str) -> str:
    """`1 file`, `2 files`."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def value(hundredths: int) -> str:
    """A confidence as people read it."""
    return f"{hundredths / 100:.2f}"


def is_terminal() -> bool:
    """Whether a person sits at both ends."""
    return sys.stdin.isatty() and sys.stdout.isatty()


@contextmanager
def paged() -> Iterator[None]:
    """Sends what is printed through a pager if it would not fit on the screen; only on a terminal."""
    if not sys.stdout.isatty():
        yield
        return
    os.environ.setdefault("LESS", "FRX")
    with console().pager(styles=True):
        yield


@contextmanager
def progress(what: str, *, quiet: bool) -> Iterator[Callable[[int, int], None] | None]:
    """A bar for long work, on a terminal; it appears when there is much to do."""
    if quiet or not sys.stdout.isatty():
        yield None
        return
    with ExitStack() as stack:

        @cache
        def bar() -> Any:
            from rich.progress import Progress

            made = stack.enter_context(Progress(console=console(), transient=True))
            made.add_task(what)
            return made

        yield lambda done, total: bar().update(0, completed=done, total=total) if total >= _MUCH else None
