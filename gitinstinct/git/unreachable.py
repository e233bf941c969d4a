"""Why a remote could not be talked to: one sentence and a way out for what git says in many.

Git has one exit code for nearly all of it, so its words are what there is to go by. They are the same everywhere,
because git runs in the C locale, and stand behind ours, in case ours is wrong.
"""

from __future__ import annotations

import re
import shlex

from gitinstinct.errors import EnvironmentFault
from gitinstinct.git import limits
from gitinstinct.git.run import Result, clean
from gitinstinct.git.url import Address

_WORDS = 200  # characters of git's own


class Unreachable(EnvironmentFault):
    """A remote that does not answer, does not let us in, or sends what cannot be used."""


class NoBranch(EnvironmentFault):
    """The remote has no branch of that name."""


def where(address: Address) -> str:
    """The address for people: it never holds a password (`url.parse`), and is printable."""
    return clean(address.url)


def matches(result: Result, pattern: str) -> bool:
    """Whether git said something that the pattern finds."""
    return re.search(pattern, _said(result)) is not None


def _said(result: Result) -> str:
    """What git said; of a git that was ended by a signal, which says nothing, the signal."""
    said = result.err.decode("utf-8", "replace")
    return said if result.code >= 0 else f"{said}\nfatal: git died of signal {-result.code}"


_SIGN_IN = "sign in once by hand, so that git remembers it: git ls-remote {url}"
_NOT_TAKEN = "such a store is not taken"
# In this order: what is told first is nearer to the cause.
_FAULTS = (
    (r"signal 25|File size limit exceeded", f"sends more than {limits.FILE >> 20} MiB", _NOT_TAKEN),
    (r"[Oo]ut of memory|malloc failed", f"sends what takes more than {limits.MEMORY >> 20} MiB of memory", _NOT_TAKEN),
    (r"dubious ownership", "belongs to somebody else, and git looks into no such folder",
     "if you trust it: git config --global --add safe.directory {url}"),
    (r"Host key verification failed", "is a host that ssh does not know",
     "see that it is the right one, once by hand: git ls-remote {url}"),
    (r"SSL certificate|certificate verif", "has no certificate that can be trusted",
     "git config http.sslCAInfo names one that is your organisation's own"),
    (r"Authentication failed|could not read (Username|Password)|terminal prompts disabled|error: 401|publickey",
     "wants you to sign in", _SIGN_IN),
    (r"error: 403|denied to |Permission denied|not allowed to|read-only|archived",
     "does not let you do that", "ask who keeps it for the right; " + _SIGN_IN),
    (r"transport '.*' not allowed", "is reached in a way that is not allowed", "https, ssh and folders are"),
    (r"not found|does not (appear to be|exist)|No such file|error: 404|no repository",
     "is no repository, or hidden from you", "look at the address; gitinstinct remote shows it"),
    (r"Could not resolve|resolve hostname|Failed to connect|[Cc]onnection (refused|timed out|reset)|unreachable"
     r"|No route|Operation timed out", "cannot be reached", "are you online? try again later"),
    (r"early EOF|hung up|disconnect|RPC failed|transfer closed|Operation too slow|protocol error|bad line length",
     "broke off in the middle", "nothing has changed; try again"),
    (r"fsck error|error in object|bad object|index-pack|unpack-objects|inflate|pack has",
     "sends objects that are damaged or dangerous", "ask who keeps it to look: git fsck --strict"),
)  # fmt: skip


def explained(address: Address, result: Result) -> Unreachable:
    """One sentence for what git says in many; its own words stand behind."""
    said = _said(result)
    what, hint = next(
        ((what, hint) for pattern, what, hint in _FAULTS if re.search(pattern, said)),
        ("cannot be used", "try it by hand: git ls-remote {url}"),
    )
    lines = [line for line in said.splitlines() if line.startswith(("fatal:", "error:", "ssh:", "remote:"))]
    words = clean(" ".join(lines) or said)
    message = f"{where(address)} {what}" + (f" ({words[:_WORDS]})" if words else "")
    return Unreachable(message, hint.format(url=shlex.quote(where(address))))
