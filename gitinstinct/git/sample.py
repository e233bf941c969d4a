"""A fresh repository to play in (`demo`)."""

from __future__ import annotations

from pathlib import Path

from gitinstinct.git.repo import Repo
from gitinstinct.git.run import run


def make(folder: Path, remote: str) -> None:
    """Makes a folder a git repository with an `origin`; nothing is fetched."""
    run(["init", "--quiet", "--template=", "--initial-branch=main", "--", str(folder)], cwd=folder)
    Repo(folder / ".git", folder).run("remote", "add", "--", "origin", remote)
