"""A file of allowed signers, as `ssh-keygen` describes it: which keys it holds.

Git and `ssh-keygen` verify; they do not say whether a key that did not do is a stranger's, or one of the file's that
was not valid at that time. The fingerprints of the file's keys tell.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from gitinstinct.errors import UsageError

MOST = 1024 * 1024  # bytes
_KEY = re.compile(r"(?:^|\s)(?:ssh|ecdsa|sk-ssh|sk-ecdsa)-[a-zA-Z0-9@.-]+\s+([A-Za-z0-9+/=]+)")


@dataclass(frozen=True, slots=True)
class KeyRing:
    """The fingerprints of the keys in a file of allowed signers, as git prints them."""

    keys: frozenset[str]

    @classmethod
    def read(cls, file: Path) -> KeyRing:
        """The keys of a file.

        Raises:
            UsageError: it cannot be read, or holds no key.
        """
        try:
            data = file.read_bytes() if file.is_file() and file.stat().st_size <= MOST else b""
        except OSError as error:
            raise _unusable(file, error.strerror or "cannot be read") from error
        lines = data.decode("utf-8", "replace").splitlines()
        found = [found[1] for line in lines if not line.startswith("#") and (found := _KEY.search(line))]
        keys = frozenset(filter(None, map(_fingerprint, found)))
        if not keys:
            raise _unusable(file, "it holds no key" if data else "there is no such file, or it is empty or too large")
        return cls(keys)


def _unusable(file: Path, why: str) -> UsageError:
    hint = "one line each: ann@example.org ssh-ed25519 AAAA…, see ALLOWED SIGNERS in man ssh-keygen"
    return UsageError(f"the file of allowed signers {file} cannot be used: {why}", hint)


def _fingerprint(key: str) -> str:
    try:
        blob = base64.b64decode(key, validate=True)
    except (binascii.Error, ValueError):
        return ""
    return "SHA256:" + base64.b64encode(hashlib.sha256(blob).digest()).decode().rstrip("=")
