"""The hook as a whole: `capture` keeps what happened, `inject` answers where a harness takes an answer.

The two do not know each other. What answers is loaded only for the few events that have an answer.
"""

from __future__ import annotations

from gitinstinct.capture import hook

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def main(arguments: list[str]) -> None:
    """Run as a process of its own; never returns. `arguments`: HARNESS [EVENT] [--batch]."""
    hook.main(arguments, answer)


def answer(happened: hook.Happened, env: Mapping[str, str]) -> str:
    """What the agent is told at an event; "" for most."""
    from gitinstinct.inject import answer as answers

    return answers.to(happened, env)
