"""A file from the web, by https. Size, time and redirects are bounded, and nothing that the server claims is trusted.

No password is sent and none is taken: neither from the address nor from a file of the person's. Plain http can be
changed on its way and is only spoken with this machine itself.
"""

from __future__ import annotations

import queue
import ssl
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from http.client import HTTPException, HTTPResponse
from typing import IO, Any
from urllib.parse import urlsplit

from gitinstinct.errors import EnvironmentFault, Found, UsageError
from gitinstinct.exchange import readers
from gitinstinct.exchange.sources.source import MOST_BYTES

SECONDS = 60.0
_SILENCE = 15.0
_REDIRECTS = 5
_CHUNK = 65_536
_HERE = ("localhost", "127.0.0.1", "::1")
_HINT = "give the address of a file, https://HOST/PATH"


@dataclass(frozen=True, slots=True)
class Got:
    """What an address gave: its name as a source, the address in the end, the bytes."""

    name: str
    address: str
    data: bytes


def is_address(text: str) -> bool:
    """Whether it is an address of the web."""
    return text.lower().startswith(("https://", "http://"))


def is_page(data: bytes) -> bool:
    """Whether these bytes are a page for people."""
    return readers.is_page(data[:2_000].decode("utf-8", "replace"))


def get(address: str, seconds: float = SECONDS) -> Got:
    """Fetches a file.

    Raises:
        UsageError: the address holds a password, or is not https.
        Found: there is nothing, or it is too large.
        EnvironmentFault: the server cannot be reached, or is too slow.
    """
    _refuse(address)
    answers: queue.Queue[tuple[str, bytes] | Exception] = queue.Queue()
    worker = threading.Thread(target=_work, args=(address, seconds, answers), daemon=True)
    worker.start()
    try:
        answer = answers.get(timeout=seconds)  # a server that drips never runs into the limit of one silence
    except queue.Empty:
        raise EnvironmentFault(
            f"{_shown(address)} did not answer within {seconds:g} seconds", "try again later"
        ) from None
    if isinstance(answer, Exception):
        raise _explained(address, answer) from answer
    found, data = answer
    return Got(_name(address), _shown(found), data)


def _refuse(address: str) -> None:
    try:
        parts = urlsplit(address)
        host, _ = parts.hostname, parts.port
    except ValueError as error:
        raise UsageError(f"the address cannot be read: {error}", _HINT) from error
    if parts.username is not None or parts.password is not None:
        raise UsageError("the address holds a name or a password", "an address is kept in the history; leave them out")
    if not host or not address.isprintable() or " " in address:
        raise UsageError("the address has no host, or signs that none has", _HINT)
    if parts.scheme.lower() != "https" and host not in _HERE:
        raise UsageError("plain http can be read and changed on its way", "use https")


def _name(address: str) -> str:
    """The address without what may be secret or changes: user, query, fragment."""
    parts = urlsplit(address)
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.scheme.lower()}://{(parts.hostname or '').lower()}{port}{parts.path}"


_shown = _name


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Follows a few redirects, each only to where the first address might have been."""

    max_redirections = _REDIRECTS

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: Any, newurl: str
    ) -> urllib.request.Request | None:
        """The next request, or an error that says why there is none."""
        parts = urlsplit(newurl)
        to_http = parts.scheme == "http" and (urlsplit(req.full_url).scheme == "https" or parts.hostname not in _HERE)
        if parts.scheme not in ("https", "http") or to_http or parts.username is not None:
            raise UsageError(f"the address leads on to {_kind(parts.scheme)}, which is not followed", _HINT)
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _kind(scheme: str) -> str:
    return f"{scheme[:20]}://" if scheme.isalnum() else "an odd address"


def _work(address: str, seconds: float, answers: queue.Queue[tuple[str, bytes] | Exception]) -> None:
    try:
        answers.put(_fetched(address, time.monotonic() + seconds))
    except Exception as error:  # whatever the libraries let through is told by the thread that waits
        answers.put(error)


def _fetched(address: str, until: float) -> tuple[str, bytes]:
    opener = urllib.request.OpenerDirector()  # by hand: the usual one opens files and ftp, too
    for handler in _handlers():
        opener.add_handler(handler())
    wanted = urllib.request.Request(
        address, headers={"Accept": "*/*", "Accept-Encoding": "identity", "User-Agent": "gitinstinct"}
    )
    with opener.open(wanted, timeout=_SILENCE) as response:
        return response.geturl(), _bounded(response, until)


def _handlers() -> list[Callable[[], urllib.request.BaseHandler]]:
    return [
        urllib.request.ProxyHandler,
        urllib.request.HTTPHandler,
        lambda: urllib.request.HTTPSHandler(context=ssl.create_default_context()),
        urllib.request.HTTPDefaultErrorHandler,
        _Redirects,
        urllib.request.HTTPErrorProcessor,
        urllib.request.UnknownHandler,
    ]


def _bounded(response: HTTPResponse, until: float) -> bytes:
    made = bytearray()
    while chunk := response.read1(_CHUNK):
        made += chunk
        if len(made) > MOST_BYTES:
            raise Found(f"it has more than {MOST_BYTES:,} bytes", "import it from a file")
        if time.monotonic() > until:
            raise TimeoutError
    return bytes(made)


def _explained(address: str, error: Exception) -> Exception:
    where = _shown(address)
    if isinstance(error, Found | UsageError):
        return error
    if isinstance(error, urllib.error.HTTPError):
        hint = "fetch it with your browser, then import the file" if error.code in (401, 403) else "look at the address"
        return Found(f"{where} answers {error.code}", hint)
    if isinstance(error, urllib.error.URLError | OSError | HTTPException | ValueError):
        reason = getattr(error, "reason", None) or error
        return EnvironmentFault(
            f"{where} cannot be reached: {str(reason) or 'too slow'}", "are you online? try again later"
        )
    return error
