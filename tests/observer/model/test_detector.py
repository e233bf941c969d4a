"""From events to one question, and from what is believed to sightings."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gitinstinct.config import Config
from gitinstinct.observer.detector import Spent
from gitinstinct.observer.events import Observation
from gitinstinct.observer.model import answers, detector, spending
from gitinstinct.observer.model.asking import Reply, Unanswered
from gitinstinct.observer.model.detector import ModelDetector
from gitinstinct.observer.model.prompt import Prompt
from gitinstinct.observer.pattern import Sighting
from gitinstinct.observer.setting import Setting
from gitinstinct.observer.tally import Tally
from tests.support.models import claim, shown

NOON = datetime(2026, 10, 1, 12, tzinfo=UTC)
NOW = datetime(2026, 11, 29, 10, tzinfo=UTC)


class Fake:
    """A model that answers what it is told to."""

    def __init__(self, tells: Callable[[list[dict[str, Any]]], object]) -> None:
        self.asked: list[list[dict[str, Any]]] = []
        self.prompts: list[Prompt] = []
        self.tells = tells

    def count(self, prompt: Prompt) -> int | None:
        return 10

    def ask(self, prompt: Prompt) -> Reply:
        self.prompts.append(prompt)
        self.asked.append(shown(prompt.user))
        answer = self.tells(self.asked[-1])
        return Reply(
            answer if isinstance(answer, str) else json.dumps({"patterns": answer}), Spent(1, 5, 5, dollars=0.0)
        )


def made(tells: Callable[[list[dict[str, Any]]], object], tally: Tally | None = None) -> tuple[ModelDetector, Fake]:
    fake = Fake(tells)
    return ModelDetector("anthropic", Config(), Setting("p", "", NOW, tally or Tally()), fake), fake


def said(number: int, session: str = "a", text: str = "use pnpm", **fields: Any) -> Observation:
    at = NOON + timedelta(seconds=number)
    return replace(Observation(f"1:{number}", "prompt", at, session, prompt=text), **fields)


def call(number: int, event: str = "tool_complete", name: str = "c1", session: str = "a") -> Observation:
    return said(number, session, "", event=event, call=name, tool="Bash", output="ok", input={"command": "ls"})


def places(sightings: list[Sighting]) -> list[tuple[str, tuple[str, ...]]]:
    return [(one.session, one.observations) for one in sightings]


def test_nothing_fed_is_nothing_asked() -> None:
    finder, fake = made(lambda records: [])
    assert finder.finish() == []
    finder.feed(said(1, text="/compact"))
    finder.feed(said(2, event="stop"))
    assert finder.finish() == []
    finder.feed(said(3), is_new=False)
    assert finder.finish() == []
    assert (fake.asked, spending.calls()) == ([], [])


def test_an_occurrence_is_anchored_at_its_last_event_and_told_in_order() -> None:
    finder, _ = made(lambda records: [claim(["e4", "e2"], ["e1"])])
    for number in range(1, 5):
        finder.feed(said(number))
    found = finder.finish()
    assert places(found) == [("a", ("1:1",)), ("a", ("1:2", "1:4"))]
    assert found[1].at == NOON + timedelta(seconds=4)


def test_one_that_spans_sessions_is_one_in_each() -> None:
    finder, _ = made(lambda records: [claim(["e1", "e2", "e3"])])
    for number, session in ((1, "a"), (2, "b"), (3, "a")):
        finder.feed(said(number, session))
    assert places(finder.finish()) == [("b", ("1:2",)), ("a", ("1:1", "1:3"))]


def test_start_and_end_of_a_call_are_one_event_for_counting() -> None:
    finder, _ = made(lambda records: [claim(["e1"], ["e2"], ["e2", "e1"], ["e3"])])
    for one in (call(1, "tool_start"), call(2), call(3, name="c2")):
        finder.feed(one)
    assert len(finder.finish()) == 2


def test_context_is_shown_and_may_begin_an_occurrence_but_not_end_one() -> None:
    finder, fake = made(lambda records: [claim(["e1", "e2"], ["e1"])])
    finder.feed(said(1), is_new=False)
    finder.feed(said(2))
    assert places(finder.finish()) == [("a", ("1:1", "1:2"))]
    assert [one["kind"] for one in fake.asked[0]] == ["context", "event"]


def test_an_event_without_a_time_gets_that_of_its_occurrence() -> None:
    finder, _ = made(lambda records: [claim(["e1", "e2"], ["e3"])])
    for one in (said(1), said(2, at=None), said(3, at=None)):
        finder.feed(one)
    [found] = finder.finish()
    assert found.at == NOON + timedelta(seconds=1)


def test_a_full_portion_is_finished_before_more_is_fed() -> None:
    finder, fake = made(lambda records: [claim(["e1"])])
    found: list[Sighting] = []
    for number in range(1, 1_003):
        found += finder.feed(said(number))
        assert finder.full == (number % 500 == 0)
    found += finder.finish()
    assert [len(one) for one in fake.asked] == [500, 500, 2]
    assert places(found) == [("a", ("1:1",)), ("a", ("1:501",)), ("a", ("1:1001",))]


def test_long_events_fill_it_sooner() -> None:
    finder, fake = made(lambda records: [])
    number = 0
    while not finder.full:
        number += 1
        finder.feed(said(number, text=f"{number} " + "long words " * 500))
    assert number < 60
    finder.finish()
    assert len(fake.prompts[0].user) < detector.MOST_CHARACTERS + 10_000


def test_words_that_say_the_same_are_the_same_pattern() -> None:
    tally = Tally()
    actions = iter(["Use `pnpm`, not `npm`.", "Please use `pnpm`, not `npm`!", "Use `pnpm`, not `npm`."])
    finder, _ = made(lambda records: [claim(["e1"], action=next(actions))], tally)
    for number in range(1, 4):
        finder.feed(said(number, f"s{number}"))
        for sighting in finder.finish():
            tally.add(sighting)
    [record] = tally.records()
    assert (record.count, record.qualified is not None) == (3, True)
    assert record.pattern.action == "Use `pnpm`, not `npm`."


def test_other_terms_are_another_pattern() -> None:
    finder, _ = made(lambda records: [claim(["e1"]), claim(["e1"], action="Use `yarn`, not `npm`.")])
    finder.feed(said(1))
    assert len({one.pattern.signature for one in finder.finish()}) == 2


def test_a_failure_forgets_the_portion_and_only_that() -> None:
    finder, fake = made(lambda records: "nonsense")
    finder.feed(said(1))
    with pytest.raises(Unanswered, match="it is not JSON"):
        finder.finish()
    assert finder.finish() == []
    fake.tells = lambda records: [claim(["e1"])]
    finder.feed(said(2))
    assert places(finder.finish()) == [("a", ("1:2",))]
    assert finder.spent == Spent(2, 10, 10, dollars=0.0)


def test_what_a_lost_answer_cost_is_taken_to_be_the_most() -> None:
    def lost(records: list[dict[str, Any]]) -> object:
        raise Unanswered("it did not come")

    finder, _ = made(lost)
    finder.feed(said(1))
    with pytest.raises(Unanswered):
        finder.finish()
    [call] = spending.calls()
    assert (call.is_open, finder.spent) == (True, call.spent)
    assert finder.spent.tokens == 8_010


def test_a_kept_answer_ends_its_portion_where_it_did() -> None:
    first, _ = made(lambda records: [claim(["e1"], ["e3"])])
    for number in (1, 2, 3):
        first.feed(said(number))
    expected = places(first.finish())
    again, fake = made(lambda records: [claim(["e1"])])
    found: list[Sighting] = []
    for number in (1, 2, 3, 4):
        found += again.feed(said(number))
        assert again.full == (number == 3)
    assert places(found) == expected
    assert fake.asked == []
    again.finish()
    assert [one["kind"] for one in fake.asked[0] if "said" in one] == ["event"]
    again.committed()
    assert not answers.has_any("p", "anthropic")


@pytest.mark.parametrize("harm", ["", "{", "[]", '{"detector": 5}'])
def test_a_kept_answer_that_is_damaged_is_asked_for_again(harm: str) -> None:
    from pathlib import Path

    from gitinstinct import paths

    first, _ = made(lambda records: [claim(["e1"])])
    first.feed(said(1))
    first.finish()
    [file] = Path(paths.answers("p", "anthropic")).glob("*.json")
    assert file.stat().st_mode & 0o777 == 0o600
    file.write_text(harm)
    again, fake = made(lambda records: [claim(["e1"])])
    again.feed(said(1))
    assert len(again.finish()) == 1
    assert len(fake.asked) == 1


def test_a_kept_answer_about_other_events_is_not_used() -> None:
    first, _ = made(lambda records: [claim(["e1"])])
    first.feed(said(1))
    first.feed(said(2))
    first.finish()
    again, fake = made(lambda records: [])
    again.feed(said(1))
    again.feed(said(3))
    again.finish()
    assert len(fake.asked) == 1


ANSWERS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20) | st.sampled_from(["e1", "e2", "k1", "e77"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=20,
)
LABELS = st.lists(st.lists(st.sampled_from(["e1", "e2", "e3", "e9", ""]), max_size=3), max_size=4)
CLAIMS = st.lists(
    st.builds(
        lambda occurrences, key, action: claim(*occurrences, key=key, action=action),
        LABELS, st.sampled_from(["", "k1", "k2", "k-1"]), st.sampled_from(["Use `a`, not `b`.", "Run `curl | sh`."]),
    ),
    max_size=4,
)  # fmt: skip


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
@given(st.one_of(ANSWERS.map(json.dumps), CLAIMS, ANSWERS.map(lambda one: json.dumps({"patterns": one}))))
def test_whatever_is_answered_only_events_that_were_fed_are_sighted(answer: object) -> None:
    fake = Fake(lambda records: answer)
    config = replace(Config(), observer=replace(Config().observer, daily_dollars=1e6, daily_tokens=10**9))
    finder = ModelDetector("anthropic", config, Setting("q", "", NOW), fake)
    finder.feed(said(1), is_new=False)
    finder.feed(said(2))
    finder.feed(said(3, "b"))
    try:
        found = finder.finish()
    except Unanswered:
        return
    finally:
        finder.committed()
    for sighting in found:
        assert set(sighting.observations) <= {"1:1", "1:2", "1:3"}
        assert sighting.anchor != "1:1"
        assert sighting.session in ("a", "b")
