"""`merge`, another commit into a store; `merge-file`, three bare files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gitinstinct import clock
from gitinstinct.check import bare
from gitinstinct.cli import output, shared, taught
from gitinstinct.cli.output import say
from gitinstinct.cli.target import GlobalOption, JsonOption, ProjectOption
from gitinstinct.cli.taught import DryRunOption
from gitinstinct.errors import EnvironmentFault, ExitCode, Found, UsageError
from gitinstinct.git.repo import resolve
from gitinstinct.instinct import merge as merges
from gitinstinct.instinct.sheet import LENGTH


def merge(
    revision: Annotated[str, typer.Argument(metavar="REV", help="A branch or a commit of this store.")],
    dry_run: DryRunOption = False,
    project: ProjectOption = None,
    only_global: GlobalOption = False,
    as_json: JsonOption = False,
) -> int:
    """Merge another commit into the store.

    Like `git merge`, but every instinct that both sides changed is merged field by field, not only those in which git
    sees a conflict; and a conflict is committed as data, for `resolve`. Exit code 1 if there is one.

    Example:

      gitinstinct merge origin/main
    """
    from gitinstinct.store import incoming, merging

    at = clock.now()
    store = taught.store_of(taught.place(project, only_global, at, rehearse=dry_run), "there is nothing to merge into")
    theirs = resolve(store.repo, revision)
    if theirs is None:
        raise Found(f"no commit is called {revision}", store.repo.by_hand("branch --all") + " shows the branches")
    incoming.check(store, theirs)
    with output.progress("merging", quiet=as_json) as told:
        outcome = merging.merge(
            store, theirs, at, message=lambda found: merging.message(revision, found), rehearse=dry_run, progress=told
        )
    if as_json:
        output.as_json(shared.merged_json(outcome))
    else:
        shared.merged(outcome, rehearsed=dry_run)
    return ExitCode.FOUND if outcome.merging.conflicts else ExitCode.DONE


# --- bare files


def merge_file(
    base: Annotated[Path, typer.Argument(metavar="BASE", help="What both come from; an empty file if nothing.")],
    ours: Annotated[Path, typer.Argument(metavar="OURS", help="Takes the result.")],
    theirs: Annotated[Path, typer.Argument(metavar="THEIRS")],
    stdout: Annotated[bool, typer.Option("--stdout", "-p", help="Print the result, change no file.")] = False,
    path: Annotated[str | None, typer.Option("--path", metavar="PATH", help="The file's path in a store.")] = None,
    as_json: JsonOption = False,
) -> int:
    """Merge three versions of one instinct, outside any store.

    What `git merge-file` is to text. The result goes to OURS; a conflict is data in it, and the exit code is 1.

    Example:

      gitinstinct merge-file base.md ours.md theirs.md --stdout
    """
    versions = [_read(file) for file in (base, ours, theirs)]
    outcome = merges.merge(versions[0] or None, versions[1], versions[2], _stem(path))
    if isinstance(outcome, merges.Invalid):
        raise EnvironmentFault(f"nothing was merged: {outcome.reason}", "gitinstinct check FILE tells more")
    fields = outcome.fields if isinstance(outcome, merges.Conflicted) else ()
    data = outcome.data or b""
    if as_json:
        output.as_json({"conflicts": list(fields), "text": data.decode("utf-8", "replace")})
    elif stdout:
        output.raw_bytes(data)
    if not stdout and not as_json:
        bare.replace(ours, data)
        say(str(ours), ("  conflict in " + ", ".join(fields), "yellow") if fields else "  merged")
    return ExitCode.FOUND if fields else ExitCode.DONE


def _stem(path: str | None) -> str | None:
    from gitinstinct.instinct import ids

    if path is None:
        return None
    name = ids.of_path(path)
    if name is None:
        raise UsageError(f"{path} is no path of an instinct", f"give one like {ids.path_of('grep-before-edit')}")
    return name


def _read(file: Path) -> bytes:
    try:
        with file.open("rb") as opened:
            data = opened.read(LENGTH + 1)
    except OSError as error:
        raise EnvironmentFault(f"{file} cannot be read: {error.strerror or error}", "give three files") from error
    if len(data) > LENGTH:
        raise EnvironmentFault(f"{file} is larger than {LENGTH:,} bytes", "that is no instinct")
    return data


VERBS = (merge, merge_file)
