"""What `check` can find: each rule with its weight, whether it is mended mechanically, and the way out."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from gitinstinct.instinct.domains import DOMAINS


class Severity(StrEnum):
    """An error keeps a file from being used or trusted; a warning is for a person to think about."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Rule:
    """A kind of finding. `remedy` is one sentence without a full stop."""

    severity: Severity
    remedy: str
    fixable: bool = False


def _error(remedy: str, fixable: bool = False) -> Rule:
    return Rule(Severity.ERROR, remedy, fixable)


def _warning(remedy: str, fixable: bool = False) -> Rule:
    return Rule(Severity.WARNING, remedy, fixable)


_FIX = "gitinstinct check --fix"
_FORM = "- DATE KIND AMOUNT: TEXT [KEY]"

RULES = {
    # whether it can be read at all
    "unreadable": _error("mend what the reason names; until then the file is never used"),
    "conflict-marker": _error("decide what holds and take the markers out"),
    "unsettled-conflict": _error("keep one text in the field and take its entry out of `conflicts`; it is held back"),
    "id-not-name": _error("call the file as its id says; an id never changes"),
    "name-not-id": _warning("in a store the file must be called as its id says"),
    "check-grammar": _error("write it as README says under `Does it help?`; until then nothing is judged by it"),
    "look-alike-field": _warning("spell it as the field, or give it another name; as it is, it has no effect"),
    # the ledger and what follows from it
    "derived-field": _error(f"{_FIX} writes what the ledger gives; readers trust the ledger alone", True),
    "missing-field": _warning(f"{_FIX} writes it", True),
    "unadopted": _warning(f"{_FIX} makes its own confidence the first entry of a ledger", True),
    "not-an-entry": _error(f"write it as `{_FORM}`, or as free text without a date in front"),
    "misplaced-entry": _warning("move it below ## Evidence if it shall count"),
    "unsorted-ledger": _warning(f"{_FIX} sorts the ledger by date and key", True),
    "key-with-two-texts": _error("keep the line that is true and delete the other"),
    "origin-twice": _warning("delete one of the lines; only the first counts"),
    "odd-key": _warning("leave the making of keys to gitinstinct; the entry counts all the same"),
    "future-date": _error("correct the date: what is dated in the future does not fade"),
    # the words
    "secret": _error("take it out and have it changed where it is valid: what was committed stays in the history"),
    "home-path": _error("write the path as it is in the project, or with ~"),
    "hidden-character": _error("write the line again without it"),
    "zero-width": _error(f"{_FIX} takes it out", True),
    "odd-space": _warning(f"{_FIX} makes it a plain blank", True),
    "hidden-text": _warning("say it where a reader sees it, or delete it"),
    "mixed-scripts": _warning("write the word in one alphabet: its letters only look alike"),
    "no-domain": _warning(f"give it one of: {', '.join(DOMAINS)}"),
    "domain-synonym": _warning(f"{_FIX} writes the domain's own word", True),
    "unknown-domain": _warning(f"use one of: {', '.join(DOMAINS)}"),
    "too-broad": _warning("say when it applies: which files, which command, which step of the work"),
    "no-action": _error("say below ## Action what to do"),
    "placeholder": _error("write what is meant"),
    "several-actions": _warning("make an instinct of each: one trigger, one action"),
    "too-long": _warning("cut it to what an agent must know at that moment"),
    "steers": _warning("say it so that nobody can take it for more than advice; review asks for a reason"),
    "markup": _error("write it in words, or HTML as code between back-ticks: no agent is told of it as it is"),
    # where it belongs
    "wrong-scope": _warning(f"{_FIX} writes the store's scope: it follows from the place", True),
    "wrong-project": _warning(f"{_FIX} writes the store's project", True),
    "unknown-scope": _warning("it is `project` or `global`"),
    "project-in-global": _warning("take `project_id` out: the global store belongs to no project"),
    # among others
    "duplicate": _warning("keep one of them and archive the other"),
    "contrary": _warning("decide which of them holds and archive the other"),
    "hides-global": _warning("give it another id, or make both say the same: in this project the global one is unused"),
    # the store
    "foreign-file": _error("take it out of the store: git rm, then commit"),
    "stray-file": _warning("move it elsewhere; only instincts are committed for you"),
    "text-merge": _error(f"{_FIX} puts the evidence back as the merge should have left it", True),
    "unseen-work-tree": _warning("gitinstinct doctor --fix protects the store again"),
    "unusable-store": _error("gitinstinct doctor tells more"),
    # a range: what it does to the store
    "not-a-store": _error("see how store.yaml changed: git log -p -- store.yaml"),
    "other-project": _error("put store.yaml back: a store never changes whose it is"),
    "unrelated": _error("begin the branch at a commit of the store: every store has the same first commit"),
    "boundless": _error("make the branch anew with what is meant to come; nothing beyond the limit was looked at"),
    "attributes": _warning("put it back: in a plain clone it decides how git shows and merges files"),
    "workflow": _warning("read it: it runs with the rights of this repository and decides what is checked"),
    "lost-evidence": _error("put the lines back; what is wrong in them is retracted: gitinstinct undo"),
    "rewritten-evidence": _error("put the lines back as they were; what was observed later is a line of its own"),
    "changed-id": _error("put the file back under its old name: an id never changes, `archive` puts an instinct away"),
    "gone": _warning("gitinstinct forget keeps what others still have from coming back; archive only puts it away"),
    "both-sides": _warning(
        "merge the target into the branch first, by gitinstinct merge or a git that has its driver: a host's button"
        " joins lines"
    ),
    "unseen-merges": _warning("check a smaller range"),
    # a range: its commits
    "past-secret": _error("rewrite the branch without it, and have it changed where it is valid: it was published"),
    "past-home-path": _error("rewrite the branch without it"),
    "unseen-version": _error("rewrite the branch without that version"),
    "hidden-in-message": _error("write the message again without it"),
    "loose-trailer": _warning("write it into the last paragraph, or with a blank before it: git reads it as prose"),
    "doubled-trailer": _error("keep the one that is true: readers take the first or the last"),
    "unnamed-change": _error("make a commit of its own for it, or name it in an `Instinct:` line"),
    "no-provenance": _error("promote it again with gitinstinct promote, which cites what it picks"),
    "false-provenance": _error("promote it again with gitinstinct promote"),
    "claimed-provenance": _warning("fetch refs/gitinstinct/promoted/*; whoever promotes pushes them with the store"),
    "unpromoted-evidence": _error("take it out: evidence comes with the promotion of the project that has it"),
    "unpromoted-words": _warning("read them as a text of whoever wrote them: no project has promoted them"),
    "second-file": _error("propose it apart: a promotion brings the instinct that it names, and nothing else"),
    "signature": _error("sign it with a key of the file of allowed signers: git rebase --exec 'git commit --amend -S'"),
    "approval": _error("somebody must approve it who had no hand in it"),
}


