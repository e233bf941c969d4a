"""Which range, or which revision, a word after `check` means, where it is found, and how it is judged.

The working directory comes first: any clone of a store will do, as a runner of a host makes one. Else it is the store
of the project. What has no `store.yaml` on either side is no store and is left alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from gitinstinct import config
from gitinstinct.check.span import asked, judgement, signed
from gitinstinct.check.span.asked import Asked, Span
from gitinstinct.cli import output
from gitinstinct.cli.checked import Looked
from gitinstinct.cli.target import where
from gitinstinct.errors import EnvironmentFault, Found, UsageError
from gitinstinct.git import clone
from gitinstinct.git.blobs import blobs
from gitinstinct.git.clone import Clone
from gitinstinct.git.signatures import Signers
from gitinstinct.store import layout
from gitinstinct.store.layout import ABOUT


@dataclass(frozen=True, slots=True)
class Answering:
    """Who has to answer for a range: signers, and approvers who had no hand in it."""

    signed: bool = False
    signers: Path | None = None
    revoked: Path | None = None
    approvers: tuple[str, ...] | None = None
    author: str = ""

    @property
    def is_asked(self) -> bool:
        """Whether anything of that was asked for."""
        return self.needs_signatures or self.approvers is not None or bool(self.author)

    @property
    def needs_signatures(self) -> bool:
        """Whether every commit has to be signed."""
        return self.signed or self.signers is not None or self.revoked is not None


def is_meant(words: Sequence[str], *, alone: bool) -> bool:
    """Whether the words can be a range or a revision, and are no files.

    Args:
        words: those after `check`.
        alone: whether nothing is asked that goes with files and stores only.

    Raises:
        UsageError: a range stands among other words, or is asked for with what does not go with it.
    """
    others = [word for word in words if not _is_there(word)]
    ranges = [word for word in others if asked.is_range(word)]
    if ranges and (len(words) > 1 or not alone):
        raise UsageError(f"{ranges[0]} is a range, which is checked alone", "without files, --all and --fix")
    return alone and len(words) == 1 and len(others) == 1


def _is_there(word: str) -> bool:
    return Path(word).exists() or Path(word).is_symlink()


def look(
    word: str, project: str | None, only_global: bool, day: str, answering: Answering, *, quiet: bool
) -> Looked | None:
    """What is wrong with a range or a revision; None if the word is neither and may be a file.

    Raises:
        Found: a range names nothing here, or no store.
        UsageError: it cannot be asked for so.
        EnvironmentFault: the clone is shallow or partial.
    """
    wanted = asked.read(word)
    missing = wanted.sides
    for folder in _folders(project, only_global):
        try:
            with clone.opened(folder) as found:
                span = asked.resolve(found, wanted) if found else None
                if found and span and _is_store(span):
                    return _judged(found, span, day, answering, quiet=quiet)
                missing = min(missing, asked.missing(found, wanted) if found else missing, key=len)
        except EnvironmentFault:
            if _may_be_a_file(wanted):
                return None
            raise
    if _may_be_a_file(wanted) and missing:
        return None
    raise _nothing(wanted, missing)


def _folders(project: str | None, only_global: bool) -> Iterator[Path]:
    """Where to look, one after the other."""
    if project is None and not only_global:
        yield Path.cwd()
    held = where(project, only_global).store
    if held is not None:
        yield held.path


def _may_be_a_file(wanted: Asked) -> bool:
    return wanted.old is None and ("/" in wanted.new or "." in wanted.new)


def _nothing(wanted: Asked, missing: Sequence[str]) -> Found:
    if not missing:
        return Found(
            f"{wanted.text} is of no store of gitinstinct: it has no {ABOUT}", "go to a clone of one, or -C DIR"
        )
    what = "neither a file nor a revision" if wanted.old is None else "no range"
    return Found(
        f"{wanted.text} is {what} here: nothing is called {' or '.join(missing)}", "git fetch brings what is elsewhere"
    )


def _is_store(span: Span) -> bool:
    """Whether one of its sides is a store: what takes `store.yaml` away is checked, too."""
    names = [f"{commit}:{ABOUT}" for commit in (span.new, *span.bases)]
    return any(isinstance(data, bytes) for data in blobs(span.repo, names, layout.CAP).values())


def _judged(found: Clone, span: Span, day: str, answering: Answering, *, quiet: bool) -> Looked:
    if answering.is_asked and span.old is None:
        message = "--signed and --approver go with a range: one commit says nothing of those below it"
        raise UsageError(message, f"gitinstinct check main..{span.asked.new}")
    signers = _signers(found, answering) if answering.needs_signatures else None
    with output.progress("looking", quiet=quiet) as progress:
        approvers = () if answering.author and answering.approvers is None else answering.approvers
        wanted = judgement.Wanted(day, signers, approvers, answering.author, progress)
        judged = judgement.judge(found, span, wanted)
    return Looked(span.asked.title, found.work_tree or found.folder, judged.findings, judged.files, judged=judged)


def _signers(found: Clone, answering: Answering) -> Signers:
    chosen = config.read().team.signers
    file = answering.signers or (Path(chosen) if chosen else None)
    if file is None:
        raise UsageError("--signed needs a file that says who may sign", "--signers FILE, or the setting team.signers")
    revoked = answering.revoked
    if revoked is not None and not revoked.is_file():
        raise UsageError(f"there is no file {revoked}", "--revoked FILE names public keys, one a line, or a KRL")
    return Signers(signed.outside(file, found), signed.outside(revoked, found) if revoked else None)
