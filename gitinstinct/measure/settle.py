"""Brings everything up to date: sessions that are over get their outcome, what is decided gets its verdict.

Whoever looks calls this: the report, a run of the observer. It may be called at any time and as often as one likes;
nothing is counted twice, and no verdict depends on when somebody looked.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from gitinstinct.instinct.model import Instinct
from gitinstinct.measure import assigned, conduct, grammar, outcomes, reading, signals, verdicts
from gitinstinct.measure.assigned import Assigned
from gitinstinct.measure.calls import Conduct
from gitinstinct.measure.decision import Verdict
from gitinstinct.measure.errors import Malformed
from gitinstinct.measure.outcomes import CHECK, SIGNALS, UNTOLD, Outcome
from gitinstinct.measure.persons import may_withhold
from gitinstinct.measure.reading import Heard
from gitinstinct.measure.shelves import Shelves
from gitinstinct.measure.strata import Stratum, gather

_LOST = timedelta(days=2)
"""A session of which nothing was captured for so long says nothing."""

_HELD = {Verdict.HARMS: verdicts.QUARANTINED, Verdict.INERT: verdicts.INERT}


def update(now: datetime) -> list[Stratum]:
    """Settles all projects; the instincts that are held back from now on and were not before.

    Raises:
        OSError: the disk does not take it. Nothing is lost: the next call does the same again.
    """
    shelves = Shelves()
    for project in assigned.projects():
        _settle(project, shelves, now)
    return _decide(gather(), shelves, now)


# --- outcomes


def _settle(project: str, shelves: Shelves, now: datetime) -> None:
    known = {outcome.key for outcome in outcomes.read(project)}
    open_ = [line for line in assigned.read(project).lines if line.probation and line.key not in known]
    if not open_:
        return
    read = reading.read(project, {line.session for line in open_}, now)
    settled = {line: _settled(line, read.sessions.get(line.session), shelves, now) for line in open_}
    if outcomes.append(project, [outcome for outcome in settled.values() if outcome is not None]):
        read.remember({line.session for line, outcome in settled.items() if outcome is None})


def _settled(line: Assigned, heard: Heard | None, shelves: Shelves, now: datetime) -> Outcome | None:
    """What came of one line; None as long as the session may go on."""
    if heard is None:
        return _outcome(line, UNTOLD, (0, 0), Conduct(), now) if now - line.at > _LOST else None
    if not heard.is_over(now):
        return None
    after = heard.conduct.since(line.at)
    instinct = shelves.find(line)
    if instinct is None:
        return None if shelves.is_damaged(line) else _outcome(line, UNTOLD, (0, 0), after, now)
    return _outcome(line, *_judged(instinct, after), after, now)


def _judged(instinct: Instinct, after: Conduct) -> tuple[str, tuple[int, int]]:
    """By its own check; by signals of trouble if it has none. A check that cannot be read tells nothing."""
    written = instinct.extra.get("check")
    if not written:
        return SIGNALS, signals.pooled(after.calls)
    try:
        return CHECK, conduct.judge(grammar.read(written), after.calls)
    except Malformed:
        return UNTOLD, (0, 0)


def _outcome(line: Assigned, kind: str, share: tuple[int, int], after: Conduct, now: datetime) -> Outcome:
    return Outcome(
        session=line.session,
        scope=line.scope,
        instinct=line.instinct,
        kind=kind,
        eligible=share[0],
        bad=share[1],
        prompts=len(after.prompts),
        corrections=after.corrections,
        settled=now.isoformat(),
    )


# --- verdicts


def _decide(strata: Sequence[Stratum], shelves: Shelves, now: datetime) -> list[Stratum]:
    """Writes down what is decided; what is newly held back."""
    old = verdicts.load()
    times = {_name(one): str(one.get("at", "")) for one in old}
    held = {_name(one) for one in old if one.get("held")}
    records, new = [], []
    for stratum in strata:
        if not stratum.decision.is_over:
            continue
        record = _record(stratum, _hold(stratum, strata, shelves))
        name = _name(record)
        records.append(record | {"at": times.get(name) or now.isoformat()})
        if record["held"] and name not in held:
            new.append(stratum)
    if records != old or verdicts.is_damaged():
        verdicts.save(records, verdicts.released())
    return new


def _record(stratum: Stratum, held: str) -> dict[str, str]:
    return {
        "owner": stratum.owner, "instinct": stratum.instinct, "text": stratum.text, "model": stratum.model,
        "verdict": str(stratum.decision.verdict), "held": held,
    }  # fmt: skip


def _name(record: dict[str, str]) -> tuple[str, ...]:
    return tuple(str(record[key]) for key in ("owner", "instinct", "text", "model", "verdict"))


def _hold(stratum: Stratum, strata: Iterable[Stratum], shelves: Shelves) -> str:
    """How it is held back; "" if it is not: a person's own never is, and of several models the last one speaks."""
    held = _HELD.get(stratum.decision.verdict, "")
    instinct = shelves.current(stratum.owner, stratum.instinct) if held else None
    if not held or (instinct is not None and not may_withhold(instinct)):
        return ""
    later = (other for other in strata if other.decision.is_over and other.words == stratum.words)
    return held if max(later, key=lambda other: other.last).model == stratum.model else ""


def release(owners: Sequence[str], name: str, now: datetime) -> list[str]:
    """Lets an instinct into sessions again, and begins its test anew; the owners that held it back, none if nobody did.

    Raises:
        OSError: the disk does not take it.
    """
    known = verdicts.load()
    freed = [one for one in known if one["instinct"] == name and one["owner"] in owners and one.get("held")]
    found = sorted({str(one["owner"]) for one in freed})
    if found:
        kept = [one for one in known if one["instinct"] != name or one["owner"] not in found]
        verdicts.save(kept, verdicts.released() | {(owner, name): now.isoformat() for owner in found})
    return found
