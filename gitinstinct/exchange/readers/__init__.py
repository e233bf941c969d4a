"""Readers of foreign files, one module a family: blocks of frontmatter, records of YAML, records of JSON.

A reader knows how a file is cut and nothing of what its values mean: it gives documents, frontmatter above a body, and
`settle` makes instincts of them.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from gitinstinct.exchange.draft import File, Reading, Refused
from gitinstinct.exchange.readers import blocks, jsons, yamls
from gitinstinct.instinct import sheet
from gitinstinct.instinct.errors import Invalid

LENGTH = 4 * 1024 * 1024  # bytes of one file
SUFFIXES = frozenset({".md", ".markdown", ".yaml", ".yml", ".json"})
"""Files of a folder that are looked into."""

_HTML = re.compile(r"\s*(?:<!--.*?-->\s*)?<(?:!doctype html|html|head)\b", re.IGNORECASE | re.DOTALL)
_TELLING = re.compile(rb"trigger|instinct|confidence")
NOTHING = "no frontmatter with an id or a trigger, and no list of instincts"
HTML = "a web page (HTML), not instincts"


def read(file: File) -> Reading:
    """What a file holds, whatever it calls itself. Never raises for what stands in it."""
    try:
        return _read(file, _decoded(file.data))
    except Invalid as error:
        if not _TELLING.search(file.data):
            return Reading(nothing=str(error))  # some other file beside them
        return Reading(refused=(Refused(file.path, "", str(error)),))


def is_page(text: str) -> bool:
    """Whether a text is a page for people, or the beginning of one."""
    return _HTML.match(text) is not None


def _decoded(data: bytes) -> str:
    if len(data) > LENGTH:
        raise Invalid(f"the file has {len(data):,} bytes; {LENGTH:,} is the most")
    return sheet.utf8(data).removeprefix("\ufeff")


def _read(file: File, text: str) -> Reading:
    suffix = PurePosixPath(file.path).suffix.lower()
    if is_page(text):
        return Reading(nothing=HTML)
    if suffix in (".json", ".jsonl") or text.lstrip()[:1] in ("{", "["):
        return jsons.read(file.path, text)
    if suffix in (".yaml", ".yml") or not blocks.begins(text):
        found = yamls.read(file.path, text)
        if found.drafts or found.refused:
            return found
    found = blocks.read(file.path, text)
    return found if found.drafts or found.refused else Reading(nothing=found.nothing or NOTHING)
