"""`hook`: what agents call. The program sends it on its way before this module is loaded; here stands its help."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from gitinstinct.cli import output
from gitinstinct.errors import ExitCode


def hook(
    harness: Annotated[str, typer.Argument(metavar="HARNESS", help="claude-code or qoder.")],
    event: Annotated[
        str, typer.Argument(metavar="[EVENT]", help="The event, where the payload does not name it.")
    ] = "",
    batch: Annotated[bool, typer.Option("--batch", help='One payload a line; each may carry "timestamp".')] = False,
) -> int:
    """What agents call: one payload on standard input.

    The event is redacted and stored. Nothing is printed but what a session that begins, or a prompt, is to be told. It
    always succeeds; what was left out or lost is counted, and `status` tells.

    Example:

      gitinstinct hook claude-code --batch < payloads.jsonl
    """
    from gitinstinct import hook as whole
    from gitinstinct.capture import hook as capture
    from gitinstinct.capture import intake

    arguments = [harness, *([event] if event else []), *(["--batch"] if batch else [])]
    answer = capture.run(arguments, intake.lines() if batch else intake.one(), os.environ, whole.answer)
    if answer:
        output.say(answer)
    return ExitCode.DONE


VERBS = (hook,)
