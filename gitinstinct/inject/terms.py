"""The terms of a text: its words without endings, so that "committing" and "commits" ask for the same instinct.

Used alike when the index is made and when a prompt is looked up. A few rules by hand are enough for that, and cost a
hook nothing; a library would cost more than all the rest.
"""

from __future__ import annotations

LONGEST = 6_000
"""Characters of a prompt that are looked at: its first two thirds and its end."""

_STOP = frozenset(
    """a about after again all also always am an and any are as ask at be because been before being both but by can
    could did do does doing done down each even ever every few for from further get gets getting go goes going got had
    has have having he hello help her here hey hi him his how i if in instead into is it its just keep know let like
    look looks make makes making many may maybe me might more most must my need needs never new no not now of off ok
    okay on once one only or other our out over own please put really right same see shall she should show so some
    something still such sure take than thank thanks that the their them then there these they thing things think this
    those through time to too try trying two under until up us use used uses using very via want was way we well were
    what when whenever where whether which while who whole why will with without work working would yes yet you your
    anything nothing everything i'm i've it's let's don't doesn't isn't can't won't that's there's
    """.split()
)
_SAME = {
    "docs": "doc", "documentat": "doc", "document": "doc", "readm": "doc", "docstr": "doc",
    "dep": "dependency", "deps": "dependency", "requirement": "dependency", "librari": "library", "lib": "library",
    "repository": "repo", "config": "configur", "configurat": "configur", "setting": "configur",
    "settings": "configur",
    "js": "javascript", "ts": "typescript", "py": "python", "python3": "python", "golang": "go", "rb": "ruby",
    "db": "databas", "postgr": "databas", "postgresql": "databas", "env": "environ", "environment": "environ",
    "dir": "folder", "directory": "folder", "pkg": "packag", "modul": "packag", "err": "error", "exception": "error",
    "linter": "lint", "formatter": "format", "func": "function", "method": "function", "pr": "pull-request",
    "test": "test", "spec": "test", "unittest": "test", "msg": "messag", "cred": "secret", "credential": "secret",
    "token": "secret", "password": "secret", "delet": "remov", "eras": "remov", "renam": "mov", "grep": "search",
    "find": "search", "edit": "modify", "chang": "modify", "updat": "modify", "fail": "error", "bug": "error",
    "crash": "error", "brok": "error", "broken": "error", "debug": "error", "fix": "error", "creat": "add",
    "writ": "add", "upgrad": "updat", "setup": "install", "ui": "frontend", "component": "frontend",
    "migrat": "migration", "deploy": "releas", "publish": "releas", "ship": "releas", "endpoint": "api", "rout": "api",
}  # fmt: skip
"""A word or stem → the stem that stands for both."""

_TRIM = ".,;:!?()[]{}<>\"'`*_-–—…"  # noqa: RUF001
_PARTING = str.maketrans(dict.fromkeys("/\\:=,;()[]{}<>\"'`*|&!?@#%^+~$\u2026\u2013\u2014", " "))
_VOWELS = frozenset("aeiouy")
_SHORTEST = 2


def of(text: str) -> list[str]:
    """The terms of a text, in order, doubles included."""
    found: list[str] = []
    for word in text.lower().translate(_PARTING).split():
        if word not in _known:
            _known[word] = _of_word(word.strip(_TRIM))
        found += _known[word]
    return found


_known: dict[str, list[str]] = {}  # for the one who makes an index of thousands


def shortened(text: str) -> str:
    """As much of a long prompt as is looked at: what is asked stands at its beginning or its end."""
    if len(text) <= LONGEST:
        return text
    return text[: LONGEST * 2 // 3] + " " + text[-LONGEST // 3 :]


def paths(text: str) -> list[str]:
    """The words of a text that look like files: with a slash or an extension, without a scheme."""
    found = []
    for word in text.replace("\\", "/").split():
        name = word.strip(_TRIM.replace(".", "").replace("_", "").replace("*", "") + ",").rstrip(".,;:!?")
        name = name.partition(":")[0].removeprefix("./").removeprefix("@")
        base, dot, extension = name.rpartition("/")[2].rpartition(".")
        named = dot and base and extension.isalnum() and not extension.isdigit() and len(extension) <= 10
        if "://" not in word and name and (named or "/" in name.strip("/")):
            found.append(name)
    return found


def _of_word(word: str) -> list[str]:
    """A word, and the parts of one with dots, hyphens or underscores."""
    if word in _STOP or len(word) < _SHORTEST or (word.isdigit() and len(word) < 3):
        return []
    parts = word.replace(".", " ").replace("-", " ").replace("_", " ").split()
    if len(parts) > 1:
        whole = [word] if len(word) <= 40 else []
        return whole + [term for part in parts if part not in _STOP for term in _of_word(part)]
    term = _SAME.get(word) or stem(word)
    return [_SAME.get(term, term)]


def stem(word: str) -> str:
    """A word without its English ending; words of other scripts as they are."""
    if len(word) < 4 or not word.isascii():
        return word
    if word.endswith("ies") and len(word) > 4:
        word = word[:-3] + "y"
    elif word.endswith(("sses", "shes", "ches", "xes", "zes")):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    return _without_tense(word)


def _without_tense(word: str) -> str:
    for ending in ("ing", "ied", "ed", "tion"):
        rest = word[: -len(ending)]
        if word.endswith(ending) and len(rest) >= 3 and not _VOWELS.isdisjoint(rest):
            if ending == "ied":
                return rest + "y"
            if ending == "tion":
                return rest + "t"
            return _single(rest).removesuffix("e")
    return word[:-1] if word.endswith("e") and len(word) > 3 else word


def _single(word: str) -> str:
    """`committ` → `commit`; `install` and `pass` stay."""
    return word[:-1] if word[-1] == word[-2] and word[-1] not in "lsz" else word
