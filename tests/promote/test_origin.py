"""What a project is called in the global store."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from gitinstinct import paths
from gitinstinct.errors import EnvironmentFault
from gitinstinct.promote import origin


def test_the_id_is_disclosed_only_when_that_is_wanted() -> None:
    hashed = origin.tag("a1b2c3d4e5f6", disclose=False)
    assert re.fullmatch(r"[0-9a-f]{12}", hashed)
    assert hashed != "a1b2c3d4e5f6" == origin.tag("a1b2c3d4e5f6", disclose=True)
    assert origin.tags("a1b2c3d4e5f6") == {"a1b2c3d4e5f6", hashed}


def test_the_hash_is_the_same_each_time_and_another_on_another_machine() -> None:
    first = origin.tag("a1b2c3d4e5f6", disclose=False)
    assert origin.tag("a1b2c3d4e5f6", disclose=False) == first
    Path(paths.promotion_key()).unlink()
    assert origin.tag("a1b2c3d4e5f6", disclose=False) != first


def test_the_key_is_made_once_for_this_person_alone() -> None:
    with ThreadPoolExecutor(8) as pool:
        found = set(pool.map(lambda _: origin.tag("a1b2c3d4e5f6", disclose=False), range(32)))
    key = Path(paths.promotion_key())
    assert len(found) == 1
    assert key.stat().st_mode & 0o777 == 0o600
    assert key.parent.stat().st_mode & 0o777 == 0o700
    assert [file.name for file in key.parent.iterdir()] == ["key"]


def test_looking_makes_no_key() -> None:
    assert origin.tags("a1b2c3d4e5f6") == {"a1b2c3d4e5f6"}
    assert not Path(paths.promotion_key()).exists()


@pytest.mark.parametrize("content", [b"", b"short", b"x" * 33])
def test_a_key_that_is_none_is_named_and_not_replaced(content: bytes) -> None:
    key = Path(paths.promotion_key())
    key.parent.mkdir(parents=True)
    key.write_bytes(content)
    with pytest.raises(EnvironmentFault, match="is no key"):
        origin.tag("a1b2c3d4e5f6", disclose=False)
    assert key.read_bytes() == content
