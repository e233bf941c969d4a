"""The text of a pull request, from its template.

Every value that the template prints is made harmless, whether it says so or not: what is not of our own making becomes
a code span. The host takes so many bytes; where there is more to say, every part gets a smaller share.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from gitinstinct import shipped
from gitinstinct.instinct.ledger import Entry
from gitinstinct.pullrequest import harmless
from gitinstinct.pullrequest.facts import Facts
from gitinstinct.pullrequest.harmless import Safe, span
from gitinstinct.trace.difference import Field

if TYPE_CHECKING:
    from jinja2 import Template

LIMIT = 60_000  # bytes; GitHub takes 65,536 signs, others more
_SHARES = (1.0, 0.5, 0.25, 0.1)
_ROWS = 40  # of a table, before it gets a smaller share
_COMMANDS = 1_000  # bytes of a block of commands
_POINTS = 60  # of the curve
_LEVELS = "▁▂▃▄▅▆▇█"


def render(facts: Facts, base: str, head: str) -> str:
    """The text of the request, in markdown; never more than `LIMIT` bytes.

    Args:
        facts: of the promotion.
        base: the short name of the branch that it is to be merged into.
        head: the same of the promotion's own branch at the remote.

    Raises:
        EnvironmentFault: the template was not installed.
    """
    for share in _SHARES:
        rows = max(5, int(_ROWS * share))
        made = _template().render(facts=facts, base=base, head=head, share=share, rows=rows)
        text = made.rstrip() + "\n"
        if len(text.encode()) <= LIMIT:
            return text
    raise AssertionError("the smallest share fits, whatever the file holds")


@cache
def _template() -> Template:
    import jinja2

    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(shipped.templates() / "pull-request"),
        undefined=jinja2.StrictUndefined,
        autoescape=False,  # the page is markdown: `_printed` stands between every value and it
        finalize=_printed,
        keep_trailing_newline=True,
    )
    made.filters |= _FILTERS
    return made.get_template("body.md")


def _printed(value: object) -> str:
    """What the template prints of a value: itself if it is ours, else a code span."""
    return str(value) if isinstance(value, Safe | int) else span(str(value))


# --- what the template calls


def _fence(text: str, most: float) -> Safe:
    return harmless.fence(text, int(most))


def _diff(field: Field, most: float) -> Safe:
    sides = ((sign, text) for sign, text in (("-", field.old), ("+", field.new)) if text)
    lines = [f"{sign} {line}" for sign, text in sides for line in harmless.cut(text, int(most / 2)).split("\n")]
    return harmless.fence("\n".join(lines), int(most), "diff")


def _value(hundredths: int | None) -> Safe:
    return Safe("nothing" if hundredths is None else f"{hundredths / 100:.2f}")


def _newest(ledger: Sequence[Entry], most: int) -> list[Entry]:
    return sorted(ledger, key=lambda entry: entry.order)[::-1][:most]


def _amount(entry: Entry) -> str:
    return entry.claim.removeprefix(entry.kind).removeprefix(" ")


def _spark(curve: Sequence[int]) -> Safe:
    return Safe(f"`{''.join(_LEVELS[min(7, max(0, one) * 8 // 100)] for one in _some(curve))}`")


def _steps(curve: Sequence[int]) -> Safe:
    return Safe(" → ".join(f"{one / 100:.2f}" for one in _some(curve)))


def _some(curve: Sequence[int]) -> Sequence[int]:
    """Of very many the newest."""
    return curve[-_POINTS:]


def _commands(lines: Sequence[str]) -> Safe:
    return harmless.fence("\n".join(lines), _COMMANDS, "sh")


def _ours(text: str) -> Safe:
    return Safe(text)


_FILTERS: dict[str, Callable[..., Any]] = {
    "span": span,
    "fence": _fence,
    "diff": _diff,
    "value": _value,
    "newest": _newest,
    "amount": _amount,
    "spark": _spark,
    "steps": _steps,
    "commands": _commands,
    "ours": _ours,
}
