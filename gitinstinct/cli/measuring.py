"""`measure`: whether instincts help, and what is withheld to find out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from gitinstinct import clock, config
from gitinstinct.cli import measured, output
from gitinstinct.cli.output import counted, say
from gitinstinct.cli.target import GlobalOption, JsonOption, ProjectOption, places
from gitinstinct.errors import EnvironmentFault, ExitCode, Found, UsageError
from gitinstinct.measure import assigned, assignment, pool, report, selftest, settle, switch


def measure(
    action: Annotated[
        str, typer.Argument(metavar="[report | on | off | release | selftest | export]", show_default=False)
    ] = "report",
    instinct: Annotated[str | None, typer.Argument(metavar="[ID]", help="Of `release`.", show_default=False)] = None,
    share: Annotated[
        int, typer.Option("--share", min=switch.LEAST_SHARE, max=switch.MOST_SHARE, help="Of `on`: per cent withheld.")
    ] = switch.SHARE,
    pooled: Annotated[
        list[Path] | None, typer.Option("--pool", metavar="FILE", help="Of `report`: with exports of others.")
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Of `report`: former words and projects, too.")] = False,
    project: ProjectOption = None,
    only_global: GlobalOption = False,
    as_json: JsonOption = False,
) -> int:
    """Show whether instincts help.

    Measured against sessions that went without. While it is `on`, an instinct that the observer made is left out of
    one session in three that would get it, until enough is known. `off` ends that at once. What harms or does
    nothing is held back until you `release` it. `selftest` looks for an effect where there is none, `export` gives
    the sums for others to add up with `report --pool`.

    Example:

      gitinstinct measure on
    """
    if (instinct is not None) != (action == "release"):
        raise UsageError("an id goes with `measure release`, and with nothing else", "gitinstinct measure release ID")
    owners = [place.id for place in places(project, only_global)]
    if instinct is not None:
        return _release(owners, instinct, as_json)
    if action == "report":
        return _pool(pooled, as_json) if pooled else _report([] if everything else owners, everything, as_json)
    if action in ("on", "off"):
        return _switch(share if action == "on" else 0, as_json)
    if action not in _OTHERS:
        raise UsageError(f"measure knows no {action}", "it knows report, on, off, release, selftest, export")
    return _OTHERS[action](as_json)


def _switch(share: int, as_json: bool) -> int:
    settings = config.read()
    config.compile_for_hook(settings)
    if not share:
        switch.turn_off()
    elif not settings.measure.enabled:
        raise Found("config.yaml keeps measuring off", "take `measure: enabled: false` out of it")
    elif assignment.seed() is None:
        raise EnvironmentFault("the seed of this machine cannot be read or made", f"look at {assignment.place()}")
    else:
        switch.turn_on(share, clock.now().isoformat())
    if as_json:
        output.as_json({"on": bool(share), "share": share / 100})
    elif share:
        say(f"Measuring is on: {share} % of the sessions that would get an instinct on probation go without it.")
        say(("What you wrote or confirmed is never withheld. gitinstinct measure off ends it.", "dim"))
    else:
        say("Measuring is off: nothing is withheld. What was measured stays.")
    return ExitCode.DONE


def _release(owners: Sequence[str], name: str, as_json: bool) -> int:
    released = settle.release(owners, name, clock.now())
    if not released:
        raise Found(f"no measurement holds {name} back", "gitinstinct measure report shows what is held back")
    if as_json:
        output.as_json({"released": name, "owners": released})
    else:
        say((name, "bold"), "  is for sessions again, and its test begins anew.")
        say(("To keep it out of tests for good: gitinstinct confirm " + name, "dim"))
    return ExitCode.DONE


def _selftest(as_json: bool) -> int:
    result = selftest.run(selftest.today(clock.now()))
    if as_json:
        output.as_json({"selftest": None if result is None else measured.selftest_json(result)})
    elif result is None:
        say(f"Too little is known: it takes {selftest.LEAST} sessions of one project.")
    else:
        measured.selftest(result)
    return ExitCode.DONE if result is None or result.is_sound else ExitCode.FOUND


def _report(owners: Sequence[str], everything: bool, as_json: bool) -> int:
    settings, now = config.read(), clock.now()
    config.compile_for_hook(settings)
    new = settle.update(now)
    rows = report.rows(owners)
    on = switch.state() if settings.measure.enabled else {}
    standing = measured.Standing(on, report.lately(owners, now), _broken())
    if as_json:
        output.as_json(measured.report_json(standing, rows, new))
        return ExitCode.DONE
    with output.paged():
        measured.report(standing, rows if everything else [row for row in rows if row.is_current], new)
    return ExitCode.DONE


def _broken() -> int:
    """How many lines of the logs cannot be read."""
    return sum(assigned.read(project).broken for project in assigned.projects())


def _pool(files: Sequence[Path], as_json: bool) -> int:
    now = clock.now()
    settle.update(now)
    exports = [pool.read(path) for path in files]
    found = pool.pooled([pool.own(now), *exports])
    if as_json:
        output.as_json({"tests": [measured.pooled_json(one) for one in found]})
        return ExitCode.DONE
    say(f"{counted(len({one.origin for one in exports}), 'export')} of others, and what is known here:")
    for one in found:
        measured.pooled(one)
    return ExitCode.DONE


def _export(as_json: bool) -> int:
    """JSON, asked for or not."""
    now = clock.now()
    settle.update(now)
    output.as_json(pool.as_json(pool.own(now)))
    return ExitCode.DONE


_OTHERS = {"selftest": _selftest, "export": _export}
VERBS = (measure,)
