"""Users and passwords in URLs: `scheme://user:password@host`.

A password may hold any sign, so it ends at the last `@` before the path; where no port stands before the path, the
slash may be part of it as well. The user stays, unless it stands alone and looks like a token.
"""

from __future__ import annotations

import re

from gitinstinct.capture.redact import values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_USER = re.compile(
    r"""(?<=[A-Za-z0-9])(?::(?:\\*/){2}|%3[aA]%2[fF]%2[fF])
    (?P<info>[^\s/"'`<>\\]{0,400}(?=@) | [^\s/:@"'`<>\\]{0,100}:(?!\d{1,5}/)[^\s@"'`<>\\]{1,200}(?=@))""",
    re.X,
)


def spans(text: str) -> Iterator[tuple[int, int, str]]:
    """(start, end, kind) of every password, and of every token that stands for a user."""
    for found in _USER.finditer(text):
        user, colon, password = found["info"].partition(":")
        start = found.start("info")
        if values.random(re.sub(r"%[0-9A-Fa-f]{2}", "-", user), 16):
            yield start, start + len(user), "url-token"
        if colon and not values.stand_in(password):
            yield start + len(user) + 1, found.end("info"), "url-password"
