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
# What sets a value behind a name, a name's type between them. Compiled first, as it stands behind most names.
_SETS = re.compile(
    rf"""(?:{_QUOTES}|[\])]){{0,12}}(?P<type>[?!]?:\ ?[A-Za-z_][\w.]{{0,30}}(?:\[[\w\ ,|]{{0,40}}\])?(?:\ \|\ \w+)?\ )?
    {_GAP}(?P<sets>=>|=&gt;|:=|\?=|\?:|!:|===?|:|=|%3[aAdD]|\uff1a){_GAP}""",
    re.X,
)
# What else may stand between a name and its value: a comma or `or`, the end of a tag, blanks.
_JOINS = (
    rf"(?P<loose>(?:{_QUOTES}{{1,12}},|\(|{_GAP}(?:{_QUOTES}{{1,12}}\))?(?:\|\||\?\?|or\b)){_GAP})(?={_QUOTES})"
    r"|(?P<element>>|&gt;)|(?P<blank>[ \t]{1,8}(?:\\\n[ \t]{0,40})?)"
)
_OPEN = rf"(?:[fFbBrRuUL@$]{{0,2}})(?P<quote>{_UNIT}{{1,9}})"
_OPENERS = frozenset("\"'`\\&\u201c\u201d\u2018\u2019«»\u201efFbBrRuUL@$")
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


class _Name:
    """A name in a text: where it stands, as it is written, and without the letter of an escape such as `\\n`."""

    __slots__ = ("end", "own", "start", "text", "written")

    def __init__(self, text: str, start: int, end: int) -> None:
        self.text, self.start, self.end = text, start, end
        self.written = text[start:end]
        escaped = text[start - 1 : start] == "\\" and self.written[0] in "nrtbfv"
        self.own = self.written[1:] if escaped else self.written

    def before(self, size: int) -> str:
        """What stands before the name."""
        return self.text[max(0, self.start - size) : self.start]

    def is_flag(self) -> bool:
        """Whether it is an option of a command."""
        return self.written.startswith("-") or "--" in self.written

    def tells(self) -> bool:
        """Whether a value may follow: not in a placeholder, nor in a path of colons such as `arn:…:secret:name`."""
        before, after = self.before(10), self.text[self.end : self.end + 2]
        if before == "[REDACTED:" or (before.endswith(":") and after[:1] == ":" and not after[1:].isspace()):
            return False
        return bool(names.judge(self.own)) and not self.own.lower().endswith(("authorization", "cookie"))


def spans(text: str) -> Iterator[tuple[int, int, str]]:
    """(start, end, kind) of every value that a telling name makes a secret."""
    position = 0
    for start, end in names.found_in(text):
        name = _Name(text, start, end)
        if start >= position and name.tells():
            for first, last in _values(text, name):
                yield first, last, names.kind(name.own)
                position = last


def _values(text: str, name: _Name) -> Iterator[tuple[int, int]]:
    """The values to go after a name, by what stands between."""
    sets = _SETS.match(text, name.end)
    if sets:
        yield from _set(text, name, sets)
        return
    joins = re.compile(_JOINS).match(text, name.end)
    if not joins:
        return
    if joins["element"]:
        yield from _element(text, name, joins.end())
    elif joins["loose"]:
        yield from [span for span in _quoted(text, name.own, joins.end()) or () if values.random(text[slice(*span)])]
    elif name.is_flag():
        yield from _flag(text, name, joins.end())
    else:
        yield from [span for span in _quoted(text, name.own, joins.end()) or () if values.random(text[slice(*span)], 5)]


def _element(text: str, name: _Name, at: int) -> Iterator[tuple[int, int]]:
    """The text of an XML element, if the name is the name of its tag."""
    tag = re.search(_TAG, name.before(80))
    end = re.compile(_TAG_BEGIN).search(text, at, at + _LONGEST)
    if tag and end and values.quoted_secret(text[at : end.start()].strip(), name.own):
        yield at, end.start()


