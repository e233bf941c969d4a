from __future__ import annotations

import pytest

from gitinstinct.instinct import ids
from gitinstinct.store import history
from gitinstinct.trace import past
from gitinstinct.trace.past import Past
from tests.support.life import Life, Lived
from tests.support.repos import corrupt, git

PATH = ids.path_of("use-rg")


def read(life: Life, name: str = "use-rg") -> Past:
    found = past.read(life.store.repo, name)
    assert found is not None
    return found


def curve(life: Life, name: str = "use-rg", most: int = 60) -> list[int | None]:
    found = read(life, name)
    told = history.told(life.store.repo, found.commits)
    return [point.confidence for point in past.curve(found, told, most)]


def test_every_state_is_told_newest_first(lived: Lived) -> None:
    found = read(lived)
    assert (found.commits[0], found.commits[-1], len(found.commits)) == (lived.merged, lived.made, 6)
    assert found.last is found.present is found.states[0]
    assert found.removed is None
    assert past.read(lived.store.repo, "never-was") is None


def test_the_curve_is_worth_the_evidence_at_its_time(lived: Lived) -> None:
    assert curve(lived) == [50, 53, 53, 58, 58, 63]  # a week without news before the second
    assert curve(lived, most=3) == [50, 53, 63]
    assert curve(lived, "faded") == [30, None]


def test_what_is_gone_is_still_there_to_be_asked(lived: Lived) -> None:
    found = read(lived, "faded")
    assert found.present is None
    assert found.removed is not None
    assert found.removed.commit == lived.removed
    assert found.last is not None
    assert found.last.commit == lived.confirmed


def test_a_version_that_cannot_be_read_is_named_and_the_rest_goes_on(lived: Lived) -> None:
    good = lived.data("use-rg")
    bad = lived.put("2026-11-21", "use-rg", good.replace(b"confidence: 0", b"confidence: high # 0"))
    lived.put("2026-11-22", "use-rg", good)
    assert [(state.commit, state.fault) for state in read(lived).states if state.fault] == [
        (bad, "confidence is 'high', not a number from 0 to 1")
    ]
    assert curve(lived)[-2:] == [None, 61]


def test_a_present_that_cannot_be_read_leaves_the_last_that_could(lived: Lived) -> None:
    lived.put("2026-11-21", "use-rg", b"<<<<<<< ours\n")
    found = read(lived)
    assert found.present is found.states[0]
    assert found.present.fault
    assert found.last is found.states[1]


def test_a_lost_blob_is_a_version_with_a_reason(lived: Lived) -> None:
    corrupt(lived.store.repo, git(lived.store.path, "rev-parse", f"{lived.made}:{PATH}"), None)
    assert read(lived).states[-1].fault == "the object is missing or damaged"


@pytest.mark.parametrize("strategy", ["ours", "theirs"])
def test_the_side_that_lost_in_a_merge_is_not_the_present(strategy: str, lived: Lived) -> None:
    path = lived.store.path
    git(path, "checkout", "-q", "-b", "late")
    lived.by_hand("2026-11-22", {"use-rg": lived.data("use-rg").replace(b"Use `use-rg`", b"Late `rg`")})
    git(path, "checkout", "-q", "main")
    lived.by_hand("2026-11-21", {"use-rg": lived.data("use-rg").replace(b"Use `use-rg`", b"Main `rg`")})
    git(path, "merge", "-q", "-X", strategy, "late", "-m", "decided")
    last = read(lived).last
    assert last is not None
    assert last.instinct is not None
    assert last.instinct.action == ("Main `rg`." if strategy == "ours" else "Late `rg`.")
    kept = "main^1" if strategy == "ours" else "late"
    assert past.last_change(lived.store.repo, "use-rg") == git(path, "rev-parse", kept)
