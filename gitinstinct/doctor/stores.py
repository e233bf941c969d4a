"""The stores: whether they open, what stands in the way of a write, what is broken in them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from gitinstinct.doctor import driver as trial
from gitinstinct.doctor.diagnosis import Diagnosis, Level, error, ok, warning
from gitinstinct.errors import EnvironmentFault
from gitinstinct.git.run import GitError
from gitinstinct.store import condition, driver, homes, library, store
from gitinstinct.store.store import Store


def look(deep: bool) -> Iterator[Diagnosis]:
    """Every store of this machine; `deep` reads every object of each."""
    found = list(homes.every())
    if not found:
        yield ok("store", "there is none yet: gitinstinct init, or the first run, makes one")
    else:
        yield _tried()
    for path in found:
        yield from of(path, deep)


def _tried() -> Diagnosis:
    """The driver that stores of this program have, in a merge by git."""
    if driver.is_switched_off():
        return warning("driver", f"{driver.SWITCH}=0 switches the merge driver off", "take the variable away")
    try:
        fault = trial.fault()
    except GitError as failure:
        fault = failure.message
    if fault:
        return error("driver", f"the merge driver was tried: {fault}", "install gitinstinct again")
    return ok("driver", "git merged two versions of an instinct through it")


def of(path: Path, deep: bool) -> Iterator[Diagnosis]:
    """One store: what is wrong with it, or that all is well."""
    try:
        held = store.open(path)
        found = [*_condition(held), *_files(held), *(_damage(held) if deep else ())]
    except EnvironmentFault as fault:
        yield error("store", fault.message, fault.hint)
        return
    yield from found
    if all(one.level is Level.OK for one in found):
        yield ok("store", f"{held.about.name}, {path}")


def _condition(held: Store) -> Iterator[Diagnosis]:
    looked = condition.of(held)
    if not looked.protected:
        text = f"{held.path}: info/attributes is not ours: what its tree asks for could run"
        yield warning("store", text, "gitinstinct doctor --fix writes it again", lambda: store.wire(held.repo))
    elif (asked := _attribute(held)) != driver.NAME:
        text = f"{held.path}: plain git merges its instincts by {asked!r}"
        yield warning("store", text, "see what `git check-attr merge -- instincts/x.md` follows there")
    if looked.unwired:
        yield warning("store", f"{held.path}: {looked.unwired}", _WIRE, lambda: _wire(held))
    if looked.waiting:
        yield warning(
            "store", f"{held.path}: nothing can be committed now: {looked.waiting}", "end what was begun there"
        )
    if looked.operation:
        text = f"{held.path}: a {looked.operation} is unfinished"
        yield warning("store", text, f"end it: git -C {held.path} {looked.operation} --continue (or --abort)")
    for refusal in looked.held:
        text = f"{held.path}: your change of {refusal.path} is not committed: {refusal.reason}"
        yield warning("store", text, "mend it, or undo it with git")
    for lock in looked.locks:
        yield warning("store", f"{lock.file} is there since {lock.since:%Y-%m-%d %H:%M}", lock.way_out)


_WIRE = "gitinstinct doctor --fix sets it"


def _wire(held: Store) -> None:
    store.wire(held.repo, driver=driver.command())


def _attribute(held: Store) -> str:
    """Which merge driver git's attributes give to an instinct."""
    return held.repo.ask("check-attr", "-z", "merge", "--", "instincts/x.md").split("\0")[2]


def _files(held: Store) -> Iterator[Diagnosis]:
    number = len(library.read(held).problems)
    if number:
        yield warning("store", f"{held.path}: {number} files cannot be used", "gitinstinct check --all tells why")


def _damage(held: Store) -> Iterator[Diagnosis]:
    for found in condition.damage(held.repo):
        text = f"{held.path}: the object {found.oid[:12]} is missing or broken ({found.used_as or 'nothing names it'})"
        yield error("store", text, "fetch it from a clone or a backup of this store")
