"""A remote's address, read by us before git sees it.

Git takes far more for an address than one: `ext::` and `fd::` run commands, a leading dash is an option, a host that
begins with one is an option of ssh. So what is known is let through and nothing else: https, ssh in both spellings, a
folder of this machine by its full path, and plain http to this machine itself (tunnels, tests). An address is kept in a
store's config, where others may read it, so it may not hold a password.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import unquote

from gitinstinct.errors import UsageError

LENGTH = 2_000
_SHOWN = 80
_KNOWN = "known are https://HOST/PATH, ssh://HOST/PATH, HOST:PATH for ssh, and the full path of a folder"
_KEEP = "keep the password in a credential helper (git help credentials), and give the address alone"

_HOST = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,252}|\[[0-9A-Fa-f:.]{2,45}\]")
_PORT = re.compile(r"[0-9]{1,5}")
_USER = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._+-]{0,99}")
_PATH = re.compile(r"/[A-Za-z0-9._~!$&'()*+,;=:@%/-]*")
_DRIVE = re.compile(r"[A-Za-z]:[\\/]")
_SCP = re.compile(r"(?:(?P<user>[^@/:\[\]]*)@)?(?P<host>\[[^\]/@]*\]|[^@/:\[\]]+):(?P<path>.*)")
_HERE = ("localhost", "127.0.0.1", "[::1]")
# What has one colon and no slash is no host called `javascript`, but a slip.
_SCHEMES = frozenset("https http ssh git file ftp ftps ext fd data javascript mailto git+ssh git+https svn".split())


@dataclass(frozen=True, slots=True)
class Address:
    """An address that git may be given.

    Attributes:
        kind: `https`, `http`, `ssh` or `file`.
        url: what git gets; for `file` the path.
        host: the host in lower case; empty for `file`.
    """

    kind: str
    url: str
    host: str = ""

    @property
    def is_local(self) -> bool:
        """Whether it is a folder of this machine."""
        return self.kind == "file"


def parse(text: str) -> Address:
    """Reads an address that a person typed, or that stands in a config.

    Raises:
        UsageError: it is none that git may be given; the message shows it, escaped.
    """
    if len(text) > LENGTH:
        raise _refused(text, f"it has {len(text):,} characters; {LENGTH:,} are the most")
    if not text or text != text.strip() or not text.isprintable() or "::" in text.partition("[")[0]:
        raise _refused(text)
    if text.startswith("/") or _DRIVE.match(text):
        return _local(text, text)
    scheme, mark, rest = text.partition("://")
    if mark:
        return _by_scheme(text, scheme.lower(), rest)
    return _scp(text)


def _by_scheme(text: str, scheme: str, rest: str) -> Address:
    if scheme == "file":
        return _local(text, unquote(rest.removeprefix("localhost"), errors="surrogateescape"))
    if scheme not in ("https", "http", "ssh"):
        raise _refused(text)
    authority, slash, path = rest.partition("/")
    user, at, place = authority.rpartition("@")
    if ":" in user or (at and not user):
        raise _secret(f"{scheme}://…@{place}")
    if "@" in path and ":" in place:  # a password may hold a slash
        raise _secret()
    host, port = _host_and_port(place)
    if not _HOST.fullmatch(host) or not _PORT.fullmatch(port) or (at and not _USER.fullmatch(user)):
        raise _refused(text)
    if not _PATH.fullmatch(slash + path) or path.startswith(("-", "/-")) or not path.strip("/"):
        raise _refused(text, _query(path))
    if scheme == "http" and host.lower() not in _HERE:
        raise _refused(text, "plain http can be read and changed on its way", f"use https://{place}/{path}")
    return Address(scheme, text, host.lower())


def _host_and_port(place: str) -> tuple[str, str]:
    """The port is `0` where none stands."""
    host, colon, port = place.rpartition(":")
    return (host, port) if colon and not port.endswith("]") else (place, "0")


def _query(path: str) -> str:
    return "an address ends before ? and #, behind which secrets are often found" if re.search("[?#]", path) else ""


def _scp(text: str) -> Address:
    """`[user@]host:path`. Git takes what has a slash before the colon for a path, and a path must be a full one."""
    found = _SCP.fullmatch(text)
    if not found or "\\" in text:
        raise _refused(text, "" if found else _relative(text))
    user, host, path = found["user"], found["host"], found["path"]
    if user is None and "@" in path.partition("/")[0]:
        raise _secret()
    well_made = _HOST.fullmatch(host) and host.lower() not in _SCHEMES and (user is None or _USER.fullmatch(user))
    if not well_made or not _PATH.fullmatch("/" + path) or not path.strip("/") or path.startswith("-"):
        raise _refused(text, _query(path))
    return Address("ssh", text, host.lower())


def _relative(text: str) -> str:
    return "a folder is named by its full path" if text[0] in "./~\\" or (text[0].isalnum() and "/" in text) else ""


def _local(text: str, path: str) -> Address:
    if not path.startswith("/") and not _DRIVE.match(path):
        raise _refused(text, "behind file:// stands a full path")
    if not path.isprintable() or path.startswith("//"):
        raise _refused(text)
    if _DRIVE.match(path):  # elsewhere git would take the drive for a host
        return Address("file", "file:///" + path.replace("\\", "/"))
    return Address("file", path)


def _refused(text: str, why: str = "", hint: str = _KNOWN) -> UsageError:
    return UsageError(f"{shown(text)} is no address of a remote" + (f": {why}" if why else ""), hint)


def _secret(place: str = "this address") -> UsageError:
    """Shows the host at most, and only where it is certain where the password ends."""
    return UsageError(f"{place} holds a password, which would be kept in the store's config", _KEEP)


def shown(text: str) -> str:
    """A text that may be anything, for an error message: quoted, escaped, cut, without what may be secret in it."""
    plain = re.sub(r"(?<=://).*@", "***@", text, flags=re.DOTALL)
    plain = re.sub(r"(://[^?#]*[?#]).*", r"\1…", plain, flags=re.DOTALL)
    escaped = f"'{plain}'" if plain.isprintable() else ascii(plain)
    return escaped if len(escaped) <= _SHOWN else escaped[:_SHOWN] + "…"
