"""Which module has which verb, in the order of the help. A command loads its own module and no other.

Loading all of them takes longer than most commands work.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module

MODULES = {
    "setup": ("init", "install", "uninstall"),
    "observing": ("status", "observe"),
    "look": ("list", "show"),
    "tracing": ("log", "blame"),
    "explaining": ("why",),
    "comparing": ("diff",),
    "checking": ("check",),
    "doctor": ("doctor",),
    "daemon": ("daemon",),
    "injecting": ("inject",),
    "reviewing": ("review",),
    "teaching": ("learn", "confirm", "contradict", "set", "archive", "restore"),
    "editor": ("edit",),
    "undoing": ("undo",),
    "resolving": ("resolve",),
    "merging": ("merge", "merge-file"),
    "promoting": ("promote", "demote"),
    "sharing": ("share", "pull", "push", "sync", "remote"),
    "exchanging": ("import", "export"),
    "measuring": ("measure",),
    "costing": ("cost",),
    "demo": ("demo",),
    "capturing": ("hook",),
}

Command = Callable[..., int]


def asked(arguments: Sequence[str]) -> str | None:
    """The verb on a command line: the first word that is neither an option nor the folder of `-C`."""
    words = iter(arguments)
    for word in words:
        if word == "-C":
            next(words, None)
        elif not word.startswith("-"):
            return word
    return None


def load(verb: str | None = None) -> dict[str, Command]:
    """The commands of the module that has this verb, by verb; all of them if there is no such verb."""
    wanted = [module for module, verbs in MODULES.items() if verb in verbs] or list(MODULES)
    loaded = (import_module(f"gitinstinct.cli.{module}").VERBS for module in wanted)
    return {command.__name__.rstrip("_").replace("_", "-"): command for commands in loaded for command in commands}
