"""What `check` found, for a page of GitHub: annotations on the lines of a change, and a text for a summary.

A runner reads the output of every step line by line and obeys commands in it, `::name key=value::text` at the beginning
of a line and, the older way, `##[name]` anywhere. A file's name or a trigger must not become one. So each line begins
with a command of ours, and what is foreign is escaped as the runner itself unescapes it. In the summary every foreign
word stands in a code span, where it calls nobody and closes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gitinstinct.check.rules import Finding, Severity
from gitinstinct.cli import output
from gitinstinct.cli.checked import Looked, summary, where
from gitinstinct.pullrequest.harmless import span

LIMIT = 60_000  # bytes; GitHub takes 65,536 signs of a comment
_TITLE = "gitinstinct"


def annotation(finding: Finding) -> str:
    """One finding as a command of GitHub's workflows, on one line."""
    place = {"file": finding.file, "line": str(finding.line) if finding.line and finding.file else ""}
    said = finding.why if finding.file else f"{where(finding)}: {finding.why}"
    return _command(finding.severity, place | {"title": f"{_TITLE}: {finding.rule}"}, f"{said}; {finding.remedy}")


def failure(message: str, hint: str) -> str:
    """What kept the check from being made, the same way."""
    return _command(Severity.ERROR, {"title": _TITLE}, f"{message}; {hint}" if hint else message)


def _command(name: str, properties: dict[str, str], text: str) -> str:
    told = ",".join(f"{key}={_property(value)}" for key, value in properties.items() if value)
    return f"::{name} {told}::{_data(text)}"


def _data(text: str) -> str:
    """As `toCommandValue` of GitHub's toolkit: what ends a line or begins an escape; and the older way to command."""
    plain = output.clean(text).replace("##[", "## [")
    return plain.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def page(looked: Sequence[Looked]) -> str:
    """The findings as markdown, not more than `LIMIT` bytes; what has no room is counted."""
    lines, findings = list(_head(looked)), [finding for one in looked for finding in one.findings]
    room = LIMIT - sum(len(line.encode()) + 1 for line in lines) - 100
    for number, finding in enumerate(sorted(findings, key=lambda one: one.severity is not Severity.ERROR)):
        line = _point(finding)
        room -= len(line.encode()) + 1
        if room < 0:
            lines.append(f"\nand {len(findings) - number} more, which the log of the check has")
            break
        lines.append(line)
    return "\n".join(lines) + "\n"


def _head(looked: Sequence[Looked]) -> Iterator[str]:
    told = "".join(part if isinstance(part, str) else part[0] for part in summary(looked, dry_run=True))
    yield f"### gitinstinct: {told}\n"
    for judged in (one.judged for one in looked if one.judged):
        yield f"{span(judged.span.asked.meaning)}\n"
        for promotion in judged.promotions:
            state = "verified" if promotion.verified else "**not verified**"
            yield f"- promotion of {span(', '.join(promotion.ids))} from {span(', '.join(promotion.projects))}: {state}"
        for signer in sorted({one.signer for one in judged.signatures if one.signer}):
            yield f"- signed by {span(signer)}"


def _point(finding: Finding) -> str:
    line = f", line {finding.line}" if finding.line and finding.file else ""
    place = span(where(finding)) + line
    return f"- **{finding.severity}** {place} ({span(finding.rule)}): {span(finding.why)}<br>{span(finding.remedy)}"
