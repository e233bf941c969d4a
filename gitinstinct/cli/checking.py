"""`check`: what is wrong with instinct files, why, and the way out; `--fix` mends what is mechanical."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any

import typer

from gitinstinct import clock
from gitinstinct import paths as places
from gitinstinct.check import bare, inspection, stores
from gitinstinct.check.rules import Finding, Severity
from gitinstinct.cli import output
from gitinstinct.cli.output import say
from gitinstinct.cli.target import GlobalOption, JsonOption, ProjectOption, where
from gitinstinct.errors import EnvironmentFault, ExitCode, UsageError
from gitinstinct.store import store
from gitinstinct.store.errors import Missing
from gitinstinct.store.store import Store

_INDENT = 17  # cells before what was found: line and severity


@dataclass(frozen=True, slots=True)
class Looked:
    """What was found in one place, and what was mended there; `place` is a store's folder, or None for bare files."""

    title: str
    place: Path | None
    findings: tuple[Finding, ...]
    number: int
    mended: stores.Mended = field(default_factory=lambda: stores.Mended({}))


def check(
    files: Annotated[list[Path] | None, typer.Argument(metavar="FILE", help="Bare files, outside any store.")] = None,
    everything: Annotated[bool, typer.Option("--all", "-a", help="Every store on this machine.")] = False,
    fix: Annotated[bool, typer.Option("--fix", help="Mend what is mechanical.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", "-n", help="With --fix: tell what it would mend.")] = False,
    project: ProjectOption = None,
    only_global: GlobalOption = False,
    as_json: JsonOption = False,
) -> int:
    """Find what is wrong with instincts, and how to mend it.

    Looks through the project's store: what is committed and what you have changed since. Each finding has its file, its
    line, the reason and the way out. `--fix` mends what is mechanical, as one commit of yours, or in place for bare
    files; it never changes your words, and evidence only where a merge by plain git has lost or misplaced it. Exit code
    1 if there are errors; warnings alone are none.

    Example:

      gitinstinct check --fix
    """
    _refuse_both(files, everything, fix, dry_run, project is not None or only_global)
    day = clock.now().date().isoformat()
    if files:
        looked = [_bare(files, day, fix, dry_run)]
    else:
        looked = [_store(path, day, fix, dry_run, everything) for path in _chosen(everything, project, only_global)]
    if as_json:
        output.as_json(_as_json(looked, fix))
    else:
        with output.paged():
            _print(looked, dry_run)
    return ExitCode.FOUND if any(inspection.failed(one.findings) for one in looked) else ExitCode.DONE


def _refuse_both(files: list[Path] | None, everything: bool, fix: bool, dry_run: bool, one_store: bool) -> None:
    if sum((bool(files), everything, one_store)) > 1:
        raise UsageError("files, --all and one store exclude each other", "check one of them at a time")
    if dry_run and not fix:
        raise UsageError("--dry-run goes with --fix", "without --fix nothing is changed anyway")


def _chosen(everything: bool, project: str | None, only_global: bool) -> Iterable[Path]:
    if everything:
        return stores.every()
    held = where(project, only_global).store
    return [] if held is None else [held.path]


# --- looking


def _bare(files: list[Path], day: str, fix: bool, dry_run: bool) -> Looked:
    done = bare.mend(files, day, dry_run=dry_run) if fix else {}
    findings = bare.check(files, day)
    return Looked("", None, tuple(findings), len(dict.fromkeys(files)), stores.Mended(done))


def _store(path: Path, day: str, fix: bool, dry_run: bool, go_on: bool) -> Looked:
    """One store; with `go_on` one that cannot be used is a finding, and the next one follows."""
    mended = stores.Mended({})
    try:
        held = store.open(path)
        if fix:
            mended = stores.rehearse(held, day) if dry_run else stores.mend(held, clock.now())
        found = stores.check(held, day, _everybody(held))
        return Looked(held.about.name, path, found.findings, found.number, mended)
    except EnvironmentFault as fault:
        if not go_on:
            raise
        return Looked(path.name, path, (stores.unusable(path, fault),), 0, mended)


def _everybody(held: Store) -> Store | None:
    """The global store, for a project's to be compared with."""
    try:
        return store.open(Path(places.store(places.GLOBAL))) if held.about.project_id else None
    except Missing:
        return None


# --- telling


def _as_json(looked: list[Looked], fix: bool) -> dict[str, Any]:
    findings = [asdict(finding) | {"store": _path(one)} for one in looked for finding in one.findings]
    found: dict[str, Any] = {"findings": findings, "checked": sum(one.number for one in looked)}
    if fix:
        done = [(one, path, what) for one in looked for path, what in one.mended.done.items()]
        found["fixed"] = [{"file": path, "what": what, "store": _path(one)} for one, path, what in done]
        found["commits"] = [one.mended.commit for one in looked if one.mended.commit]
    return found


def _path(one: Looked) -> str | None:
    return str(one.place) if one.place else None


def _print(looked: list[Looked], dry_run: bool) -> None:
    if not looked:
        say("There is no store yet.", (" `gitinstinct init`, or the first run, makes one.", "dim"))
        return
    for one in looked:
        if one.place and (one.findings or one.mended.done):
            say((one.title, "bold"), f"  {one.place}")
        _print_mended(one.mended, dry_run)
        for (file, uncommitted), findings in groupby(one.findings, lambda found: (found.file, found.uncommitted)):
            say((file, "bold"), ("  not committed" if uncommitted else "", "dim"))
            for finding in findings:
                _print_finding(finding)
    say(*_summary(looked, dry_run))


def _print_mended(mended: stores.Mended, dry_run: bool) -> None:
    if mended.edits:
        say(f"your changes were committed first, as yours: {', '.join(commit[:10] for commit in mended.edits)}")
    for path, what in mended.done.items():
        say(("would mend  " if dry_run else "mended  ", "green"), path, (f"  {', '.join(what)}", "dim"))
    if mended.commit:
        say(("commit ", "dim"), (mended.commit[:10], "yellow"))


def _print_finding(finding: Finding) -> None:
    colour = "red" if finding.severity is Severity.ERROR else "yellow"
    first, *rest = output.wrapped(f"{finding.why}  [{finding.rule}]", _INDENT)
    say(f"{finding.line or '':>6}  ", (f"{finding.severity:<9}", colour), first)
    for line in rest:
        say(" " * _INDENT, line)
    for line in output.wrapped(finding.remedy, _INDENT):
        say(" " * _INDENT, (line, "dim"))


def _summary(looked: list[Looked], dry_run: bool) -> Iterator[output.Part]:
    findings = [finding for one in looked for finding in one.findings]
    errors = sum(finding.severity is Severity.ERROR for finding in findings)
    number = sum(one.number for one in looked)
    yield f"{output.counted(number, 'file')} checked: "
    if not findings:
        yield ("nothing found", "green")
        return
    told = [output.counted(errors, "error"), output.counted(len(findings) - errors, "warning")]
    yield (", ".join(text for text in told if not text.startswith("0 ")), "red" if errors else "yellow")
    fixable = sum(finding.fixable for finding in findings)
    if fixable and not dry_run:
        yield (f"; `gitinstinct check --fix` mends {fixable} of them", "dim")


VERBS = (check,)
