"""What went between a store and its remote, for people and for scripts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from gitinstinct.cli import output
from gitinstinct.cli.output import counted, say
from gitinstinct.errors import ExitCode
from gitinstinct.git.unreachable import where
from gitinstinct.store import layout
from gitinstinct.store.commit import Written
from gitinstinct.store.layout import WORKFLOW
from gitinstinct.store.merging import Merging, Outcome
from gitinstinct.team.exchange import Pulled, Sent, Synced
from gitinstinct.team.link import Link
from gitinstinct.team.sharing import Plan
from gitinstinct.team.standing import Standing

_KNOWN_HOSTS = ("github.com", "gitlab.com", "bitbucket.org", "codeberg.org", "git.sr.ht", "gitee.com")
_LISTED = 20


def code(pulls: Iterable[Pulled]) -> int:
    """1 where a conflict waits for the person, or a branch that was rewritten."""
    waits = any(one.outcome.merging.conflicts or one.rewritten for one in pulls)
    return ExitCode.FOUND if waits else ExitCode.DONE


def edits(written: Written, *, quiet: bool) -> None:
    """Tells of a person's own changes, which were committed first or could not be."""
    if quiet:
        return
    for oid in written.edits:
        say((f"your own change was committed first: {oid[:10]}", "dim"))
    for refusal in written.held:
        say((f"! your change of {refusal.path} is not committed: {refusal.reason}", "yellow"))


# --- share


def plan(found: Plan) -> None:
    """What would be published, to whom, by whom."""
    out = found.outgoing
    say(("to       ", "dim"), (where(found.link.address), "bold"), f"  branch {found.link.name}", _state(found))
    say(("readers  ", "dim"), *_readers(found))
    since = f", since {out.since:%Y-%m-%d}" if out.since else ""
    say(("what     ", "dim"), f"{counted(out.commits, 'commit')} with {counted(len(out.instincts), 'instinct')}{since}")
    for person in out.people:
        say(("by       ", "dim"), person)
    if found.fresh:
        say(("history  ", "dim"), "stays here, on a backup ref; main continues without it")
    for one in out.findings[:_LISTED]:
        say((f"! {one.where}: {one.what}", "yellow"))
    if len(out.findings) > _LISTED:
        say((f"! and {len(out.findings) - _LISTED} more", "yellow"))


def _state(found: Plan) -> str:
    return "  (is there already: it is merged)" if found.theirs else "  (will be made)"


def _readers(found: Plan) -> list[output.Part]:
    address = found.link.address
    if address.is_local:
        return ["whoever may read that folder"]
    if found.is_open:
        return [("everybody: it is public, it can be read without a password", "yellow")]
    if found.is_open is False:
        return [f"whom {address.host} lets in: it asks for a password"]
    if address.host in _KNOWN_HOSTS:
        return [(f"perhaps everybody: whether it is public, only {address.host} knows", "yellow")]
    return [f"whom {address.host} lets in"]


def begun(found: Plan, done: Synced, backup: str, *, everybody: bool) -> None:
    """What sharing did, and how others join: a project's store is found, the global one must be named."""
    if backup:
        say(("the history as it was: ", "dim"), backup)
    synced(found.link, done, rehearsed=False)
    if everybody:
        say("Others join with ", (f"gitinstinct share {where(found.link.address)} --global", "bold"))
        say("From now on: ", ("gitinstinct sync --global", "bold"))
    else:
        say("Others join with ", ("gitinstinct init", "bold"), "; from now on: ", ("gitinstinct sync", "bold"))


def plan_json(found: Plan, *, more: int = 0) -> dict[str, Any]:
    """The plan for scripts; `more` are commits that would be made before."""
    out = found.outgoing
    return {
        "remote": _link_json(found.link),
        "exists": found.theirs is not None,
        "public": found.is_open,
        "fresh": found.fresh is not None,
        "commits": out.commits + more,
        "instincts": list(out.instincts),
        "since": _time(out.since),
        "people": list(out.people),
        "findings": [{"where": one.where, "what": one.what} for one in out.findings],
    }


# --- pull


def pulled(found: Pulled, *, rehearsed: bool) -> None:
    """What came."""
    _before(found)
    merged(found.outcome, rehearsed=rehearsed)


def merged(outcome: Outcome, *, rehearsed: bool) -> None:
    """What a merge did."""
    merging = outcome.merging
    for oid in outcome.edits:
        say((f"your own change was committed first: {oid[:10]}", "dim"))
    came(merging)
    for remark in _remarks(outcome):
        say((f"! {remark}", "yellow"))
    if merging.conflicts:
        say("Settle it: ", ("gitinstinct resolve", "bold"))
    if outcome.commit:
        say(("commit ", "dim"), (outcome.commit[:10], "yellow"))
    elif rehearsed and merging.files:
        say(("nothing was written: this is what it would do", "dim"))
    elif not merging.files:
        say("Already up to date.")


def _before(found: Pulled) -> None:
    """What had to be done first, and what a person should know of the remote."""
    if found.wired:
        say(("the merge driver was missing here and is set up now", "dim"))
    if found.rewritten:
        say((f"! the branch there was rewritten; it was at {found.rewritten[:10]}", "yellow"))
    if found.backup:
        say(("  what was here before: ", "dim"), found.backup)


