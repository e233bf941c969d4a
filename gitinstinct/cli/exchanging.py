"""Instincts in and out: `import`, `export`."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from gitinstinct import clock, paths
from gitinstinct.cli import exchanged, output, taught
from gitinstinct.cli.exchanged import Target
from gitinstinct.cli.output import say
from gitinstinct.cli.target import GlobalOption, JsonOption, Place, ProjectOption
from gitinstinct.cli.taught import DryRunOption, WhyOption
from gitinstinct.cli.teaching import hundredths
from gitinstinct.errors import ExitCode, Found, UsageError
from gitinstinct.exchange import exporting, importing, rendering, sources
from gitinstinct.exchange.gathering import Wish
from gitinstinct.exchange.selection import Choice, select
from gitinstinct.exchange.sources.source import MOST_BYTES, Source
from gitinstinct.instinct import ids
from gitinstinct.store import homes
from gitinstinct.store import store as stores
from gitinstinct.store.layout import About
from gitinstinct.store.store import Store
from gitinstinct.teach import words

LeastOption = Annotated[str, typer.Option("--min-confidence", metavar="X", help="Only what is worth that much.")]


# --- import


def import_(
    source: Annotated[
        str, typer.Argument(metavar="SRC", help="A file, folder, archive, bundle or address; - for stdin.")
    ],
    name: Annotated[str, typer.Option("--name", metavar="NAME", help="What the source is called, else its own.")] = "",
    own_id: Annotated[str, typer.Option("--as", metavar="ID", help="The id for a single instinct.")] = "",
    least: LeastOption = "0",
    scope: Annotated[str, typer.Option("--scope", metavar="SCOPE", help="project or global.")] = "",
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    why: WhyOption = "",
    dry_run: DryRunOption = False,
    project: ProjectOption = None,
    only_global: GlobalOption = False,
    as_json: JsonOption = False,
) -> int:
    """Take instincts over from elsewhere.

    From a file, a folder, an archive, a bundle, a repository or the web. They come in on a branch of their source
    and are merged. Importing the same again changes nothing; what was corrected there is corrected here, what you
    changed stays, what is gone there is archived here. What is not taken is named with its reason.

    Example:

      gitinstinct import team-instincts.yaml --dry-run
    """
    if not (yes or dry_run or output.is_terminal()):
        raise UsageError("import asks before it merges, and there is no terminal", "add --yes, or --dry-run to look")
    now, wish = clock.now(), _wish(name, own_id, least, why)
    found = taught.place(project, _is_global(scope, project, only_global), now, rehearse=dry_run)
    gathered = sources.gather(source, _standard_input() if source == "-" else None)
    asks = not (yes or dry_run)
    if found.store is None:
        with _store(found, now, rehearse=True) as trial:  # refuses before a store is made for nothing
            importing.plan(trial, gathered, wish, now)
    with _store(found, now, rehearse=dry_run) as store:
        return _import(store, gathered, wish, now, rehearse=dry_run, asks=asks, as_json=as_json)


def _import(
    store: Store, source: Source, wish: Wish, now: datetime, *, rehearse: bool, asks: bool, as_json: bool
) -> int:
    with output.progress("reading", quiet=as_json) as tick:
        plan = importing.plan(store, source, wish, now, tick)
    outcome = None
    if plan.is_new:
        with output.progress("merging", quiet=as_json) as tick:
            outcome = importing.bring(store, plan, now, rehearse=rehearse or asks, progress=tick)
        if asks:
            exchanged.imported(plan, outcome, rehearsed=False)
            if not typer.confirm("Take them over?", default=True):
                say("Nothing was changed.")
                return ExitCode.DONE
            outcome = importing.bring(store, plan, now)
    if as_json:
        output.as_json(exchanged.imported_json(plan, outcome))
    else:
        exchanged.imported(plan, outcome, rehearsed=rehearse, again=asks and outcome is not None)
    return exchanged.import_code(plan, outcome)


def _wish(name: str, own_id: str, least: str, why: str) -> Wish:
    from gitinstinct.capture.redact import findings

    words.refuse({"reason": why, "name of the source": name}, findings)
    if own_id and not ids.is_id(own_id):
        raise UsageError(f"{own_id} is no id", "ids are a-z, 0-9 and single hyphens, 64 characters at most")
    return Wish(name, own_id, hundredths(least), " ".join(why.split()))


def _is_global(scope: str, project: str | None, only_global: bool) -> bool:
    if scope not in ("", "project", "global"):
        raise UsageError(f"{scope} is no scope", "it is project or global")
    if scope == "project" and only_global:
        raise UsageError("--scope project and --global exclude each other", "give one of them")
    if scope == "global" and project is not None:
        raise UsageError("--scope global and --project exclude each other", "give one of them")
    return only_global or scope == "global"


def _standard_input() -> bytes:
    data = sys.stdin.buffer.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise Found(f"standard input has more than {MOST_BYTES:,} bytes", "import it in parts")
    return data


@contextmanager
def _store(found: Place, now: datetime, *, rehearse: bool) -> Iterator[Store]:
    """The store there; made on first need, or for a rehearsal one that is thrown away."""
    is_global = found.id == paths.GLOBAL
    if found.store is not None:
        yield found.store
    elif rehearse:
        about = About(paths.GLOBAL, "", paths.GLOBAL) if is_global else About("project", found.id, found.project.name)
        with tempfile.TemporaryDirectory(prefix="gitinstinct-") as folder:
            yield stores.create(Path(folder) / "store", about, now)
    else:
        made = homes.make_global(now) if is_global else homes.make(found.project, now)
        output.note(f"a store was made at {made.path}")
        yield made


# --- export


def export(
    names: Annotated[list[str] | None, typer.Argument(metavar="ID", help="Which; all live ones without.")] = None,
    out: Annotated[str, typer.Option("-o", "--output", metavar="FILE", help="Where to; - for standard output.")] = "",
    form: Annotated[
        str,
        typer.Option("--format", metavar="F", help=f"One of {', '.join(rendering.FORMATS)}; else by the file's name."),
    ] = "",
    bundle: Annotated[str, typer.Option("--bundle", metavar="FILE", help="As a git bundle, with all evidence.")] = "",
    push: Annotated[str, typer.Option("--push", metavar="URL", help="As a branch of a remote.")] = "",
    domain: Annotated[str, typer.Option("--domain", metavar="NAME", help="Only of this domain.")] = "",
    tag: Annotated[str, typer.Option("--tag", metavar="TAG", help="Only with this tag.")] = "",
    least: LeastOption = "0",
    name: Annotated[
        str, typer.Option("--name", metavar="NAME", help="What the export is called, else by the choice.")
    ] = "",
    with_project: Annotated[bool, typer.Option("--with-project", help="Say which project they are of.")] = False,
    dry_run: DryRunOption = False,
    project: ProjectOption = None,
    only_global: GlobalOption = False,
    as_json: JsonOption = False,
) -> int:
    """Give instincts to others, or to other tools.

    As a file for agents or people, as a git bundle, as a branch of a remote. Nothing goes out that holds a secret
    or a path in somebody's home. Observations never do. A file that `import` reads back loses nothing; in
    AGENTS.md, CLAUDE.md and rules only a marked block is written.

    Example:

      gitinstinct export --domain testing -o AGENTS.md
    """
    if name and not ids.is_id(name):
        raise UsageError(f"{name} is no name for an export", "a-z, 0-9 and single hyphens")
    choice = Choice(tuple(names or ()), domain, tag, hundredths(least), with_project)
    target = Target(_format(form, out), out or ("" if bundle or push else "-"), bundle, push)
    now = clock.now()
    store = taught.store_of(taught.place(project, only_global, now, rehearse=dry_run), "there is nothing to export")
    return _export(store, choice, target, name or choice.name, now, rehearse=dry_run, as_json=as_json)


def _export(
    store: Store, choice: Choice, target: Target, name: str, now: datetime, *, rehearse: bool, as_json: bool
) -> int:
    selection = select(store, choice, now.date().isoformat())
    made = exchanged.rendered(target, selection)  # refuses before anything is written
    exported = None if rehearse else exporting.commit(store, name, selection, now)
    if exported is not None:
        exchanged.deliver(store, exported, target, made, quiet=as_json)
    exchanged.report(selection, exported, target, name, as_json=as_json)
    return ExitCode.DONE


def _format(form: str, out: str) -> str:
    if form and form not in rendering.FORMATS:
        raise UsageError(f"{form} is no format", f"known are {', '.join(rendering.FORMATS)}")
    return form or (rendering.format_of(Path(out)) if out not in ("", "-") else "ecc")


VERBS = (import_, export)
