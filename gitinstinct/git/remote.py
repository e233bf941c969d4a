"""A remote: which branches it has, fetching some, pushing some. Nothing is ever forced.

What comes is foreign. `talk` bounds it in time, memory and size, git checks every object, and what is listed has a cap.
Only the branches asked for are asked about, by exact name, so that a remote with fifty thousand others costs nothing;
no tags, no notes, no submodules, and no part of a history is left out (`--filter`): a store is whole or it is none.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from gitinstinct.git import run, talk
from gitinstinct.git.repo import Repo, is_object_id, text
from gitinstinct.git.run import GitError, Overflow, Result, clean
from gitinstinct.git.unreachable import NoBranch, Unreachable, explained, matches, where
from gitinstinct.git.url import Address

SECONDS = talk.SECONDS
REFS = 100_000  # refs of a listing
_LISTED = REFS * 160  # bytes
_FETCH = (
    "--quiet --no-tags --no-recurse-submodules --no-write-fetch-head --no-auto-maintenance --no-prune --refmap="
    " --no-write-commit-graph --no-show-forced-updates"
).split()
_PUSH = "--porcelain --no-verify --no-follow-tags --no-signed --recurse-submodules=no".split()
_REF = re.compile(r"refs/(?:heads|gitinstinct/promoted)/[A-Za-z0-9][A-Za-z0-9._/-]{0,200}")


# --- asking


def heads(address: Address, repo: Repo | None = None, *, seconds: float = SECONDS) -> dict[str, str]:
    """The branches of a remote: full name to commit id. Empty for an empty repository.

    Args:
        address: the remote.
        repo: whose config counts besides the person's; none is needed.
        seconds: wall time.

    Raises:
        Unreachable: it does not answer, or has more than `REFS` branches.
    """
    return listed(address, repo, ("--heads",), seconds=seconds)


def listed(
    address: Address, repo: Repo | None = None, only: Sequence[str] = (), *, seconds: float = SECONDS
) -> dict[str, str]:
    """The same for every ref of a remote, tags and all; `only` are flags of `ls-remote` that leave some out."""
    with tempfile.TemporaryDirectory(prefix="gitinstinct-") if repo is None else nullcontext("") as folder:
        place = ["-C", folder] if repo is None else [f"--git-dir={repo.git_dir}"]
        cwd = Path(folder) if repo is None else repo.git_dir
        arguments = [*place, *talk.FLAGS, "ls-remote", *only, "--refs", "--quiet", "--", address.url]
        env = {"GIT_CEILING_DIRECTORIES": str(cwd.parent)} if repo is None else {}
        try:
            result = talk.talk(address, arguments, cwd, seconds, most=_LISTED, env=env)
        except Overflow as error:
            raise Unreachable(
                f"{where(address)} has more than {REFS:,} branches, the most that are looked at"
            ) from error
    if result.code:
        raise explained(address, result)
    pairs = (line.partition("\t") for line in text(result.out).splitlines())
    return {name: oid for oid, _, name in pairs if is_object_id(oid)}


def is_open(address: Address, *, seconds: float) -> bool | None:
    """Whether everybody may read a remote on the web: asked without any settings and credentials of the person.

    None if that cannot be told: it is reached in another way, or did not answer.
    """
    if address.kind not in ("https", "http"):
        return None
    with tempfile.TemporaryDirectory(prefix="gitinstinct-") as folder:
        env = {"GIT_CEILING_DIRECTORIES": str(Path(folder).parent), "HOME": folder, "XDG_CONFIG_HOME": folder}
        arguments = ["-C", folder, *talk.FLAGS, "ls-remote", "--heads", "--quiet", "--", address.url, "refs/heads/main"]
        try:
            result = talk.talk(address, arguments, Path(folder), seconds, most=_LISTED, env=env, personal=False)
        except (Unreachable, Overflow):
            return None
    if result.code == 0:
        return True
    return False if matches(result, "Authentication failed|could not read Username|error: 40[13]") else None


def origin(folder: Path) -> str | None:
    """The first URL of `origin` as the config of a code project has it; None if there is none.

    Only `config --get` is asked in a foreign folder.
    """
    try:
        question = ["-C", str(folder), "config", "--local", "-z", "--get-all", "remote.origin.url"]
        result = run.run(question, cwd=folder, personal=True, expect=range(256))
    except GitError:
        return None
    return text(result.out).split("\0")[0] or None if result.code == 0 else None


# --- fetching


def fetch(repo: Repo, address: Address, wanted: Mapping[str, str], *, depth: int = 0, seconds: float = SECONDS) -> None:
    """Fetches branches, or promotions, each into a ref of ours, wherever that ref stood before.

    Args:
        repo: where to.
        address: the remote.
        wanted: full name of the branch there to full name of the ref here.
        depth: only so many commits; 0 for all.
        seconds: wall time.

    Raises:
        NoBranch: one of them is not there.
        Unreachable: it does not answer, or sends what is damaged, dangerous or too large. No ref has moved.
    """
    specs = [f"+{_checked(there)}:{here}" for there, here in wanted.items()]
    flags = [*_FETCH, *([f"--depth={depth}"] if depth else [])]
    arguments = [f"--git-dir={repo.git_dir}", *talk.FLAGS, "fetch", *flags, "--", address.url, *specs]
    with _swept(repo):
        result = talk.talk(address, arguments, repo.git_dir, seconds)
    if result.code and matches(result, "couldn't find remote ref"):
        raise NoBranch(f"{where(address)} has no branch {_short(wanted)}")
    if result.code:
        raise explained(address, result)


@contextmanager
def _swept(repo: Repo) -> Iterator[None]:
    """Takes away what a fetch that was stopped leaves: half a pack, and the mark that keeps a whole one for ever."""
    folder = repo.git_dir / "objects" / "pack"
    before = set(folder.glob("*"))
    try:
        yield
    finally:
        left = [*folder.glob("tmp_*"), *(file for file in folder.glob("*.keep") if _is_a_fetchs(file))]
        for file in set(left) - before:
            file.unlink(missing_ok=True)


def _is_a_fetchs(file: Path) -> bool:
    try:
        return file.read_bytes().startswith(b"fetch-pack ")
    except OSError:
        return False


def _short(names: Collection[str]) -> str:
    return " or ".join(name.removeprefix("refs/heads/") for name in names)


def _checked(name: str) -> str:
    """A ref's full name as our own code makes it: no option, no pattern, no way out of the places that are ours."""
    if not _REF.fullmatch(name) or ".." in name or "//" in name or name.endswith((".lock", "/", ".")):
        raise ValueError(f"{name!r} is no branch")
    return name