def _remarks(outcome: Outcome) -> Iterator[str]:
    yield from (f"your change of {one.path} is not committed: {one.reason}" for one in outcome.held)
    yield from (f"{one.path}: {one.reason}" for one in outcome.merging.unreadable)
    if WORKFLOW in outcome.merging.files:
        data = outcome.merging.files[WORKFLOW]
        how = "is gone" if data is None else "came" if layout.is_own_workflow(data) else "came and is not ours: read it"
        yield f"{WORKFLOW} {how}; your host runs it, nothing here does"
    if outcome.pending:
        yield f"the work tree follows later: {outcome.pending}"


def came(merging: Merging) -> None:
    """What a merge did to which instinct."""
    kinds: Mapping[str, Iterable[str]] = {
        "added": merging.added,
        "changed": merging.changed,
        "removed": merging.removed,
        "merged": [name for name in merging.merged if name not in merging.conflicts],
    }
    for what, names in kinds.items():
        listed = list(names)
        for name in listed[:_LISTED]:
            say((f"  {what:<9} ", "dim"), name)
        if len(listed) > _LISTED:
            say((f"  {what:<9} and {len(listed) - _LISTED} more", "dim"))
    for name, fields in merging.conflicts.items():
        say(("  conflict  ", "red"), (name, "bold"), f"  {', '.join(fields)}")


def pulled_json(found: Pulled) -> dict[str, Any]:
    """What came, for scripts."""
    told = {"rewritten": found.rewritten or None, "backup": found.backup or None}
    return merged_json(found.outcome) | told


def merged_json(outcome: Outcome) -> dict[str, Any]:
    """What a merge did, for scripts."""
    merging = outcome.merging
    return {
        "theirs": merging.theirs,
        "commit": outcome.commit,
        "forwarded": outcome.forwarded,
        "added": list(merging.added),
        "changed": list(merging.changed),
        "removed": list(merging.removed),
        "merged": list(merging.merged),
        "conflicts": [{"id": name, "fields": list(fields)} for name, fields in merging.conflicts.items()],
        "unreadable": [{"path": one.path, "reason": one.reason} for one in merging.unreadable],
        "workflow": WORKFLOW in merging.files,
        "edits": list(outcome.edits),
        "held": [{"path": one.path, "reason": one.reason} for one in outcome.held],
        "pending": outcome.pending or None,
    }


# --- push


def synced(link: Link, found: Synced, *, rehearsed: bool) -> None:
    """What came and went."""
    for one in found.pulls:
        pulled(one, rehearsed=rehearsed)
    if found.sent is not None:
        sent(link, found.sent, rehearsed=rehearsed)
    else:
        say(("! nothing was pushed: it would publish again what was taken out there", "yellow"))
        say("If that is right: ", ("gitinstinct push", "bold"))


def sent(link: Link, found: Sent, *, rehearsed: bool) -> None:
    """What went."""
    what = f"{counted(found.outgoing.commits, 'commit')} with {counted(len(found.outgoing.instincts), 'instinct')}"
    place = f"{where(link.address)}, branch {link.name}"
    if rehearsed:
        say(("nothing was pushed: it would be ", "dim"), f"{what}, to {place}")
    elif found.outgoing.commits == 0:
        made_again = found.pushed is not None and found.pushed.made
        say(f"Made again: {place}." if made_again else f"Nothing new for {place}.")
    else:
        say(("pushed   ", "dim"), f"{what}, to {place}")
    if found.pushed and found.pushed.said:
        say(("it says  ", "dim"), found.pushed.said)


def sent_json(found: Sent) -> dict[str, Any]:
    """What went, for scripts."""
    return {
        "commits": found.outgoing.commits,
        "instincts": list(found.outgoing.instincts),
        "answer": str(found.pushed.answer) if found.pushed else None,
        "reason": found.pushed.reason if found.pushed else "",
        "said": found.pushed.said if found.pushed else "",
    }


def synced_json(found: Synced) -> dict[str, Any]:
    """Both, for scripts."""
    return {"pulls": [pulled_json(one) for one in found.pulls], "push": sent_json(found.sent) if found.sent else None}


# --- remote


def standing(found: Standing) -> None:
    """How a store stands to its remote."""
    say(("shared   ", "dim"), (where(found.link.address), "bold"), f"  branch {found.link.name}")
    if found.theirs is None:
        say(("there    ", "dim"), f"nothing was seen yet; {counted(found.ahead, 'commit')} here")
        return
    ways = f"{counted(found.ahead, 'commit')} ahead, {found.behind} behind" if found.ahead or found.behind else "equal"
    say(("there    ", "dim"), f"{found.theirs[:10]}  {ways}, as of the last look")
    for label, when in (("came     ", found.came), ("went     ", found.went)):
        if when:
            say((label, "dim"), f"{when:%Y-%m-%d %H:%M}")


def standing_json(found: Standing) -> dict[str, Any]:
    """The same for scripts."""
    return _link_json(found.link) | {
        "theirs": found.theirs,
        "ahead": found.ahead,
        "behind": found.behind,
        "came": _time(found.came),
        "went": _time(found.went),
    }


def _link_json(link: Link) -> dict[str, Any]:
    return {"address": where(link.address), "branch": link.name}


def _time(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None
