"""What is believed of a model's answer.

A model can be steered by what it reads, and it can be wrong. So its words are held to the rules of an instinct's words
and to more: they must not be aimed at the agent, nor repeat what a tool or a person said, nor speak of this program.
And its evidence is events that it was shown, at least one of them new. Who, when and how often is read off those.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from gitinstinct.instinct import domains, ids, lint, markdown, similar, steering
from gitinstinct.instinct.errors import Invalid
from gitinstinct.instinct.fit import REMARK
from gitinstinct.instinct.ledger import new_entry
from gitinstinct.observer.events import Observation
from gitinstinct.observer.pattern import FAMILIES

SHARED = 12
"""So many words in a row are no coincidence: the words are somebody else's."""

ACTION_LENGTH = 200
_NAME_LENGTH = 56
_SENTENCES = 2

_WORD = re.compile(r"\w+")
_PATH = re.compile(
    r"(?:^|[\s`'\"(])(?:~|\.{1,2})?/[\w.-]|(?<![\w*])[\w.-]+/[\w./-]*\.\w{1,8}\b|\b[A-Za-z]:\\|\\\\\w|\.\.[/\\]"
)
_ADDRESS = re.compile(
    r"[\w.+-]+@(?:[\w-]+\.)+[a-z]{2,}\b|(?<![\w@/.])(?:[a-z\d-]+\.)+[a-z]{2,}(?::\d+)?/", re.IGNORECASE
)
"""Of mail, and of the web without its scheme."""
_OURSELVES = re.compile(
    r"\b(?:git[ -]?instinct|instincts?|observer|observations?|detector|confidence"
    r"|this (?:prompt|answer|pattern|conversation)|(?:session|chat) (?:log|transcript)"
    r"|the (?:ai|model|assistant|llm|user said))\b",
    re.IGNORECASE,
)
_MARKUP = re.compile(r"\s*(?:[-*+#>|=]|\d+[.)]\s|---)")
_ENDS = re.compile(r"[.!?](?:\s|$)")


@dataclass(frozen=True, slots=True)
class Claim:
    """One pattern as a model told it; nothing of it is checked."""

    kind: str
    key: str
    name: str
    trigger: str
    action: str
    domain: str
    occurrences: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Shown:
    """What a model was shown.

    Attributes:
        events: label → event.
        new: the labels of those that were never analysed.
        keys: the labels of known patterns.
        runs: hashes of every run of `SHARED` words that the events hold.
        hosts: addresses that are no finding.
    """

    events: Mapping[str, Observation]
    new: Collection[str]
    keys: Collection[str] = ()
    runs: Collection[int] = ()
    hosts: Collection[str] = ()


@dataclass(slots=True)
class Judged:
    """Claims that are believed, each with what is left of its occurrences; and (name, reason) of those that are not."""

    believed: list[Claim] = field(default_factory=list)
    refused: list[tuple[str, str]] = field(default_factory=list)


def judge(claims: Iterable[Claim], shown: Shown, most: int, secrets: Callable[[str], list[str]]) -> Judged:
    """Sorts an answer's claims. Never raises.

    Args:
        claims: as they were told.
        shown: what the model was shown.
        most: how many claims are looked at.
        secrets: names the kinds of secret in a text.
    """
    told, judged = list(claims), Judged()
    for claim in told[:most]:
        reason = refusal(claim, shown, secrets)
        if reason is None and any(_says_same(claim, other) for other in judged.believed):
            reason = "said twice"
        if reason is None:
            judged.believed.append(claim)
        else:
            judged.refused.append((label(claim), reason))
    if len(told) > most:
        judged.refused.append((f"{len(told) - most} more", f"more than {most} in one answer"))
    return judged


def refusal(claim: Claim, shown: Shown, secrets: Callable[[str], list[str]]) -> str | None:
    """Why a claim is not believed, in a few words of ours; None if it is."""
    return next(_of_evidence(claim, shown), None) or (
        None if claim.key else next(_of_words(claim, shown, secrets), None)
    )


def label(claim: Claim) -> str:
    """What a claim is called where it is refused: its name as an id would have it."""
    return ids.slug(claim.name)[:_NAME_LENGTH] or "unnamed"


def _of_evidence(claim: Claim, shown: Shown) -> Iterator[str]:
    cited = {one for occurrence in claim.occurrences for one in occurrence}
    if claim.key and claim.key not in shown.keys:
        yield "it goes on with a pattern that was not shown"
    if not cited:
        yield "it cites no event"
    if not cited <= shown.events.keys():
        yield "it cites an event that was not shown"
    if cited.isdisjoint(shown.new):
        yield "it cites nothing new"


def _of_words(claim: Claim, shown: Shown, secrets: Callable[[str], list[str]]) -> Iterator[str]:
    if claim.kind not in FAMILIES:
        yield "no known kind of pattern"
    if reason := lint.refusal(claim.trigger, claim.action, domains.canonical(claim.domain), secrets):
        yield reason if "domain" not in reason else "unknown domain"
    if not ids.slug(claim.name) or lint.hidden(claim.name) or secrets(claim.name):
        yield "it has no name"
    yield from _of_form(claim)
    for name, text in (("trigger", claim.trigger), ("action", claim.action)):
        yield from (f"{what} in the {name}" for what in _unfit(text, shown))
    yield from _aimed(claim, shown)


def _of_form(claim: Claim) -> Iterator[str]:
    """One sentence or two, no markup; that it is one line is seen to before."""
    if len(claim.action) > ACTION_LENGTH:
        yield f"the action is longer than {ACTION_LENGTH} characters"
    if len(_ENDS.findall(claim.action.strip())) > _SENTENCES:
        yield "more than one action"
    if _MARKUP.match(claim.action) or _MARKUP.match(claim.trigger):
        yield "no sentence"


def _unfit(text: str, shown: Shown) -> Iterator[str]:
    if _PATH.search(text):
        yield "a path"
    if _ADDRESS.search(text):
        yield "an address"
    if _OURSELVES.search(text):
        yield "talk of this program or of the agent itself"
    if any(run in shown.runs for run in runs([text])):
        yield f"{SHARED} words in a row of what was shown"


def _aimed(claim: Claim, shown: Shown) -> Iterator[str]:
    """What sounds as if it wanted to steer the agent that will read it, or would not be read as it was meant."""
    fields = {"id": "proposed", "trigger": claim.trigger, "domain": "workflow", "scope": "project"}
    try:
        made = markdown.parse(markdown.compose(fields, label(claim), claim.action, [_ENTRY]))
    except Invalid:
        made = None
    if made is None or (made.trigger, made.action) != (claim.trigger, claim.action):
        yield "it makes no instinct of one trigger and one action"
        return
    for one in steering.findings(made, shown.hosts):
        if one.level != REMARK:
            yield f"aimed at the agent ({one.family})"


_ENTRY = new_entry(datetime(2000, 1, 1, tzinfo=UTC), "observed", 1, "seen", "0" * 8, [])


def runs(texts: Iterable[str]) -> set[int]:
    """Hashes of every run of `SHARED` words in texts, whatever stands between the words."""
    found: set[int] = set()
    for text in texts:
        words = [word.lower() for word in _WORD.findall(text)]
        found |= {hash(tuple(words[at : at + SHARED])) for at in range(len(words) - SHARED + 1)}
    return found


def _says_same(one: Claim, other: Claim) -> bool:
    if one.key or other.key:
        return one.key == other.key
    return similar.same(one.trigger, one.action, other.trigger, other.action)
