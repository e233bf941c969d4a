"""Repositories for tests: a person's own git, and trees and objects that no honest git would make."""

from __future__ import annotations

import hashlib
import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from gitinstinct.git.identity import Actor
from gitinstinct.git.repo import Repo

ANN = Actor("Ann", "ann@example.org")


def git(
    folder: Path, *arguments: str, stdin: bytes = b"", ok: bool = True, env: Mapping[str, str] | None = None
) -> str:
    """Plain git, as a person would call it in that folder. With `ok=False` it may fail."""
    person = {f"GIT_{role}_{part}": value for role in ("AUTHOR", "COMMITTER") for part, value in _PERSON.items()}
    process = subprocess.run(
        ["git", *arguments],
        cwd=folder,
        input=stdin,
        capture_output=True,
        check=False,
        env=os.environ | person | dict(env or {}),
    )
    assert process.returncode == 0 or not ok, process.stderr.decode()
    return process.stdout.decode("utf-8", "surrogateescape").removesuffix("\n")


_PERSON = {"NAME": "Ann", "EMAIL": "ann@example.org"}


def repository(folder: Path, *, object_format: str = "sha1") -> Repo:
    """An empty repository with the branch `main`."""
    folder.mkdir(parents=True, exist_ok=True)
    git(folder, "init", "-q", "-b", "main", "--template=", f"--object-format={object_format}")
    return Repo(folder / ".git", folder)


def commit_all(folder: Path, files: Mapping[str, str | bytes], message: str = "work") -> str:
    """Writes files and commits everything, as a person; the commit's id."""
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)
    git(folder, "add", "-A")
    git(folder, "-c", "core.hooksPath=", "commit", "-q", "-m", message)
    return git(folder, "rev-parse", "HEAD")


def raw_commit(repo: Repo, entries: list[tuple[str, bytes, str]], *parents: str) -> str:
    """A commit whose tree holds exactly these (mode, name, id), in this order, checked by nobody."""
    content = b"".join(mode.encode() + b" " + name + b"\0" + bytes.fromhex(oid) for mode, name, oid in entries)
    tree_id = repo.ask("hash-object", "-t", "tree", "-w", "--literally", "--stdin", stdin=content)
    lines = [f"tree {tree_id}", *(f"parent {parent}" for parent in parents)]
    lines += [f"{role} x <x@y> 1700000000 +0000" for role in ("author", "committer")]
    return repo.ask("hash-object", "-t", "commit", "-w", "--stdin", stdin="\n".join([*lines, "", "raw\n"]).encode())


def corrupt(repo: Repo, oid: str, content: bytes | None = b"garbage") -> None:
    """Spoils a loose object; None removes it."""
    file = repo.git_dir / "objects" / oid[:2] / oid[2:]
    file.chmod(0o644)
    if content is None:
        file.unlink()
    else:
        file.write_bytes(content)


def snapshot(folder: Path) -> dict[str, str]:
    """Every file below a folder and the hash of its bytes."""
    return {
        str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in folder.rglob("*")
        if file.is_file()
    }


def script(folder: Path, name: str, body: str) -> Path:
    """An executable shell script."""
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"#!/bin/sh\n{body}\n")
    file.chmod(0o755)
    return file
