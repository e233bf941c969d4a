"""Globs over the paths of files: `*.py`, `src/**/*.{ts,tsx}`.

A glob that does not begin at the root may match from any folder on, since an agent names files by their whole path.
Matched folder by folder, so that no glob takes long.
"""

from __future__ import annotations

import re
from functools import lru_cache

from gitinstinct.measure.errors import Malformed

LONGEST = 200
_MOST_STARS = 2  # in the name of one folder or file
_MOST_CHOICES = 16
_FOLDERS, _NAME = 60, 255  # the last ones of a path; characters of a name
_TOKEN = re.compile(r"\*+|\?|\{[^{}]*\}|.", re.S)
_ANY = "**"


def matches(glob: str, path: str) -> bool:
    """Whether a path matches a glob."""
    names = path.replace("\\", "/").split("/")[-_FOLDERS:]
    wanted = glob.split("/")
    reached = {0}
    for part in wanted if glob.startswith("/") else [_ANY, *wanted]:
        if part == _ANY:
            reached = set(range(min(reached, default=len(names) + 1), len(names) + 1))
        else:
            reached = {at + 1 for at in reached if at < len(names) and _name(part).fullmatch(names[at][:_NAME])}
    return len(names) in reached


@lru_cache(maxsize=512)
def _name(part: str) -> re.Pattern[str]:
    return re.compile("".join(map(_sign, _TOKEN.findall(part))), re.S)


def _sign(token: str) -> str:
    if token.startswith("{") and token.endswith("}"):
        return "(?:" + "|".join(re.escape(choice) for choice in token[1:-1].split(",")) + ")"
    return {"*": ".*", "?": "."}.get(token[0], re.escape(token))


def judge(glob: str) -> None:
    """Whether a glob may be used.

    Raises:
        Malformed: it is empty, or it may take too long.
    """
    if not glob.strip() or len(glob) > LONGEST:
        raise Malformed(f"holds a glob that is empty or longer than {LONGEST} characters")
    parts = [part for part in glob.split("/") if part != _ANY]
    if any(part.count("*") > _MOST_STARS for part in parts) or glob.count(",") > _MOST_CHOICES:
        raise Malformed(f"holds a glob with more than {_MOST_STARS} stars in a name, or {_MOST_CHOICES} choices")