# --- pushing


class Answer(StrEnum):
    """What a remote makes of a push."""

    ACCEPTED = "accepted"
    BEHIND = "behind"  # it has what we have not, or somebody was quicker
    DECLINED = "declined"  # a hook, a rule, a right


@dataclass(frozen=True, slots=True)
class Pushed:
    """A remote's answer.

    Attributes:
        answer: whether it took the commit.
        reason: why not, as git words it, on one printable line.
        said: what the remote printed, the same way.
        made: whether the branch was not there before.
    """

    answer: Answer
    reason: str = ""
    said: str = ""
    made: bool = False


_BEHIND = re.compile(
    r"fetch first|non-fast-forward|failed to update ref|cannot lock ref|incorrect old value|already exists|stale info"
    r"|failed to lock|remote ref updated"
)


def push(
    repo: Repo, address: Address, commit: str, branch: str, *, expected: str | None = None, seconds: float = SECONDS
) -> Pushed:
    """Asks a remote to take a commit as the new tip of a branch. Never by force.

    Args:
        repo: where the commit is.
        address: the remote.
        commit: a full commit id.
        branch: the branch's full name there.
        expected: an ancestor of the commit where the branch must be for it to be taken; "" if it must not exist; None
            if it may be anywhere that is behind the commit.
        seconds: wall time.

    Raises:
        Unreachable: it does not answer, or does not let us in.
    """
    return push_all(repo, address, [Step(commit, branch, expected)], seconds=seconds)[branch]


@dataclass(frozen=True, slots=True)
class Step:
    """What a ref of a remote shall be: a full commit id, the ref's full name, and where it must be, see `push`."""

    commit: str
    name: str
    expected: str | None = None


def push_all(repo: Repo, address: Address, steps: Sequence[Step], *, seconds: float = SECONDS) -> dict[str, Pushed]:
    """The same for several refs in one conversation. Each is answered for itself, and may go although another does not.

    Returns:
        The answer for each name.

    Raises:
        Unreachable: the remote does not answer, or does not let us in.
    """
    wrong = next((step.commit for step in steps if not is_object_id(step.commit)), None)
    if wrong is not None:
        raise ValueError(f"{wrong!r} is no commit")
    # A lease on an ancestor can only refuse more: what it lets through is a step forward from there.
    leases = [f"--force-with-lease={_checked(one.name)}:{one.expected}" for one in steps if one.expected is not None]
    arguments = [f"--git-dir={repo.git_dir}", *talk.FLAGS, "push", *_PUSH, *leases, "--", address.url]
    specs = [f"{step.commit}:{_checked(step.name)}" for step in steps]
    result = talk.talk(address, [*arguments, *specs], repo.git_dir, seconds)
    told = [line.split("\t") for line in text(result.out).splitlines() if line[1:2] == "\t"]
    said = clean(" ".join(_remote_lines(result)))
    answers = {fields[1].partition(":")[2]: _answer(fields, said) for fields in told if len(fields) > 2}
    if any(step.name not in answers for step in steps):
        raise explained(address, result)
    return answers


def _answer(fields: Sequence[str], said: str) -> Pushed:
    """What one line of git's porcelain says: a sign, `from:to`, and words."""
    sign, words = fields[0], fields[-1]
    if sign != "!":
        return Pushed(Answer.ACCEPTED, said=said, made=sign == "*")
    reason = clean(words.partition("(")[2].rpartition(")")[0] or words)
    return Pushed(Answer.BEHIND if _BEHIND.search(reason) else Answer.DECLINED, reason, said)


def _remote_lines(result: Result) -> list[str]:
    lines = (line.strip() for line in result.err.decode("utf-8", "replace").splitlines())
    return [line.removeprefix("remote:").strip() for line in lines if line.startswith("remote:")]
