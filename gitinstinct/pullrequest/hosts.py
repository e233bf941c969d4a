"""What is at a remote's address: which kind of host, which repository there, and the page where a request is opened."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import quote, urlencode, urlsplit

from gitinstinct.git.url import Address


class Kind(StrEnum):
    """A kind of host."""

    GITHUB = "github"
    GITLAB = "gitlab"
    GITEA = "gitea"  # Forgejo, too
    BITBUCKET = "bitbucket"


AUTO, NONE = "auto", "none"
_KNOWN = {
    "github.com": Kind.GITHUB,
    "gitlab.com": Kind.GITLAB,
    "bitbucket.org": Kind.BITBUCKET,
    "codeberg.org": Kind.GITEA,
    "gitea.com": Kind.GITEA,
}
_FIRST = {"github": Kind.GITHUB, "gitlab": Kind.GITLAB, "gitea": Kind.GITEA, "forgejo": Kind.GITEA}
"""How many call the machine on which they run one."""
_OVER_443 = {
    "ssh.github.com": "github.com",
    "altssh.gitlab.com": "gitlab.com",
    "altssh.bitbucket.org": "bitbucket.org",
}
_PART = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]*")


@dataclass(frozen=True, slots=True)
class Host:
    """A repository at a host: `site` is its address on the web, `path` what stands behind it, without `.git`."""

    kind: Kind
    site: str
    path: str

    @property
    def name(self) -> str:
        """The host's name, with its port if it has an odd one."""
        return urlsplit(self.site).netloc

    def page(self, base: str, head: str) -> str:
        """The page on which a person opens a request to merge one branch into another."""
        place, ways = f"{self.site}/{self.path}", f"{quote(base)}...{quote(head)}"
        if self.kind is Kind.GITLAB:
            asked = {"merge_request[source_branch]": head, "merge_request[target_branch]": base}
            return f"{place}/-/merge_requests/new?{urlencode(asked)}"
        if self.kind is Kind.BITBUCKET:
            return f"{place}/pull-requests/new?{urlencode({'source': head, 'dest': base})}"
        return f"{place}/compare/{ways}" + ("?expand=1" if self.kind is Kind.GITHUB else "")


def of(address: Address, setting: str = AUTO) -> Host | None:
    """The host at an address; None for a folder, and for a machine of which nobody said what runs there.

    Args:
        address: the remote.
        setting: a kind, for a host whose name does not tell; `auto` to go by the name; `none` for no host at all.
    """
    if address.is_local or setting == NONE:
        return None
    kind = _kind(_OVER_443.get(address.host, address.host)) if setting == AUTO else Kind(setting)
    site, path = _place(address)
    parts = path.split("/")
    if kind is None or len(parts) < 2 or not all(_PART.fullmatch(part) for part in parts):
        return None
    return Host(kind, site, path) if kind is Kind.GITLAB or len(parts) == 2 else None


def _kind(host: str) -> Kind | None:
    return _KNOWN.get(host) or _FIRST.get(host.partition(".")[0])


def _place(address: Address) -> tuple[str, str]:
    """The address on the web and the path. The port of ssh says nothing about the web's."""
    if "://" in address.url:
        found = urlsplit(address.url)
        port = f":{found.port}" if found.port and address.kind != "ssh" else ""
        scheme, path = ("http" if address.kind == "http" else "https"), found.path
    else:
        scheme, port, path = "https", "", address.url.partition(":")[2]
    host = _OVER_443.get(address.host, address.host)
    return f"{scheme}://{host}{port}", path.strip("/").removesuffix(".git")
