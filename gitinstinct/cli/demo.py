"""`demo`: the whole loop on recorded work, in a temporary place, in less than half a minute."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gitinstinct import clock, config, paths, shipped
from gitinstinct import demo as recorded
from gitinstinct.capture import project as projects
from gitinstinct.cli import look, output
from gitinstinct.cli.output import say
from gitinstinct.errors import EnvironmentFault, ExitCode
from gitinstinct.git import sample
from gitinstinct.observer import message, source
from gitinstinct.observer.run import Outcome
from gitinstinct.observer.run import observe as run_observer
from gitinstinct.store import homes, library

if TYPE_CHECKING:
    from gitinstinct.capture.project import Project
    from gitinstinct.demo import Recording

_LEFT_OUT = ("CLAUDE_", "GITINSTINCT_")  # what an agent or a person has set must not reach the demo


def demo(
    folder: Annotated[
        Path | None, typer.Option("--in", metavar="DIR", help="An empty folder to use instead of a temporary one.")
    ] = None,
) -> int:
    """See it all on recorded work.

    Two small projects are replayed through the real hook, observed and shown, in a temporary place. Nothing of yours is
    read or touched.

    Example:

      gitinstinct demo
    """
    root = _place(folder)
    _move_in(root)
    shown: list[tuple[Project, Outcome]] = []
    for recording, place in recorded.prepare(root, sample.make):
        shown.append(_replay(recording, place))
    project, _ = max(shown, key=lambda pair: len(pair[1].learned))
    _show_history(project)
    _show_best(project)
    _say_how_to_look(root, project)
    return ExitCode.DONE


def _place(folder: Path | None) -> Path:
    if folder is None:
        return Path(tempfile.mkdtemp(prefix="gitinstinct-demo-"))
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise EnvironmentFault(f"{folder} is not empty", "name another folder, or none")
    return folder.resolve()


def _move_in(root: Path) -> None:
    """From here on, everything of ours lies below `root`."""
    for name in [name for name in os.environ if name.startswith(_LEFT_OUT) and name != "GITINSTINCT_NOW"]:
        del os.environ[name]
    os.environ["GITINSTINCT_HOME"] = str(root / "home")


def _replay(recording: Recording, place: Path) -> tuple[Project, Outcome]:
    """Plays one project's sessions through the hook, as its agent would, and runs the observer on them."""
    output.blank()
    say((recording.project, "bold"), f"  {recording.about}")
    sessions = 0
    for batch in recorded.batches(recording, place, clock.now()):
        _hook(batch, place)
        sessions += 1
    project = projects.identify(str(place), os.environ)
    captured = source.waiting(project.id, [], {}).lines
    say(f"  {sessions} sessions went through the hook: {captured} observations, secrets blanked")
    outcome = run_observer(project, clock.now(), config.Config(), skip_gates=True)
    cells = message.id_cells(outcome.learned)
    for told in outcome.learned:
        say("  learned  ", (f"{told.id:<{cells}}", "bold"), f"  {told.after / 100:.2f}", (f"  {told.evidence}", "dim"))
    return project, outcome


def _hook(batch: bytes, place: Path) -> None:
    """The hook as an agent starts it, but for `--batch`."""
    command = [sys.executable, "-I", "-S", str(shipped.hooks() / "hook.py"), recorded.HARNESS, "--batch"]
    done = subprocess.run(command, input=batch, cwd=place, check=False, timeout=60)
    if done.returncode != 0:
        raise EnvironmentFault("the hook failed", f"try it: {' '.join(command)}")


def _show_history(project: Project) -> None:
    store = homes.find(project)
    assert store is not None, "the recordings hold patterns"
    output.blank()
    say(("$ git log -1", "dim"), (f"      in {store.path}", "dim"))
    output.raw(store.repo.ask("log", "-1", "--format=commit %h  %an, %ad%n%n%w(0,4,4)%B", "--date=short", "main"))


def _show_best(project: Project) -> None:
    store = homes.find(project)
    assert store is not None
    day = clock.now().date().isoformat()
    best = max(library.read(store).items.values(), key=lambda item: (len(item.instinct.ledger), item.instinct.id))
    output.blank()
    say((f"$ gitinstinct show {best.instinct.id}", "dim"))
    look.print_instinct(best, "project", day)


def _say_how_to_look(root: Path, project: Project) -> None:
    output.blank()
    say(("Look around:", "bold"))
    say(f"  export GITINSTINCT_HOME={root / 'home'}")
    say(f"  {_program()} -C {root / project.name} status")
    say(f"  git -C {paths.store(project.id)} log")
    say((f"It all lies in {root}; delete that folder when you have seen enough.", "dim"))


def _program() -> str:
    """What to type: our name, or where we are if a shell would not find us."""
    return "gitinstinct" if shutil.which("gitinstinct") else sys.argv[0]


VERBS = (demo,)
