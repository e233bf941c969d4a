"""`resolve` on a terminal: each conflict is shown and asked for, like the hunks of `git add -p`."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import typer

from gitinstinct.cli import editor, output, resolved, taught
from gitinstinct.cli.output import say
from gitinstinct.errors import FatalError, Found
from gitinstinct.git.blobs import merge_text
from gitinstinct.resolve import choosing, settling
from gitinstinct.resolve.cases import Case
from gitinstinct.resolve.choosing import OURS, THEIRS, Choice, Wish
from gitinstinct.resolve.dispute import Dispute
from gitinstinct.resolve.settling import Decision
from gitinstinct.store import vetting
from gitinstinct.store.store import Store
from gitinstinct.teach import desk
from gitinstinct.teach.commands import Command
from gitinstinct.teach.desk import Desk
from gitinstinct.teach.lesson import Lesson

_SIDES = {"o": OURS, "t": THEIRS}
_HELP = {
    "1": "take the value of that number",
    "o": "take ours",
    "t": "take theirs",
    "e": "write it yourself, in your editor",
    "y": "merge the two sides anew",
    "n": "leave the file as it is",
    "s": "skip: it stays in conflict",
    "q": "quit: this and all that follow stay as they are",
}


@dataclass(slots=True)
class Picked:
    """What a person answered.

    Attributes:
        decisions: what is still to be carried out; what was written by hand is settled already.
        skipped: whether something stays as it is.
        quit: whether they want no further question.
    """

    store: Store
    command: Command
    only: str | None
    decisions: list[Decision] = field(default_factory=list)
    skipped: bool = False
    quit: bool = False


def ask(picked: Picked, case: Case, *, committed: bool) -> None:
    """Asks for all that one case has.

    Args:
        picked: takes the answers.
        case: what waits.
        committed: whether it is in the branch, so that a text written by hand can be committed.
    """
    if case.left:
        say((case.path, "bold"), f"  {case.left}")
        picked.skipped = True
        return
    if case.is_remade and not _is_wanted(picked, case):
        return
    choices = []
    for number, dispute in enumerate(found := choosing.meant(case.disputes, picked.only), 1):
        resolved.dispute(dispute, f"{number} of {len(found)}" if len(found) > 1 else "")
        data = case.data if committed and not case.is_remade else None
        choices += [choice] if (choice := _choice(picked, dispute, data)) else []
        if picked.quit:
            break
    if choices or case.is_remade:
        picked.decisions.append(Decision(case, tuple(choices)))


def _is_wanted(picked: Picked, case: Case) -> bool:
    say((case.path, "bold"), "  its two sides can be merged anew")
    answer = _answer("Merge it anew", "ynq")
    picked.quit = answer == "q"
    picked.skipped |= answer != "y"
    return answer == "y"


def _choice(picked: Picked, dispute: Dispute, data: bytes | None) -> Choice | None:
    """The answer to one conflict; None if it was skipped, or settled by hand."""
    keys = "".join(str(number) for number in range(1, min(len(dispute.values), 9) + 1))
    keys += ("ot" if dispute.ours else "") + ("e" if data is not None else "") + "sq"
    while True:
        answer = _answer(f"Settle {choosing.called(dispute.field)}", keys)
        if answer in ("s", "q"):
            picked.skipped, picked.quit = True, answer == "q"
            return None
        try:
            if answer == "e" and data is not None:
                if _by_hand(picked, dispute, data):
                    return None
                continue
            wish = Wish(_SIDES[answer]) if answer in _SIDES else Wish(number=int(answer))
            return choosing.choose(dispute, wish)
        except FatalError as error:  # an answer that does not do is asked for again
            output.complain(error.message, error.hint)


def _answer(question: str, keys: str) -> str:
    while True:
        given = typer.prompt(f"{question} [{','.join(keys)},?]", prompt_suffix=": ").strip().lower()[:1]
        if given and given in keys:
            return str(given)
        for key in keys:
            say(f"{key}  {_HELP['1' if key.isdigit() else key]}")


def _by_hand(picked: Picked, dispute: Dispute, data: bytes) -> bool:
    """Lets the person write, and settles with that. Returns whether it did; a text that does not count is kept."""
    folder = Path(tempfile.mkdtemp(prefix="gitinstinct-resolve-"))
    copy = folder / f"{dispute.name}.md"
    copy.write_bytes(settling.draft(data, dispute))
    try:
        editor.launch(copy, picked.store.path)
        text = copy.read_bytes()
        if settling.is_unchanged(data, dispute, text):
            say("Nothing was changed.")
            shutil.rmtree(folder, ignore_errors=True)
            return False
        _settle(picked, dispute, data, text)
    except FatalError as error:
        raise Found(error.message, f"{error.hint + '; ' if error.hint else ''}your text is in {copy}") from error
    shutil.rmtree(folder, ignore_errors=True)
    return True


def _settle(picked: Picked, dispute: Dispute, data: bytes, text: bytes) -> None:
    def decide(at: Desk) -> Lesson:
        merge = picked.store.repo
        return settling.by_hand(
            picked.command, at, data, dispute, text, vetting.reason, lambda *texts: merge_text(merge, *texts)
        )

    taught.report(desk.carry_out(picked.store, decide, picked.command.at), rehearsed=False, as_json=False)
