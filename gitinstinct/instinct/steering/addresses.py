"""Addresses in an instinct's words: hardly ever needed, and the usual way out and in."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from gitinstinct.instinct.fit import REMARK, WARNING

_ADDRESS = re.compile(
    r"\b(?P<scheme>[a-z][a-z0-9+.-]*)://(?P<rest>[^\s<>\"'`)\]]+)"
    r"|\bwww\.(?P<www>[^\s<>\"'`)\]]+)|(?<![\w.])(?P<ip>(?:\d{1,3}\.){3}\d{1,3})(?![\w.])|\b(?:mailto|data|javascript):\S+",
    re.IGNORECASE,
)
_SHORTENERS = frozenset(
    "bit.ly t.co goo.gl tinyurl.com is.gd ow.ly buff.ly rebrand.ly cutt.ly shorturl.at rb.gy tiny.cc v.gd".split()
)
_HERE = frozenset({"localhost", "127.0.0.1", "[::1]", "0.0.0.0", "example.com", "example.org", "example.net"})


def findings(text: str, hosts: Collection[str] = ()) -> Iterator[tuple[str, str]]:
    """Level and reason for each address in a text.

    Args:
        text: an instinct's words.
        hosts: names of hosts that are no finding; a name covers what is below it.
    """
    for found in _ADDRESS.finditer(text):
        rest = found["rest"] or found["www"] or found["ip"] or ""
        authority = re.split(r"[/?#\\]", rest, maxsplit=1)[0]
        host = re.sub(r":\d+$", "", authority.rpartition("@")[2]).lower().rstrip(".,;")
        if trick := _trick(authority, host):
            yield WARNING, f"an address that {trick}: {found[0][:80]!a}"
        elif host in _HERE:
            yield REMARK, f"an address of this machine or of examples: {host}"
        elif not _is_known(host, hosts):
            yield WARNING, f"an address: {found[0][:80]!a}"


def _trick(authority: str, host: str) -> str:
    if "@" in authority:
        return "hides its host behind a name"
    if "xn--" in host or not host.isascii():
        return "is written in look-alike letters"
    if host in _SHORTENERS:
        return "hides where it leads"
    is_number = re.fullmatch(r"[\d.]+|0x[0-9a-f]+|\[[0-9a-f:.]+\]", host) is not None
    return "has a number for a host" if is_number and host not in _HERE else ""


def _is_known(host: str, hosts: Collection[str]) -> bool:
    return any(host == known.lower() or host.endswith(f".{known.lower()}") for known in hosts)
