"""`check`: what is wrong with instincts or with what is proposed, why, and the way out; `--fix` mends."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from gitinstinct import clock
from gitinstinct import paths as places
from gitinstinct.check import bare, inspection, stores
from gitinstinct.cli import annotating, checked, output, ranging
from gitinstinct.cli.checked import Looked
from gitinstinct.cli.ranging import Answering
from gitinstinct.cli.target import GlobalOption, JsonOption, ProjectOption, where
from gitinstinct.errors import EnvironmentFault, ExitCode, FatalError, UsageError
from gitinstinct.store import homes, store
from gitinstinct.store.errors import Missing, disk
from gitinstinct.store.store import Store


class Form(StrEnum):
    """How the findings are printed."""

    HUMAN = "human"
    JSON = "json"
    GITHUB = "github"


WordsArgument = Annotated[
    list[str] | None, typer.Argument(metavar="RANGE|FILE", help="A range, a revision, or bare files.")
]
AllOption = Annotated[bool, typer.Option("--all", "-a", help="Every store on this machine.")]
FixOption = Annotated[bool, typer.Option("--fix", help="Mend what is mechanical.")]
RehearseOption = Annotated[bool, typer.Option("--dry-run", "-n", help="With --fix: tell what it would mend.")]
SignedOption = Annotated[bool, typer.Option("--signed", help="Each commit of the range must be signed.")]
SignersOption = Annotated[
    Path | None, typer.Option("--signers", metavar="FILE", help="Who may sign, by their SSH keys.")
]
RevokedOption = Annotated[Path | None, typer.Option("--revoked", metavar="FILE", help="Keys that may not any more.")]
ApproverOption = Annotated[
    list[str] | None, typer.Option("--approver", metavar="NAME", help="Who approved it; one must not have written it.")
]
AuthorOption = Annotated[str, typer.Option("--author", metavar="NAME", help="Who proposes it.")]
FormOption = Annotated[
    str | None, typer.Option("--format", metavar="|".join(Form), help="How to print it.", show_default=False)
]
SummaryOption = Annotated[
    Path | None, typer.Option("--summary", metavar="FILE", help="Write it as markdown for a comment.")
]


def check(
    words: WordsArgument = None,
    everything: AllOption = False,
    fix: FixOption = False,
    dry_run: RehearseOption = False,
    signed: SignedOption = False,
    signers: SignersOption = None,
    revoked: RevokedOption = None,
    approver: ApproverOption = None,
    author: AuthorOption = "",
    form: FormOption = None,
    summary: SummaryOption = None,
    project: ProjectOption = None,
    only_global: GlobalOption = False,
    as_json: JsonOption = False,
) -> int:
    """Find what is wrong with instincts, and how to mend it.

    Looks through the project's store, committed or not. Each finding has file, line, reason and way out. `--fix` mends
    what is mechanical, as one commit, or in place for bare files; never your words. Exit code 1 if there are errors.

    With A..B or A...B it judges what B brings, in any clone of a store: files, evidence, history, provenance, who
    signed. A single revision means its tree. Nothing is changed, and nothing of the range is run.

    Example:

      gitinstinct check main...feature
    """
    told = _form(form, as_json)
    answering = Answering(signed, signers, revoked, None if approver is None else tuple(approver), author)
    asked = Asked(words or [], everything, fix, dry_run, project, only_global, answering)
    with _told(told):
        looked = _looked(asked, quiet=told is not Form.HUMAN)
        _tell(looked, told, summary, fix, dry_run)
    return ExitCode.FOUND if any(inspection.failed(one.findings) for one in looked) else ExitCode.DONE


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked for on the command line."""

    words: list[str]
    everything: bool
    fix: bool
    dry_run: bool
    project: str | None
    only_global: bool
    answering: Answering

    @property
    def one_store(self) -> bool:
        """Whether a store was named."""
        return self.project is not None or self.only_global


def _form(said: str | None, as_json: bool) -> Form:
    if said is not None and said not in list(Form):
        raise UsageError(f"{said} is no format", f"one of: {', '.join(Form)}")
    if as_json and said not in (None, Form.JSON):
        raise UsageError(f"--json and --format {said} exclude each other", "give one of them")
    return Form.JSON if as_json else Form(said or Form.HUMAN)


def _looked(asked: Asked, *, quiet: bool) -> list[Looked]:
    day = clock.now().date().isoformat()
    if asked.dry_run and not asked.fix:
        raise UsageError("--dry-run goes with --fix", "without --fix nothing is changed anyway")
    if ranging.is_meant(asked.words, alone=not (asked.everything or asked.fix)):
        word = asked.words[0]
        found = ranging.look(word, asked.project, asked.only_global, day, asked.answering, quiet=quiet)
        if found is not None:
            return [found]
    if sum((bool(asked.words), asked.everything, asked.one_store)) > 1:
        raise UsageError("files, --all and one store exclude each other", "check one of them at a time")
    if asked.answering.is_asked:
        raise UsageError("signatures and approvals are a range's", "gitinstinct check --signed A..B")
    if asked.words:
        return [_bare([Path(word) for word in asked.words], day, asked.fix, asked.dry_run)]
    chosen = _chosen(asked.everything, asked.project, asked.only_global)
    return [_store(path, day, asked.fix, asked.dry_run, asked.everything) for path in chosen]


def _chosen(everything: bool, project: str | None, only_global: bool) -> Iterable[Path]:
    if everything:
        return homes.every()
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


def _tell(looked: list[Looked], form: Form, summary: Path | None, fix: bool, dry_run: bool) -> None:
    page = os.environ.get("GITHUB_STEP_SUMMARY") if form is Form.GITHUB else None
    if page:
        _write(Path(page), annotating.page(looked), "a")
    if summary is not None:
        _write(summary, annotating.page(looked), "w")
    if form is Form.JSON:
        output.as_json(checked.as_json(looked, fix))
    elif form is Form.GITHUB:
        for finding in (finding for one in looked for finding in one.findings):
            output.say(annotating.annotation(finding))
        output.say(*checked.summary(looked, dry_run=True))
    else:
        with output.paged():
            checked.show(looked, dry_run)


def _write(file: Path, text: str, mode: str) -> None:
    with disk("the summary could not be written"), file.open(mode, encoding="utf-8") as opened:
        opened.write(text)


@contextmanager
def _told(form: Form) -> Iterator[None]:
    """On a page of GitHub a check that could not be made stands where its findings would."""
    try:
        yield
    except FatalError as error:
        if form is Form.GITHUB:
            output.say(annotating.failure(error.message, error.hint))
        raise


VERBS = (check,)
