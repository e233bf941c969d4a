"""`merge`, another commit into a store; `merge-file`, three bare files."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gitinstinct import clock
from gitinstinct.cli import output, taught
from gitinstinct.cli.output import say
from gitinstinct.cli.target import GlobalOption, JsonOption, ProjectOption
from gitinstinct.cli.taught import DryRunOption
from gitinstinct.errors import EnvironmentFault, ExitCode, Found, UsageError
from gitinstinct.git.repo import resolve
from gitinstinct.instinct import merge as merges
from gitinstinct.instinct.sheet import LENGTH

if TYPE_CHECKING:
    from gitinstinct.store.merging import Merging, Outcome, Progress

_FEW = 500  # files below which a bar would only flicker


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
    with progress_bar() as told:
        outcome = merging.merge(
            store, theirs, at, message=lambda found: merging.message(revision, found), rehearse=dry_run, progress=told
        )
    if as_json:
        output.as_json(as_data(outcome))
    else:
        report(outcome, rehearsed=dry_run)
    return ExitCode.FOUND if outcome.merging.conflicts else ExitCode.DONE


@contextmanager
def progress_bar() -> Iterator[Progress | None]:
    """A bar on a terminal, for merges that take a while."""
    import sys

    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress as Bar

    with Bar(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("merging", total=None, visible=False)
        yield lambda done, total: bar.update(task, completed=done, total=total, visible=total > _FEW)


def report(outcome: Outcome, *, rehearsed: bool) -> None:
    """Tells what a merge did, for people."""
    found = outcome.merging
    if found.up_to_date:
        say("Already up to date.")
        return
    for names, verb in ((found.added, "added"), (found.changed, "changed"), (found.removed, "removed")):
        for name in names:
            say(f"  {verb:<9}", name)
    for name in found.merged:
        waits = found.conflicts.get(name)
        say("  ", ("conflict ", "yellow") if waits else "merged   ", name, f"  {', '.join(waits)}" if waits else "")
    for refusal in (*found.unreadable, *outcome.held):
        say((f"! {refusal.path}: {refusal.reason}", "yellow"))
    if outcome.pending:
        say((f"! the work tree follows later: {outcome.pending}", "yellow"))
    _print_end(outcome, rehearsed)


def _print_end(outcome: Outcome, rehearsed: bool) -> None:
    if outcome.commit:
        say(("commit ", "dim"), (outcome.commit[:10], "yellow"), ("  fast-forward", "dim") if outcome.forwarded else "")
    elif rehearsed:
        say(("nothing was written: this is what it would do", "dim"))
    if outcome.merging.conflicts:
        say(
            f"{output.counted(len(outcome.merging.conflicts), 'conflict')} to settle: ", ("gitinstinct resolve", "bold")
        )


def as_data(outcome: Outcome) -> dict[str, Any]:
    """The same for scripts."""
    found: Merging = outcome.merging
    return {
        "commit": outcome.commit,
        "theirs": found.theirs,
        "bases": list(found.bases),
        "forwarded": outcome.forwarded,
        "added": list(found.added),
        "changed": list(found.changed),
        "removed": list(found.removed),
        "merged": list(found.merged),
        "conflicts": {name: list(fields) for name, fields in found.conflicts.items()},
        "unreadable": [{"path": refusal.path, "reason": refusal.reason} for refusal in found.unreadable],
        "held": [{"path": refusal.path, "reason": refusal.reason} for refusal in outcome.held],
        "pending": outcome.pending or None,
    }


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
        _write(ours, data)
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


def _write(file: Path, data: bytes) -> None:
    draft = file.with_name(f".{file.name}.draft")
    try:
        draft.write_bytes(data)
        draft.replace(file)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise EnvironmentFault(f"{file} cannot be written: {error.strerror or error}", "nothing has changed") from error


VERBS = (merge, merge_file)
