"""A telling name and what is set below it: `password=x`, `"token": "x"`, `--secret x`, `<password>x</password>` …

The search is for names followed by something that sets; the name is judged by `names`, what follows is read as far as
its quotes or its surroundings allow, and the value is judged by `values`. Quotes may be escaped to any depth.
"""

from __future__ import annotations

import re

from gitinstinct.capture.redact import names, values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_UNIT = r"""(?:\\*(?:["'`]|&quot;|&\#0?39;|&\#x27;|&\#34;|&apos;)|[\u201c\u201d\u2018\u2019«»\u201e])"""
_QUOTES = r"""(?:\\*(?:["'`\u201c\u201d\u2018\u2019«»\u201e]|&[#\w]{2,5};))"""
_GAP = r"[ \t]{0,80}"
_NAME = re.compile(
    rf"""(?P<name>[\w-]++)(?:
        (?:{_QUOTES}|[\])]){{0,12}}(?P<type>[?!]?:\ ?[A-Za-z_][\w.]{{0,30}}(?:\[[\w\ ,|]{{0,40}}\])?(?:\ \|\ \w+)?\ )?
        {_GAP}(?P<sets>=>|=&gt;|:=|\?=|\?:|!:|===?|:|=|%3[aAdD]|\uff1a){_GAP}
      | (?P<loose>(?:{_QUOTES}{{1,12}},|\(|{_GAP}(?:{_QUOTES}{{1,12}}\))?(?:\|\||\?\?|or\b)){_GAP})(?={_QUOTES})
      | (?P<element>>|&gt;)
      | (?P<blank>[ \t]{{1,8}}(?:\\\n[ \t]{{0,40}})?)
    )""",
    re.X,
)
_OPEN = re.compile(rf"(?:[fFbBrRuUL@$]{{0,2}})(?P<quote>{_UNIT}{{1,9}})")
_OVER = r"[\s,;:.)\]}<&\\|]|\Z"
_BARE = re.compile(
    r"""(?: \\+u(?!00[0-3])[0-9a-fA-F]{4} | \\(?!["'`nrtux\\]) | &(?!amp;|quot;|lt;|gt;|apos;|\#|&|[\w.-]{1,40}=|\s|\Z)
      | [,;](?!\s|\Z|["'`\\]|[\w.\ -]{1,40}=) | [)\]}](?![\s,;)\]}.:'"`\\]|\Z) | [^\s"'`<&,;)\]}\\] )+""",
    re.X,
)
_LINE_MARK = r"(?:[ \t]*\d{1,6}(?:[\t→]|\\+t)|\S{1,200}:\d{1,6}:)?\+?"
_ENTRY = re.compile(r"""(?:\r?\n|(?:\\+r)?\\+n)[^\n]{0,60}?-[ \t]+(?:\\*["'])?(?P<s>[^\s"'\\]+)(?:\\*["'])?""")
_TAG = r"(?:<|&lt;)(?:[\w.-]{1,40}:)?\Z"
_TAG_BEGIN = r"<|&lt;"
_BREAK = r"\r?\n|(?:\\+r)?\\+n"
_CLOSERS = {"\u201c": "\u201d", "\u2018": "\u2019", "«": "»", "\u201e": "\u201c"}
_LONGEST = 4000


def spans(text: str) -> Iterator[tuple[int, int, str]]:
    """(start, end, kind) of every value that a telling name makes a secret."""
    position = 0
    for start, _ in names.found_in(text):
        found = _NAME.match(text, start) if start >= position else None
        if not found or _is_path(text, found):
            continue
        name = _own_name(text, found)
        if names.judge(name) and not name.lower().endswith(("authorization", "cookie")):
            for begin, end in _values(text, found, name):
                yield begin, end, names.kind(name)
                position = end


def _is_path(text: str, found: re.Match[str]) -> bool:
    """Whether the name stands in a placeholder, or in a path of colons such as `arn:…:secret:name`."""
    before = text[max(0, found.start() - 10) : found.start()]
    return before == "[REDACTED:" or (before.endswith(":") and found[0].endswith(":"))


