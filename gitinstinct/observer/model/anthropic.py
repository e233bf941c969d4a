"""The way to a model over the Messages API, through the provider's own library; the only module that loads it.

One request, no tools, an answer that follows a schema. Its limits are all set here: time, length, and a single try,
since whoever asks a second time may pay a second time; when to try again is for the observer's rest to say. Counting
tokens costs nothing, so that is tried more often.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from queue import Empty, Queue
from typing import TYPE_CHECKING, Any

from gitinstinct.capture import redact
from gitinstinct.config import Observer
from gitinstinct.observer.detector import Spent
from gitinstinct.observer.model import access, prices, schema
from gitinstinct.observer.model.asking import MAX_OUTPUT, NOTHING, Reply, Unanswered
from gitinstinct.observer.model.prompt import Prompt

if TYPE_CHECKING:
    import anthropic
    from anthropic.types import Message, TextBlockParam

SECONDS, CONNECTING, COUNTING = 120.0, 10.0, 20.0
_COUNT_RETRIES = 2
_SAID = 160  # characters of what the other side said
_LOOKED_AT = 10_000
_MOST_TOKENS = 10_000_000  # no call has more

_REFUSED = {
    400: "the request was refused",
    401: "the key was not accepted",
    402: "there is no credit left",
    403: "the key may not use it",
    404: "there is no model {model} there",
    413: "the request was too large",
    429: "too many requests, or too much for the limit of the key",
    529: "it is overloaded",
}


class Anthropic:
    """Asks over the network."""

    def __init__(self, chosen: Observer, root: str, env: Mapping[str, str], seconds: float = SECONDS) -> None:
        """Finds address and key; nothing is sent.

        Args:
            chosen: the person's settings.
            root: the project's folder.
            env: the environment.
            seconds: how long an answer may take.

        Raises:
            Unanswered: there is no key, or what decides about the way may not be the person's own.
        """
        import anthropic
        from anthropic import DefaultHttpxClient

        from gitinstinct.observer.model import body

        found = access.of(chosen, root, env)
        self._model, self._own, self._seconds = chosen.model, chosen.prices, seconds
        self._client = anthropic.Anthropic(
            api_key=found.key or None,
            auth_token=found.token or None,
            base_url=found.address,
            max_retries=0,
            timeout=_timeout(seconds),
            open_telemetry=False,  # its traces can hold what is sent
            default_headers=body.PLAIN,
            http_client=DefaultHttpxClient(
                follow_redirects=False,  # the address is the person's choice
                event_hooks={"response": [body.bound]},
            ),
        )

    def count(self, prompt: Prompt) -> int | None:
        """What the API counts; None if it does not answer."""
        import anthropic

        client = self._client.with_options(max_retries=_COUNT_RETRIES, timeout=_timeout(COUNTING))
        try:
            counted = client.messages.count_tokens(
                model=self._model, system=_system(prompt), messages=[{"role": "user", "content": prompt.user}],
                output_config={"format": _format()},
            )  # fmt: skip
            return int(counted.input_tokens) if counted.input_tokens > 0 else None
        except (anthropic.AnthropicError, ValueError, TypeError, AttributeError):
            return None

    def ask(self, prompt: Prompt) -> Reply:
        """One request.

        Raises:
            Unanswered: the answer is missing, cut off, refused or no answer of a model.
        """
        import anthropic

        try:
            message = _within(self._seconds + CONNECTING, lambda: self._create(prompt))
        except anthropic.APIStatusError as error:
            raise self._refused(error) from error
        except (anthropic.APITimeoutError, TimeoutError) as error:
            raise Unanswered(f"the model did not answer within {self._seconds:g} s") from error
        except anthropic.APIConnectionError as error:
            if "Connect" in type(error.__cause__).__name__:
                raise Unanswered(f"{self._host()} cannot be reached", "is the network up?", spent=NOTHING) from error
            raise Unanswered(f"{self._host()} broke off, garbled its answer or said too much") from error
        except (anthropic.AnthropicError, ValueError, TypeError, AttributeError) as error:
            raise Unanswered(f"{self._host()} gave no answer of a model ({type(error).__name__})") from error
        return self._read(message)

    def _create(self, prompt: Prompt) -> Message:
        return self._client.messages.create(
            model=self._model, max_tokens=MAX_OUTPUT, system=_system(prompt),
            messages=[{"role": "user", "content": prompt.user}], output_config={"format": _format()},
        )  # fmt: skip

    def _read(self, message: Message) -> Reply:
        """The text of a message that ended as it should."""
        used = _spent(message)
        spent = prices.priced(used, prices.of(self._model, self._own)) if used is not None else None
        reason = getattr(message, "stop_reason", None)
        if reason == "refusal":
            raise Unanswered(f"{self._model} refused to answer", spent=spent)
        if reason in ("max_tokens", "model_context_window_exceeded"):
            raise Unanswered(f"the answer of {self._model} was cut off", spent=spent)
        text = _text(getattr(message, "content", None))
        if reason != "end_turn" or not text.strip():
            what = "answered with nothing" if reason == "end_turn" else "gave no answer of a model"
            raise Unanswered(f"{self._host()} {what}", spent=spent)
        return Reply(text, spent)

    def _refused(self, error: anthropic.APIStatusError) -> Unanswered:
        """A status that is no success: nothing was billed, except perhaps by a server that broke off."""
        status = error.status_code
        told = _REFUSED.get(status, "it failed" if status >= 500 else "the request was refused")
        said = _line(error.api_message or "") if status in (400, 403, 404) else ""
        what = f"{self._host()}: {told.format(model=self._model)} ({status})" + (f": {said}" if said else "")
        hint = "look at the key and at observer.model in config.yaml" if status in (401, 403, 404) else ""
        after = _after(error.response.headers)
        return Unanswered(what, hint, spent=NOTHING, retry_after=after)

    def _host(self) -> str:
        return self._client.base_url.host


def _within(seconds: float, call: Callable[[], Message]) -> Message:
    """What a call gives, or its error; the library's own limit is one for each piece of an answer that drips in.

    Raises:
        TimeoutError: it took longer.
    """
    done: Queue[Message | BaseException] = Queue()

    def work() -> None:
        try:
            done.put(call())
        except BaseException as error:
            done.put(error)

    threading.Thread(target=work, daemon=True).start()
    try:
        found = done.get(timeout=seconds)
    except Empty:
        raise TimeoutError from None
    if isinstance(found, BaseException):
        raise found
    return found


def _timeout(seconds: float) -> Any:
    import anthropic

    return anthropic.Timeout(seconds, connect=min(CONNECTING, seconds))


def _system(prompt: Prompt) -> list[TextBlockParam]:
    """The fixed text, which the provider may keep in its cache from call to call."""
    return [{"type": "text", "text": prompt.system, "cache_control": {"type": "ephemeral"}}]


def _format() -> Any:
    from anthropic import transform_schema

    return {"type": "json_schema", "schema": transform_schema(schema.form())}


def _line(said: str) -> str:
    """What the other side said, short and without a key that it may repeat: it is kept and shown."""
    return " ".join(redact.redact(said[:_LOOKED_AT]).split())[:_SAID]


def _text(content: object) -> str:
    """The texts of a message's blocks; the library does not check what it was sent."""
    blocks = content if isinstance(content, list) else []
    texts = [getattr(block, "text", "") for block in blocks if getattr(block, "type", "") == "text"]
    return "".join(text for text in texts if isinstance(text, str))


def _spent(message: Message) -> Spent | None:
    """What a message says that it cost; None if it does not say so, or what cannot be."""
    usage = getattr(message, "usage", None)

    def number(name: str) -> int:
        value = getattr(usage, name, None)
        return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0

    told = Spent(
        1, number("input_tokens"), number("output_tokens"), number("cache_read_input_tokens"),
        number("cache_creation_input_tokens"),
    )  # fmt: skip
    return told if 0 < told.tokens <= _MOST_TOKENS else None


def _after(headers: Mapping[str, str]) -> float | None:
    """Seconds that `retry-after` asks for: a number of them, or a date (RFC 9110, 10.2.3). A date counts from the
    answer's own `date`, so that no clock has to agree with the other side's."""
    said = headers.get("retry-after") or ""
    try:
        number = float(said)
    except ValueError:
        until, now = _moment(said), _moment(headers.get("date") or "")
        number = (until - now).total_seconds() if until and now else 0.0
    return number if math.isfinite(number) and number > 0 else None


def _moment(text: str) -> datetime | None:
    """An HTTP date; it means UTC where it names no zone."""
    try:
        found = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)
