"""How measurements are shown: n beside every figure, and no figure that was not measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from gitinstinct import paths
from gitinstinct.cli import output
from gitinstinct.cli.output import counted, say
from gitinstinct.measure import decision as decisions
from gitinstinct.measure import interval, outcomes
from gitinstinct.measure.decision import Decision, Verdict
from gitinstinct.measure.pool import Pooled
from gitinstinct.measure.process import Arm
from gitinstinct.measure.report import Lately, Row
from gitinstinct.measure.selftest import Result
from gitinstinct.measure.strata import Stratum

_COLOURS = {Verdict.HELPS: "green", Verdict.HARMS: "red", Verdict.INERT: "yellow", Verdict.UNKNOWN: ""}
_KINDS = {outcomes.CHECK: "by its check", outcomes.SIGNALS: "by failures, denials, retries and changed edits"}
_HELD = {"quarantined": "it harms, and no session gets it", "inert": "it does nothing, and no session gets it"}


class Standing(NamedTuple):
    """Whether measuring is on (what `measure on` wrote down), what was withheld lately, how many lines are broken."""

    on: Mapping[str, object]
    lately: Lately
    broken: int


def report(standing: Standing, rows: Sequence[Row], new: Sequence[Stratum]) -> None:
    """All that is known, for people."""
    if standing.on:
        say(f"Measuring is on since {str(standing.on.get('since'))[:10]}: {standing.on['share']} % go without.")
    else:
        say("Measuring is off: nothing is withheld.", ("  gitinstinct measure on", "dim"))
    if standing.lately.eligible:
        say("In the last 7 days {1} of {0} were withheld.".format(*standing.lately))
    if standing.broken:
        say((f"! {counted(standing.broken, 'line')} of the log cannot be read and counts for nothing", "yellow"))
    for stratum in new:
        newly_held(stratum)
    if not rows:
        say("Nothing was measured yet.")
    for row in rows:
        output.blank()
        _row(row)


def newly_held(stratum: Stratum) -> None:
    """That an instinct is held back from now on, and the way back."""
    does = "harms" if stratum.decision.verdict is Verdict.HARMS else "does nothing"
    say((f"! {stratum.instinct} {does}, and is held back from now on", "yellow"))
    whose = "" if stratum.owner == paths.GLOBAL else f" --project {stratum.owner}"  # perhaps not the one we are in
    say((f"  gitinstinct measure release {stratum.instinct}{whose}", "dim"))


def _row(row: Row) -> None:
    stratum = row.stratum
    details = [row.scope, stratum.model or "model unknown", "" if row.is_current else "former words"]
    say((stratum.instinct, "bold"), ("  " + "  ".join(filter(None, details)), "dim"))
    _figures(row.decision, stratum.kind)
    if row.left is not None:
        say(f"  about {row.left} more eligible sessions if it stays like this")
    elif not row.decision.is_over and row.decision.difference is None:
        least, most = decisions.NEEDED_AT_LEAST, decisions.NEEDED_AT_MOST
        say((f"  an effect shows after {least} to {most} eligible sessions, the small ones never", "dim"))
    if stratum.waiting:
        say((f"  {counted(stratum.waiting, 'session')} not over yet", "dim"))
    if row.holds_together is False:
        say(("  by itself; among all tests at once it may be chance", "dim"))
    _remarks(row)


def _remarks(row: Row) -> None:
    if row.is_theirs:
        say(("  yours by now: withheld from nobody", "dim"))
    with_it, without = row.said
    if with_it.corrections or without.corrections:
        said = (f"{one.corrections} of {counted(one.prompts, 'prompt')}" for one in row.said)
        say(("  estimated: you corrected in {} with it, in {} without".format(*said), "dim"))
    if row.held:
        say((f"  held back: {_HELD[row.held]}; gitinstinct measure release {row.stratum.instinct}", "yellow"))


def _figures(found: Decision, kind: str) -> None:
    """The verdict, n of both arms, and the difference where there is one."""
    arms = f"{_arm(found.evidence.injected)} with it, {_arm(found.evidence.withheld)} without"
    say((f"  {found.verdict:<16}", _COLOURS[found.verdict]), arms)
    span = found.interval
    if found.difference is not None and span is not None:
        ends, how = (span, "rarer") if found.difference >= 0 else ((-span.high, -span.low), "more frequent")
        low, high = (f"{100 * end:.0f}" for end in ends)
        judged = f", {_KINDS[kind]}" if kind in _KINDS else ""
        percent = f"{interval.MASS * 100:.0f} %"
        say(f"  {100 * abs(found.difference):.0f} points {how} with it ({percent}: {low} to {high}){judged}")


def _arm(arm: Arm) -> str:
    """`12 % bad in 34 sessions`, or `no session`."""
    return "no session" if arm.rate is None else f"{100 * arm.rate:.0f} % bad in {counted(arm.sessions, 'session')}"


def pooled(one: Pooled) -> None:
    """One test over several machines, for people."""
    test = one.test
    details = f"  {test.scope}  {test.model or 'model unknown'}  {counted(one.machines, 'machine')}"
    output.blank()
    say((test.instinct, "bold"), (details, "dim"))
    _figures(one.decision, test.kind)


def selftest(result: Result) -> None:
    """The A/A test, for people."""
    drawn = (
        f"{counted(result.sessions, 'session')} in {counted(result.series, 'row')}, labels drawn {result.draws} times"
    )
    say(f"{drawn}: found {result.helps} that help and {result.harms} that harm, where nothing can.")
    chance = f"{result.allowed} of each would be chance"
    if result.is_sound:
        say((f"Sound: {chance}.", "green"))
    else:
        say((f"Not sound: only {chance}. Do not believe the verdicts.", "red"))


# --- for scripts


def report_json(standing: Standing, rows: Sequence[Row], new: Sequence[Stratum]) -> dict[str, Any]:
    """All that is known, for scripts."""
    share = standing.on.get("share")
    return {
        "on": bool(standing.on),
        "share": share / 100 if isinstance(share, int) else None,
        "since": standing.on.get("since"),
        "lately": standing.lately._asdict(),
        "broken_lines": standing.broken,
        "newly_held": [stratum.instinct for stratum in new],
        "instincts": [_row_json(row) for row in rows],
    }


def _row_json(row: Row) -> dict[str, Any]:
    stratum = row.stratum
    return {
        "id": stratum.instinct,
        "scope": row.scope,
        "owner": stratum.owner,
        "text": stratum.text,
        "model": stratum.model or None,
        "current": row.is_current,
        "held": row.held or None,
        "never_withheld": row.is_theirs,
        "outcome": stratum.kind or None,
        **_decision_json(row.decision),
        "holds_together": row.holds_together,
        "sessions_left": row.left,
        "not_over": stratum.waiting,
        "estimated": [{"prompts": one.prompts, "corrections": one.corrections} for one in row.said],
    }


def _decision_json(found: Decision) -> dict[str, Any]:
    span = found.interval
    return {
        "verdict": str(found.verdict),
        "injected": _arm_json(found.evidence.injected),
        "withheld": _arm_json(found.evidence.withheld),
        "difference": None if found.difference is None else round(found.difference, 4),
        "interval": None if span is None else [round(end, 4) for end in span],
        "log_e": {"helps": round(found.evidence.helps, 4), "harms": round(found.evidence.harms, 4)},
    }


def _arm_json(arm: Arm) -> dict[str, Any]:
    return {"sessions": arm.sessions, "bad": None if arm.rate is None else round(arm.rate, 4)}


def pooled_json(one: Pooled) -> dict[str, Any]:
    """One test over several machines, for scripts."""
    test = one.test
    named = {"id": test.instinct, "scope": test.scope, "text": test.text, "model": test.model or None}
    return named | {"outcome": test.kind, "machines": one.machines} | _decision_json(one.decision)


def selftest_json(result: Result) -> dict[str, Any]:
    """The A/A test, for scripts."""
    return {
        "sound": result.is_sound, "rows": result.series, "sessions": result.sessions, "draws": result.draws,
        "helps": result.helps, "harms": result.harms, "allowed": result.allowed,
    }  # fmt: skip