def _own_name(text: str, found: re.Match[str]) -> str:
    """The name without the letter of an escape, such as `\\n`, before it."""
    name, start = found["name"], found.start("name")
    escaped = start > 0 and text[start - 1] == "\\" and name[0] in "nrtbfv"
    return name[1:] if escaped else name


def _values(text: str, found: re.Match[str], name: str) -> Iterator[tuple[int, int]]:
    """The values to go after a name and what sets them."""
    at = found.end()
    if found["sets"]:
        yield from _set(text, found, name, at)
    elif found["element"]:
        yield from _element(text, found.start(), name, at)
    elif found["loose"]:
        yield from [span for span in _quoted(text, name, at) or () if values.random(text[slice(*span)])]
    else:
        yield from _after_blank(text, found["name"], name, at)


def _element(text: str, start: int, name: str, at: int) -> Iterator[tuple[int, int]]:
    """The text of an XML element, if the name is the name of its tag."""
    tag = re.compile(_TAG).search(text, max(0, start - 80), start)
    end = re.compile(_TAG_BEGIN).search(text, at, at + _LONGEST)
    if tag and end and values.quoted_secret(text[at : end.start()].strip(), name):
        yield at, end.start()


def _set(text: str, found: re.Match[str], name: str, at: int) -> Iterator[tuple[int, int]]:
    quoted = _quoted(text, name, at)
    if quoted is not None:
        yield from quoted
        return
    first = text[at : at + 1]
    if first == "[" and not text.startswith("[REDACTED", at):
        yield from _items(text, at, text.find("]", at, at + _LONGEST), name)
    elif first == "{" and name.lower().endswith(("credentials", "secrets", "creds")):
        yield from _items(text, at, text.find("}", at, at + _LONGEST), "token")
    elif first in "|>" and re.match(r"[|>][+-]?\d?[ \t]*(?:\r?\n|\\+[rn])", text[at : at + 8]):
        yield from _block(text, found.start("name"), at)
    elif re.compile(_BREAK).match(text, at):
        yield from _listed(text, name, at)
    elif not found["type"]:
        yield from _bare(text, found, name, at)


def _quoted(text: str, name: str, at: int) -> list[tuple[int, int]] | None:
    """The value in quotes that begin at a place, if it is a secret; None where no quote begins."""
    opened = _OPEN.match(text, at)
    if not opened:
        return None
    start = opened.end()
    if len(opened["quote"]) > 1 and _is_empty(opened["quote"]) and re.compile(_OVER).match(text, start):
        return []
    end = _closing(text, start, opened["quote"])
    return [(start, end)] if values.quoted_secret(text[start:end], name) else []


def _is_empty(quote: str) -> bool:
    """Whether a run of quotes begins with an opening and a closing one, and is no triple quote."""
    units = re.findall(_UNIT, quote)
    return len(units) > 1 and units[0] == units[1] and units[2:3] != units[:1]


def _closing(text: str, start: int, quote: str) -> int:
    """Where a value ends that a quote opened: at the same quote, as deep as it; without one, at the end of the word."""
    closer = re.compile(r"(?<!\\)" + re.escape(_CLOSERS.get(quote, quote)))
    line = text.find("\n", start, start + _LONGEST)
    stop = min(len(text), start + _LONGEST) if line < 0 else line
    found = closer.search(text, start, stop)
    if found:
        return found.start()
    word = _BARE.match(text, start, stop)
    return word.end() if word else start


def _items(text: str, start: int, stop: int, name: str) -> Iterator[tuple[int, int]]:
    """The quoted secrets of a list or map."""
    at = start
    while opened := _OPEN.search(text, at, stop if stop > 0 else start):
        end = _closing(text, opened.end(), opened["quote"])
        value = text[opened.end() : end]
        held = text[max(0, opened.start() - 20) : opened.start()].rstrip().endswith(":") or text[start] == "["
        if held and values.quoted_secret(value, name) and (values.random(value) or names.is_password(name)):
            yield opened.end(), end
        at = end + len(opened["quote"])


