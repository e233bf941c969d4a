"""Random ledgers for property tests."""

from __future__ import annotations

from datetime import date, timedelta

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from gitinstinct.instinct.ledger import Entry, encode_time

_KINDS = ["observed", "confirmed", "contradicted", "set", "archived", "restored", "retracted", "effect", "promoted"]
_START = date(2026, 1, 1)


@st.composite
def entries(draw: DrawFn, keys: list[str]) -> Entry:
    """One well-formed entry; its key is new or, now and then, one of `keys` again under another date or kind."""
    day = (_START + timedelta(days=draw(st.integers(0, 300)))).isoformat()
    kind = draw(st.sampled_from(_KINDS))
    amount: int | str | None = None
    if kind in {"observed", "confirmed", "contradicted"}:
        amount = draw(st.integers(1, 12))
    elif kind == "set":
        amount = draw(st.integers(0, 95))
    elif kind == "retracted":
        amount = draw(st.sampled_from(keys))
    text = draw(st.sampled_from(["", "same order again", "seen: twice (again)", "stated by the user"]))
    return Entry(day, kind, amount, text, draw(st.sampled_from(keys)))


@st.composite
def ledgers(draw: DrawFn, most: int = 12) -> list[Entry]:
    """Up to `most` entries over a small set of keys, so that origins meet and retractions hit."""
    number = draw(st.integers(3, 8))
    keys = [f"{encode_time(1_700_000_000_000 + i)}-{draw(st.integers(0, 6)):08x}" for i in range(number)]
    made: list[Entry] = draw(st.lists(entries(keys), max_size=most))
    return made


days: SearchStrategy[str] = st.dates(_START, date(2027, 6, 1)).map(date.isoformat)
