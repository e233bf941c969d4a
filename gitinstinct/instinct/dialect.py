"""The upper half of a file: YAML frontmatter, in a dialect without YAML's surprises.

python-frontmatter carries it: `Handler` fills its interface (split, load, export) with our rules. Frontmatter stands
only at the top, between two lines `---`. Every scalar is the text that is written there, so that `no`, `0123` and
`2026-01-02` stay what a person reads; `model` converts by field. Anchors, aliases, tags, merge keys and duplicate keys
are errors: a reviewer must see the value that the program uses. PyYAML's C loader does the parsing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import yaml
from frontmatter.default_handlers import YAMLHandler

from gitinstinct.instinct.errors import Invalid

try:
    from yaml import CBaseLoader as _Loader
except ImportError:  # a PyYAML built without libyaml: the same result, seven times slower
    from yaml import BaseLoader as _Loader  # type: ignore[assignment]


class Loader(_Loader):
    """Asks for no tags: nothing here looks at one, and finding them is half of the reading."""

    def resolve(self, kind: object, value: object, implicit: object) -> str:
        """The tag of a node."""
        return ""

    def descend_resolver(self, parent: object, index: object) -> None:
        """Nothing depends on where a node stands."""

    def ascend_resolver(self) -> None:
        """Nothing depends on where a node stands."""


Value = str | list[Any] | dict[str, Any]
"""A frontmatter value: text, or lists and maps of text."""

LENGTH = 16_384  # characters of frontmatter; more is not parsed at all
_DEPTH = 12
# Only text with one of these can hold an anchor, alias, tag, directive or deep nesting.
_SUSPECT = re.compile(r"[&*!%<\[{]|(?:- ){3}")
_FENCE = re.compile(r"---[ \t]*\r?\n?")
# What a reader of YAML 1.1 or 1.2 takes for a number, a time or a date.
_NUMBER_LIKE = re.compile(
    r"""[-+]?(?: [0-9][0-9_.,:+-]* | 0[xob][0-9a-f_]+ | (?:[0-9][0-9_]*\.?[0-9_]*|\.[0-9_]+)(?:e[-+]?[0-9]+)?
        | \.(?:inf|nan) | [0-9]{4}-[0-9]{1,2}-[0-9]{1,2}[t\ ].* )""",
    re.IGNORECASE | re.VERBOSE,
)
_PLAIN = re.compile(r"[^\s\-?:,\[\]{}#&*!|>'\"%@`=~<](?:.*[^\s:])?", re.DOTALL)


class Handler(YAMLHandler):
    """python-frontmatter's handler for instinct files."""

    def split(self, text: str) -> tuple[str, str]:
        """Frontmatter and body, cut at our two fences; `Invalid` when there is none at the top."""
        lines = text.split("\n")
        lines = [line + "\n" for line in lines[:-1]] + lines[-1:]
        end = closing_fence(lines)
        return "".join(lines[1:end]), "".join(lines[end + 1 :])

    def load(self, fm: str, **_: object) -> dict[str, Value]:
        """The frontmatter as a map of text, lists and maps.

        Raises:
            Invalid: with the line of the *file*, the opening fence being line 1.
        """
        return {key: _value(node) for key, (_, node) in compose(fm).items()}

    def export(self, metadata: Mapping[str, object], **_: object) -> str:
        """The map as canonical lines, in its own order."""
        return "".join(f"{field(name, value)}\n" for name, value in metadata.items()).removesuffix("\n")


def closing_fence(lines: Sequence[str]) -> int:
    """The index of the line that ends the frontmatter.

    Raises:
        Invalid: there is no frontmatter at the top, or it does not end.
    """
    if not lines or not _FENCE.fullmatch(lines[0]):
        raise Invalid(_no_fence(lines), 1)
    for index, line in enumerate(lines[1:], 1):
        if _FENCE.fullmatch(line):
            return index
    raise Invalid("the frontmatter does not end: no second line ---", 1)


def _no_fence(lines: Sequence[str]) -> str:
    later = next((number for number, line in enumerate(lines, 1) if _FENCE.fullmatch(line)), None)
    further = f" (one begins in line {later}: a collection of instincts is not an instinct)" if later else ""
    return f"no frontmatter: the first line is not ---{further}"


