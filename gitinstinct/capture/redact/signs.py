"""Signs that hide a text from a pattern: terminal sequences, invisible letters, wide forms.

Terminal sequences and NUL have no meaning in what is kept and always go. Joiners, marks of direction and wide forms are
part of honest text in many scripts, so they are set aside for matching only.
"""

from __future__ import annotations

import re

_NOISE = re.compile(
    r"\x00|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[ -/]*[0-~]|\x1b|\x9b"
)
_INVISIBLE = re.compile(
    "[\x01-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    "\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]"
)
_WRITTEN = re.compile(r"\\+(?:u001[bB]|x1[bB]|033|e)\[[0-9;]{0,20}m")
_SLASH = re.compile(r"\\+/")
_WIDE = {0xFF01 + offset: 0x21 + offset for offset in range(94)}


def without_noise(text: str) -> str:
    """The text without terminal sequences and NUL."""
    return _NOISE.sub("", text)


def visible(text: str) -> str:
    """What a reader sees of a text: no invisible signs, wide forms as plain ones."""
    plain = _WRITTEN.sub("", _INVISIBLE.sub("", text))
    return _SLASH.sub("/", plain).translate(_WIDE)
