"""Remotes on the loopback: git over http as servers do it, servers that misbehave, a real sshd."""

from __future__ import annotations

import os
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

BACKEND = Path(subprocess.run(["git", "--exec-path"], capture_output=True, text=True, check=True).stdout.strip())
SSHD = Path("/usr/sbin/sshd")


@contextmanager
def _serving(handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


class _Quiet(BaseHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Says nothing."""


@contextmanager
def http(root: Path, *, cut: int | None = None) -> Iterator[str]:
    """`git http-backend` for the repositories below a folder; with `cut` each answer ends after so many bytes."""

    class Handler(_Quiet):
        def do_GET(self) -> None:
            self._answer(b"")

        def do_POST(self) -> None:
            self._answer(self._body())

        def _body(self) -> bytes:
            if self.headers.get("Transfer-Encoding") != "chunked":
                return self.rfile.read(int(self.headers.get("Content-Length", 0)))
            body = b""
            while size := int(self.rfile.readline(), 16):
                body += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
            return body

        def _answer(self, body: bytes) -> None:
            path, _, query = self.path.partition("?")
            env = {
                "PATH": os.environ["PATH"], "GIT_PROJECT_ROOT": str(root), "GIT_HTTP_EXPORT_ALL": "1",
                "PATH_INFO": path, "QUERY_STRING": query, "REQUEST_METHOD": self.command, "REMOTE_USER": "ann",
                "CONTENT_TYPE": self.headers.get("Content-Type", ""), "CONTENT_LENGTH": str(len(body)),
                "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
                "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""), "HOME": str(root),
            }  # fmt: skip
            made = subprocess.run(
                [str(BACKEND / "git-http-backend")], input=body, capture_output=True, env=env, check=False
            )
            head, _, content = made.stdout.partition(b"\r\n\r\n")
            fields = dict(line.split(": ", 1) for line in head.decode().split("\r\n") if ": " in line)
            self.send_response(int(fields.pop("Status", "200")[:3]))
            for name, value in fields.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content if cut is None or self.command == "GET" else content[:cut])

    with _serving(Handler) as url:
        yield url


@contextmanager
def answering(status: int, *headers: tuple[str, str], body: bytes = b"") -> Iterator[str]:
    """A server that says the same to everybody."""

    class Handler(_Quiet):
        def do_GET(self) -> None:
            self.send_response(status)
            for name, value in (*headers, ("Content-Length", str(len(body)))):
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

    with _serving(Handler) as url:
        yield url


@contextmanager
def listening(then: Callable[[socket.socket], None]) -> Iterator[int]:
    """A port where each caller gets `then`."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        ended = threading.Event()

        def accept() -> None:
            while not ended.is_set():
                try:
                    caller, _ = server.accept()
                except OSError:
                    return
                threading.Thread(target=then, args=(caller,), daemon=True).start()

        threading.Thread(target=accept, daemon=True).start()
        try:
            yield server.getsockname()[1]
        finally:
            ended.set()


@contextmanager
def sshd(folder: Path, home: Path) -> Iterator[int]:
    """A real sshd for this user on the loopback, whose key the user knows; the port."""
    folder.mkdir(mode=0o700)
    for name in ("host", "user"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(folder / name)], check=True)
    (folder / "authorized").write_bytes((folder / "user.pub").read_bytes())
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    settings = {
        "Port": port, "ListenAddress": "127.0.0.1", "HostKey": folder / "host", "PidFile": "none",
        "AuthorizedKeysFile": folder / "authorized", "StrictModes": "no", "UsePAM": "no",
    }  # fmt: skip
    (folder / "sshd_config").write_text("".join(f"{name} {value}\n" for name, value in settings.items()))
    server = subprocess.Popen([str(SSHD), "-D", "-e", "-f", str(folder / "sshd_config")], stderr=subprocess.DEVNULL)
    host = " ".join((folder / "host.pub").read_text().split()[:2])
    (folder / "known").write_text(f"[127.0.0.1]:{port} {host}\n")
    try:
        for _ in range(100):
            with socket.socket() as caller:
                if server.poll() is not None or caller.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        if server.poll() is not None:
            pytest.skip("sshd does not start here: as root it wants /run/sshd, and the config must suit its version")
        yield port
    finally:
        server.terminate()
        server.wait()
