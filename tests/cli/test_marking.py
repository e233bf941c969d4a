"""Two texts with the words marked that differ."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from gitinstinct.cli import marking


def strong(pieces: list[tuple[str, str]]) -> list[str]:
    return [text for text, style in pieces if "bold" in style]


def test_only_what_differs_is_marked() -> None:
    old, new = marking.marked("Use `rg` here.", "Use `fd` here.")
    assert (strong(old), strong(new)) == (["rg"], ["fd"])


def test_a_single_letter_stands_out() -> None:
    old, new = marking.marked("never push", "ever push")
    assert (strong(old), strong(new)) == (["never"], ["ever"])


@settings(deadline=None)
@given(st.text("ab `.\n", max_size=60), st.text("ab `.\n", max_size=60))
def test_no_letter_is_lost(one: str, other: str) -> None:
    for text, pieces in zip((one, other), marking.marked(one, other), strict=True):
        assert "".join(piece for piece, _ in pieces) == text
    if one == other:
        assert not strong(marking.marked(one, other)[0])


def test_very_long_texts_are_shown_and_not_compared() -> None:
    old, new = marking.marked("a " * 30_000, "b " * 30_000)
    assert (len(old), len(new)) == (1, 1)
