"""What goes over the wire to the Messages API, and what never does."""

from __future__ import annotations

import gzip
import socket
import threading
import time
from dataclasses import replace
from http.server import BaseHTTPRequestHandler

import pytest
from werkzeug import Response

from gitinstinct.config import Observer
from gitinstinct.observer.model import body
from gitinstinct.observer.model.anthropic import Anthropic
from gitinstinct.observer.model.asking import MAX_OUTPUT, Unanswered
from gitinstinct.observer.model.prompt import Prompt
from tests.support.models import Api, error, message, reply
from tests.support.servers import listening

ASKED = Prompt("how", "what")
ENV = {"ANTHROPIC_API_KEY": "sk-test-key"}


def way(address: str, seconds: float = 5.0) -> Anthropic:
    return Anthropic(replace(Observer(), address=address), "", ENV, seconds)


def test_one_request_without_tools_with_a_schema_and_bounds(api: Api) -> None:
    api.answers = [reply(message('{"patterns": []}'))]
    found = way(api.address).ask(ASKED)
    assert found.text == '{"patterns": []}'
    [sent] = api.asked
    assert set(sent) == {"model", "max_tokens", "system", "messages", "output_config"}
    assert (sent["model"], sent["max_tokens"]) == ("claude-haiku-5-5", MAX_OUTPUT)
    assert sent["system"] == [{"type": "text", "text": "how", "cache_control": {"type": "ephemeral"}}]
    assert sent["messages"] == [{"role": "user", "content": "what"}]
    form = sent["output_config"]["format"]
    assert form["type"] == "json_schema"
    assert form["schema"]["additionalProperties"] is False
    assert "sk-test-key" in str(api.headers[0])


def test_the_environment_has_no_say_in_the_address(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "theirs")
    api.answers = [reply(message("{}"))]
    assert way(api.address).ask(ASKED).text == "{}"
    assert "theirs" not in str(api.headers[0])


def test_text_behind_thoughts_is_the_answer(api: Api) -> None:
    told = message("{}")
    told["content"] = [{"type": "thinking", "thinking": "hm", "signature": "s"}, *told["content"]]
    api.answers = [reply(told)]
    assert way(api.address).ask(ASKED).text == "{}"


def test_a_paid_call_is_tried_once_and_counting_more_often(api: Api) -> None:
    api.answers = [error(500), error(500)]
    with pytest.raises(Unanswered):
        way(api.address).ask(ASKED)
    assert len(api.asked) == 1
    api.tokens = None
    assert way(api.address).count(ASKED) is None
    api.tokens = 77
    assert way(api.address).count(ASKED) == 77


@pytest.mark.parametrize(
    ("said", "seconds"),
    [("30", 30.0), ("1.5", 1.5), ("", None), ("-5", None), ("nan", None), ("inf", None), ("soon", None)],
)
def test_how_long_the_service_wants_to_be_left_alone(said: str, seconds: float | None, api: Api) -> None:
    api.answers = [error(429, "rate_limit_error", retry_after=said)]
    with pytest.raises(Unanswered) as caught:
        way(api.address).ask(ASKED)
    assert caught.value.retry_after == seconds