def _set(text: str, name: _Name, sets: re.Match[str]) -> Iterator[tuple[int, int]]:
    """What is set below a name: a text in quotes, a list, a map, a block, or a bare word."""
    at = sets.end()
    quoted = _quoted(text, name.own, at)
    first = text[at : at + 1]
    if quoted is not None:
        yield from quoted
    elif first == "[" and not text.startswith("[REDACTED", at):
        yield from _items(text, at, text.find("]", at, at + _LONGEST), name.own)
    elif first == "{" and name.own.lower().endswith(("credentials", "secrets", "creds")):
        yield from _items(text, at, text.find("}", at, at + _LONGEST), "token")
    elif first in ("|", ">") and re.match(r"[|>][+-]?\d?[ \t]*(?:\r?\n|\\+[rn])", text[at : at + 8]):
        yield from _block(text, name, at)
    elif first in ("\r", "\n", "\\") and re.compile(_BREAK).match(text, at):
        yield from _listed(text, name.own, at)
    elif not sets["type"]:
        yield from _bare(text, name, sets)


def _quoted(text: str, name: str, at: int) -> list[tuple[int, int]] | None:
    """The value in quotes that begin at a place, if it is a secret; None where no quote begins."""
    opened = re.compile(_OPEN).match(text, at) if text[at : at + 1] in _OPENERS else None
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
    while opened := re.compile(_OPEN).search(text, at, stop if stop > 0 else start):
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


def _block(text: str, name: _Name, at: int) -> Iterator[tuple[int, int]]:
    """The lines of a YAML block, as far as they are indented more than their key."""
    depth = _indent(re.split(_BREAK, name.before(200))[-1])
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


def _bare(text: str, name: _Name, sets: re.Match[str]) -> Iterator[tuple[int, int]]:
    """A value without quotes."""
    found = _BARE.match(text, sets.end())
    if not found:
        return
    value, follows = found[0], text[found.end() : found.end() + 1]
    folder = name.own.lower() in ("pwd", "oldpwd") and (value[0] in "/~\\" or value[1:3] in (":\\", ":/"))
    if not folder and values.bare_secret(value, name.own, _is_sure(text, name, sets, found.end()), follows):
        yield found.span()


def _is_sure(text: str, name: _Name, sets: re.Match[str], end: int) -> bool:
    """Whether the place of an unquoted value allows no code: a flag, an environment line, a query, its own line."""
    if name.is_flag():
        return True
    before, after = name.before(1), text[end : end + 1]
    tight = sets["sets"] in ("=", "%3D", "%3d") and sets[0][-1] in "=Dd"
    if tight and (name.own.isupper() or before in ("?", "&", ";", "D") or after in ("&", ";")):
        return True
    if not names.is_password(name.own):
        return False
    return (tight and (after.isspace() or after in ("", '"', "'", "`", "\\"))) or _alone(text, name, end)


def _alone(text: str, name: _Name, end: int) -> bool:
    """Whether name and value are the whole of a line that is not code."""
    rest = re.match(r"[ \t]*(?:#[^\n]*)?(?:\r?\n|\Z|\\+[rn]|\\*[\"'`])", text[end : end + 200])
    own = re.split(r"\n|\\+n|[\"'`]", name.before(200))[-1]
    return bool(rest) and not re.search(r"[\w(]", re.sub(_LINE_MARK, "", own, count=1))


def _flag(text: str, name: _Name, at: int) -> Iterator[tuple[int, int]]:
    """The value of an option that follows it as the next word."""
    quoted = _quoted(text, name.own, at)
    if quoted is not None:
        yield from quoted
        return
    found = _BARE.match(text, at)
    if found and not found[0].startswith("-"):
        secret = values.bare_secret(found[0], name.own, True, text[found.end() : found.end() + 1])
        # Behind two blanks begins the help text of an option.
        if secret and not (text[at - 2 : at].isspace() and values.wordy(found[0])):
            yield found.span()
