"""A person's own words: what may not be kept, and what is only worth a remark.

A detector's words are held to much more, because nobody has read them. Refused here is what would harm or could never
be used: a secret, because the history keeps it and is shared; signs that a reader does not see; words that say nothing
or more than an agent is ever given. The rest is the person's business, and they are told.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from gitinstinct.errors import UsageError
from gitinstinct.instinct import domains, hidden, lint

Secrets = Callable[[str], list[str]]
"""Names the kinds of secret in a text."""

MOST = {"trigger": 300, "action": 2000, "title": 160}
"""Characters, about the multiple of what a detector may say."""

_OPENINGS = re.compile(
    r"(?:when(?:ever)?|before|after|while|if|once|as soon as|for|in|on|at|during|unless)\b|\W*[^\x00-\x7f]",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r".+?(?=[.!?](?:\s|$)|$)")
_TITLE = 72


def as_trigger(text: str) -> str:
    """The trigger on one line, beginning with `when` unless it begins with such a word or is in another script."""
    plain = " ".join(text.split())
    return plain if not plain or _OPENINGS.match(plain) else f"when {plain}"


def as_action(text: str) -> str:
    """The action, its lines kept, blanks at their ends and around it gone."""
    return "\n".join(line.expandtabs(4).rstrip() for line in text.splitlines()).strip()


def as_title(action: str) -> str:
    """A title out of the first sentence of an action."""
    lines = (line.replace("`", "").strip(" #~") for line in action.split("\n"))
    found = _SENTENCE.match(next(filter(None, lines), ""))
    words = found[0].strip() if found else ""
    return words if len(words) <= _TITLE else words[:_TITLE].rsplit(" ", 1)[0]


def refuse(texts: Mapping[str, str], secrets: Secrets) -> None:
    """Refuses what may not be kept.

    Args:
        texts: what each is called, and the text.
        secrets: names the kinds of secret in a text.

    Raises:
        UsageError: with the first reason.
    """
    for name, text in texts.items():
        reason = next(_refusals(name, text, secrets), None)
        if reason is not None:
            raise UsageError(*reason)


def _refusals(name: str, text: str, secrets: Secrets) -> Iterator[tuple[str, str]]:
    if name in MOST and (not text or lint.placeholder(text)):
        yield f"the {name} says nothing", "say when, and what to do: gitinstinct learn TRIGGER ACTION"
    if len(text) > MOST.get(name, len(text)):
        yield f"the {name} has {len(text)} characters; {MOST[name]} is the most", "say it in fewer words"
    signs = [sign for line in text.split("\n") for sign in hidden.find(line)]
    if signs:
        yield f"the {name} holds a sign that nobody sees: {signs[0]}", "type it anew instead of pasting it"
    kinds = secrets(text)
    if kinds:
        yield (
            f"the {name} holds what looks like a secret ({', '.join(kinds)})",
            "the history would keep it; leave it out",
        )


def remarks(trigger: str, action: str, domain: str) -> list[str]:
    """What is odd about words that are taken all the same, a sentence each."""
    found = []
    if domain not in domains.DOMAINS:
        found.append(f"{domain!r} is none of the domains ({', '.join(domains.DOMAINS)})")
    if lint.too_broad(trigger):
        found.append("the trigger fits nearly everything: an agent would get it always")
    for name, text, most in (("trigger", trigger, lint.TRIGGER_LENGTH), ("action", action, lint.ACTION_LENGTH)):
        if len(text) > most:
            found.append(f"the {name} has {len(text)} characters: short ones are followed more often")
        if "a private path" in lint.unfit(text):
            found.append(f"the {name} names a private path, which others will see when the store is shared")
    return found
