"""What the hook says when a session begins and when a prompt is sent.

It takes what is prepared, leaves out what this session has and what has lost its ground, writes down what it gives, and
gives it. Where nothing is prepared for the present state, a process is started that prepares it, and waited for a
little; it goes on when the hook no longer waits, so that the next time all is there. No failure gets further than here.
"""

from __future__ import annotations

import os

from gitinstinct import paths
from gitinstinct.capture import spool
from gitinstinct.inject import block, log, news, ready
from gitinstinct.inject import state as states
from gitinstinct.inject.pick import pick

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from gitinstinct.capture.hook import Happened
    from gitinstinct.inject.pick import Entry

LATE, FAILED = "lost.inject-late", "lost.inject"
_PEOPLE = ("", "user", "sdk")  # who may send a prompt; all others are programs
_BEGINNINGS = ("startup", "clear")  # where news is told; what goes on has no need of it


def to(happened: Happened, env: Mapping[str, str]) -> str:
    """The answer to an event: one JSON object, or "". Never raises."""
    if happened.harness not in block.HARNESSES or switched_off(env):
        return ""
    try:
        return _ANSWERS[happened.kind](happened, env)
    except Exception:
        spool.count(FAILED)
        for kind in (ready.START, ready.WORDS, ready.CHECKS):  # whatever was wrong with it, the next is made anew
            ready.remove(happened.project.id, kind)
        return ""


def switched_off(env: Mapping[str, str]) -> bool:
    """Whether the environment forbids it."""
    return env.get(states.PREFIX, "").strip().lower() in ("0", "false", "off", "no")


# --- a session begins


def _start(happened: Happened, env: Mapping[str, str]) -> str:
    found = _prepared(happened, env, lambda state: ready.read(happened.project.id, ready.START, state))
    if found is None:
        return ""
    event = happened.source or "startup"
    known = {} if event in log.FRESH else log.given(happened.project.id, happened.session)
    chosen, _ = _pick(found, found["items"], known, happened, env)
    given, withheld = _assigned(happened, chosen)
    if not _record(happened, event, given, withheld):
        return ""
    told = news.take() if event in _BEGINNINGS else []
    notes = block.notes(found["waiting"], told, len(withheld))
    message = "" if event == "compact" else " ".join(notes)
    return block.answer(happened.kind, _text(block.START, given, notes), message and f"gitinstinct: {message}")


# --- a prompt is sent


def _prompt(happened: Happened, env: Mapping[str, str]) -> str:
    if happened.source not in _PEOPLE or not happened.prompt.strip():
        return ""
    from gitinstinct.inject import lookup

    index = _prepared(happened, env, lambda state: lookup.opened(happened.project.id, state))
    found = lookup.find(index, happened.prompt) if index else []
    if index is None or not found:
        return ""
    known = log.given(happened.project.id, happened.session)
    chosen, _ = _pick(index.header, found, known, happened, env)
    given, withheld = _assigned(happened, chosen)
    if not (given or withheld) or not _record(happened, log.PROMPT, given, withheld):
        return ""
    return block.answer(happened.kind, _text(block.PROMPT, given, ()))


# --- a tool is about to be used


def _call(happened: Happened, env: Mapping[str, str]) -> str:
    if not os.path.exists(ready.path(happened.project.id, ready.CHECKS)):
        return ""
    from gitinstinct.inject import remind

    found = ready.read(happened.project.id, ready.CHECKS, states.of(happened.project.id, env))
    if found is None:
        return ""
    known = log.given(happened.project.id, happened.session, log.CALL)
    chosen = remind.due(found["items"], happened, known, env.get("PATH", ""))
    given, _ = _assigned(happened, chosen)
    if not given or not _record(happened, log.CALL, given, []):
        return ""
    return block.answer(happened.kind, _text(block.CALL, given, ()))


_ANSWERS = {"session_start": _start, "prompt": _prompt, "tool_start": _call}


# --- what they share


def _pick(
    settings: Mapping[str, Any],
    entries: list[Entry],
    known: Mapping[str, str],
    happened: Happened,
    env: Mapping[str, str],
) -> tuple[list[Entry], list[tuple[Entry, str]]]:
    return pick(entries, settings["most"], settings["budget"], known, happened.project.root, env.get("PATH", ""))


def _text(head: str, entries: list[Entry], notes: list[str] | tuple[str, ...]) -> str:
    return block.text(head, [entry["line"] for entry in entries], notes)


def _assigned(happened: Happened, chosen: list[Entry]) -> tuple[list[Entry], list[Entry]]:
    """(what is given, what is withheld to measure whether it helps). Both are written down before the text goes out."""
    if not chosen or not happened.session or not os.path.exists(paths.measure("on")):
        return chosen, []
    from gitinstinct.measure import log as arms
    from gitinstinct.measure import switch

    session = arms.Session(happened.project.id, happened.session, happened.at, happened.harness, happened.model or None)
    asked = [
        arms.Eligible(
            one["id"], one["measured"], one["scope"], one["probation"] and happened.model not in one["settled"]
        )
        for one in chosen
    ]
    without = arms.eligible(session, asked, switch.share())
    return [one for one in chosen if one["id"] not in without], [one for one in chosen if one["id"] in without]


def _record(happened: Happened, event: str, given: list[Entry], withheld: list[Entry]) -> bool:
    """Writes down what is given. False if nothing is to be given: a hook that is registered twice gives it once."""
    if not given and not withheld and event != "compact":
        return True
    by = os.getpid()
    record: dict[str, Any] = {"v": 1, "at": happened.at, "harness": happened.harness, "session": happened.session}
    record |= {"event": event, "by": by, "items": [[one["id"], one["scope"], one["text"]] for one in given]}
    if withheld:
        record["withheld"] = [[one["id"], one["scope"], one["text"]] for one in withheld]
    log.append(happened.project.id, record)
    return not happened.session or log.first(happened.project.id, record) == by


def _prepared(happened: Happened, env: Mapping[str, str], read: Callable[[str], Any]) -> Any:
    """What is prepared for the present state, if need be after a little waiting."""
    state = states.of(happened.project.id, env)
    if not state:
        return None
    found = read(state)
    if found is None:
        from gitinstinct.inject import begin

        found = begin.awaited(happened.kind, happened.project.id, state, lambda: read(state), env)
        if found is None:
            spool.count(LATE)
    return found
