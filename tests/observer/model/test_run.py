"""A whole run with a model over the real library: what is paid for is kept, what fails consumes nothing."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from werkzeug import Response

from gitinstinct import paths
from gitinstinct.capture.project import Project
from gitinstinct.errors import EnvironmentFault
from gitinstinct.instinct.model import Instinct
from gitinstinct.observer import state
from gitinstinct.observer.model import answers, spending
from gitinstinct.observer.run import Outcome, observe
from gitinstinct.store import commit, homes, library, runs
from gitinstinct.trust import book
from tests.support.models import Api, claim, error, message, reply
from tests.support.repos import git
from tests.support.stores import assert_sound
from tests.support.talk import Talk
from tests.support.work import PROJECT, in_child

NOW = datetime(2026, 11, 29, 10, tzinfo=UTC)


def go(api: Api, now: datetime = NOW, **chosen: Any) -> Outcome:
    return observe(PROJECT, now, api.config(**chosen), skip_gates=True)


def learned() -> dict[str, Instinct]:
    store = homes.find(PROJECT)
    return {name: item.instinct for name, item in library.read(store).items.items()} if store else {}


def test_three_runs_that_saw_it_once_each_learn_it_once(api: Api) -> None:
    talk, verbs = Talk(), []
    for day in range(4):
        talk.say(f"s{day}", "no, use pnpm here, not npm").work(f"s{day}", 3).put("session_end", f"s{day}").spool()
        verbs.append([told.verb for told in go(api, NOW + timedelta(hours=day)).learned])
    assert verbs == [[], [], ["new"], ["confirmed"]]
    [found] = learned().values()
    assert (found.trigger, found.action) == ("when installing packages", "Use `pnpm`, not `npm`.")
    assert [(entry.kind, entry.amount) for entry in found.ledger] == [("observed", 1)] * 3 + [("confirmed", 1)]
    assert [one["key"] for one in api.records() if one["kind"] == "known"] == ["k1"]


def test_the_words_of_a_model_wait_for_review(api: Api) -> None:
    Talk().say("a", "pnpm").say("b", "pnpm").say("c", "pnpm").spool()
    assert go(api).learned
    assert book.read().approved == frozenset()


def test_the_commit_names_model_and_prompt_and_the_record_what_it_cost(api: Api) -> None:
    Talk().say("a", "pnpm").say("b", "pnpm").say("c", "pnpm").spool()
    outcome = go(api)
    store = homes.find(PROJECT)
    assert store is not None
    assert_sound(store)
    trailers = git(store.path, "show", "-s", "--format=%(trailers:only)", "main").splitlines()
    assert "Detector: anthropic/claude-haiku-5-5/1" in trailers
    assert any(line.startswith("Prompt: 1.") for line in trailers)
    record = runs.latest(store.repo, "anthropic")
    assert record is not None
    assert (record["tokens"], record["usage"]) == (
        1250, {"input": 1000, "output": 200, "cache_read": 50, "cache_write": 0},
    )  # fmt: skip
    assert record["cost"] == pytest.approx((1000 * 0.10 + 200 * 0.50 + 50 * 0.01) / 1e6)
    assert outcome.spent.dollars == record["cost"]


def test_a_run_that_learns_nothing_is_paid_for_and_recorded(api: Api) -> None:
    api.tells = lambda records: []
    Talk().work("a", 5).spool()
    assert go(api).observations == 10
    [call] = spending.calls()
    assert (call.is_open, call.project, call.spent.tokens) == (False, PROJECT.id, 1250)
    assert go(api).observations == 0
    assert len(api.asked) == 1


def test_no_event_is_skipped_and_none_is_shown_twice(api: Api) -> None:
    Talk().work("a", 600).spool()  # 1,200 events
    assert go(api).observations == 1200
    said = [one for call in range(len(api.asked)) for one in api.records(call) if one["kind"] == "event"]
    assert len(said) == 1200
    assert max(sum(one["kind"] == "event" for one in api.records(call)) for call in range(len(api.asked))) <= 500
    inputs = [one["input"] for one in said if "input" in one]
    assert (len(inputs), len(set(inputs)), inputs[0]) == (600, 600, "ls part0")


def test_when_a_later_call_fails_the_earlier_ones_count(api: Api) -> None:
    Talk().say("a", "pnpm").say("b", "pnpm").say("c", "pnpm").work("d", 400).put("session_end", "d").spool()
    first = reply(message(_patterns(claim(["e1"], ["e2"], ["e3"]))))
    api.answers = [first, error(529, "overloaded_error")]
    outcome = go(api)
    assert [told.verb for told in outcome.learned] == ["new"]
    assert (outcome.observations, "overloaded" in outcome.fault) == (500, True)
    memory = state.load(PROJECT.id, "anthropic")
    assert "overloaded" in memory.failure["reason"]
    api.answers = []
    api.tells = lambda records: []
    assert go(api).observations == 304
    # d ended in what was not analysed, and is still told from its beginning
    assert any(one["kind"] == "context" and "tool" in one for one in api.records())


def test_a_portion_that_ends_early_moves_no_cursor_back(api: Api) -> None:
    Talk().say("a", "one").spool_into("000001.jsonl")
    Talk().say("z", "two").say("z", "three").spool_into("000002.jsonl")
    assert go(api).observations == 3
    Talk(NOW - timedelta(hours=1)).work("a", 260).spool_into("000001.jsonl")
    assert go(api).observations == 520
    new = [
        one["said"]
        for call in range(len(api.asked))
        for one in api.records(call)
        if one["kind"] == "event" and "said" in one
    ]
    assert new == ["one", "two", "three"]


def test_a_kill_behind_the_commit_loses_no_sighting(api: Api) -> None:
    yarn = claim(["e4"], ["e5"], action="Use `rg`, not `grep`.", trigger="when searching", name="rg")
    talk = Talk()
    for session in ("a", "b", "c"):
        talk.say(session, "pnpm")
    talk.say("d", "rg").say("e", "rg").spool()

    def action() -> None:
        original = commit.write

        def killed(*arguments: Any) -> None:
            original(*arguments)
            os.kill(os.getpid(), signal.SIGKILL)

        commit.write = killed  # type: ignore[assignment]
        go(api)

    api.answers = [reply(message(_patterns(claim(["e1"], ["e2"], ["e3"]), yarn)))]
    assert in_child(action) == -signal.SIGKILL
    talk.say("f", "rg").spool()
    api.tells = lambda records: [
        yarn | {"occurrences": [[one["id"]] for one in records if one.get("said") == "rg" and one["kind"] == "event"]}
    ]
    api.answers = []
    go(api)
    assert sorted(learned()) == ["pnpm-for-packages", "rg"]


def _patterns(*claims: dict[str, Any]) -> str:
    import json

    return json.dumps({"patterns": list(claims)})


FAILURES: dict[str, Callable[[], Response]] = {
    "key": lambda: error(401, "authentication_error"),
    "credit": lambda: error(402, "billing_error"),
    "forbidden": lambda: error(403, "permission_error"),
    "model": lambda: error(404, "not_found_error"),
    "large": lambda: error(413, "request_too_large"),
    "rate": lambda: error(429, "rate_limit_error", retry_after="900"),
    "server": lambda: error(500),
    "gateway": lambda: Response("<html>502</html>", 502, content_type="text/html"),
    "overloaded": lambda: error(529, "overloaded_error"),
    "elsewhere": lambda: Response("", 307, {"Location": "http://127.0.0.1:9/"}),
    "page": lambda: Response("<html>sign in</html>", 200, content_type="text/html"),
    "nothing": lambda: Response("", 200, content_type="application/json"),
    "no message": lambda: reply([1, 2]),
    "other": lambda: reply({"type": "message"}),
    "no blocks": lambda: reply(message("") | {"content": 5}),
    "refusal": lambda: reply(message("I will not", stop="refusal")),
    "cut": lambda: reply(message('{"patterns": [', stop="max_tokens")),
    "tool": lambda: reply(message("{}", stop="tool_use")),
    "empty": lambda: reply(message("")),
    "prose": lambda: reply(message("Here are the patterns I found: none.")),
    "fence": lambda: reply(message('```json\n{"patterns": []}\n```')),
    "schema": lambda: reply(message('{"patterns": [{"kind": "correction"}]}')),
    "extra": lambda: reply(message('{"patterns": [], "confidence": 0.95}')),
    "list": lambda: reply(message("[]")),
    "deep": lambda: reply(message("[" * 90_000)),
    "huge": lambda: reply(message('{"patterns": [' + " " * 5_000_000 + "]}")),
}


@pytest.mark.parametrize("failure", FAILURES)
def test_whatever_goes_wrong_consumes_nothing_and_rests(failure: str, api: Api) -> None:
    Talk().say("a", "pnpm").say("b", "pnpm").say("c", "pnpm").spool()
    api.answers = [FAILURES[failure]]
    with pytest.raises(EnvironmentFault) as caught:
        go(api)
    assert (caught.value.code, len(api.asked)) == (3, 1)
    memory = state.load(PROJECT.id, "anthropic")
    assert (memory.cursor, memory.failure["reason"]) == ({}, caught.value.message)
    assert "\n" not in caught.value.message
    again = datetime.fromisoformat(memory.failure["again"])
    assert again - NOW >= timedelta(seconds=900 if failure == "rate" else 150)
    stopped = observe(PROJECT, NOW + timedelta(minutes=1), api.config(minimum=1, idle_minutes=9999)).stopped
    assert stopped is not None
    assert stopped.name == "rest"
    assert len(go(api).learned) == 1  # a person does not wait
    assert state.load(PROJECT.id, "anthropic").failure == {}


@pytest.mark.parametrize("failure", ["refusal", "cut", "prose", "schema", "huge"])
def test_a_failed_call_that_was_billed_is_counted(failure: str, api: Api) -> None:
    talk = Talk().say("a", "pnpm").say("b", "pnpm").say("c", "pnpm").spool()
    go(api)
    talk.say("d", "pnpm").spool()
    api.answers = [FAILURES[failure]]
    with pytest.raises(EnvironmentFault):
        go(api)
    assert [call.spent.tokens for call in spending.calls()] == [1250, 1250]
    store = homes.find(PROJECT)
    assert store is not None
    record = runs.latest(store.repo, "anthropic")
    assert record is not None
    assert (record["tokens"], bool(record["failed"])) == (1250, True)
    assert go(api).observations == 1


def test_an_answer_that_does_not_say_what_it_cost_counts_as_the_most(api: Api) -> None:
    Talk().say("a", "pnpm").say("b", "pnpm").say("c", "pnpm").spool()
    told = message(_patterns(claim(["e1"], ["e2"], ["e3"])))
    del told["usage"]
    api.answers = [reply(told)]
    assert go(api).spent.tokens == 9_000
    assert [(call.is_open, call.spent.tokens) for call in spending.calls()] == [(True, 9_000)]


@pytest.mark.parametrize("failure", ["key", "rate", "server", "overloaded"])
def test_what_was_refused_at_the_door_cost_nothing(failure: str, api: Api) -> None:
    Talk().say("a", "pnpm").spool()
    api.answers = [FAILURES[failure]]
    with pytest.raises(EnvironmentFault):
        go(api)
    assert [(call.is_open, call.spent.tokens) for call in spending.calls()] == [(False, 0)]


def test_an_answer_that_does_not_come_counts_as_paid(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    from gitinstinct.observer.model import anthropic

    monkeypatch.setattr(anthropic.Anthropic.__init__, "__defaults__", (0.3,))
    ended = threading.Event()

    def slow() -> Response:
        ended.wait(5)
        return error(500)

    Talk().say("a", "pnpm").spool()
    api.answers = [slow]
    with pytest.raises(EnvironmentFault, match="did not answer within"):
        go(api)
    ended.set()
    [call] = spending.calls()
    assert call.is_open
    assert call.spent.tokens == 9_000  # counted input, and all the output there may be


def test_a_server_that_is_not_there_costs_nothing(api: Api) -> None:
    Talk().say("a", "pnpm").spool()
    with pytest.raises(EnvironmentFault, match="cannot be reached"):
        observe(PROJECT, NOW, _elsewhere(api), skip_gates=True)
    assert [call.spent.tokens for call in spending.calls()] == [0]


def _elsewhere(api: Api) -> Any:
    from dataclasses import replace

    config = api.config()
    return replace(config, observer=replace(config.observer, address="http://127.0.0.1:9"))


def test_a_key_alone_never_makes_anybody_ask(api: Api) -> None:
    from gitinstinct.config import Config

    Talk().say("a", "pnpm").spool()
    observe(PROJECT, NOW, Config(), skip_gates=True)
    assert (api.asked, api.counted) == ([], 0)


def test_what_the_local_detector_has_read_is_new_to_a_model(api: Api) -> None:
    from gitinstinct.config import Config

    Talk().say("a", "pnpm").say("b", "pnpm").say("c", "pnpm").spool()
    assert observe(PROJECT, NOW, Config(), skip_gates=True).observations == 3
    typed = observe(PROJECT, NOW, api.config(), skip_gates=True, detector="anthropic")
    assert (typed.observations, len(typed.learned)) == (3, 1)
    observe(PROJECT, NOW, Config(), skip_gates=True)  # reads once more: the store was made without it
    assert observe(PROJECT, NOW, Config(), skip_gates=True).observations == 0
    assert go(api).observations == 0


STEPS: list[tuple[object, str, str]] = [
    (answers, "keep", "after"),
    (spending, "settle", "before"),
    (spending, "settle", "after"),
    (commit, "write", "before"),
    (commit, "write", "after"),
    (state, "save", "before"),
    (state, "save", "after"),
    (answers, "forget", "before"),
]


@pytest.mark.parametrize(("module", "name", "moment"), STEPS, ids=lambda value: getattr(value, "__name__", value))
def test_what_was_paid_is_not_paid_again_after_a_kill(module: object, name: str, moment: str, api: Api) -> None:
    talk = Talk().say("a", "pnpm").say("b", "pnpm").say("c", "pnpm").spool()
    original = getattr(module, name)

    def killed(*arguments: object, **named: object) -> object:
        if moment == "after":
            original(*arguments, **named)
        os.kill(os.getpid(), signal.SIGKILL)
        return None

    def action() -> None:
        setattr(module, name, killed)
        go(api)

    assert in_child(action) == -signal.SIGKILL
    assert len(api.asked) == 1
    talk.work("d", 2).spool()  # meanwhile the project goes on
    later = go(api, NOW + timedelta(minutes=5))
    assert sum("pnpm" in str(one["messages"]) for one in api.asked[1:]) <= 1
    assert all(
        one["kind"] != "event" or "said" not in one for call in range(1, len(api.asked)) for one in api.records(call)
    )
    [found] = learned().values()
    assert sorted((entry.kind, entry.amount) for entry in found.ledger) == [("observed", 1)] * 3
    assert later.observations in (4, 7)
    assert not answers.has_any(PROJECT.id, "anthropic")
    assert go(api, NOW + timedelta(minutes=6)).observations == 0


def test_a_kill_after_the_answer_gives_the_same_tree(api: Api, home: Path) -> None:
    Talk().say("a", "pnpm").say("b", "pnpm").say("c", "pnpm").spool()

    def action() -> None:
        original = commit.write

        def killed(*arguments: object) -> object:
            os.kill(os.getpid(), signal.SIGKILL)
            return original(*arguments)  # type: ignore[arg-type]

        commit.write = killed  # type: ignore[assignment]
        go(api)

    assert in_child(action) == -signal.SIGKILL
    go(api)
    healed = git(Path(paths.store(PROJECT.id)), "rev-parse", "main^{tree}")
    os.environ["GITINSTINCT_HOME"] = str(home / "other")
    Talk().say("a", "pnpm").say("b", "pnpm").say("c", "pnpm").spool()
    go(api)
    assert git(Path(paths.store(PROJECT.id)), "rev-parse", "main^{tree}") == healed


def test_a_rehearsal_is_paid_for_once(api: Api) -> None:
    Talk().say("a", "pnpm").say("b", "pnpm").say("c", "pnpm").spool()
    rehearsed = observe(PROJECT, NOW, api.config(), skip_gates=True, dry_run=True)
    assert (len(rehearsed.learned), learned()) == (1, {})
    assert len(go(api).learned) == 1
    assert len(api.asked) == 1


def test_segments_stay_until_every_detector_in_use_has_read_them(api: Api) -> None:
    from gitinstinct.config import Config

    Talk().say("a", "pnpm").spool()
    spooled = Path(paths.spool(PROJECT.id))
    (spooled / "000002.jsonl").write_bytes(b"")
    both = api.config()
    observe(PROJECT, NOW, both, skip_gates=True, detector="local")
    observe(PROJECT, NOW + timedelta(days=40), both, skip_gates=True, detector="local")
    assert (spooled / "000001.jsonl").exists()
    go(api, NOW + timedelta(days=40))
    Talk(NOW + timedelta(days=80)).say("b", "x").spool_into("000002.jsonl")
    observe(PROJECT, NOW + timedelta(days=80), Config(), skip_gates=True)
    assert not (spooled / "000001.jsonl").exists()


def test_a_project_that_gets_a_remote_goes_on_where_its_model_was(api: Api) -> None:
    """The spool of the new id begins anew, with segments of the same names."""
    Talk().say("a", "pnpm").work("a", 20).say("b", "pnpm").spool()
    assert go(api).learned == ()
    named = Project("0123456789ab", "my-api", former=PROJECT.id)
    Talk(NOW - timedelta(hours=1)).say("b", "pnpm again").spool()
    Talk(NOW - timedelta(minutes=30), named.id).say("c", "pnpm").say("d", "something else").spool()
    outcome = observe(named, NOW, api.config(), skip_gates=True)
    assert (outcome.observations, [told.verb for told in outcome.learned]) == (3, ["new"])
    said = [one["said"] for one in api.records() if one["kind"] == "event"]
    assert said == ["pnpm again", "pnpm", "something else"]
    store = homes.find(named)
    assert store is not None
    [found] = library.read(store).items.values()
    told = sorted((entry.kind, entry.amount) for entry in found.instinct.ledger)
    assert told == [("confirmed", 1), ("observed", 1), ("observed", 2)]  # a, b twice, and c after that
    Path(paths.tally(named.id, "anthropic")).unlink()
    Path(paths.tally(PROJECT.id, "anthropic")).unlink()
    assert observe(named, NOW, api.config(), skip_gates=True).observations == 0
    assert len(api.asked) == 2


def test_a_lost_state_file_does_not_pay_again(api: Api) -> None:
    Talk().say("a", "pnpm").say("b", "pnpm").say("c", "pnpm").spool()
    go(api)
    Path(paths.tally(PROJECT.id, "anthropic")).unlink()
    assert go(api).observations == 0
    assert len(api.asked) == 1


def test_two_at_once_ask_once(api: Api) -> None:
    Talk().say("a", "pnpm").say("b", "pnpm").say("c", "pnpm").spool()
    done: list[Outcome] = []

    def slow() -> Response:
        time.sleep(0.3)
        return reply(message(_patterns(claim(["e1"], ["e2"], ["e3"]))))

    api.answers = [slow]
    both = [threading.Thread(target=lambda: done.append(go(api))) for _ in range(2)]
    for thread in both:
        thread.start()
    for thread in both:
        thread.join()
    assert len(api.asked) == 1
    assert sum(len(outcome.learned) for outcome in done) == 1
