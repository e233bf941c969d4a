"""Commit messages: a subject, a body, and one final block of trailers that nobody can forge.

Parts of a message come from models and from observations. So every line is cleaned, every line of the body is
indented (git takes no indented line for the beginning of a trailer), and the trailers stand in one last paragraph that
only this module writes. They are read back in git's own trailer format, never by a pattern over the message.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

SUBJECT = 100
LINE = 300
_KEY = re.compile(r"[A-Za-z][A-Za-z0-9-]*")
_UNSEEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


@dataclass(frozen=True, slots=True)
class Message:
    """A message to be written.

    Attributes:
        subject: one line, `verb: what`.
        body: paragraphs; each may have several lines, whose own indentation is kept behind ours.
        trailers: key and value, in order; a key may repeat. A trailer without a value is left out.
    """

    subject: str
    body: Sequence[str] = ()
    trailers: Sequence[tuple[str, str]] = ()

    def render(self) -> bytes:
        """The message's bytes, as a commit holds them.

        Raises:
            ValueError: the subject is empty, or a key is no trailer's key: both are the caller's mistakes.
        """
        subject = one_line(self.subject, SUBJECT)
        if not subject:
            raise ValueError("a commit needs a subject")
        block = "\n".join(line for pair in self.trailers if (line := _trailer(*pair)))
        parts = [subject, *map(_paragraph, self.body), block]
        return ("\n\n".join(part for part in parts if part) + "\n").encode("utf-8", "replace")


def _paragraph(block: str) -> str:
    """Indented by two; without blank lines, which would end the paragraph."""
    lines = [(len(line) - len(line.lstrip(" ")), one_line(line, LINE)) for line in block.splitlines()]
    return "\n".join(" " * (2 + min(indent, 20)) + line for indent, line in lines if line)


def _trailer(key: str, value: str) -> str:
    if not _KEY.fullmatch(key):
        raise ValueError(f"{key!r} is no trailer's key")
    shown = one_line(value, LINE)
    return f"{key}: {shown}" if shown else ""


def one_line(text: str, length: int) -> str:
    """Text on one line: control, invisible and direction signs become blanks, blanks at both ends go, the end is cut.

    Blanks between words stay as they are, so that columns stay columns.
    """
    plain = "".join(" " if unicodedata.category(sign) in _UNSEEN else sign for sign in text).strip()
    return plain if len(plain) <= length else plain[: length - 1].rstrip() + "…"


def parse(block: str) -> tuple[tuple[str, str], ...]:
    """Trailers out of git's `%(trailers:only,unfold)`: one a line, `Key: value`, in the message's order."""
    pairs = (line.partition(": ") for line in block.splitlines())
    return tuple((key.rstrip(":"), value.strip()) for key, _, value in pairs if key)
