"""SSH keys for tests, made by ssh-keygen itself, and commits signed by them."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.repos import git

needs_ssh_keygen = pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="ssh-keygen is not installed")


@dataclass(frozen=True)
class Key:
    """A key: its private file; the public one lies beside it."""

    file: Path

    @property
    def public(self) -> str:
        """Type and key, without the comment."""
        return " ".join(Path(f"{self.file}.pub").read_text().split()[:2])

    def line(self, who: str, options: str = "") -> str:
        """A line of a file of allowed signers."""
        return " ".join(filter(None, (who, options, self.public))) + "\n"

    def commit(self, folder: Path, message: str = "signed", *, author: str = "Ann <ann@example.org>") -> str:
        """An empty commit that is signed with it; its id."""
        settings = ("-c", "gpg.format=ssh", "-c", f"user.signingkey={self.file}")
        git(folder, *settings, "commit", "-q", "--allow-empty", "-S", "-m", message, f"--author={author}")
        return git(folder, "rev-parse", "HEAD")


def key(folder: Path, name: str) -> Key:
    """A fresh key."""
    file = folder / "keys" / name
    file.parent.mkdir(exist_ok=True)
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", name, "-f", str(file)], check=True)
    return Key(file)


def tampered(folder: Path, commit: str, old: bytes, new: bytes) -> str:
    """A commit like another one, with other bytes in it; its id."""
    data = subprocess.run(["git", "cat-file", "commit", commit], cwd=folder, capture_output=True, check=True).stdout
    assert old in data
    return git(folder, "hash-object", "-t", "commit", "-w", "--literally", "--stdin", stdin=data.replace(old, new))
