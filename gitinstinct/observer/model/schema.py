"""What an answer has to look like. Read strictly: what does not fit is no answer, and nothing of it is used."""

from __future__ import annotations

import json
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from gitinstinct.observer.model.validate import Claim


class Claimed(BaseModel):
    """One pattern that recurs."""

    model_config = ConfigDict(extra="forbid", strict=True)

    kind: str = Field(description="correction, error-fix, workflow or preference")
    key: str = Field(description="the key of a pattern that is known already and seen again; else empty")
    name: str = Field(description="two to five plain words")
    trigger: str = Field(description="one situation, beginning with 'when', in at most 160 characters")
    action: str = Field(description="one thing to do in it, in at most 200 characters")
    domain: str = Field(description="one of the domains that were listed")
    occurrences: list[list[str]] = Field(
        description="each time that it was seen: the ids of the events of that one time, in their order"
    )


class Answer(BaseModel):
    """All patterns of the events that were shown."""

    model_config = ConfigDict(extra="forbid", strict=True)

    patterns: list[Claimed]


def form() -> dict[str, Any]:
    """The JSON schema of an answer, in one piece: not every reader of schemas follows references."""
    made = Answer.model_json_schema()
    made["properties"]["patterns"]["items"] = made.pop("$defs")[Claimed.__name__]
    return made


def read(text: str) -> list[Claim]:
    """The claims of an answer.

    Raises:
        ValueError: the text is no answer; says why in a few words, none of them the answer's own.
    """
    try:
        answer = Answer.model_validate(json.loads(text))
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False, include_context=False)[0]
        where = ".".join(str(part) for part in first["loc"] if isinstance(part, int) or part in Answer.model_fields
                         or part in Claimed.model_fields)  # fmt: skip
        raise ValueError(f"{where or 'it'} is not as it has to be ({first['type']})") from None
    except RecursionError:
        raise ValueError("it is nested too deep") from None
    except ValueError:
        raise ValueError("it is not JSON") from None
    return [
        Claim(
            one.kind, one.key, one.name, one.trigger, one.action, one.domain,
            tuple(tuple(occurrence) for occurrence in one.occurrences),
        )
        for one in answer.patterns
    ]  # fmt: skip
