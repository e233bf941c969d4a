"""The program: its verbs, and what happens when one of them fails."""

from __future__ import annotations

import inspect
import os
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from typer.exceptions import Abort, TyperException

from gitinstinct import __version__, paths
from gitinstinct.cli import output, verbs
from gitinstinct.errors import ExitCode, FatalError, UsageError


def _version(wanted: bool) -> None:
    if wanted:
        output.say(f"gitinstinct {__version__}")
        raise typer.Exit


def options(
    directory: Annotated[Path | None, typer.Option("-C", metavar="DIR", help="Run as if started in DIR.")] = None,
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Say which.")] = False,
) -> None:
    """What coding agents learn, kept as plain markdown in git."""
    if directory is not None:
        try:
            os.chdir(directory)
        except OSError as error:
            raise UsageError(f"{directory}: {error.strerror}", "name a folder that exists") from error


def program(verb: str | None = None) -> typer.Typer:
    """The command line: for one verb what its module holds, else everything."""
    made = typer.Typer(
        name="gitinstinct",
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,  # a traceback could show a secret
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    )
    made.callback()(options)
    for name, command in verbs.load(verb).items():
        made.command(name, help=_help(command))(command)
    return made


def _help(command: verbs.Command) -> str:
    """The command's docstring, its indented blocks kept as they stand: without the mark their lines would be joined."""
    paragraphs = inspect.cleandoc(command.__doc__ or "").split("\n\n")
    return "\n\n".join(f"\b\n{part}" if part.startswith("  ") else part for part in paragraphs)


def run(arguments: Sequence[str]) -> int:
    """Runs one command. Returns its exit code; prints what failed and what to do about it."""
    # Closed streams (`>&-`) are None: what would be printed goes nowhere.
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115, PTH123 - for the life of the process
    sys.stderr = sys.stderr or sys.stdout
    try:
        app = program(verbs.asked(arguments))
        done = app(args=list(arguments), prog_name="gitinstinct", standalone_mode=False)
        sys.stdout.flush()
        return int(done or 0)
    except FatalError as error:
        output.complain(error.message, error.hint)
        return int(error.code)
    except TyperException as error:
        return _misused(error)
    except (Abort, KeyboardInterrupt):
        output.note("interrupted")
        return int(ExitCode.INTERRUPTED)
    except BrokenPipeError:
        # The reader has gone (`| head`): nothing is wrong. Python would complain once more when it flushes.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return int(ExitCode.DONE)
    except OSError as error:
        output.complain(
            f"{error.filename or 'the system'}: {error.strerror or error}", "is the disk full, or read-only?"
        )
        return int(ExitCode.ENVIRONMENT)
    except Exception as error:
        return _bug(error)


def _misused(error: TyperException) -> int:
    message = error.format_message() if hasattr(error, "format_message") else str(error)
    if type(error).__name__ == "NoArgsIsHelpError":
        output.raw(message)
        return int(ExitCode.USAGE)
    context = getattr(error, "ctx", None)
    output.complain(message, f"see {context.command_path} --help" if context else "")
    return int(ExitCode.USAGE)


def _bug(error: Exception) -> int:
    """What nobody foresaw is written to a file that can be sent to us, after a look at what is in it."""
    from gitinstinct.capture.redact import redact

    report = Path(paths.root("state")) / "reports" / f"{os.getpid()}-{type(error).__name__}.txt"
    text = redact("".join(traceback.format_exception(error)))
    try:
        paths.make_private(str(report.parent))
        report.write_text(f"gitinstinct {__version__}, Python {sys.version}\n\n{text}", "utf-8")
        hint = f"the report is in {report}; look through it before you send it to anyone"
    except OSError:
        hint = text
    output.complain(f"a bug in gitinstinct: {type(error).__name__}", hint)
    return int(ExitCode.ENVIRONMENT)
