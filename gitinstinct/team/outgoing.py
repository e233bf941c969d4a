"""What a push would publish, and what in it must not be published.

Everything that goes is looked at: each version of each file and each commit message that the other side does not have,
not only the newest state, because a history is read by those who get it. A secret, a path in somebody's home or a name
of this machine stops the push. Authors are told and not judged: a commit has one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from gitinstinct.capture import redact
from gitinstinct.errors import Found
from gitinstinct.git.blobs import Unreadable, blobs
from gitinstinct.git.objects import GENESIS_TIME
from gitinstinct.git.repo import Repo, moment, text
from gitinstinct.instinct import ids, private
from gitinstinct.store import incoming, layout

_FORM = "--format=%H%x00%an <%ae>%x00%cn <%ce>%x00%at%x00%B"
_FIELDS = 5
_NAMED = 5
_AT_ONCE = 1_000  # files


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that must not be published: the file or commit, and what it is, without the secret itself."""

    where: str
    what: str


@dataclass(frozen=True, slots=True)
class Outgoing:
    """What would go.

    Attributes:
        commits: how many.
        instincts: ids of which at least one version would go.
        since: when the oldest of the commits was made.
        people: who made them, as `name <mail>`.
        findings: what must not go.
    """

    commits: int = 0
    instincts: tuple[str, ...] = ()
    since: datetime | None = None
    people: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()


def look(repo: Repo, tip: str, known: Sequence[str], names: Sequence[str]) -> Outgoing:
    """Looks at all that the other side does not have.

    Args:
        repo: the store's repository.
        tip: the commit to be pushed.
        known: commits that the other side has.
        names: what must not be named, see `private.telling`.

    Raises:
        GitError: the history cannot be read.
    """
    commits = list(_commits(repo, tip, known))
    files = dict(_files(repo, tip, known))
    findings = [found for commit in commits for found in _in_commit(commit, names)]
    for oid, content in _contents(repo, list(files)):
        wrong = list(_in_file(files[oid], content, names))
        findings += [Finding(f"{incoming.shown(files[oid])}{_since(repo, oid, tip)}", what) for what in wrong]
    own = [commit for commit in commits if not commit.is_genesis]
    return Outgoing(
        commits=len(own),
        instincts=tuple(sorted({name for path in files.values() if (name := ids.of_path(path))})),
        since=min((moment(str(commit.time)) for commit in own), default=None),
        people=tuple(dict.fromkeys(person for commit in own for person in commit.people)),
        findings=tuple(dict.fromkeys(findings)),
    )


def refuse(found: Outgoing) -> None:
    """Stops what must not be published.

    Raises:
        Found: there is something; the first few are named.
    """
    if found.findings:
        listed = "; ".join(f"{one.where}: {one.what}" for one in found.findings[:_NAMED])
        more = f"; and {len(found.findings) - _NAMED} more" if len(found.findings) > _NAMED else ""
        raise Found(f"nothing was pushed, because it would publish {listed}{more}", WAY_OUT)


WAY_OUT = (
    "take it out with gitinstinct edit; if only the history holds it, gitinstinct share --fresh publishes the newest"
    " state alone"
)


@dataclass(frozen=True, slots=True)
class _Commit:
    oid: str
    people: tuple[str, ...]
    time: int
    message: str

    @property
    def is_genesis(self) -> bool:
        """Whether it is the beginning that every store has."""
        return self.time == GENESIS_TIME and self.message.strip() == "genesis"


def _commits(repo: Repo, tip: str, known: Sequence[str]) -> Iterator[_Commit]:
    out = repo.run("log", "-z", _FORM, "--end-of-options", tip, *_without(known), "--").out
    fields = out.decode("utf-8", "replace").split("\0")
    for at in range(0, len(fields) - _FIELDS + 1, _FIELDS):
        oid, author, committer, time, message = fields[at : at + _FIELDS]
        yield _Commit(oid.strip(), (author, committer), int(time or 0), message)


def _files(repo: Repo, tip: str, known: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Blob id and the first path at which git comes across it."""
    flags = ("rev-list", "--objects", "--filter=object:type=blob", "--filter-provided-objects")
    out = repo.run(*flags, "--end-of-options", tip, *_without(known), "--").out
    for line in text(out).split("\n"):
        oid, _, path = line.partition(" ")
        if oid:
            yield oid, path


def _contents(repo: Repo, oids: Sequence[str]) -> Iterator[tuple[str, bytes | Unreadable]]:
    """A part at a time: a long history need not lie in memory as a whole."""
    for at in range(0, len(oids), _AT_ONCE):
        yield from blobs(repo, oids[at : at + _AT_ONCE], layout.CAP).items()


def _without(known: Sequence[str]) -> list[str]:
    return [f"^{oid}" for oid in known]


def _in_commit(commit: _Commit, names: Sequence[str]) -> Iterator[Finding]:
    for what in _wrong(commit.message, names):
        yield Finding(f"the message of commit {commit.oid[:10]}", what)


def _in_file(path: str, content: bytes | Unreadable, names: Sequence[str]) -> Iterator[str]:
    if isinstance(content, Unreadable):
        yield f"it cannot be looked at: {content.reason}"
    else:
        yield from _wrong(f"{path}\n{content.decode('utf-8', 'replace')}", names)


def _since(repo: Repo, oid: str, tip: str) -> str:
    """Where a version of a file came in. Asked for what is found alone, since git reads the whole history for it."""
    flags = ("--format=%h", f"--find-object={oid}", "--full-history")
    commits = repo.ask("log", *flags, "--end-of-options", tip, "--").split()
    return f" in commit {commits[-1]}" if commits else ""


def _wrong(found: str, names: Sequence[str]) -> Iterator[str]:
    kinds = redact.findings(found)
    if kinds:
        yield f"what looks like a secret ({', '.join(kinds)})"
    yield from (f"a path in somebody's home ({path})" for path in dict.fromkeys(private.homes(found)))
    yield from (
        f"a name of yours or your machine ({name}; the setting team.public allows it)"
        for name in private.named(found, names)
    )
