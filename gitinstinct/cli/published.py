"""What publishing a promotion would do and did, for people and for scripts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gitinstinct.cli.output import counted, say
from gitinstinct.git.remote import Pushed
from gitinstinct.git.unreachable import where
from gitinstinct.promote import branches
from gitinstinct.pullrequest.publishing import Asked, Plan
from gitinstinct.pullrequest.updating import Updated
from gitinstinct.team.link import Link

WAY_OUT = "gitinstinct demote takes the promotion back; mend it in its project, then promote it again"
_LISTED = 10


def plan(link: Link, found: Plan) -> None:
    """What would go where, by whom, and what else a merge would change."""
    out = found.outgoing
    state = "  (is there: it goes forward)" if found.there else "  (will be made)"
    state = "  (is there already)" if found.there == found.commit else state
    say(("to       ", "dim"), (where(link.address), "bold"), f"  branch {found.head}{state}")
    say(("what     ", "dim"), f"{counted(out.commits, 'commit')} with {counted(len(out.instincts), 'instinct')}")
    for person in out.people:
        say(("by       ", "dim"), person)
    for path in found.facts.others[:_LISTED]:
        say((f"! a merge of it changes {path}, too", "yellow"))
    if len(found.facts.others) > _LISTED:
        say((f"! and {len(found.facts.others) - _LISTED} more files", "yellow"))
    for one in out.findings[:_LISTED]:
        say((f"! {one.where}: {one.what}", "yellow"))
    if len(out.findings) > _LISTED:
        say((f"! and {len(out.findings) - _LISTED} more", "yellow"))


def plan_json(found: Plan) -> dict[str, Any]:
    """The plan for scripts."""
    out = found.outgoing
    return {
        "id": found.id,
        "branch": found.head,
        "commit": found.commit,
        "exists": found.there is not None,
        "commits": out.commits,
        "instincts": list(out.instincts),
        "people": list(out.people),
        "others": list(found.facts.others),
        "findings": [{"where": one.where, "what": one.what} for one in out.findings],
    }


def done(link: Link, found: Plan, pushed: Pushed, asked: Asked, file: Path) -> None:
    """What became of it, and how it goes on."""
    if found.there == found.commit:
        say(f"Nothing new for {where(link.address)}, branch {found.head}.")
    else:
        say(("pushed   ", "dim"), f"{found.head}, to {where(link.address)}")
    if pushed.said:
        say(("it says  ", "dim"), pushed.said)
    if asked.opened:
        say(("opened   " if asked.opened.made else "open     ", "dim"), (asked.opened.url, "bold"))
        return
    if asked.page:
        say((f"no request was opened: {asked.reason}", "yellow"))
        say(("open it  ", "dim"), (asked.page, "bold"))
    else:
        say("Nothing is known there that takes pull requests. The others see it with")
        say("  ", ("gitinstinct sync --global", "bold"))
        say("  ", (f"gitinstinct review {branches.called(found.id)}", "bold"))
    say(("its text ", "dim"), str(file))


def done_json(found: Plan, pushed: Pushed, asked: Asked, file: Path) -> dict[str, Any]:
    """The same for scripts."""
    opened = asked.opened
    return plan_json(found) | {
        "made": pushed.made,
        "said": pushed.said,
        "request": opened.url if opened else None,
        "opened": bool(opened and opened.made),
        "page": asked.page or None,
        "reason": asked.reason,
        "body": str(file),
    }


def updated(link: Link, found: Updated, main: str, *, pushed: bool, rehearsed: bool) -> None:
    """What bringing a branch up to date did."""
    if found.conflicts:
        _conflicts(found, has_landed=found.commit == main)
    if found.commit == main:
        say((found.id, "bold"), f"  has landed: {link.name} there holds all of it")
    elif not found.changed:
        say((found.id, "bold"), f"  is up to date with {link.name} there{' and was pushed' if pushed else ''}")
    elif rehearsed:
        say((found.id, "bold"), ("  nothing was written: it would be merged with what is there", "dim"))
    else:
        how = ", and pushed" if pushed else "; it was not pushed"
        say((found.id, "bold"), f"  brought up to date{how}  ", (found.commit[:10], "yellow"))
        if pushed and not found.conflicts:
            say("A merge or a squash of it is right now, whatever does it.")


def _conflicts(found: Updated, *, has_landed: bool) -> None:
    """What is in conflict, and what settles it: that is done on `main`, where history tells who said what."""
    for name, fields in (found.conflicts or {}).items():
        say(("conflict  ", "red"), (name, "bold"), f"  {', '.join(fields)}")
    say("Both texts stand in the file: no agent is told of it, and a check of the branch")
    say("fails, so do not merge it there. Settle it here, then send that:")
    if not has_landed:
        say("  ", (f"gitinstinct review --accept {branches.called(found.id)}", "bold"))
    say("  ", (f"gitinstinct resolve {found.id} --global", "bold"))
    say("  ", ("gitinstinct push --global", "bold"))


def updated_json(found: Updated, *, pushed: bool) -> dict[str, Any]:
    """The same for scripts."""
    conflicts = found.conflicts or {}
    return {
        "id": found.id,
        "before": found.before,
        "commit": found.commit,
        "changed": found.changed,
        "merged": list(found.merged),
        "conflicts": [{"id": name, "fields": list(fields)} for name, fields in conflicts.items()],
        "pushed": pushed,
    }
