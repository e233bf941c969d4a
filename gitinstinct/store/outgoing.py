"""What a push would publish, and what in it must not be published.

Everything that goes is looked at: each version of each file and each commit message that the other side does not have,
not only the newest state, because a history is read by those who get it. A secret, a path in somebody's home or a name
of this machine stops the push. Authors are told and not judged: a commit has one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from gitinstinct.capture import redact
from gitinstinct.errors import Found
from gitinstinct.git.blobs import Unreadable, blobs
from gitinstinct.git.objects import GENESIS_TIME
from gitinstinct.git.repo import Repo, moment, text
from gitinstinct.git.run import GitError
from gitinstinct.instinct import ids, private
from gitinstinct.store import incoming, layout

_FORM = "--format=%H%x00%an <%ae>%x00%cn <%ce>%x00%at%x00%B"
_FIELDS = 5
_NAMED = 5
_AT_ONCE = 1_000  # files
_LOCATED = 200  # findings of which git is asked in which commit they came


class Kind(StrEnum):
    """What must not be published, or could not be looked at."""

    SECRET = "secret"
    HOME = "home"
    NAME = "name"
    UNSEEN = "unseen"


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that must not be published: the file or commit, and what it is, without the secret itself.

    `path` and `oid` are those of the file's version, `commit` the one that brought it or whose message it is.
    """

    kind: Kind
    where: str
    what: str
    path: str = ""
    oid: str = ""
    commit: str = ""


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


def look(
    repo: Repo, tip: str, known: Sequence[str], names: Sequence[str], progress: Callable[[int, int], None] | None = None
) -> Outgoing:
    """Looks at all that the other side does not have.

    Args:
        repo: the store's repository.
        tip: the commit to be pushed.
        known: commits that the other side has.
        names: what must not be named, see `private.telling`.
        progress: told how many versions were looked at, and of how many.

    Raises:
        GitError: the history cannot be read.
    """
    commits = list(_commits(repo, tip, known))
    files = dict(_files(repo, tip, known))
    findings = [found for commit in commits for found in _in_commit(commit, names)]
    asked = _Asked(repo, tip)
    for number, (oid, content) in enumerate(_contents(repo, list(files)), 1):
        if wrong := list(_in_file(files[oid], content, names)):
            commit, path = asked.since(oid), files[oid]
            where = f"{incoming.shown(path)}{f' in commit {commit[:10]}' if commit else ''}"
            findings += [Finding(kind, where, what, path, oid, commit) for kind, what in wrong]
        if progress is not None:
            progress(number, len(files))
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
    for kind, what in private_in(commit.message, names):
        yield Finding(kind, f"the message of commit {commit.oid[:10]}", what, commit=commit.oid)


def _in_file(path: str, content: bytes | Unreadable, names: Sequence[str]) -> Iterator[tuple[Kind, str]]:
    if isinstance(content, Unreadable):
        yield Kind.UNSEEN, f"it cannot be looked at: {content.reason}"
    else:
        yield from private_in(f"{path}\n{content.decode('utf-8', 'replace')}", names)


class _Asked:
    """Where versions of files came in: asked for what is found alone, since git reads the whole history for it.

    A history may be made so that git finds no end; then, and after very many findings, no more is asked.
    """

    def __init__(self, repo: Repo, tip: str) -> None:
        self._repo, self._tip, self._left = repo, tip, _LOCATED

    def since(self, oid: str) -> str:
        """The commit; empty if that is not known."""
        if self._left <= 0:
            return ""
        self._left -= 1
        flags = ("--format=%H", f"--find-object={oid}", "--full-history")
        try:
            commits = self._repo.ask("log", *flags, "--end-of-options", self._tip, "--").split()
        except GitError:
            self._left = 0
            return ""
        return commits[-1] if commits else ""


def private_in(found: str, names: Sequence[str] = ()) -> Iterator[tuple[Kind, str]]:
    """What of a text must not be published, each with its kind.

    Args:
        found: the text.
        names: what must not be named, see `private.telling`.
    """
    kinds = redact.findings(found)
    if kinds:
        yield Kind.SECRET, f"what looks like a secret ({', '.join(kinds)})"
    for path in dict.fromkeys(private.homes(found)):
        yield Kind.HOME, f"a path in somebody's home ({path})"
    for name in private.named(found, names):
        yield Kind.NAME, f"a name of yours or your machine ({name}; the setting team.public allows it)"
