from __future__ import annotations

import pytest

from gitinstinct.instinct import private


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("see /home/ann/x and /Users/bob/y", ["/home/ann", "/Users/bob"]),
        ("C:\\Users\\ann\\x", ["C:\\Users\\ann"]),
        ("/root/x", ["/root"]),
        ("/home/user/x ~/x /srv/home/ann foo/home/ann /home/", []),
    ],
)
def test_paths_in_a_home(text: str, found: list[str]) -> None:
    assert list(private.homes(text)) == found


@pytest.mark.parametrize(
    ("names", "public", "told"),
    [
        (("jdoe42", "root", "x", "", "localhost", "/home/ann/"), "", ("jdoe42", "/home/ann")),
        (("acme", "ann"), "https://github.com/Acme/x", ("ann",)),
        (("ann", "ann"), "", ("ann",)),
    ],
)
def test_names_that_tell_something(names: tuple[str, ...], public: str, told: tuple[str, ...]) -> None:
    assert private.telling(names, public) == told


def test_names_are_found_as_words() -> None:
    assert private.named("Ann's box, annex, /home/ann", ("ann",)) == ["ann"]
    assert private.named("annex", ("ann",)) == []
