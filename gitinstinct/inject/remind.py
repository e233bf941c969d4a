"""A word before a tool is used, where an instinct's `check` says that this very call goes against it.

Only checks that judge a call by itself can do that: what should come before or after is not known yet. Off unless
`inject.remind` is on, so that what this loads costs nobody else.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from gitinstinct.inject.pick import pick
from gitinstinct.measure import conduct, grammar
from gitinstinct.measure.calls import Call
from gitinstinct.measure.errors import Malformed
from gitinstinct.observer import events
from gitinstinct.observer.events import Observation, Outcome

if TYPE_CHECKING:
    from gitinstinct.capture.hook import Happened
    from gitinstinct.inject.pick import Entry

MOST, BUDGET = 1, 1_200


def due(entries: list[Entry], happened: Happened, known: Mapping[str, str], search: str) -> list[Entry]:
    """What this call goes against and the session was not reminded of yet.

    Args:
        entries: those with a check, the surest first.
        happened: the call.
        known: id → hash of what the session was reminded of.
        search: the folders of programs, as in `PATH`.
    """
    call = _call(happened)
    against = [entry for entry in entries if _is_against(entry["check"], call)]
    chosen, _ = pick(against, MOST, BUDGET, known, happened.project.root, search)
    return chosen


def _call(happened: Happened) -> Call:
    seen = Observation(id="", event=happened.kind, tool=happened.tool, input=happened.arguments)
    text = events.command(seen) or events.input_text(seen)
    return Call(happened.tool, text, events.file_path(seen), Outcome.OK)


def _is_against(written: Any, call: Call) -> bool:
    try:
        check = grammar.read(written)
    except Malformed:
        return False
    return check.then is None and check.before is None and conduct.judge(check, [call]).bad > 0
