"""The grammar of `check:`: a small pattern over tool calls that says when an instinct was, and was not, followed.

    check: {on: shell, bad: "\\bpip install\\b", good: "\\buv add\\b"}
    check: {on: shell, when: "\\bpytest\\b", good: "-n auto"}
    check: {on: edit, paths: "*.py", then: "\\bpytest\\b", within: 5}
    check: {on: edit, before: "^(Read|Grep) ", within: 10}

`on`, `paths` and `when` say which calls count. Such a call is judged by itself (`bad`, `good`), or by what comes after
it (`then`) or came before it (`before`) within so many calls. Nothing is guessed: an unknown key is an error.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase

from gitinstinct.instinct import globs
from gitinstinct.instinct.dialect import Value
from gitinstinct.instinct.fields import shown
from gitinstinct.measure import regexes
from gitinstinct.measure.errors import Malformed
from gitinstinct.measure.regexes import Pattern
from gitinstinct.observer import events

KEYS = ("on", "paths", "when", "bad", "good", "then", "before", "within")
WITHIN, LONGEST_WITHIN = 5, 50
_MOST_NAMES = 20
_NAME = 100
_LONGEST_GLOB = 200

SHELL, EDIT = "shell", "edit"
"""Names for all tools that run commands, and for all that change files, whatever a harness calls them."""


@dataclass(frozen=True, slots=True)
class Check:
    """A `check:` that can be used. `on` and `paths` are alternatives; `within` counts calls."""

    on: tuple[str, ...]
    paths: tuple[str, ...] = ()
    when: Pattern | None = None
    bad: Pattern | None = None
    good: Pattern | None = None
    then: Pattern | None = None
    before: Pattern | None = None
    within: int = WITHIN

    def concerns(self, tool: str, path: str) -> bool:
        """Whether `on` and `paths` name this call."""
        if not any(_is_called(name, tool) for name in self.on):
            return False
        return not self.paths or (bool(path) and any(globs.matches(glob, path) for glob in self.paths))


def _is_called(name: str, tool: str) -> bool:
    if name == SHELL:
        return events.is_shell(tool)
    if name == EDIT:
        return events.is_editor(tool)
    return name == tool or ("*" in name and fnmatchcase(tool, name))


def read(value: Value) -> Check:
    """The check that a frontmatter's `check` says.

    Raises:
        Malformed: it says none; the reason is a phrase that follows the word `check`.
    """
    if not isinstance(value, dict):
        raise Malformed("is no map such as {on: shell, bad: npm}")
    unknown = [key for key in value if key not in KEYS]
    if unknown:
        raise Malformed(f"has an unknown key {shown(unknown[0])}; it knows {', '.join(KEYS)}")
    made = Check(
        on=_names(value, "on"),
        paths=_globs(value),
        within=_within(value),
        **{name: _pattern(value, name) for name in ("when", "bad", "good", "then", "before")},
    )
    _judge(made, value)
    return made


def _judge(made: Check, value: Mapping[str, Value]) -> None:
    """Whether the keys go together."""
    if not made.on:
        raise Malformed("does not say `on` which tools: shell, edit, or their names")
    kinds = [made.bad is not None or made.good is not None, made.then is not None, made.before is not None]
    if sum(kinds) != 1:
        raise Malformed("needs one of: `bad` and `good`, or `then`, or `before`")
    if "within" in value and kinds[0]:
        raise Malformed("has `within` without `then` or `before`")
    if made.good and not (made.bad or made.when or made.paths):
        raise Malformed("has `good` alone: say with `bad`, `when` or `paths` what else there is")


def _pattern(value: Mapping[str, Value], name: str) -> Pattern | None:
    if name not in value:
        return None
    text = value[name]
    if not isinstance(text, str) or not text:
        raise Malformed(f"has no text in `{name}`")
    try:
        return regexes.compiled(text)
    except Malformed as error:
        raise Malformed(f"cannot be used: `{name}` {error}") from None


def _names(value: Mapping[str, Value], name: str) -> tuple[str, ...]:
    found = value.get(name, [])
    listed = [found] if isinstance(found, str) else found
    if not isinstance(listed, list) or not all(isinstance(one, str) and 0 < len(one) <= _NAME for one in listed):
        raise Malformed(f"has no name or list of names in `{name}`")
    if len(listed) > _MOST_NAMES:
        raise Malformed(f"has more than {_MOST_NAMES} names in `{name}`")
    return tuple(listed)


def _globs(value: Mapping[str, Value]) -> tuple[str, ...]:
    listed = _names(value, "paths")
    for glob in listed:
        if not glob.strip() or len(glob) > _LONGEST_GLOB:
            longest = f"{_LONGEST_GLOB} characters"
            raise Malformed(f"cannot be used: `paths` holds a glob that is empty or longer than {longest}")
    return listed


def _within(value: Mapping[str, Value]) -> int:
    text = value.get("within", str(WITHIN))
    number = int(text) if isinstance(text, str) and text.isascii() and text.isdigit() and len(text) < 4 else 0
    if not 1 <= number <= LONGEST_WITHIN:
        raise Malformed(f"has {shown(str(text))} in `within`, not a whole number from 1 to {LONGEST_WITHIN}")
    return number
