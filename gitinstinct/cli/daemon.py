"""`daemon`: learning at an interval, for those who want it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Annotated, Any

import typer

from gitinstinct import clock, config, paths
from gitinstinct.cli import output
from gitinstinct.cli.output import say
from gitinstinct.cli.target import JsonOption
from gitinstinct.config import Config
from gitinstinct.errors import EnvironmentFault, ExitCode, Found, UsageError
from gitinstinct.observer import locks
from gitinstinct.observer.daemon import control, loop, place
from gitinstinct.observer.daemon.place import Told
from gitinstinct.observer.locks import Owner, clock_time


def daemon(
    action: Annotated[str, typer.Argument(metavar="[status | start | stop | run]", show_default=False)] = "status",
    dry_run: Annotated[bool, typer.Option("--dry-run", "-n", help="Of `start` and `stop`: only tell.")] = False,
    as_json: JsonOption = False,
) -> int:
    """Look at all projects every five minutes.

    Nobody needs it: a run starts by itself when a turn ends. The daemon asks the same gates, analyses one project
    after the other, and ends when nobody worked for half an hour; the next turn brings it back. SIGUSR1 makes it look
    at once. `stop` ends it for good, `run` stays in this terminal.

    Example:

      gitinstinct daemon start
    """
    if action not in ("status", "start", "stop", "run"):
        raise UsageError(f"daemon knows no {action}", "it knows status, start, stop, run")
    if action == "run":
        return _run()
    if action == "status" or dry_run:
        return _status(action, as_json)
    if action == "start":
        _may_run()
        found, is_new = control.start()
        return _say(found, "runs" if is_new else "runs already", as_json)
    return _say(control.stop(), "has ended", as_json)


def _may_run() -> None:
    settings = config.read()
    reason = config.forbids(settings, os.environ) or ("" if settings.enabled else "enabled is false in config.yaml")
    if reason:
        raise Found(f"nothing may run by itself: {reason}", "take that away first")


def _say(found: Owner | None, what: str, as_json: bool) -> int:
    if as_json:
        output.as_json(_json(place.running(), place.told()))
    elif found is None:
        say("No daemon runs.")
    else:
        say(f"The daemon {what}: process {found.pid}.")
    return ExitCode.DONE


# --- run


def _run() -> int:
    _may_run()
    _stand_alone()
    from gitinstinct.observer.daemon import system

    with locks.held(locks.DAEMON, "the daemon", clock.now()) as owner:
        if owner is None:
            say("A daemon runs already.")
            return ExitCode.DONE
        if locks.owner(locks.DAEMON) != owner:
            raise EnvironmentFault(f"{paths.root('state')} cannot be written", "is the disk full, or read-only?")
        place.forget_request()
        world = system.System(owner, clock.now, _settings, system.logger())
        world.listen()
        world.begin()
        say(f"The daemon runs, process {owner.pid}; its log is {paths.daemon('log')}")
        why = "a bug"
        try:
            why = loop.live(world)
        finally:
            world.end(why)
    say(f"It ended: {why}.")
    return ExitCode.INTERRUPTED if world.signal == "SIGINT" else ExitCode.DONE


def _stand_alone() -> None:
    """In no project's folder, with files that nobody else can read."""
    if os.environ.get("GITINSTINCT_HOME"):
        os.environ["GITINSTINCT_HOME"] = os.path.abspath(os.environ["GITINSTINCT_HOME"])  # noqa: PTH100
    os.chdir(os.path.abspath(os.sep))  # noqa: PTH100
    os.umask(0o077)


def _settings() -> Config:
    """The settings as they are now, also for the hook."""
    settings = config.read()
    config.compile_for_hook(settings)
    return settings


# --- status


def _status(action: str, as_json: bool) -> int:
    found, told = place.running(), place.told()
    if as_json:
        output.as_json(_json(found, told))
        return ExitCode.DONE
    for label, text in lines(found, told):
        say((f"{label:<12}", "dim"), text)
    if action != "status":
        does_something = (found is None) == (action == "start")
        say(f"`daemon {action}` would {'' if does_something else 'not '}change that.")
    return ExitCode.DONE


def lines(found: Owner | None, told: Told) -> Iterator[tuple[str, str]]:
    """Label and text of each line about the daemon."""
    yield "daemon", brief(found)
    if found is not None:
        yield "last look", _looked(told)
        yield "next look", clock_time(told.due) if told.due else "now"
    elif told.ended:
        yield "ended", f"{clock_time(told.ended)}  {told.why}"
    if at_work := locks.busy(locks.MACHINE):
        yield "at work", at_work
    if told.error:
        yield "last error", f"{clock_time(told.erred)}  {told.error}"
    if told.since:
        yield "log", paths.daemon("log")


def brief(found: Owner | None) -> str:
    """Whether it runs, in a line."""
    if found is not None:
        return f"runs since {clock_time(found.since)}, process {found.pid} on {found.host}"
    if place.is_wanted():
        return "does not run now; the next turn's end brings it back"
    return "does not run; none is needed"


def in_brief() -> str:
    """The same where anybody wants one; "" where not."""
    found = place.running()
    if found is None and not place.is_wanted():
        return ""
    error = place.told().error
    return brief(found) + (f"; last error: {error}" if error else "")


def _looked(told: Told) -> str:
    if not told.looked:
        return "none yet"
    return f"{clock_time(told.looked)}  {output.counted(told.projects, 'project')}"


def _json(found: Owner | None, told: Told) -> dict[str, Any]:
    return {
        "running": found is not None,
        "wanted": place.is_wanted(),
        "pid": found.pid if found else None,
        "host": found.host if found else None,
        "since": told.since or None,
        "last_look": told.looked or None,
        "next_look": told.due or None,
        "projects": told.projects,
        "last_error": {"at": told.erred, "text": told.error} if told.error else None,
        "ended": {"at": told.ended, "why": told.why} if told.ended else None,
        "log": paths.daemon("log"),
    }


VERBS = (daemon,)
