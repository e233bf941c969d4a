"""What belongs in a store's tree, and what its `store.yaml` says.

Anyone's tree is checked against this before a byte of it is used: a file is known by its exact path and plain mode, or
it is refused by name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from gitinstinct import __version__, shipped
from gitinstinct.errors import EnvironmentFault
from gitinstinct.git.repo import Entry
from gitinstinct.instinct import ids

BRANCH = "refs/heads/main"
README, ATTRIBUTES, ABOUT = "README.md", ".gitattributes", "store.yaml"
TOP = (README, ATTRIBUTES, ABOUT)
WORKFLOW = ".github/workflows/gitinstinct.yml"  # checks what is proposed to a shared store; nothing here runs it
CAP = 65_536  # bytes of one file
FORMAT = 1

_EVOLVED = re.compile(r"evolved(?:/[A-Za-z0-9][A-Za-z0-9._-]{0,79}){1,4}")
_PLAIN = "100644"
_NAME_LENGTH = 100


@dataclass(frozen=True, slots=True)
class Refusal:
    """A path of a tree that is not used, and why: one sentence without a full stop."""

    path: str
    reason: str


def is_known(path: str) -> bool:
    """Whether a store may hold a file of this path."""
    return path in (*TOP, WORKFLOW) or ids.of_path(path) is not None or _EVOLVED.fullmatch(path) is not None


def refusals(entries: Iterable[Entry]) -> list[Refusal]:
    """Those entries of a tree that a store may not hold, each with its reason; sizes are judged when files are read."""
    found = []
    for entry in entries:
        reason = _refused(entry)
        if reason:
            found.append(Refusal(entry.path, reason))
    return found


def _refused(entry: Entry) -> str | None:
    if entry.mode == "120000":
        return "a symbolic link"
    if entry.mode == "160000":
        return "a submodule"
    if not is_known(entry.path):
        return _unknown(entry.path)
    return None if entry.mode == _PLAIN else f"mode {entry.mode}; only plain files of mode {_PLAIN} are used"


def _unknown(path: str) -> str:
    if path != path.lower() and is_known(path.lower()):
        return "upper case in the name; it would collide with its twin where case does not count"
    if path.startswith(ids.FOLDER):
        return f"not the name of an instinct (a-z, 0-9 and single hyphens, {ids.ID_LENGTH} at most, then .md)"
    return "a file that does not belong in a store"


@dataclass(frozen=True, slots=True)
class About:
    """What `store.yaml` says. Byte-identical for one project on every machine, so that stores merge without a word.

    `project_id` is empty for the global store; `name` is the last part of the normalised remote, or the folder's name.
    """

    scope: str
    project_id: str
    name: str

    def render(self) -> bytes:
        """The bytes of `store.yaml`."""
        lines = [f"format: {FORMAT}", f"scope: {self.scope}"]
        lines += [f"project_id: {_quoted(self.project_id)}"] if self.project_id else []
        return ("\n".join([*lines, f"name: {_quoted(self.name)}"]) + "\n").encode()


def _quoted(value: str) -> str:
    """Always quoted: an id of digits is no number, a project called `no` is no boolean."""
    printable = "".join(sign if sign.isprintable() else " " for sign in value).strip()[:_NAME_LENGTH]
    return json.dumps(printable, ensure_ascii=False)


def read_about(data: bytes, where: str) -> About:
    """What a `store.yaml` says. Every value is taken as the text that stands there; lists and maps say nothing.

    Raises:
        EnvironmentFault: it is none, or of a format that is newer than this program; `where` names the store.
    """
    import yaml

    try:
        found = yaml.load(data, Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader))
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        said = str(getattr(error, "problem", None) or error)
        raise EnvironmentFault(f"{where}: {ABOUT} is not YAML: {said}", LOOK) from error
    fields = found if isinstance(found, dict) else {}
    version, scope, project, name = (_text(fields, key) for key in ("format", "scope", "project_id", "name"))
    if not _NUMBER.fullmatch(version):
        raise EnvironmentFault(f"{where}: {ABOUT} does not say which format the store has", LOOK)
    if int(version) > FORMAT:
        message = f"{where} has format {version}; this gitinstinct knows formats up to {FORMAT}"
        raise EnvironmentFault(message, "install a newer gitinstinct")
    if scope not in ("project", "global") or (scope == "project") != bool(project):
        raise EnvironmentFault(f"{where}: {ABOUT} names no project and is not global either", LOOK)
    return About(scope, project, name)


def _text(fields: Mapping[object, object], key: str) -> str:
    """Never `str()` of what was found: aliases make a few hundred bytes a text of gigabytes."""
    value = fields.get(key)
    return value if isinstance(value, str) else ""


_NUMBER = re.compile(r"[0-9]{1,9}")
LOOK = f"see how it changed: git log -p main -- {ABOUT}"


def initial_files(about: About) -> dict[str, bytes]:
    """The files of a store's first own commit."""
    return {README: _template(README), ATTRIBUTES: attributes(), ABOUT: about.render()}


def attributes() -> bytes:
    """The `.gitattributes` of a store: which files plain git gives to our merge driver."""
    return _template(ATTRIBUTES)


def _template(name: str) -> bytes:
    return (shipped.templates() / "store" / name).read_bytes()


def workflow(version: str = __version__) -> bytes:
    """The workflow that checks pull requests, as this version writes it; it installs that version."""
    template = (shipped.templates() / "workflow" / "gitinstinct.yml").read_bytes()
    return template.replace(_VERSION, version.encode())


def is_own_workflow(data: bytes) -> bool:
    """Whether a workflow is what gitinstinct writes, whichever version it installs."""
    found = _INSTALLED.search(data)
    return found is not None and data == workflow(found[1].decode())


_VERSION = b"@VERSION@"
_INSTALLED = re.compile(rb"gitinstinct==([0-9][0-9A-Za-z.+!-]{0,40})")