@dataclass(frozen=True, slots=True)
class Found:
    """What a rule found in one file: the rule's name, the line from 1 or None, and one sentence without a full stop."""

    rule: str
    line: int | None
    why: str
    fixable: bool | None = None  # where it differs from the rule's own
    severity: Severity | None = None  # the same
    commit: str = ""  # where it is a commit's, or came with it

    @property
    def can_be_fixed(self) -> bool:
        """Whether `--fix` mends it."""
        return RULES[self.rule].fixable if self.fixable is None else self.fixable


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding as it is told.

    Attributes:
        file: the path: as given, or as it is in the store; empty for what is a commit's.
        line: from 1; None where the finding has no place in the file.
        uncommitted: whether it is in the work tree and not in the commit.
        commit: the commit of a range that it concerns, else empty.
    """

    rule: str
    severity: Severity
    file: str
    line: int | None
    why: str
    remedy: str
    fixable: bool
    uncommitted: bool = False
    commit: str = ""


def told(found: Found, file: str, uncommitted: bool = False) -> Finding:
    """A finding with all that its rule knows."""
    rule = RULES[found.rule]
    severity = found.severity or rule.severity
    return Finding(
        found.rule, severity, file, found.line, found.why, rule.remedy, found.can_be_fixed, uncommitted, found.commit
    )
