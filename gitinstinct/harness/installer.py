"""Changing a settings file on disk: first a plan that can be shown, then one careful replacement.

The file belongs to the person and to the harness, which writes it too and takes no lock. So the plan holds the bytes
that it was made from, and carrying it out stops if they have changed. A link (dotfile repositories) is followed and the
real file written. The first change keeps a copy beside the file; taking the hooks out again removes that copy, and a
file that we made, when nothing of worth would be lost.
"""

from __future__ import annotations

import contextlib
import difflib
import os
import secrets
import sys
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from gitinstinct import paths, shipped
from gitinstinct.errors import EnvironmentFault
from gitinstinct.harness import caveats, settings
from gitinstinct.harness.model import Harness, Program, Scope

_BACKUP = ".gitinstinct-bak"


@dataclass(frozen=True, slots=True)
class Plan:
    """What would happen to one settings file. `before` and `after` are None where there is no file."""

    file: Path  # as the harness finds it
    before: bytes | None
    after: bytes | None
    installs: bool  # else it takes our hooks out
    warnings: tuple[str, ...] = ()

    @property
    def changed(self) -> bool:
        """Whether there is anything to do."""
        return self.before != self.after

    @property
    def diff(self) -> str:
        """The change as a unified diff; empty when there is none."""
        old, new = (_lines(side) for side in (self.before, self.after))
        return "\n".join(difflib.unified_diff(old, new, str(self.file), str(self.file), lineterm=""))


def this_program() -> Program:
    """The interpreter and the shim of the running installation."""
    return Program(str(Path(sys.executable).absolute()), str(shipped.hooks() / "hook.py"))


def plan(
    harness: Harness, scope: Scope, file: Path, program: Program | None = None, waiting: Collection[str] = ()
) -> Plan:
    """How our hooks would be put into a settings file (see `Harness.settings_file`; `waiting` as in `Harness.groups`).

    Raises:
        EnvironmentFault: the file cannot be read, is not writable, or is not such that it can be changed safely.
    """
    chosen = program or this_program()
    with _naming(file):
        before = _content(file)
        text = _decode(before)
        new = settings.add(text, harness.groups(scope, chosen, waiting), harness.owns)
        found = caveats.of_settings(settings.read(new), harness)
        if scope is not Scope.PROJECT:
            found += caveats.of_program(chosen)
        return _checked(Plan(file, before, new.encode(), True, tuple(found)), harness)


def unplan(harness: Harness, file: Path) -> Plan:
    """How our hooks would be taken out of a settings file again.

    Raises:
        EnvironmentFault: as for `plan`.
    """
    with _naming(file):
        before = _content(file)
        text = _decode(before)
        new = settings.remove(text, harness.owns)
        nothing_left = new != text and not settings.read(new)
        made_by_us = nothing_left and not file.is_symlink() and not backup(file).exists()
        after = None if before is None or made_by_us else new.encode()
        return _checked(Plan(file, before, after, False), harness)


def backup(file: Path) -> Path:
    """Where the copy of a settings file from before our first change lies."""
    real = _real(file)
    return real.with_name(real.name + _BACKUP)


def apply(plan: Plan) -> None:
    """Carries a plan out, or changes nothing.

    Raises:
        EnvironmentFault: the file changed since the plan was made, or cannot be written.
    """
    if not plan.changed:
        return
    real, copy = _real(plan.file), backup(plan.file)
    with _naming(plan.file), _lock():
        real.parent.mkdir(parents=True, exist_ok=True)
        if plan.installs and plan.before is not None and not copy.exists():
            with _beside(copy, plan.before, like=real) as new:
                _check_unchanged(plan)
                new.replace(copy)
        _swap(plan, real)
        if not plan.installs and _content(copy) == plan.after:
            copy.unlink(missing_ok=True)


def _checked(plan: Plan, harness: Harness) -> Plan:
    """The plan, unless it must not be carried out."""
    old, new = (_decode(side) for side in (plan.before, plan.after))
    assert settings.same_but_ours(old, new, harness.owns), "a bug: the change would alter foreign settings"
    # A replacement needs no right to write the old file; whoever took that right away still meant it.
    if plan.changed and plan.before is not None and not plan.file.stat().st_mode & 0o222:
        raise EnvironmentFault(f"{plan.file} is read-only", "make it writable, or edit it where it is generated")
    return plan


def _swap(plan: Plan, real: Path) -> None:
    if plan.after is None:
        _check_unchanged(plan)
        real.unlink()
        return
    with _beside(real, plan.after, like=real) as new:
        _check_unchanged(plan)
        new.replace(real)
    if _content(real) != plan.after:
        raise EnvironmentFault(f"another program wrote {plan.file} at the same moment", "run the command again")


def _check_unchanged(plan: Plan) -> None:
    if _content(plan.file) != plan.before:
        raise EnvironmentFault(f"{plan.file} has changed in the meantime", "run the command again")


@contextlib.contextmanager
def _beside(target: Path, content: bytes, like: Path) -> Iterator[Path]:
    """A new file beside the target, durable, with the mode and owner of another one; gone at the end unless moved."""
    path = target.with_name(f".{target.name}.{secrets.token_hex(4)}.tmp")
    try:
        with path.open("xb") as file:
            _dress(path, like)
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        yield path
    finally:
        path.unlink(missing_ok=True)


def _dress(path: Path, like: Path) -> None:
    if not like.exists():
        return
    status = like.stat()
    path.chmod(status.st_mode & 0o777)
    with contextlib.suppress(OSError, AttributeError):  # not ours to give away, or no owners here (Windows)
        os.chown(path, status.st_uid, status.st_gid)


@contextlib.contextmanager
def _lock() -> Iterator[None]:
    """Keeps our own processes apart."""
    from filelock import FileLock

    place = Path(paths.lock("settings"))
    paths.make_private(str(place.parent))
    with FileLock(place, timeout=10, mode=0o600):
        yield


@contextlib.contextmanager
def _naming(file: Path) -> Iterator[None]:
    """Every failure names the file and says that it was left alone."""
    try:
        yield
    except settings.Uneditable as error:
        message = f"{file} was left as it is: {error}"
        raise EnvironmentFault(message, "mend the file, then run the command again") from error
    except OSError as error:
        message = f"{file} was left as it is: {error.strerror or error}"
        raise EnvironmentFault(message, "check that you may read and write there") from error


def _content(file: Path) -> bytes | None:
    try:
        return file.read_bytes()
    except FileNotFoundError:
        return None


def _decode(content: bytes | None) -> str:
    try:
        return (content or b"").decode()
    except UnicodeDecodeError as error:
        raise settings.Uneditable("it is not UTF-8") from error


def _real(file: Path) -> Path:
    return Path(os.path.realpath(file))


def _lines(content: bytes | None) -> list[str]:
    return [line.rstrip("\r") for line in content.decode().split("\n")] if content else []
