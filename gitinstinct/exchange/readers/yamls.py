"""YAML without Markdown: a list of instincts, a map with such a list, one instinct, or several documents of one each.

The rules of frontmatter hold: scalars are the text that is written there, and anchors, aliases, tags, merge keys and
keys that stand twice are errors.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from gitinstinct.exchange.draft import Reading
from gitinstinct.exchange.readers import blocks, records
from gitinstinct.instinct.errors import Invalid
from gitinstinct.instinct.fields import shown

LENGTH = 1024 * 1024  # characters; every scalar costs hundreds of bytes until it is read
_DEPTH = 12
_MEANT = re.compile(r"^(?:(?:instincts|trigger)[ \t]*:|[ ]*- (?:id|name|trigger)[ \t]*:)", re.MULTILINE)


def read(path: str, text: str) -> Reading:
    """The instincts of a file; nothing if it is not YAML throughout.

    Raises:
        Invalid: it is YAML with instincts, and something in it is not allowed.
    """
    import yaml

    from gitinstinct.instinct.nodes import Loader

    is_meant = _MEANT.search(text) is not None and not blocks.begins(text)
    if len(text) > LENGTH:
        if is_meant:
            raise Invalid(f"a list in YAML of more than {LENGTH:,} characters")
        return Reading()
    try:
        fault = _fault(yaml.parse(text, Loader=Loader))
        documents = [] if fault else list(yaml.compose_all(text, Loader=Loader))
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        if is_meant:
            raise _explained(error) from error
        return Reading()  # Markdown
    if fault and is_meant:
        raise fault
    values = [_value(node) for node in documents]
    found = [records.find(value) for value in values if value != ""]
    if not found or any(one is None for one in found):
        return Reading()
    for node in documents:
        _refuse_odd_keys(node)
    return records.read(path, [record for some in found for record in some or []])


def _explained(error: Exception) -> Invalid:
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None) or getattr(error, "reason", None) or "unreadable"
    return Invalid(f"YAML: {problem}", mark.line + 1 if mark else None)


def _fault(events: Iterable[Any]) -> Invalid | None:
    """What must not be there, seen before anything is made of it: an alias makes little text large."""
    import yaml

    depth = 0
    for event in events:
        line = event.start_mark.line + 1 if event.start_mark else None
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            return Invalid("anchors and aliases (& and *) are not allowed", line)
        if getattr(event, "tag", None) not in (None, "!"):
            return Invalid("tags (!) are not allowed", line)
        if depth > _DEPTH:
            return Invalid("nested too deeply", line)
    return None


def _value(node: Any) -> Any:
    """Text, lists and maps. A key that is no plain text has no place in a map of ours."""
    import yaml

    if node is None:
        return ""
    if isinstance(node, yaml.MappingNode):
        return {str(key.value): _value(item) for key, item in node.value if isinstance(key, yaml.ScalarNode)}
    if isinstance(node, yaml.SequenceNode):
        return [_value(item) for item in node.value]
    return str(node.value)


def _refuse_odd_keys(node: Any) -> None:
    import yaml

    for mapping in _mappings(node):
        seen: set[str] = set()
        for key, _ in mapping.value:
            if not isinstance(key, yaml.ScalarNode):
                raise Invalid("a key is no plain word", key.start_mark.line + 1)
            name = str(key.value)
            if name in seen or name == "<<":
                what = "merge keys (<<) are not allowed" if name == "<<" else f"the key {shown(name)} stands twice"
                raise Invalid(what, key.start_mark.line + 1)
            seen.add(name)


def _mappings(node: Any) -> Iterator[Any]:
    import yaml

    if isinstance(node, yaml.MappingNode):
        yield node
        for _, item in node.value:
            yield from _mappings(item)
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            yield from _mappings(item)
