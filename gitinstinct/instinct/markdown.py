"""Whole files: bytes to `Instinct`, and a new instinct to canonical bytes.

Reading is tolerant (BOM, CRLF, comments, either quote style, no final newline, `---` in the body) and never silent:
what cannot be read raises `Invalid` with the reason. `Document` is the file cut into its parts, so that `edit` can
change one line and leave every other byte alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from gitinstinct.instinct import body as bodies
from gitinstinct.instinct import dialect, model
from gitinstinct.instinct.errors import Invalid
from gitinstinct.instinct.ledger import Entry
from gitinstinct.instinct.model import Instinct

_ENOUGH = 16  # lines of a body that mostly hold all that `check` must know: an entry, so that there is a ledger
LENGTH = 65_536  # bytes; more is no instinct
_BOM = "\ufeff"
_MARKERS = ("<<<<<<< ", ">>>>>>> ", "||||||| ")


@dataclass(frozen=True, slots=True)
class Document:
    """A file in its parts, every line with its end. `"".join` of all parts is the file.

    `head` is the BOM, if there is one, and the opening fence.
    """

    head: str
    fields: tuple[str, ...]
    fence: str
    body: tuple[str, ...]

    @property
    def newline(self) -> str:
        """The file's own line end."""
        return "\r\n" if self.head.endswith("\r\n") else "\n"

    def encode(self) -> bytes:
        """The file's bytes."""
        return "".join((self.head, *self.fields, self.fence, *self.body)).encode()


def split(data: bytes) -> Document:
    """Cuts a file into its parts.

    Raises:
        Invalid: too long, not UTF-8, odd line ends, no frontmatter at the top.
    """
    text = _decoded(data)
    bom = _BOM if text.startswith(_BOM) else ""
    lines = text.removeprefix(_BOM).split("\n")
    lines = [line + "\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])
    end = dialect.closing_fence(lines)
    return Document(bom + lines[0], tuple(lines[1:end]), lines[end], tuple(lines[end + 1 :]))


def _decoded(data: bytes) -> str:
    if len(data) > LENGTH:
        raise Invalid(f"the file has {len(data):,} bytes; {LENGTH:,} is the most for one instinct")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise Invalid(f"not UTF-8: byte {data[error.start]:#04x} at offset {error.start}", line) from error
    if "\r" in text.replace("\r\n", ""):
        raise Invalid("a carriage return without a line feed", text.split("\r", 1)[0].count("\n") + 1)
    return text


def parse(data: bytes, stem: str | None = None) -> Instinct:
    """The instinct that a file holds.

    Args:
        data: the file's bytes.
        stem: the file's name without `.md`, which must equal the id; None for a file outside a store.

    Raises:
        Invalid: the file is no readable instinct; the reason says why.
    """
    document = split(data)
    _refuse_markers(document)
    fields = dialect.Handler().load("".join(document.fields))
    name = model.read_id(fields)
    if stem is not None and name != stem:
        raise Invalid(f"the id {model.shown(name)} is not the file's name")
    instinct = _instinct(name, fields, bodies.read(document.body))
    if not instinct.trigger and not instinct.forgotten:
        raise Invalid("no trigger")
    if not instinct.adopted and "confidence" not in instinct.written:
        raise Invalid("no confidence, and no evidence that would give one")
    return instinct


def check(data: bytes, stem: str | None = None) -> None:
    """Whether `parse` would succeed, without reading a long ledger to its end.

    Raises:
        Invalid: as `parse`.
    """
    document = split(data)
    _refuse_markers(document)
    try:
        parse(replace(document, body=document.body[:_ENOUGH]).encode(), stem)
    except Invalid:
        parse(data, stem)


def _refuse_markers(document: Document) -> None:
    """A file that a merge left half done is nobody's word."""
    lines = (document.head, *document.fields, document.fence, *document.body)
    for number, line in enumerate(lines, 1):
        if line.startswith(_MARKERS):
            raise Invalid("a conflict marker of an unfinished merge", number)


def _instinct(name: str, fields: Mapping[str, dialect.Value], body: bodies.Body) -> Instinct:
    bullets = body.bullets()
    return Instinct(
        id=name,
        trigger=model.text(fields, "trigger"),
        title=body.title or _plain(fields, "title"),
        action=body.text(bodies.ACTION) or _plain(fields, "action"),
        domain=model.text(fields, "domain"),
        source=model.text(fields, "source"),
        scope=model.text(fields, "scope"),
        project_id=model.text(fields, "project_id"),
        project_name=model.text(fields, "project_name"),
        tags=model.words(fields, "tags"),
        paths=model.words(fields, "paths"),
        written=model.derived(fields),
        ledger=tuple(bullet.entry for bullet in bullets if bullet.entry),
        notes=tuple(bullet.text for bullet in bullets if not bullet.entry),
        extra={key: value for key, value in fields.items() if key not in model.ORDER},
    )


def _plain(fields: Mapping[str, dialect.Value], name: str) -> str:
    """A foreign key that other tools use in place of the body."""
    found = fields.get(name)
    return found.strip() if isinstance(found, str) else ""


def compose(fields: Mapping[str, object], title: str, action: str, entries: Iterable[Entry]) -> bytes:
    """A new file in canonical form; the derived fields come from the entries.

    Args:
        fields: `id`, `trigger` and whatever else the file shall say, without derived fields.
        title: the heading.
        action: the text below `## Action`.
        entries: the ledger; it must hold at least one.
    """
    ledger = sorted(entries, key=lambda entry: entry.order)
    given = dict(fields) | model.derive(ledger, str(fields.get("source", "")))
    known = [name for name in model.ORDER if name in given]
    lines = [field_line(name, given[name]) for name in [*known, *(n for n in given if n not in model.ORDER)]]
    evidence = "\n".join(entry.render() for entry in ledger)
    return ("---\n" + "".join(lines) + f"---\n\n# {title}\n\n## Action\n{action}\n\n## Evidence\n{evidence}\n").encode()


def field_line(name: str, value: object) -> str:
    """A canonical line of the frontmatter. Our own dates and numbers stay plain: our reader takes them as text."""
    plain = name in model.DERIVED
    return f"{name}: {value}\n" if plain else dialect.field(name, value) + "\n"
