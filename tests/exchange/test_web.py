"""A file from the web: whatever the server does, there is an answer in time, and nothing else is opened."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from gitinstinct.errors import EnvironmentFault, FatalError, Found, UsageError
from gitinstinct.exchange import sources
from gitinstinct.exchange.sources import web
from tests.exchange.support import BOT
from tests.support.files import CANONICAL
from tests.support.repos import commit_all, git, repository

Answer = Callable[[BaseHTTPRequestHandler], None]


@contextmanager
def server(answer: Answer) -> Iterator[str]:
    """A server of this machine that answers every request so; its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            try:
                answer(self)
            except OSError:  # the client had enough
                return

        def log_message(self, *_: object) -> None:
            return

    held = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    held.daemon_threads = True
    threading.Thread(target=held.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{held.server_address[1]}"
    finally:
        held.shutdown()
        held.server_close()


def sending(data: bytes, code: int = 200, kind: str = "text/plain", **headers: str) -> Answer:
    def answer(to: BaseHTTPRequestHandler) -> None:
        to.send_response(code)
        for name, value in {"Content-Type": kind, **headers}.items():
            to.send_header(name, value)
        to.end_headers()
        to.wfile.write(data)

    return answer


def test_a_file_is_taken_whatever_the_server_calls_it() -> None:
    with server(sending(BOT.encode(), kind="application/x-evil")) as address:
        found = sources.gather(f"{address}/a/team.yaml?token=abc#")
    assert found.name == f"{address}/a/team.yaml"
    assert [file.path for file in found.files] == ["team.yaml"]
    assert found.files[0].data == BOT.encode()


def test_a_page_is_no_file() -> None:
    with (
        server(sending(b"<!DOCTYPE html><html>trigger: x</html>")) as address,
        pytest.raises(Found, match="a web page"),
    ):
        sources.gather(f"{address}/team")


@pytest.mark.parametrize("code", [404, 403, 500])
def test_an_error_is_told_by_its_number(code: int) -> None:
    with server(sending(b"", code)) as address, pytest.raises(Found, match=f"answers {code}"):
        sources.gather(f"{address}/x.yaml")


@pytest.mark.parametrize(
    "to",
    ["file:///etc/passwd", "ftp://127.0.0.1/x", "http://example.org/x", "http://u:p@127.0.0.1/x", "data:text/plain,x"],
)
def test_a_redirect_leads_nowhere_else(to: str) -> None:
    with server(sending(b"", 302, Location=to)) as address, pytest.raises(FatalError) as caught:
        sources.gather(f"{address}/x.yaml")
    assert "root:" not in str(caught.value)


def test_redirects_in_a_circle_end() -> None:
    with server(sending(b"", 302, Location="/again")) as address, pytest.raises(FatalError):
        sources.gather(f"{address}/x.yaml")


def test_a_redirect_on_this_machine_is_followed() -> None:
    def answer(to: BaseHTTPRequestHandler) -> None:
        if to.path == "/old":
            sending(b"", 301, Location="/new")(to)
        else:
            sending(BOT.encode())(to)

    with server(answer) as address:
        assert web.get(f"{address}/old").data == BOT.encode()
        assert web.get(f"{address}/old").name == f"{address}/old"


def test_a_server_that_drips_is_left_in_time() -> None:
    stop = threading.Event()

    def answer(to: BaseHTTPRequestHandler) -> None:
        to.send_response(200)
        to.end_headers()
        while not stop.wait(0.05):
            to.wfile.write(b".")

    with server(answer) as address, pytest.raises(EnvironmentFault, match="did not answer within"):
        web.get(f"{address}/x.yaml", seconds=0.5)
    stop.set()


def test_a_server_that_never_ends_its_head_is_left_in_time() -> None:
    def answer(to: BaseHTTPRequestHandler) -> None:
        to.wfile.write(b"HTTP/1.0 200 OK\r\n")
        for _ in range(20):
            to.wfile.write(b"X: y\r\n")
            time.sleep(0.1)

    with server(answer) as address, pytest.raises(EnvironmentFault, match="did not answer within"):
        web.get(f"{address}/x.yaml", seconds=0.5)


def test_more_than_a_file_may_have_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web, "MOST_BYTES", 100_000)
    with server(sending(b"x" * 200_000)) as address, pytest.raises(Found, match="more than 100,000 bytes"):
        web.get(f"{address}/x.yaml")


def test_nobody_there_is_told() -> None:
    with server(sending(b"")) as address:
        pass
    with pytest.raises(EnvironmentFault, match="cannot be reached"):
        sources.gather(f"{address}/x.yaml")


@pytest.mark.parametrize(
    "address",
    ["http://example.org/x.yaml", "https://ann:secret@example.org/x.yaml", "https://ann@example.org/x",
     "https:///x", "https://h:x/y", "https://[::1/x"],
)  # fmt: skip
def test_addresses_that_are_refused_unasked(address: str) -> None:
    with pytest.raises(UsageError) as caught:
        web.get(address)
    assert "secret" not in caught.value.message


def test_no_password_file_is_asked(home: Path) -> None:
    (home / ".netrc").write_text("machine 127.0.0.1 login ann password secret\n")
    seen: list[str | None] = []

    def answer(to: BaseHTTPRequestHandler) -> None:
        seen.append(to.headers.get("Authorization"))
        sending(BOT.encode())(to)

    with server(answer) as address:
        web.get(f"{address}/x.yaml")
    assert seen == [None]


def test_an_address_of_a_repository_that_shows_a_page_is_fetched_by_git(tmp_path: Path) -> None:
    """As with a forge: a browser gets a page, git gets the repository behind the same address."""
    repository(tmp_path / "work")
    commit_all(tmp_path / "work", {"instincts/grep-before-edit.md": CANONICAL})
    git(tmp_path, "clone", "-q", "--bare", "work", "team")
    git(tmp_path / "team", "update-server-info")

    def answer(to: BaseHTTPRequestHandler) -> None:
        file = tmp_path / to.path.partition("?")[0].strip("/")
        if file.is_file():
            sending(file.read_bytes(), kind="application/octet-stream")(to)
        elif file.is_dir():
            sending(b"<!DOCTYPE html><title>team</title>")(to)
        else:
            sending(b"", 404)(to)

    with server(answer) as address:
        found = sources.gather(f"{address}/team")
    assert found.name == f"{address.removeprefix('http://')}/team"
    assert [file.path for file in found.files] == ["instincts/grep-before-edit.md"]
