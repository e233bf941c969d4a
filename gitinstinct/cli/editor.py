"""`edit`: the person's editor on a copy, which counts only when it is sound.

This module is the one besides `demo` that starts a program: an editor is the person's own.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from gitinstinct.cli import output, taught
from gitinstinct.cli.output import say
from gitinstinct.cli.target import GlobalOption, JsonOption, ProjectOption
from gitinstinct.cli.taught import DryRunOption, WhyOption
from gitinstinct.errors import EnvironmentFault, ExitCode, FatalError, UsageError
from gitinstinct.git import editor
from gitinstinct.git.blobs import merge_text
from gitinstinct.instinct import ids
from gitinstinct.store import vetting
from gitinstinct.store.store import Store
from gitinstinct.teach import desk, words
from gitinstinct.teach.commands import Command
from gitinstinct.teach.desk import Desk, Outcome
from gitinstinct.teach.editing import Draft
from gitinstinct.teach.editing import edit as edited
from gitinstinct.teach.lesson import Lesson


def edit(
    name: Annotated[str, typer.Argument(metavar="ID", help="The instinct's id.")],
    file: Annotated[
        Path | None, typer.Option("--from", metavar="FILE", help="Take this text instead of opening an editor.")
    ] = None,
    why: WhyOption = "",
    dry_run: DryRunOption = False,
    project: ProjectOption = None,
    only_global: GlobalOption = False,
    as_json: JsonOption = False,
) -> int:
    """Change an instinct's words in your editor.

    The editor is the one that git would open. It works on a copy: what cannot be read, has another id or holds a secret
    does not count, and the copy is kept. `--from` takes such a copy up again.

    Example:

      gitinstinct edit grep-before-edit
    """
    from gitinstinct.capture.redact import findings

    command = taught.command("edit", why)
    words.refuse({"reason": command.why}, findings)
    found = taught.place(project, only_global, command.at, rehearse=dry_run)
    store = taught.store_of(found, f"no instinct is called {name}")
    given = _given(store, name, command.at)
    with _copy(name, given, file) as copy:
        if file is None:
            launch(copy, store.path)
        draft = Draft(name, _base(copy, given), copy.read_bytes())
        if draft.text.strip() in (b"", draft.given.strip()):
            say("Nothing was changed.")
            return ExitCode.DONE
        outcome = _carry_out(store, command, draft, rehearse=dry_run)
    taught.report(outcome, rehearsed=dry_run, as_json=as_json)
    return ExitCode.DONE


def _given(store: Store, name: str, now: datetime) -> bytes:
    return desk.look(store, now).contents([name])[name]


def _carry_out(store: Store, command: Command, draft: Draft, *, rehearse: bool) -> Outcome:
    def decide(at: Desk) -> Lesson:
        return _judged(store, command, at, draft)

    return desk.carry_out(store, decide, command.at, rehearse=rehearse)


def _judged(store: Store, command: Command, at: Desk, draft: Draft) -> Lesson:
    return edited(command, at, draft, vetting.reason, lambda *texts: merge_text(store.repo, *texts))


@contextmanager
def rewriting(store: Store, name: str, given: bytes) -> Iterator[Draft | None]:
    """Lets the person write a text that is not on `main` yet, and judges it before anything of it lands.

    Args:
        store: where it shall land.
        name: the instinct.
        given: its text.

    Yields:
        Their text, or None if they changed nothing. It is kept where something fails.

    Raises:
        Rejected: it does not count as it is.
    """
    with _copy(name, given, None) as copy:
        launch(copy, store.path)
        draft = Draft(name, given, copy.read_bytes())
        if draft.text.strip() in (b"", given.strip()):
            say("Nothing was changed.")
            yield None
            return
        command = taught.command("edit", "")
        at = desk.look(store, command.at)
        _judged(store, command, replace(at, edits={**at.edits, ids.path_of(name): given}), draft)
        yield draft


def commit(store: Store, draft: Draft) -> None:
    """Commits such a text, and tells."""
    taught.report(_carry_out(store, taught.command("edit", ""), draft, rehearse=False), rehearsed=False, as_json=False)


@contextmanager
def _copy(name: str, given: bytes, file: Path | None) -> Iterator[Path]:
    """The file to read: the person's own, or a copy in a folder that is theirs alone and stays if its text fails."""
    if file is not None:
        if not file.is_file():
            raise UsageError(f"{file} is no file", "name the text to take")
        with _told(name, file):
            yield file
        return
    folder = Path(tempfile.mkdtemp(prefix="gitinstinct-edit-"))
    copy = folder / f"{name}.md"
    copy.write_bytes(given)
    _beside(copy).write_bytes(given)
    try:
        with _told(name, copy, given):
            yield copy
    except FatalError:
        if copy.is_file() and copy.read_bytes() != given:
            raise
        shutil.rmtree(folder, ignore_errors=True)
        raise
    shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _told(name: str, copy: Path, given: bytes | None = None) -> Iterator[None]:
    """Where something fails, the hint says where the person's text is, if there is one."""
    try:
        yield
    except FatalError as error:
        if copy.is_file() and copy.read_bytes() != given:
            hint = f"your text is in {copy}; mend it there, then: gitinstinct edit {name} --from {copy}"
            error.hint = f"{error.hint}; {hint}" if error.hint else hint
        raise


def _beside(copy: Path) -> Path:
    """Where the text lies that the person was given."""
    return copy.with_name(f".{copy.name}.given")


def _base(copy: Path, given: bytes) -> bytes:
    """What the person's text began as; a text from elsewhere began as what is there now."""
    beside = _beside(copy)
    return beside.read_bytes() if beside.is_file() else given


def launch(copy: Path, folder: Path) -> None:
    """Runs the person's editor on a file and waits for its end.

    Args:
        copy: the file.
        folder: the repository whose settings name the editor, as git would ask there.

    Raises:
        UsageError: there is no terminal for the editor that is used when none is set.
        EnvironmentFault: it ended with an error.
    """
    chosen = editor.chosen(folder)
    if chosen is None and not output.is_terminal():
        raise UsageError(f"{editor.DEFAULT} needs a terminal, and there is none", "set EDITOR")
    line = chosen or editor.DEFAULT
    done = subprocess.run(_words(line, copy), check=False)
    if done.returncode != 0:
        raise EnvironmentFault(f"the editor {line} ended with code {done.returncode}; nothing was changed")


def _words(line: str, copy: Path) -> list[str] | str:
    """An editor is a piece of shell, as for git."""
    if os.name != "posix":
        return f'{line} "{copy}"'
    return ["/bin/sh", "-c", f'{line} "$@"', line, str(copy)]


VERBS = (edit,)
