"""A store's own config file.

GitPython's parser reads it: sections, quoting and several values of one key, without a process. It is not used for
writing, because it writes the whole file anew and drops a person's comments; `git config` changes one line.
The library costs about 90 ms, so it is imported here, when somebody asks.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from gitinstinct.errors import EnvironmentFault
from gitinstinct.git.repo import Repo


def read(file: Path) -> dict[str, list[str]]:
    """All settings of a config file: `section.subsection.key` (section and key in lower case) to its values in order.

    Includes are not followed.

    Raises:
        EnvironmentFault: the file cannot be read as git's config.
    """
    from git.config import GitConfigParser

    try:
        with GitConfigParser(str(file), read_only=True, merge_includes=False) as parser:
            return {
                f"{_flat(section)}.{key.lower()}": [str(value) for value in values]
                for section in parser.sections()
                for key, values in parser.items_all(section)
            }
    except Exception as error:  # the parser lets errors of many kinds through: ValueError, OSError, its own …
        hint = f"git config --file {file} --list tells the line"
        raise EnvironmentFault(f"{file} is no readable git config: {error}", hint) from error


def _flat(section: str) -> str:
    name, quote, rest = section.partition(' "')
    return f"{name.lower()}.{rest.removesuffix(chr(34))}" if quote else name.lower()


def ensure(repo: Repo, file: Path, wanted: Mapping[str, str]) -> list[str]:
    """Sets what is not set so already; other lines of the file stay as they are.

    Returns:
        The names that were changed.
    """
    present = read(file)
    changed = [name for name, value in wanted.items() if present.get(_lowered(name)) != [value]]
    for name in changed:
        repo.run("config", "--file", str(file), "--replace-all", "--end-of-options", name, wanted[name])
    return changed


def _lowered(name: str) -> str:
    """`diff.instinct.xFuncname` as `read` names it: a subsection keeps its case."""
    section, _, key = name.rpartition(".")
    first, dot, rest = section.partition(".")
    return f"{first.lower()}{dot}{rest}.{key.lower()}"
