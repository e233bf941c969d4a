"""What the words of an instinct must be: one trigger, one action, nothing private, nothing hidden.

These are the rules for words that nobody has read yet: a detector's proposals. A person's own text is held to fewer.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator

from gitinstinct.instinct import domains

TRIGGER_LENGTH = 160
ACTION_LENGTH = 400
_SHORTEST = 6

_CODE_SPAN = re.compile(r"`([^`]*)`")
_SPAN_LENGTH = 80
_CODE = re.compile(r"```|[{};]|=>|==|\(\)|\breturn\b|^\s{4}|\bdef \w|\bfunction \w", re.MULTILINE)
_HOME = re.compile(r"/(?:home|Users|root)\b|(?<![A-Za-z])[A-Za-z]:[\\/]|(?<!\w)~/")
_URL = re.compile(r"\b[a-z][a-z0-9+.-]*://|\bwww\.", re.IGNORECASE)
_PLACEHOLDER = re.compile(r"(?:undefined|null|none|nan|todo|tbd|n/a|\W*)\.?", re.IGNORECASE)
_TOO_BROAD = re.compile(
    r"(?:when(?:ever)?\s+|(?:for|on|in|during)\s+)?(?:always|anytime|at all times|\*+"
    r"|(?:any|every|all)(?: (?:tasks?|code|coding|work|files?|sessions?|projects?|prompts?|requests?|changes?))+"
    r"|(?:you are |you're )?(?:coding|programming|working|developing"
    r"|writing (?:any )?code|using (?:this|the) (?:project|repo|repository|codebase|tool))"
    r"(?: (?:in|on|with) (?:this|the|any) (?:project|repo|repository|codebase|code|task|file))?)\.?",
    re.IGNORECASE,
)
_GENERIC = re.compile(
    r"\b(?:follow(?:ing)? best practices|write (?:clean|good|readable) code|be careful|double[- ]check everything"
    r"|think (?:carefully|before)|keep it simple|do (?:it|this) (?:right|properly))\b",
    re.IGNORECASE,
)


def refusal(trigger: str, action: str, domain: str, secrets: Callable[[str], list[str]]) -> str | None:
    """Why a proposal's words are not taken, as a short phrase; None when they are.

    `secrets` names the kinds of secret in a text (`capture.redact.findings`).
    """
    return next(_refusals(trigger, action, domain, secrets), None)


def _refusals(trigger: str, action: str, domain: str, secrets: Callable[[str], list[str]]) -> Iterator[str]:
    if domain not in domains.DOMAINS:
        yield f"unknown domain {domain!r}"
    if too_broad(trigger):
        yield "the trigger is too broad"
    if _GENERIC.search(action):
        yield "generic advice"
    for name, text, most in (("trigger", trigger, TRIGGER_LENGTH), ("action", action, ACTION_LENGTH)):
        if len(text.strip()) < _SHORTEST or placeholder(text):
            yield f"the {name} says nothing"
        if len(text) > most:
            yield f"the {name} is longer than {most} characters"
        yield from (f"{what} in the {name}" for what in unfit(text))
        if secrets(text):
            yield f"a secret in the {name}"


def too_broad(trigger: str) -> bool:
    """Whether it would apply to nearly everything."""
    return _TOO_BROAD.fullmatch(trigger.strip()) is not None


def placeholder(text: str) -> bool:
    """Whether a text stands for one that was never written."""
    return _PLACEHOLDER.fullmatch(text.strip()) is not None


def unfit(text: str) -> Iterator[str]:
    """What must not stand in a line of prose: hidden signs, code, private paths, addresses."""
    if hidden(text):
        yield "a hidden or control character"
    if any(len(span) > _SPAN_LENGTH for span in _CODE_SPAN.findall(text)) or _CODE.search(_CODE_SPAN.sub("", text)):
        yield "code"
    if _HOME.search(text):
        yield "a private path"
    if _URL.search(text):
        yield "an address"


def hidden(text: str) -> list[str]:
    """The characters that a reader does not see or that steer a terminal: controls, formats, private use, tags.

    Line ends and tabs are no such characters in a body, but they are in a line; callers pass lines.
    """
    return [sign for sign in text if unicodedata.category(sign) in {"Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp"}]
