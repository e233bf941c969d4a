"""Lock files that git left behind, or that a living git holds. They are named and never removed by us."""

from __future__ import annotations

from pathlib import Path

from gitinstinct.git.repo import Repo


def locks(repo: Repo) -> list[Path]:
    """The lock files of the index, HEAD, the config and the refs."""
    tops = [repo.git_dir.glob("*.lock"), (repo.git_dir / "refs").rglob("*.lock")]
    return sorted(file for found in tops for file in found)


def locked_by(repo: Repo, said: str) -> Path | None:
    """The lock that stopped a git, by what it said."""
    return next((file for file in locks(repo) if file.name in said), None)


def way_out(file: Path) -> str:
    """What a person can do about a lock."""
    return f"if no git is running there, a git that was killed has left it: delete {file}"
