"""Which project an event belongs to, without starting git.

The id is made from the normalised `origin` URL as it stands in the repository's config, so that clones, worktrees and
sub-folders agree on every machine. Without a remote it is a random id kept in the common git directory. A folder that
is no repository counts only when the harness or a person named it; all else is global.
"""

from __future__ import annotations

import os

from gitinstinct.capture import codec
from gitinstinct.paths import GLOBAL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_DIGITS = 12
_HEX = frozenset("0123456789abcdef")
_ID_FILE = "gitinstinct-id"
_PORTS = {"ssh": "22", "https": "443", "http": "80", "git": "9418", "ftp": "21", "ftps": "990"}
_CONFIG_LIMIT = 1 << 20


class Project:
    """A project: its id (12 hex, or `global`), a name to show, its main folder, its remote without secrets.

    `former` is the id that it had before it got a remote, "" if there was none.
    """

    __slots__ = ("former", "id", "name", "remote", "root")

    def __init__(self, project_id: str, name: str, root: str = "", remote: str = "", former: str = "") -> None:
        self.id = project_id
        self.name = shown(name) or project_id
        self.root = root
        self.remote = remote
        self.former = former


def identify(cwd: str, env: Mapping[str, str]) -> Project:
    """The project of a working directory. A folder named by `CLAUDE_PROJECT_DIR` comes first. Never raises OSError."""
    named = env.get("CLAUDE_PROJECT_DIR", "")
    for folder in (named, cwd):
        if os.path.isabs(folder) and "\0" not in folder:
            found = _repository(folder)
            if found:
                return _of_repository(*found)
            if folder == named and os.path.isdir(folder):
                return _of_folder(folder)
    return Project(GLOBAL, GLOBAL)


def known_id(folder: str) -> str | None:
    """The id that the repository of a folder has, "" while it has none, None where there is no repository.

    Unlike `identify` it gives no id to a repository that has none: nothing is written into what is only looked at.
    """
    found = _repository(folder) if os.path.isabs(folder) and "\0" not in folder else None
    if not found:
        return None
    git, root = found
    remote, _ = normalise(origin(_text(os.path.join(git, "config"))), root)
    return codec.short_hash(remote, _DIGITS) if remote else _former_id(git)


def shown(name: str) -> str:
    """A name fit for any terminal: printable, at most 100 characters."""
    return "".join([sign if sign.isprintable() else "?" for sign in name[:100]]).strip()


# --- the repository


def _repository(folder: str) -> tuple[str, str] | None:
    """(common git directory, main folder) of the repository that holds a folder, which need not exist any more."""
    place = os.path.normpath(folder)
    while True:
        git = _git_directory(os.path.join(place, ".git"))
        if git:
            return _main(git, place)
        if _is_git_directory(place) and os.path.isdir(os.path.join(place, "refs")):
            return _main(place, place)
        above = os.path.dirname(place)
        if above == place:
            return None
        place = above


def _git_directory(dotgit: str) -> str:
    """Where a `.git` leads: itself, or what the file of a worktree or submodule names; "" if to no repository."""
    if os.path.isdir(dotgit):
        return dotgit if _is_git_directory(dotgit) else ""
    line = _first_line(dotgit)
    if not line.startswith("gitdir:"):
        return ""
    target = os.path.normpath(os.path.join(os.path.dirname(dotgit), line[7:].strip()))
    return target if _is_git_directory(target) else ""


def _is_git_directory(path: str) -> bool:
    if not os.path.lexists(os.path.join(path, "HEAD")):
        return False
    return os.path.isdir(os.path.join(path, "objects")) or os.path.isfile(os.path.join(path, "commondir"))


def _main(git: str, place: str) -> tuple[str, str]:
    """The common git directory of a git directory found at `place`, and the folder of the main worktree."""
    common = _first_line(os.path.join(git, "commondir"))
    if common:
        git = os.path.normpath(os.path.join(git, common))
    folder, name = os.path.split(git)
    return git, folder if name == ".git" else place


def _of_repository(git: str, root: str) -> Project:
    url = origin(_text(os.path.join(git, "config")))
    remote, name = normalise(url, root) if url else ("", "")
    if remote:
        return Project(codec.short_hash(remote, _DIGITS), name, root, remote, _former_id(git))
    kept = _kept_id(git)
    return Project(kept, _last(root), root) if kept else _of_folder(root)


def _of_folder(folder: str) -> Project:
    real = os.path.realpath(folder)
    return Project(codec.short_hash("dir:" + real, _DIGITS), _last(real), real)