def compose(text: str) -> dict[str, tuple[yaml.ScalarNode, yaml.Node]]:
    """The top-level fields as YAML nodes, which know where in the text they stand.

    Raises:
        Invalid: with the line of the file, the opening fence being line 1.
    """
    if len(text) > LENGTH:
        raise Invalid(f"the frontmatter is longer than {LENGTH} characters")
    try:
        if _SUSPECT.search(text):
            _check_events(text)
        root = yaml.compose(text, Loader=Loader)
    except yaml.YAMLError as error:
        raise _explained(error) from error
    except (ValueError, RecursionError) as error:
        raise Invalid(f"the frontmatter cannot be read: {error}") from error
    if root is None:
        return {}
    if not isinstance(root, yaml.MappingNode):
        raise Invalid("the frontmatter is not a map of fields", 2)
    return _fields(root)


def _fields(root: yaml.MappingNode) -> dict[str, tuple[yaml.ScalarNode, yaml.Node]]:
    fields: dict[str, tuple[yaml.ScalarNode, yaml.Node]] = {}
    for key, node in root.value:
        name, line = key.value, key.start_mark.line + 2
        if not isinstance(key, yaml.ScalarNode):
            raise Invalid("a key of the frontmatter is no plain word", line)
        if name in fields:
            raise Invalid(f"{name} stands twice, first in line {fields[name][0].start_mark.line + 2}", line)
        if name == "<<":
            raise Invalid("merge keys (<<) are not allowed", line)
        fields[name] = (key, node)
    return fields


def _check_events(text: str) -> None:
    """Refuses what a reviewer cannot see through, before anything is built from it."""
    depth = 0
    for event in yaml.parse(text, Loader=Loader):
        line = event.start_mark.line + 2 if event.start_mark else None
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise Invalid("anchors and aliases (& and *) are not allowed", line)
        if getattr(event, "tag", None) not in (None, "!"):
            raise Invalid("tags (!) are not allowed", line)
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > _DEPTH:
            raise Invalid("the frontmatter is nested too deeply", line)


def _explained(error: yaml.YAMLError) -> Invalid:
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None) or getattr(error, "reason", None) or "unreadable"
    return Invalid(f"YAML: {problem}", mark.line + 2 if mark else None)


def _value(node: yaml.Node) -> Value:
    if isinstance(node, yaml.MappingNode):
        return {str(_value(key)): _value(value) for key, value in node.value}
    if isinstance(node, yaml.SequenceNode):
        return [_value(item) for item in node.value]
    return str(node.value)


value = _value


# --- writing


def field(name: str, value: object) -> str:
    """One canonical line `name: value`; lists of words in flow form, maps in flow form."""
    return f"{_key(name)}: {flow(value)}"


def flow(value: object) -> str:
    """A value on one line."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(str(key))}: {_in_flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_in_flow(item) for item in value) + "]"
    return scalar(str(value))


def _in_flow(value: object) -> str:
    text = flow(value)
    plain = isinstance(value, str) and not text.startswith('"')
    return quoted(text) if plain and any(sign in text for sign in ",[]{}") else text


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z_][\w-]*", name) and not is_ambiguous(name) else quoted(name)


def scalar(text: str) -> str:
    """Text as a YAML scalar on one line: plain where every reader takes it as that text, else in double quotes."""
    plain = _PLAIN.fullmatch(text) and text.isprintable() and ": " not in text and " #" not in text
    return text if plain and not is_ambiguous(text) else quoted(text)


def is_ambiguous(text: str) -> bool:
    """Whether a YAML 1.1 or 1.2 reader could take the plain text for a number, a date, a boolean or nothing."""
    words = {"true", "false", "yes", "no", "on", "off", "y", "n", "null", "nan", ""}
    return text.lower() in words or _NUMBER_LIKE.fullmatch(text) is not None


def quoted(text: str) -> str:
    """Text in double quotes, with what cannot be printed escaped."""
    return '"' + "".join(_escaped(sign) for sign in text) + '"'


def _escaped(sign: str) -> str:
    if sign in '"\\':
        return "\\" + sign
    if sign.isprintable():
        return sign
    code = ord(sign)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
