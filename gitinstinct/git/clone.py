"""A clone that is not ours, looked at without being at its mercy.

Whoever made it may have put a config, hooks, attributes, filters and drivers there, and nothing of ours belongs into
it. So it is asked for two things only, where its objects lie and what a name stands for: `rev-parse` starts no program.
Everything else is asked of an empty bare repository in a folder of its own that borrows the objects. That one has no
refs, no config but ours, no attributes, and no remote from which a missing object could be fetched.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from gitinstinct.errors import EnvironmentFault
from gitinstinct.git import run
from gitinstinct.git.repo import Repo, is_object_id, text

_WHERE = ("--show-object-format", "--git-common-dir", "--git-path", "objects")


@dataclass(frozen=True, slots=True)
class Clone:
    """A clone.

    Attributes:
        folder: where it was looked for.
        work_tree: the top of its work tree; None for a bare one.
        repo: the repository that borrows its objects, for as long as it is open.
    """

    folder: Path
    work_tree: Path | None
    repo: Repo

    def resolve(self, revision: str) -> str | None:
        """The commit that a revision names in the clone, or None."""
        if not revision or not revision.isprintable():
            return None
        asked = ("--verify", "--quiet", "--end-of-options", revision + "^{commit}")
        found = _ask(self.folder, *asked, expect=(0, 1, 128)).removesuffix("\n")
        return found if is_object_id(found) else None

    def below(self, folder: str) -> dict[str, str]:
        """The refs of the clone below a folder such as `refs/notes/`, each with its object's id."""
        names, oids = (_ask(self.folder, *how, f"--glob={folder}*").splitlines() for how in (("--symbolic",), ()))
        return dict(zip(names, oids, strict=True))


@contextmanager
def opened(folder: Path) -> Iterator[Clone | None]:
    """The clone around a folder; None if there is none.

    Raises:
        EnvironmentFault: it is shallow or partial: half a history tells nothing.
    """
    try:
        found = _ask(folder, *_WHERE).splitlines()
    except run.GitError as error:
        if "not a git repository" in error.stderr or not folder.is_dir():
            yield None
            return
        raise
    object_format, common, objects = found[0], *(folder.joinpath(part).resolve() for part in found[1:])
    _refuse_half(common, objects)
    with tempfile.TemporaryDirectory(prefix="gitinstinct-") as place:
        yield Clone(folder, _work_tree(folder), _borrowing(Path(place) / "borrowed.git", objects, object_format))


def _ask(folder: Path, *question: str, expect: Collection[int] = (0,)) -> str:
    """What `rev-parse` says in the clone. A person's own settings count, for they say whose folders git may enter."""
    bare = (folder / "objects").is_dir() and (folder / "HEAD").is_file()
    place = [f"--git-dir={folder}"] if bare else []
    return text(run.run([*place, "rev-parse", *question], cwd=folder, personal=True, expect=expect).out)


def _work_tree(folder: Path) -> Path | None:
    top = _ask(folder, "--show-toplevel", expect=(0, 128)).removesuffix("\n")
    return Path(top).resolve() if top else None


def _refuse_half(common: Path, objects: Path) -> None:
    if (common / "shallow").exists():
        message = f"{common} is a shallow clone, whose history begins in the middle"
        raise EnvironmentFault(message, "make it whole: git fetch --unshallow, or fetch-depth: 0 of actions/checkout")
    if any((objects / "pack").glob("*.promisor")):
        message = f"{common} is a partial clone: files of its history are missing"
        raise EnvironmentFault(message, "clone it again without --filter")


def _borrowing(place: Path, objects: Path, object_format: str) -> Repo:
    flags = ("--quiet", "--bare", "--template=", f"--object-format={object_format}")
    run.run(["init", *flags, "--", str(place)], cwd=place.parent)
    # A commit-graph lies beside the objects and says who is whose parent; only the commits themselves are believed.
    run.run([f"--git-dir={place}", "config", "core.commitGraph", "false"], cwd=place)
    alternates = place / "objects" / "info" / "alternates"
    alternates.parent.mkdir(exist_ok=True)
    alternates.write_bytes(json.dumps(str(objects), ensure_ascii=False).encode("utf-8", "surrogateescape") + b"\n")
    return Repo(place, guarded=True)
