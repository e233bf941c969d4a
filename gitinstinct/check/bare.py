"""Files anywhere: read without hanging on whatever they turn out to be, mended in place."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterable
from pathlib import Path

from gitinstinct.check.inspection import inspect_all
from gitinstinct.check.mend import mended
from gitinstinct.check.rules import Finding, Found, told
from gitinstinct.check.subject import Readable, Subject
from gitinstinct.store import files
from gitinstinct.store.errors import disk


def check(named: Iterable[Path], day: str) -> list[Finding]:
    """What is wrong with these files; one that cannot be read is a finding, and the others go on."""
    looked = [_looked_at(path) for path in dict.fromkeys(named)]
    faults = [one for one in looked if isinstance(one, Finding)]
    return [*faults, *inspect_all([one for one in looked if isinstance(one, Subject)], day)]


def _looked_at(path: Path) -> Subject | Finding:
    real = _real(path)
    try:
        data = None if real.is_dir() else files.read(real.parent, real.name)
    except files.NotPlain as error:
        return _unreadable(path, str(error))
    if data is None:
        return _unreadable(path, "a folder; name the files in it" if real.is_dir() else "there is no such file")
    return Subject(str(path), data, path.stem)


def _unreadable(path: Path, why: str) -> Finding:
    return told(Found("unreadable", None, why), str(path))


def _real(path: Path) -> Path:
    """Where a link that a person names leads to."""
    return Path(os.path.realpath(path))


def mend(named: Iterable[Path], day: str, *, dry_run: bool) -> dict[str, list[str]]:
    """Mends what is mechanical, each file in place by a new one under its name. Path → what was done.

    Args:
        named: files; those that cannot be read are left alone.
        day: today, as an ISO day: a file without a ledger counts from then.
        dry_run: tell only.

    Raises:
        EnvironmentFault: a file cannot be written.
    """
    done = {}
    for path in dict.fromkeys(named):
        subject = _looked_at(path)
        if isinstance(subject, Subject) and isinstance(subject.read, Readable):
            data, what = mended(subject.data, day, None)
            if what:
                done[str(path)] = what
                if not dry_run:
                    replace(path, data)
    return done


def replace(path: Path, data: bytes) -> None:
    """Puts new content in place of a file, through a link, and keeps its mode.

    Raises:
        EnvironmentFault: the disk refuses; the file is as it was.
    """
    file = _real(path)
    draft = file.with_name(f".{file.name}.{secrets.token_hex(4)}")
    with disk(f"{file} was left as it is"):
        try:
            draft.write_bytes(data)
            shutil.copymode(file, draft)
            draft.replace(file)
        finally:
            draft.unlink(missing_ok=True)
