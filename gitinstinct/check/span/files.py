"""What the newest tree of a range holds: each file that the range changed, by the rules for every instinct."""

from __future__ import annotations

from collections.abc import Iterator

from gitinstinct.check.inspection import inspect_all, inspect_text
from gitinstinct.check.rules import Finding, Found, Severity, told
from gitinstinct.check.span.states import States, instincts
from gitinstinct.check.subject import Home, Subject
from gitinstinct.errors import EnvironmentFault
from gitinstinct.instinct import ids
from gitinstinct.store import layout
from gitinstinct.store.layout import ABOUT, ATTRIBUTES, WORKFLOW, About
from gitinstinct.store.tree import Tree


def look(states: States, day: str) -> list[Finding]:
    """What is wrong in the newest tree of a range, by file.

    Args:
        states: its trees.
        day: today, as an ISO day.
    """
    new = states.new
    about, faults = _about(states)
    read, unreadable = new.read_all(states.changed)
    faults += [told(Found("foreign-file", None, one.reason), one.path) for one in new.refusals]
    faults += [told(Found("unreadable", None, one.reason), one.path) for one in unreadable]
    home = Home(about.scope, about.project_id) if about else None
    subjects = {path: Subject(path, data, ids.of_path(path) or path, home) for path, data in read.items()}
    own = [subject for path, subject in subjects.items() if ids.of_path(path)]
    others = instincts(new, new.files.keys() - read.keys()) if own and states.bases else {}
    beside = [Subject(path, data, ids.of_path(path) or "", home) for path, data in others.items()]
    texts = [subject for path, subject in subjects.items() if not ids.of_path(path)]
    found = [*inspect_all(own, day, beside=beside), *(one for subject in texts for one in inspect_text(subject))]
    return [*faults, *found, *_watched(states, read)]


def _about(states: States) -> tuple[About | None, list[Finding]]:
    """What the newest store.yaml says; it must not say another project than before."""
    try:
        about = _read_about(states.new)
    except EnvironmentFault as fault:
        return None, [told(Found("not-a-store", None, fault.message), ABOUT)]
    for base in states.bases:
        try:
            before = _read_about(base)
        except EnvironmentFault:
            continue
        if (before.scope, before.project_id) != (about.scope, about.project_id):
            why = f"it belongs to {about.project_id or about.scope}, before it was {before.project_id or before.scope}"
            return about, [told(Found("other-project", None, why), ABOUT)]
    return about, []


def _read_about(tree: Tree) -> About:
    data = tree.read(ABOUT)
    if data is None:
        raise EnvironmentFault(f"there is no {ABOUT} that can be read")
    return layout.read_about(data, "it")


def _watched(states: States, read: dict[str, bytes]) -> Iterator[Finding]:
    """Files that decide what hosts and plain git do with the others."""
    if not states.bases:
        return
    if ATTRIBUTES in states.gone or (ATTRIBUTES in read and read[ATTRIBUTES] != layout.attributes()):
        yield told(Found("attributes", None, "it is not what gitinstinct writes any more"), ATTRIBUTES)
    if WORKFLOW in states.gone:
        yield told(Found("workflow", None, "it is gone: nothing is checked any more"), WORKFLOW)
    elif WORKFLOW in read and not layout.is_own_workflow(read[WORKFLOW]):
        yield told(Found("workflow", None, "it is not what gitinstinct writes"), WORKFLOW)


def both_sides(states: States) -> Iterator[Finding]:
    """Instincts that the target of a merge has changed as well: a host's button would join them line by line."""
    if states.target is None:
        return
    theirs = states.target.files
    for path in sorted({*states.instincts, *filter(ids.of_path, states.gone)}):
        moved = all(base.files.get(path) != theirs.get(path) for base in states.bases)
        if moved and theirs.get(path) != states.new.files.get(path):
            why = f"{states.target.commit[:10]}, into which this is to be merged, has changed it as well"
            yield told(Found("both-sides", None, why, severity=Severity.WARNING), path)
