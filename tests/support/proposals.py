"""A shared store, and a plain clone of it as a contributor or a runner has one, with a branch that is proposed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from gitinstinct.check.rules import Finding, Severity
from gitinstinct.check.span import asked, judgement
from gitinstinct.check.span.judgement import Judged, Wanted
from gitinstinct.git import clone as clones
from gitinstinct.git.repo import Repo
from gitinstinct.instinct import edit, ledger
from gitinstinct.instinct.ids import short_hash
from gitinstinct.instinct.ledger import Entry
from tests.support import files
from tests.support.repos import commit_all, git
from tests.support.stores import new_store

TODAY = "2026-11-29"
PATH = "instincts/prefer-rg.md"
OTHER = "instincts/run-tests.md"
START = files.made(tags=["search"])
SECOND = files.made("run-tests", "when committing", "Run the tests first.")


def confirmed(data: bytes, *numbers: int, who: str = "a") -> bytes:
    """The file after these sightings of one person, each in a session of its own."""
    entries = []
    for number in numbers:
        time = ledger.encode_time(_NOON + number * _DAY + len(who))
        key = f"{time}-{short_hash(who, str(number))}"
        entries.append(Entry(f"2026-11-{9 + number:02}", "confirmed", 1, f"confirmed by {who}", key))
    return edit.record(data, entries, "2026-11-01")


_DAY = 86_400_000
_NOON = 1_794_225_600_000  # 2026-11-09 12:00 UTC


@dataclass(frozen=True)
class Proposal:
    """A clone in which `feature` is checked out, beside `main`."""

    folder: Path

    @property
    def repo(self) -> Repo:
        """The clone's repository."""
        return Repo(self.folder / ".git", self.folder)

    def git(self, *arguments: str, stdin: bytes = b"", ok: bool = True) -> str:
        """Plain git there."""
        return git(self.folder, *arguments, stdin=stdin, ok=ok)

    def commit(self, some: Mapping[str, str | bytes | None], message: str = "work") -> str:
        """Commits these files, None to remove one; the commit's id."""
        for path in (path for path, data in some.items() if data is None):
            (self.folder / path).unlink()
        return commit_all(self.folder, {path: data for path, data in some.items() if data is not None}, message)

    def on(self, branch: str) -> None:
        """Goes to a branch."""
        self.git("checkout", "-q", branch)

    def raw(self, mode: str, path: str, oid: str | None = None, message: str = "odd") -> str:
        """Commits an entry that no honest git would add."""
        oid = oid or self.repo.ask("hash-object", "-w", "--stdin", stdin=b"x\n")
        self.git("update-index", "--add", "--cacheinfo", f"{mode},{oid},{path}")
        self.git("commit", "-q", "-m", message)
        return self.git("rev-parse", "HEAD")

    def judge(self, text: str = "main...feature", wanted: Wanted | None = None) -> Judged:
        """What is found in a range."""
        with clones.opened(self.folder) as clone:
            assert clone is not None
            span = asked.resolve(clone, asked.read(text))
            assert span is not None
            return judgement.judge(clone, span, wanted or Wanted(TODAY))

    def found(self, text: str = "main...feature", wanted: Wanted | None = None) -> list[tuple[str, str, int | None]]:
        """File or commit, rule and line of each finding."""
        return [(place(one), one.rule, one.line) for one in self.judge(text, wanted).findings]

    def errors(self, text: str = "main...feature") -> list[Finding]:
        """What is no warning."""
        return [one for one in self.judge(text).findings if one.severity is Severity.ERROR]


def place(finding: Finding) -> str:
    """The file; for what is a commit's its id."""
    return finding.file or finding.commit


def proposal(folder: Path) -> Proposal:
    """A store with two instincts, cloned; `feature` is where `main` is."""
    held = new_store()
    commit_all(held.path, {PATH: START, OTHER: SECOND}, "observe: 2 new")
    git(folder.parent, "clone", "-q", "--template=", str(held.path), str(folder))
    made = Proposal(folder)
    made.git("checkout", "-q", "-b", "feature")
    return made
