"""The command line: parses, calls, prints.

`main` sends the hook on its way before anything heavy is imported; `app` puts the verbs together and turns failures
into one sentence, a hint and an exit code; one module a group of verbs; `output` is the only printer.
"""

from __future__ import annotations

import sys


def main() -> None:
    """The console script: `gitinstinct …`, and `git instinct …`."""
    if sys.argv[1:2] == ["hook"] and not {"-h", "--help"} & set(sys.argv):
        from gitinstinct.hook import main as hook

        hook(sys.argv[2:])
    else:
        from gitinstinct.cli.app import run

        sys.exit(run(sys.argv[1:]))
