"""The one way to talk to a remote: with the person's settings for reaching it, and within limits.

What bounds it: wall time, and silence over http; no file (so no pack) above `limits.FILE` bytes and no more memory than
`limits.MEMORY`; large blobs are streamed instead of held.

The person's own git settings count here, for credentials and proxies; what could turn a fetch or a push into something
else is set again on the command line. A remote is called by its address and not by a name, so that no `uploadpack` or
`mirror` of a config has a say. Nobody is asked for a password: a background run has nobody to ask.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from gitinstinct.git import run
from gitinstinct.git.run import GitError, Overflow, Result
from gitinstinct.git.unreachable import Unreachable, where
from gitinstinct.git.url import Address

SECONDS = 120.0
_SILENCE = 20  # seconds without a word after which http gives up
_ANY = range(-64, 256)

# How to reach a host is the person's business; everything else that git reads from the environment is still dropped.
_KEPT = ("GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSH_VARIANT", "GIT_SSL_CAINFO", "GIT_SSL_CAPATH", "GIT_PROXY_COMMAND")
_OPTIONS = {
    "protocol.version": "2",  # the server tells of the asked branches alone
    "http.lowSpeedLimit": "1000",
    "http.lowSpeedTime": str(_SILENCE),
    "core.bigFileThreshold": "1m",  # what is larger is streamed
    "core.deltaBaseCacheLimit": "32m",
    "pack.threads": "1",
    "transfer.bundleURI": "false",  # fetches from a third place
    "fetch.unpackLimit": "100",  # the objects of a usual pull lie singly, those of a join in one pack
    "push.gpgSign": "false",
    "push.followTags": "false",
    "push.recurseSubmodules": "no",
    "push.pushOption": "",
}
FLAGS = tuple(part for name, value in _OPTIONS.items() for part in ("-c", f"{name}={value}"))


def talk(
    address: Address,
    arguments: Sequence[str],
    cwd: Path,
    seconds: float,
    *,
    most: int = run.MOST,
    env: Mapping[str, str] | None = None,
    personal: bool = True,
) -> Result:
    """Runs a git command that talks to a remote; any exit code is an answer, a signal too.

    Args:
        address: the remote.
        arguments: with `FLAGS` before the command.
        cwd: the folder to run in.
        seconds: wall time.
        most: bytes of output.
        env: further variables.
        personal: whether the person's settings count.

    Raises:
        Unreachable: it took too long, or is a file.
        Overflow: it said more than `most`.
    """
    if address.is_local and Path(address.url).is_file():  # git would take it for a bundle
        raise Unreachable(f"{where(address)} is a file, no repository", "gitinstinct import reads files")
    reach = {name: os.environ[name] for name in _KEPT if personal and name in os.environ}
    allowed = "file:https:ssh" + (":http" if address.kind == "http" else "")
    env = reach | {"GIT_ALLOW_PROTOCOL": allowed} | dict(env or {})
    with _other_side(address) as settings, _in_time(address, seconds):
        return run.run(
            arguments, cwd=cwd, env=env | settings, expect=_ANY, personal=personal, seconds=seconds, most=most,
            guarded=True,
        )  # fmt: skip


@contextmanager
def _in_time(address: Address, seconds: float) -> Iterator[None]:
    try:
        yield
    except Overflow:
        raise
    except GitError as error:
        if error.exit_code is None and "within" in error.stderr:
            message = f"{where(address)} did not answer within {seconds:g} seconds"
            raise Unreachable(message, "try again later; `team: timeout:` in the settings is the limit") from error
        raise


@contextmanager
def _other_side(address: Address) -> Iterator[dict[str, str]]:
    """For a folder of this machine the other side is a git that we start, too, and the person's hooks are not its.

    Which folders of others the person trusts still counts.
    """
    if not address.is_local:
        yield {}
        return
    with tempfile.TemporaryDirectory(prefix="gitinstinct-") as folder:
        trusted = run.run(
            ["config", "-z", "--global", "--get-all", "safe.directory"], cwd=Path(folder), personal=True, expect=_ANY
        )
        quoted = (value.replace(b"\\", b"\\\\").replace(b'"', b'\\"') for value in trusted.out.split(b"\0") if value)
        settings = Path(folder) / "gitconfig"
        settings.write_bytes(b"".join(b'[safe]\n\tdirectory = "%s"\n' % value for value in quoted))
        yield {"GIT_CONFIG_GLOBAL": str(settings)}
