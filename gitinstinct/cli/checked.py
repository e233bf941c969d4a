"""What `check` found, for people and for scripts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any

from gitinstinct.check import stores
from gitinstinct.check.rules import Finding, Severity
from gitinstinct.check.span.judgement import Judged
from gitinstinct.cli import output
from gitinstinct.cli.output import counted, say

_INDENT = 17  # cells before what was found: line and severity


@dataclass(frozen=True, slots=True)
class Looked:
    """What was found in one place, and what was mended there.

    Attributes:
        title: the store's name.
        place: a store's folder, or that of a clone; None for bare files.
        findings: what was found.
        number: how many files were looked at.
        mended: what `--fix` did.
        judged: what more is known of a range.
    """

    title: str
    place: Path | None
    findings: tuple[Finding, ...]
    number: int
    mended: stores.Mended = field(default_factory=lambda: stores.Mended({}))
    judged: Judged | None = None


def where(finding: Finding) -> str:
    """What a finding is of: a file, or a commit."""
    return finding.file or f"commit {finding.commit[:10]}"


# --- JSON


def as_json(looked: Sequence[Looked], fix: bool) -> dict[str, Any]:
    """The same for scripts."""
    findings = [asdict(finding) | {"store": _path(one)} for one in looked for finding in one.findings]
    found: dict[str, Any] = {"findings": findings, "checked": sum(one.number for one in looked)}
    if fix:
        done = [(one, path, what) for one in looked for path, what in one.mended.done.items()]
        found["fixed"] = [{"file": path, "what": what, "store": _path(one)} for one, path, what in done]
        found["commits"] = [one.mended.commit for one in looked if one.mended.commit]
    ranges = [one.judged for one in looked if one.judged]
    return found | (_range_json(ranges[0]) if ranges else {})


def _range_json(judged: Judged) -> dict[str, Any]:
    span = judged.span
    return {
        "range": {
            "asked": span.asked.text,
            "old": span.old,
            "new": span.new,
            "bases": list(span.bases),
            "commits": judged.commits,
        },
        "promotions": [asdict(one) for one in judged.promotions],
        "signatures": [asdict(one) for one in judged.signatures],
    }


def _path(one: Looked) -> str | None:
    return str(one.place) if one.place else None


# --- people


def show(looked: Sequence[Looked], dry_run: bool) -> None:
    """What was found, what to do about it, and how much it is."""
    if not looked:
        say("There is no store yet.", (" `gitinstinct init`, or the first run, makes one.", "dim"))
        return
    for one in looked:
        if one.judged:
            _show_range(one, one.judged)
        elif one.place and (one.findings or one.mended.done):
            say((one.title, "bold"), f"  {one.place}")
        _show_mended(one.mended, dry_run)
        for _, findings in groupby(one.findings, lambda found: (where(found), found.uncommitted)):
            _show_findings(list(findings))
    say(*summary(looked, dry_run))


def _show_range(one: Looked, judged: Judged) -> None:
    say((one.title, "bold"), f"  {judged.span.asked.meaning}, in {one.place}")
    for names, projects, verified in dict.fromkeys((p.ids, p.projects, p.verified) for p in judged.promotions):
        state = ("verified", "green") if verified else ("not verified", "yellow")
        say(("  promoted  ", "dim"), f"{', '.join(names)} from {', '.join(projects) or 'nowhere'}, ", state)
    signers: dict[tuple[str, str], int] = {}
    for signed in judged.signatures:
        if signed.signer:
            signers[signed.signer, signed.author] = signers.get((signed.signer, signed.author), 0) + 1
    for (signer, author), number in signers.items():
        say(
            ("  signed    ", "dim"), f"{counted(number, 'commit')} by {signer}", (f"; author by claim: {author}", "dim")
        )


def _show_mended(mended: stores.Mended, dry_run: bool) -> None:
    if mended.edits:
        say(f"your changes were committed first, as yours: {', '.join(commit[:10] for commit in mended.edits)}")
    for path, what in mended.done.items():
        say(("would mend  " if dry_run else "mended  ", "green"), path, (f"  {', '.join(what)}", "dim"))
    if mended.commit:
        say(("commit ", "dim"), (mended.commit[:10], "yellow"))


def _show_findings(findings: Sequence[Finding]) -> None:
    say((where(findings[0]), "bold"), ("  not committed" if findings[0].uncommitted else "", "dim"))
    for finding in findings:
        colour = "red" if finding.severity is Severity.ERROR else "yellow"
        first, *rest = output.wrapped(f"{finding.why}  [{finding.rule}]", _INDENT)
        say(f"{finding.line or '':>6}  ", (f"{finding.severity:<9}", colour), first)
        for line in rest:
            say(" " * _INDENT, line)
        for line in output.wrapped(finding.remedy, _INDENT):
            say(" " * _INDENT, (line, "dim"))


def summary(looked: Sequence[Looked], dry_run: bool) -> Iterator[output.Part]:
    """How much was looked at and found, on one line without a foreign word."""
    findings = [finding for one in looked for finding in one.findings]
    yield f"{_counted(looked)} checked: "
    if not findings:
        yield ("nothing found", "green")
        return
    errors = sum(finding.severity is Severity.ERROR for finding in findings)
    told = [counted(errors, "error"), counted(len(findings) - errors, "warning")]
    yield (", ".join(text for text in told if not text.startswith("0 ")), "red" if errors else "yellow")
    fixable = sum(finding.fixable for finding in findings)
    if fixable and not dry_run:
        what = " FILE" if any(one.judged for one in looked) else ""
        yield (f"; `gitinstinct check --fix{what}` mends {fixable} of them", "dim")


def _counted(looked: Sequence[Looked]) -> str:
    files = counted(sum(one.number for one in looked), "file")
    commits = [one.judged.commits for one in looked if one.judged and one.judged.span.old]
    return f"{counted(sum(commits), 'commit')}, {files}" if commits else files