def _kept_id(git: str) -> str:
    """The random id of a repository, made at the first call; "" where it can be neither read nor written."""
    found = _former_id(git)
    if not found:
        _keep(os.path.join(git, _ID_FILE), os.urandom(_DIGITS // 2).hex())
        found = _former_id(git)
    return found


def _former_id(git: str) -> str:
    """The random id that a repository has, or had before it got a remote; "" if there is none."""
    found = _first_line(os.path.join(git, _ID_FILE))
    return found if len(found) == _DIGITS and _HEX.issuperset(found) else ""


def _keep(path: str, text: str) -> None:
    """Write a file that must not exist yet. A reader sees all of it or nothing: it is linked to its name when whole."""
    draft = f"{path}.{text}"
    try:
        with open(draft, "x", encoding="ascii") as file:
            file.write(text + "\n")
        os.link(draft, path)
    except OSError:
        pass  # Told by the next look at the file; `contextlib` would cost more than all of this.
    if os.path.exists(draft):
        os.unlink(draft)


def _first_line(path: str) -> str:
    lines = _text(path).split("\n", 1)
    return lines[0].strip()


def _text(path: str) -> str:
    """A small file's text, "" if there is none to be read."""
    try:
        with open(path, "rb") as file:
            return file.read(_CONFIG_LIMIT).decode("utf-8", "surrogateescape")
    except (OSError, ValueError):
        return ""


# --- git's config file


def origin(config: str) -> str:
    """The first URL of the remote `origin` in the text of a git config; "" if there is none.

    Includes are not followed and `insteadOf` is not applied: both may hold what is private to one machine.
    """
    inside = False
    for line in _logical_lines(config):
        if line.startswith("["):
            header, _, line = line.partition("]")
            inside = _is_origin(header[1:].strip())
            line = line.strip()
        name, mark, value = line.partition("=")
        if inside and mark and name.strip().lower() == "url" and (url := _value(value)):
            return url
    return ""


def _logical_lines(config: str) -> list[str]:
    text = config.lstrip("\ufeff").replace("\r\n", "\n").replace("\\\n", "")
    return [line.strip() for line in text.split("\n")]


def _is_origin(header: str) -> bool:
    """`remote "origin"`, or the old form `remote.origin`. Section names know no case, sub-sections do."""
    section, _, rest = header.partition('"')
    if rest:
        return section.strip().lower() == "remote" and rest.rstrip().removesuffix('"') == "origin"
    return header.lower() == "remote.origin"


def _value(text: str) -> str:
    """A config value without its quotes, escapes and comment."""
    kept: list[str] = []
    quoted = False
    signs = iter(text.strip())
    for sign in signs:
        if sign == "\\":
            kept.append({"n": "\n", "t": "\t", "b": "\b"}.get(after := next(signs, ""), after))
        elif sign == '"':
            quoted = not quoted
        elif sign in "#;" and not quoted:
            break
        else:
            kept.append(sign)
    return "".join(kept).strip()


# --- URLs


def normalise(url: str, base: str = "") -> tuple[str, str]:
    """(the same text for every spelling of a remote, its last part as a name); ("", "") for an empty URL.

    `host[:port]/path`, lower case, without scheme, user, password, default port, query, fragment, outer slashes and one
    `.git`. Local paths keep their case; relative ones are resolved against `base`.
    """
    url = url.strip()
    if not url:
        return "", ""
    scheme, mark, rest = url.partition("://")
    scheme = scheme.rpartition("::")[2].lower()
    if mark and scheme == "file":
        return _local(rest.removeprefix("localhost"), "")
    if mark and scheme.replace("+", "").replace("-", "").replace(".", "").isalnum():
        return _network(rest, _PORTS.get(scheme.removeprefix("git+").removesuffix("+git"), ""))
    host, colon, path = _scp(url)
    if colon:
        return _network(f"{host}/{path.lstrip('/')}", "")
    return _local(url, base)


def _scp(url: str) -> tuple[str, str, str]:
    """Split `[user@]host:path`; no colon where the text is a path, such as one of Windows."""
    first = url.split("/", 1)[0]
    user, at, place = first.rpartition("@")
    if at and ":" in user and ":" in place:
        return _scp(url[len(user) + 1 :])
    colon = first.find(":", max(first.find("]"), 0))
    if colon < 1 or _is_windows(url) or "\\" in first[:colon]:
        return url, "", ""
    return url[:colon], ":", url[colon + 1 :]


def _is_windows(path: str) -> bool:
    return path[1:3] in (":\\", ":/") or path.startswith("\\\\")


def _network(rest: str, default_port: str) -> tuple[str, str]:
    authority, path = _split_authority(rest)
    host, colon, port = authority.rpartition(":")
    if not colon or port.endswith("]"):
        host, port = authority, ""
    place = f"{host}:{port}" if port and port != default_port else host
    text = f"{place}/{_trimmed(path)}".rstrip("/").lower()
    return text, _last(text)


def _split_authority(rest: str) -> tuple[str, str]:
    """(host and port, path without query). Passwords may hold any sign, so the user ends at the last `@` before the
    path, or, where no port stands before it, at the last one of all."""
    authority, _, path = rest.partition("/")
    port = authority.rpartition(":")[2]
    if "@" not in authority and ":" in authority and not (port.isdigit() or port.endswith("]")) and "@" in path:
        authority, _, path = rest.rpartition("@")[2].partition("/")
    host = authority.rpartition("@")[2] if "@" in _before(authority, "?") else authority
    return _before(host), _before(path) if host == _before(host) else ""


def _before(text: str, marks: str = "?#") -> str:
    """What stands before a query or fragment."""
    for mark in marks:
        text = text.split(mark, 1)[0]
    return text


def _local(path: str, base: str) -> tuple[str, str]:
    if _is_windows(path):
        text = path.rstrip("/\\")
        text = text[:-4] if text.lower().endswith(".git") else text
    else:
        if not path.startswith(("/", "~")):
            path = os.path.normpath(os.path.join(base, path))
        text = "/" + _trimmed(path) if path.startswith("/") else _trimmed(path)
    return text, _last(text)


def _trimmed(path: str) -> str:
    """A path without outer slashes and one `.git`."""
    path = path.strip("/")
    return path[:-4].rstrip("/") if path.lower().endswith(".git") else path


def _last(path: str) -> str:
    return path.replace("\\", "/").rstrip("/").rpartition("/")[2]
