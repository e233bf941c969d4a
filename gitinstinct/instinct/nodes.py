"""Frontmatter that is not plain lines, read by PyYAML's C loader, in a dialect without YAML's surprises.

Anchors, aliases, tags, merge keys and duplicate keys are errors: a reviewer must see the value that the program uses.
Every scalar is the text that is written there. PyYAML costs three times the interpreter's start, so `dialect` comes
here only for what it cannot read itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import yaml

from gitinstinct.instinct.dialect import Field, Value
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


_OTHER_END = re.compile("[\x85\u2028\u2029]")
_DEPTH = 12
# Only text with one of these can hold an anchor, alias, tag, directive or deep nesting.
_SUSPECT = re.compile(r"[&*!%<\[{]|(?:- ){3}")


def fields(lines: Sequence[str]) -> dict[str, Field]:
    """The top-level fields of a frontmatter's lines.

    Raises:
        Invalid: with the line of the file, the opening fence being line 1.
    """
    for number, line in enumerate(lines, 2):
        if _OTHER_END.search(line):
            raise Invalid("a character that YAML takes for the end of a line, and editors do not", number)
    return {name: _field(key, node, lines) for name, key, node in _pairs("".join(lines))}


def _field(key: yaml.ScalarNode, node: yaml.Node, lines: Sequence[str]) -> Field:
    start, name_end = key.start_mark.line, key.end_mark.column
    (first, begin), (last, stop) = ((mark.line, mark.column) for mark in (node.start_mark, node.end_mark))
    # A block scalar's end mark stands at the start of the line behind it, a list's may as well.
    end = max(start + 1, last if stop == 0 else last + 1)
    style = getattr(node, "style", None) or ""
    if not start == first == last:
        return Field(start, end, _value(node), name_end, name_end, style, False)
    if begin == stop:  # nothing stands there: the marks may be behind a comment
        begin = stop = lines[start].index(":", name_end) + 1
    return Field(start, end, _value(node), begin, stop, style, True)


def _pairs(text: str) -> Iterator[tuple[str, yaml.ScalarNode, yaml.Node]]:
    root, lines = _root(text), dict[str, int]()
    for key, node in root.value if root is not None else ():
        name, line = key.value, key.start_mark.line + 2
        if not isinstance(key, yaml.ScalarNode):
            raise Invalid("a key of the frontmatter is no plain word", line)
        if name in lines:
            raise Invalid(f"{name} stands twice, first in line {lines[name]}", line)
        if name == "<<":
            raise Invalid("merge keys (<<) are not allowed", line)
        lines[name] = line
        yield name, key, node


def _root(text: str) -> yaml.MappingNode | None:
    try:
        if _SUSPECT.search(text):
            _check_events(text)
        root = yaml.compose(text, Loader=Loader)
    except yaml.YAMLError as error:
        raise _explained(error) from error
    except (ValueError, RecursionError) as error:
        raise Invalid(f"the frontmatter cannot be read: {error}") from error
    if root is not None and not isinstance(root, yaml.MappingNode):
        raise Invalid("the frontmatter is not a map of fields", 2)
    return root


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
