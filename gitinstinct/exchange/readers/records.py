"""Records, maps of an instinct's words in YAML or JSON, made into documents: fields above, the body below.

Other tools call the same things by other names; those names are known here. A key that is not known stays a key.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from gitinstinct.exchange.draft import Draft, Reading, Refused
from gitinstinct.instinct import body as bodies
from gitinstinct.instinct import dialect, fields
from gitinstinct.instinct.errors import Invalid
from gitinstinct.instinct.ids import is_id, slug

_TRIGGER = ("trigger", "when", "condition", "triggers")
_ACTION = (
    "action", "behavior", "behaviour", "instruction", "guidance", "recommendation", "actions", "then", "response",
    "rule", "pattern", "description",
)  # fmt: skip
_BODY = ("body", "content", "markdown")


def find(value: object) -> list[tuple[str, object]] | None:
    """The records in what a file holds, each with the id that its place gives it; None if these are no instincts."""
    if isinstance(value, list):
        return [("", one) for one in value] if any(map(is_record, value)) else None
    if not isinstance(value, Mapping):
        return None
    listed = value.get("instincts")
    if isinstance(listed, list):
        return [("", one) for one in listed]
    if isinstance(listed, Mapping):
        return list(listed.items())
    if is_record(value):
        return [("", value)]
    if value and all(map(is_record, value.values())):
        return list(value.items())
    lists = [found for found in value.values() if isinstance(found, list) and any(map(is_record, found))]
    return [("", one) for found in lists for one in found] or None


def is_record(value: object) -> bool:
    """Whether something looks like an instinct: it has a trigger, or an action and a confidence."""
    if not isinstance(value, Mapping):
        return False
    keys = value.keys()
    return "trigger" in keys or "triggers" in keys or ("confidence" in keys and not keys.isdisjoint(_ACTION))


def read(path: str, found: Iterable[tuple[str, object]]) -> Reading:
    """Each record as a document, or why it is none."""
    drafts, refused = [], []
    for number, (name, record) in enumerate(found, 1):
        label = _label(name, record, number)
        if not isinstance(record, Mapping):
            refused.append(Refused(path, label, f"it is {_kind(record)}, not a map of fields"))
            continue
        try:
            drafts.append(Draft(path, label, document({"id": name} | dict(record) if name else record)))
        except UnicodeEncodeError:
            refused.append(Refused(path, label, "it holds half a character (a lone surrogate)"))
    return Reading(tuple(drafts), tuple(refused))


def _label(name: str, record: object, number: int) -> str:
    told = [record.get(key) for key in ("id", "name", "title")] if isinstance(record, Mapping) else []
    return name or next((text for text in told if isinstance(text, str) and text), f"#{number}")


def _kind(value: object) -> str:
    return "a list" if isinstance(value, list) else "text"


def document(record: Mapping[str, Any]) -> bytes:
    """A record as frontmatter and body. Text that a body cannot hold as it is stays a field.

    Raises:
        UnicodeEncodeError: it holds half a character.
    """
    left = dict(record)
    body = _text_body(left)
    action = _pop(left, _ACTION)
    title = "" if body else _title(left, action)
    left = _renamed(left)
    if not body:
        bullets = list(_bullets(left.pop("evidence", None)))
        body = _body(title, action, bullets)
        if not _holds(body, action):
            body = _body(title, "", bullets)
            left["action"] = action
    else:
        found = bodies.read(dialect.cut(body))
        left |= {"action": action} if action.strip() != found.text(bodies.ACTION) else {}
        if left.get("title") == found.title:
            del left["title"]
    return (_frontmatter(left) + body).encode()


def _text_body(left: dict[str, Any]) -> str:
    """Markdown that the record carries as a whole, as our own JSON does."""
    for key in _BODY:
        text = left.get(key)
        if isinstance(text, str) and bodies.read(dialect.cut(text)).sections:
            del left[key]
            return text if text.endswith("\n") else text + "\n"
    return ""


def _holds(body: str, action: str) -> bool:
    """Whether an action is read back from a body as it is, and evidence below it, too."""
    found = bodies.read(dialect.cut(f"{body}\n## Evidence\n"))
    return found.text(bodies.ACTION) == action.strip() and bool(found.named(bodies.EVIDENCE))


def _frontmatter(left: Mapping[str, Any]) -> str:
    known = [name for name in fields.ORDER if name in left]
    names = [*known, *(name for name in left if name not in fields.ORDER)]
    return "---\n" + "".join(_line(name, left[name]) for name in names) + "---\n"


def _line(name: str, value: object) -> str:
    """A field as a canonical line: what our reader takes as a number or a date stays plain."""
    try:
        found = fields.derived({name: str(value)}).get(name)
    except Invalid:
        found = None
    if name == "confidence" and isinstance(found, int):
        return f"{name}: {found / 100:.2f}\n"
    plain = found is not None and name != "status"
    return f"{name}: {found}\n" if plain else dialect.field(name, value) + "\n"


def _body(title: str, action: str, bullets: Iterable[str]) -> str:
    parts = [f"# {title}\n"] if title else []
    parts += [f"## Action\n{action.strip()}\n"] if action.strip() else []
    listed = "".join(f"{line}\n" for line in bullets)
    parts += [f"## Evidence\n{listed}"] if listed else []
    return "".join("\n" + part for part in parts)


def _pop(left: dict[str, Any], names: Iterable[str]) -> str:
    """The first of these keys that says something; a list is one point a line. Others stay as they are."""
    for name in names:
        text = _joined(left.get(name))
        if text:
            del left[name]
            return text
    return ""


def _joined(value: object) -> str:
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return value[0] if len(value) == 1 else "\n".join(f"- {item}" for item in value)
    return value if isinstance(value, str) else ""


def _title(left: dict[str, Any], action: str) -> str:
    """The heading: a title, or a name that is no id; else words of the id or the action."""
    name = left.get("name")
    if "title" not in left and isinstance(name, str) and "id" in left and not is_id(name):
        return " ".join(str(left.pop("name")).split())
    title = left.get("title")
    if isinstance(title, str) and title.strip() and title == " ".join(title.split()):
        del left["title"]
        return title
    text = left.get("id") or name or action
    return " ".join(word.capitalize() for word in slug(text).split("-")) if isinstance(text, str) else ""


def _renamed(left: Mapping[str, Any]) -> dict[str, Any]:
    """The record with our names for what others call otherwise."""
    made = dict(left)
    if not made.get("id") and isinstance(made.get("name"), str) and slug(made["name"]):
        made["id"] = made.pop("name")
    if "domain" not in made and isinstance(made.get("category"), str):
        made["domain"] = made.pop("category")
    wanted = next((name for name in _TRIGGER if made.get(name)), "")
    if wanted:
        value = made.pop(wanted)
        made["trigger"] = _trigger(value)
        if isinstance(value, Mapping):
            made |= {"x_original_trigger": value} | _paths(value)
    return made


def _trigger(value: object) -> object:
    """A trigger as text: a list of them as alternatives, a map by what it says."""
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return "; or ".join(value)
    if isinstance(value, Mapping):
        told = (_shown(item) if key == "kind" else f"{key} {_shown(item)}" for key, item in value.items())
        return f"on {', '.join(told)}"
    return value


def _shown(value: object) -> str:
    return " or ".join(map(str, value)) if isinstance(value, list) else str(value)


def _paths(trigger: Mapping[str, Any]) -> dict[str, list[str]]:
    """The files that a trigger of fields is bound to."""
    found = trigger.get("glob") or trigger.get("globs") or trigger.get("paths")
    globs = [found] if isinstance(found, str) else found
    fit = isinstance(globs, list) and bool(globs) and all(isinstance(one, str) for one in globs)
    return {"paths": list(globs)} if fit and globs else {}


def _bullets(value: object) -> Iterator[str]:
    """Evidence as the lines of a list: entries of a ledger as they are, anything else on one line."""
    for item in value if isinstance(value, list) else [value] if value else []:
        pairs = item.items() if isinstance(item, Mapping) else ()
        text = ", ".join(f"{key} {_shown(one)}" for key, one in pairs) or str(item)
        line = " ".join(text.split()).removeprefix("- ")
        if line:
            yield f"- {line}"
