"""The book of spending: nobody spends what is not left, and what was killed counts as spent."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from gitinstinct import paths
from gitinstinct.config import Observer
from gitinstinct.observer.detector import DetectorFault, Spent
from gitinstinct.observer.model import prices, spending
from gitinstinct.observer.model.spending import Ceiling
from tests.support.work import in_child

NOW = datetime(2026, 11, 29, 10, tzinfo=UTC)
CENT = Spent(1, 100, 10, dollars=0.01)
LIMITS = Observer(daily_dollars=0.03, daily_tokens=1_000)


def call(spent: Spent = CENT, at: datetime = NOW, project: str = "p1") -> spending.Call:
    return spending.new(at, project, "anthropic", "claude-haiku-5-5", spent)


def test_what_was_reserved_is_settled_with_what_it_was() -> None:
    made = call()
    spending.reserve(made, LIMITS)
    assert spending.calls() == [made]
    assert made.is_open
    spending.settle(made, Spent(1, 7, 3, dollars=0.002))
    [found] = spending.calls("2026-11")
    assert (found.is_open, found.spent, found.at) == (False, Spent(1, 7, 3, dollars=0.002), NOW)


def test_the_third_cent_is_spent_and_the_fourth_is_not() -> None:
    for project in ("p1", "p2", "p3"):
        spending.reserve(call(project=project), LIMITS)
    with pytest.raises(Ceiling, match=r"ceiling of \$0\.03 .*\$0\.0300 spent, up to \$0\.0100 more") as caught:
        spending.reserve(call(project="p4"), LIMITS)
    assert not caught.value.backs_off
    assert len(spending.calls()) == 3


def test_what_was_settled_for_less_leaves_room() -> None:
    made = [call() for _ in range(3)]
    for one in made:
        spending.reserve(one, LIMITS)
    spending.settle(made[0], Spent(1, 1, 1, dollars=0.0))
    spending.reserve(call(), LIMITS)


def test_tokens_have_a_ceiling_of_their_own() -> None:
    free = Spent(1, 600, dollars=0.0)
    spending.reserve(call(free), LIMITS)
    spending.reserve(call(Spent(1, 400, dollars=0.0)), LIMITS)
    with pytest.raises(Ceiling, match="1,000 used, up to 1 more"):
        spending.reserve(call(Spent(1, 1, dollars=0.0)), LIMITS)


def test_a_ceiling_of_nothing_lets_nothing_through() -> None:
    with pytest.raises(Ceiling):
        spending.reserve(call(), Observer(daily_dollars=0.0))
    assert spending.calls() == []


def test_a_new_day_is_the_persons_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "America/New_York")
    __import__("time").tzset()
    try:
        late = datetime(2026, 12, 1, 3, tzinfo=UTC)  # still the last of November there
        for _ in range(3):
            spending.reserve(call(at=late), LIMITS)
        assert {one.day for one in spending.calls("2026-11")} == {"2026-11-30"}
        with pytest.raises(Ceiling):
            spending.reserve(call(at=late + timedelta(hours=1)), LIMITS)
        spending.reserve(call(at=late + timedelta(hours=2, minutes=1)), LIMITS)
    finally:
        monkeypatch.setenv("TZ", "UTC")
        __import__("time").tzset()


def test_what_was_spent_on_another_day_of_the_month_does_not_count() -> None:
    for days in (-1, 1):
        spending.reserve(call(Spent(1, 10, dollars=0.03), NOW + timedelta(days=days)), LIMITS)
    spending.reserve(call(Spent(1, 10, dollars=0.03)), LIMITS)


def test_without_a_price_it_counts_as_the_dearest() -> None:
    unknown = Spent(1, 100, 100, dollars=None)
    dearest = prices.priced(unknown, prices.DEAREST).dollars
    assert dearest is not None
    spending.reserve(call(unknown), Observer(daily_dollars=dearest * 1.5))
    with pytest.raises(Ceiling):
        spending.reserve(call(unknown), Observer(daily_dollars=dearest * 1.5))
    assert spending.calls()[0].spent.dollars is None


RACE = """
import sys
from datetime import UTC, datetime
from gitinstinct.config import Observer
from gitinstinct.observer.detector import Spent
from gitinstinct.observer.model import spending
taken = 0
for _ in range(20):
    made = spending.new(datetime(2026, 11, 29, 10, tzinfo=UTC), "p", "anthropic", "m", Spent(1, 1, dollars=0.01))
    try:
        spending.reserve(made, Observer(daily_dollars=0.10))
        taken += 1
    except spending.Ceiling:
        pass
print(taken)
"""


def test_several_processes_never_spend_more_than_is_left() -> None:
    racing = [
        subprocess.Popen([sys.executable, "-c", RACE], cwd=Path(__file__).parents[3], stdout=subprocess.PIPE)
        for _ in range(3)
    ]
    taken = [int(process.communicate(timeout=60)[0]) for process in racing]
    assert sum(taken) == 10
    assert spending.today("2026-11-29").dollars == pytest.approx(0.10)


def test_what_was_killed_counts_as_spent() -> None:
    def action() -> None:
        spending.reserve(call(Spent(1, 10, dollars=0.03)), LIMITS)
        os.kill(os.getpid(), signal.SIGKILL)

    assert in_child(action) == -signal.SIGKILL
    [found] = spending.calls()
    assert found.is_open
    with pytest.raises(Ceiling):
        spending.reserve(call(), LIMITS)


def test_damage_is_passed_over_and_what_follows_a_torn_line_counts() -> None:
    spending.reserve(call(), LIMITS)
    place = Path(paths.spending("2026-11"))
    with place.open("ab") as file:
        file.write(b'[1]\nnull\n{"id":"x"}\n{"id":[],"spent":{}}\n{"v":1,"id":"torn","at":"2026-')
    spending.reserve(call(), LIMITS)
    assert [one.spent for one in spending.calls()] == [CENT, CENT]


def test_without_a_book_nobody_is_asked() -> None:
    place = Path(paths.root("state"))
    place.mkdir(parents=True)
    (place / "spending").write_text("in the way")
    with pytest.raises(DetectorFault, match="so no model is asked"):
        spending.reserve(call(), LIMITS)


def test_the_book_is_for_this_person_alone() -> None:
    spending.reserve(call(), LIMITS)
    place = Path(paths.spending("2026-11"))
    assert (place.stat().st_mode & 0o777, place.parent.stat().st_mode & 0o777) == (0o600, 0o700)