def _listed(text: str, name: str, at: int) -> Iterator[tuple[int, int]]:
    """The entries of a YAML list below a name."""
    while entry := re.compile(_ENTRY).match(text, at):
        at = entry.end()
        if values.random(entry["s"]) or (names.is_password(name) and values.quoted_secret(entry["s"], name)):
            yield entry.span("s")


def _block(text: str, key: int, at: int) -> Iterator[tuple[int, int]]:
    """The lines of a YAML block, as far as they are indented more than their key."""
    line = [found.end() for found in re.compile(_BREAK).finditer(text, max(0, key - 200), key)]
    depth = _indent(text[line[-1] if line else 0 : key])
    opened = re.compile(_BREAK).search(text, at)
    start = end = opened.end() if opened else 0
    while 0 < start < len(text):
        broken = re.compile(_BREAK).search(text, start)
        stop = broken.start() if broken else len(text)
        if text[start:stop].strip() and _indent(text[start:stop]) <= depth:
            break
        end, start = stop, broken.end() if broken else len(text)
    if opened and end > opened.end():
        yield opened.end(), end


def _indent(line: str) -> int:
    """How many blanks a line begins with, not counting what a tool put before it."""
    mark = re.match(_LINE_MARK, line)
    own = line[mark.end() :] if mark else line
    return len(own) - len(own.lstrip(" "))


def _bare(text: str, found: re.Match[str], name: str, at: int) -> Iterator[tuple[int, int]]:
    value = _BARE.match(text, at)
    if not value:
        return
    follows = text[value.end() : value.end() + 1]
    folder = name.lower() in ("pwd", "oldpwd") and (value[0][0] in "/~\\" or value[0][1:3] in (":\\", ":/"))
    if not folder and values.bare_secret(value[0], name, _is_sure(text, found, name, value.end()), follows):
        yield at, value.end()


def _is_sure(text: str, found: re.Match[str], name: str, end: int) -> bool:
    """Whether the place of an unquoted value allows no code: a flag, an environment line, a query, its own line."""
    before, after = text[max(0, found.start() - 1) : found.start()], text[end : end + 1]
    if found["name"].startswith("-") or "--" in found["name"]:
        return True
    tight = found["sets"] in ("=", "%3D", "%3d") and text[found.end() - 1 : found.end()] in "=Dd"
    if tight and (name.isupper() or before in ("?", "&", ";", "D") or after in ("&", ";")):
        return True
    if not names.is_password(name):
        return False
    return (tight and (after.isspace() or after in ("", '"', "'", "`", "\\"))) or _alone(text, found, end)


def _alone(text: str, found: re.Match[str], end: int) -> bool:
    """Whether name and value are the whole of a line that is not code."""
    line = text[max(found.start() - 200, text.rfind("\n", 0, found.start()) + 1) : found.start()]
    rest = re.match(r"[ \t]*(?:#[^\n]*)?(?:\r?\n|\Z|\\+[rn]|\\*[\"'`])", text[end : end + 200])
    own = re.split(r"\\+n|[\"'`]", line)[-1]
    return bool(rest) and not re.search(r"[\w(]", re.sub(_LINE_MARK, "", own, count=1))


def _after_blank(text: str, flag: str, name: str, at: int) -> Iterator[tuple[int, int]]:
    """A flag and its value, or a statement such as `PASSWORD 'x'`."""
    if flag.startswith("-") or "--" in flag:
        quoted = _quoted(text, name, at)
        if quoted is not None:
            yield from quoted
        elif (value := _BARE.match(text, at)) and not value[0].startswith("-"):
            alone = values.bare_secret(value[0], name, True, text[value.end() : value.end() + 1])
            if alone and not (text[at - 2 : at].isspace() and values.wordy(value[0])):
                yield at, value.end()
    else:
        yield from [span for span in _quoted(text, name, at) or () if values.random(text[slice(*span)], 5)]