@pytest.mark.parametrize(
    ("until", "now", "seconds"),
    [
        ("Sun, 29 Nov 2026 10:05:00 GMT", "Sun, 29 Nov 2026 10:00:00 GMT", 300.0),
        ("Sunday, 29-Nov-26 10:05:00 GMT", "Sun, 29 Nov 2026 10:00:00 GMT", 300.0),
        ("Sun Nov 29 10:05:00 2026", "Sun, 29 Nov 2026 10:00:00 GMT", 300.0),
        ("Sun, 29 Nov 2026 09:00:00 GMT", "Sun, 29 Nov 2026 10:00:00 GMT", None),
        ("Sun, 29 Nov 2026 10:05:00 GMT", "some day", None),
        ("Sun, 99 Nov 2026 10:05:00 GMT", "Sun, 29 Nov 2026 10:00:00 GMT", None),
    ],
)
def test_until_when_the_service_wants_to_be_left_alone(
    until: str, now: str, seconds: float | None, api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(BaseHTTPRequestHandler, "date_time_string", lambda _: now)  # the server's own clock
    api.answers = [error(429, "rate_limit_error", retry_after=until)]
    with pytest.raises(Unanswered) as caught:
        way(api.address).ask(ASKED)
    assert caught.value.retry_after == seconds


@pytest.mark.parametrize(
    "usage",
    [{}, None, [1], {"input_tokens": "x", "output_tokens": -5}, {"input_tokens": None}, {"input_tokens": 10**30}],
)
def test_an_answer_that_hides_what_it_cost_is_an_answer(usage: object, api: Api) -> None:
    told = message("{}")
    told["usage"] = usage
    api.answers = [reply(told)]
    answer = way(api.address).ask(ASKED)
    assert (answer.text, answer.spent) == ("{}", None)


@pytest.mark.parametrize("content", [5, "{}", {"type": "text"}, [None, 5, {"type": "text"}, {"type": "hologram"}]])
def test_a_message_without_a_text_is_no_answer(content: object, api: Api) -> None:
    api.answers = [reply(message("") | {"content": content})]
    with pytest.raises(Unanswered, match="answered with nothing"):
        way(api.address).ask(ASKED)


@pytest.mark.parametrize("status", [200, 500])
def test_an_answer_without_end_is_not_read_to_its_end(status: int, api: Api) -> None:
    api.answers = [Response(b" " * (body.MOST + 1), status, content_type="application/json")]
    with pytest.raises(Unanswered, match="said too much"):
        way(api.address).ask(ASKED)


def test_an_answer_that_may_grow_when_it_is_unpacked_is_not_taken(api: Api) -> None:
    small = gzip.compress(b" " * 10_000_000)
    api.answers = [Response(small, 200, {"Content-Encoding": "gzip"}, content_type="application/json")]
    with pytest.raises(Unanswered, match="said too much"):
        way(api.address).ask(ASKED)
    assert api.headers[-1]["Accept-Encoding"] == "identity"


@pytest.mark.parametrize("tokens", [0, -5])
def test_a_count_that_cannot_be_is_none(tokens: int, api: Api) -> None:
    api.tokens = tokens
    assert way(api.address).count(ASKED) is None


def test_a_service_that_drips_is_left() -> None:
    ended = threading.Event()

    def drip(caller: socket.socket) -> None:
        caller.recv(65536)
        caller.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n")
        while not ended.is_set():
            try:
                caller.sendall(b" ")
            except OSError:
                return
            time.sleep(0.05)

    with listening(drip) as port:
        asker = way(f"http://127.0.0.1:{port}", 0.5)
        from gitinstinct.observer.model import anthropic

        patched = pytest.MonkeyPatch()
        patched.setattr(anthropic, "CONNECTING", 0.5)
        with pytest.raises(Unanswered, match="did not answer within") as caught:
            asker.ask(ASKED)
        patched.undo()
        ended.set()
    assert caught.value.spent is None


def test_a_service_that_hangs_up_in_the_middle_may_have_been_paid() -> None:
    def cut(caller: socket.socket) -> None:
        caller.recv(65536)
        caller.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{")
        caller.close()

    with listening(cut) as port, pytest.raises(Unanswered, match="broke off") as caught:
        way(f"http://127.0.0.1:{port}").ask(ASKED)
    assert caught.value.spent is None


def test_what_the_service_says_is_one_short_line(api: Api) -> None:
    body = {"type": "error", "error": {"type": "invalid_request_error", "message": "no\n\x1b[31m" + "x" * 5_000}}
    api.answers = [reply(body, 400)]
    with pytest.raises(Unanswered) as caught:
        way(api.address).ask(ASKED)
    assert len(caught.value.message) < 300
    assert "\n" not in caught.value.message


def test_a_key_that_the_service_repeats_is_not_shown(api: Api) -> None:
    key = "sk-ant-api03-" + "Ab1" * 30
    api.answers = [reply({"type": "error", "error": {"type": "permission_error", "message": f"not for {key}"}}, 403)]
    with pytest.raises(Unanswered, match="not for") as caught:
        way(api.address).ask(ASKED)
    assert key[:30] not in caught.value.message
