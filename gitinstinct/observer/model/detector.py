"""A detector that asks a model: it collects a portion of events, asks once, and turns what it believes into sightings.

The model finds words for what recurs and points to the events; all else is counted here. A pattern keeps the words of
its first sighting and is known again by its key or by words that say the same, so three runs that saw it once each have
seen it three times.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime

from gitinstinct.capture import redact
from gitinstinct.config import Config
from gitinstinct.instinct import domains, ids, similar
from gitinstinct.observer.detector import CLAUDE_CLI, Detector, DetectorFault, Spent
from gitinstinct.observer.events import Observation
from gitinstinct.observer.model import access, answers, prices, prompt, showing, spending, validate
from gitinstinct.observer.model.answers import Kept
from gitinstinct.observer.model.asking import LONGEST, MAX_OUTPUT, Asker, Unanswered
from gitinstinct.observer.model.prompt import Prompt
from gitinstinct.observer.model.question import Portion, Question
from gitinstinct.observer.model.validate import Claim, Shown
from gitinstinct.observer.pattern import MODEL, Pattern, Sighting
from gitinstinct.observer.setting import Setting

MOST_EVENTS = 500
MOST_CHARACTERS = 80_000
"""Of one call: far below the length from which prompts cost more, and what a model can still survey."""

_CHARACTERS_A_TOKEN = 2  # where nobody counts: English has four, JSON and code about three


class ModelDetector(Detector):
    """Asks a model about what it was fed."""

    def __init__(self, kind: str, config: Config, setting: Setting, asker: Asker | None = None) -> None:
        """Nothing is read and nothing is sent before something was fed.

        Args:
            kind: `anthropic` or `claude-cli`.
            config: which model, what it may cost, which hosts are no finding.
            setting: for whom, when, and what is known.
            asker: the way to the model, if not the kind's own.
        """
        self._kind, self._config, self._setting = kind, config, setting
        self._model = config.observer.model
        self.name = f"{kind}/{self._model}/{prompt.VERSION}"
        self.prompt = prompt.edition()
        self.spent = Spent()
        self.refused: tuple[tuple[str, str], ...] = ()
        self._asker = asker
        self._portion = Portion()
        self._kept = answers.waiting(setting.project, self.name)
        self._due: Kept | None = None

    @property
    def full(self) -> bool:
        """A kept answer ends its portion where it did; else there is a bound to what a call holds."""
        if self._due is not None:
            return len(self._portion.new) >= len(self._due.ids)
        return len(self._portion.new) >= MOST_EVENTS or self._portion.size >= MOST_CHARACTERS

    def feed(self, observation: Observation, *, is_new: bool = True) -> list[Sighting]:
        """Collects; answers only where it is full and is fed on."""
        found = self.finish() if is_new and self.full else []
        is_telling = showing.is_telling(observation)
        if not is_new:
            if is_telling:
                self._portion.context.append(observation)
            return found
        if not self._portion.new:
            self._due = self._kept.get(observation.id)
        self._portion.new.append(observation)
        if is_telling:
            self._portion.told.append(observation)
            self._portion.size += len(str(showing.event(observation, "e000", "s00", has_start=False)))
        return found

    def finish(self) -> list[Sighting]:
        """Asks about the portion and says what was sighted in it."""
        portion, due = self._portion, self._due
        self._portion, self._due = Portion(), None
        if not portion.told:
            return []
        question = Question.of(portion, self._setting)
        claims = self._again(due, question)
        if due is None or claims is None:
            due, claims = None, self._asked(question)
        known, labelled = (due.known, due.events) if due is not None else (question.known, question.labelled)
        shown = question.shown(labelled, known, self._config.trust.hosts)
        judged = validate.judge(claims, shown, prompt.MOST, redact.findings)
        self.refused += tuple(judged.refused)
        return self._sightings(judged.believed, shown, known)

    def committed(self) -> None:
        """What was paid for is in the store."""
        answers.forget(self._setting.project, self.name)
        self._kept = {}

    # --- asking

    def _again(self, due: Kept | None, question: Question) -> list[Claim] | None:
        """The answer to the question that an earlier run paid for and could not use any more."""
        from gitinstinct.observer.model import schema

        if due is None or due.ids != question.ids:
            return None
        with contextlib.suppress(ValueError):
            claims = schema.read(due.text)
            self.spent += due.spent
            return claims
        return None

    def _asked(self, question: Question) -> list[Claim]:
        """Reserves, asks, reads the answer, keeps it and settles, in this order."""
        from gitinstinct.observer.model import schema

        call = self._call(question.prompt)
        spending.reserve(call, self._config.observer)
        try:
            reply = self._way().ask(question.prompt)
        except Unanswered as error:
            self._settle(call, error.spent)
            raise
        try:
            claims = schema.read(_bounded(reply.text))
        except ValueError as error:
            self._settle(call, reply.spent)
            raise Unanswered(f"the answer of {self._model} cannot be used: {error}", spent=reply.spent) from None
        self._keep(question, reply.text, reply.spent or call.spent)
        self._settle(call, reply.spent)
        return claims

    def _call(self, asked: Prompt) -> spending.Call:
        """The call with the most that it can cost. What is at the ceiling already is not even counted."""
        price = prices.of(self._model, self._config.observer.prices)
        nothing = spending.new(self._setting.now, self._setting.project, self._kind, self._model, Spent())
        limits = self._config.observer
        spending.refuse_beyond(_with(nothing, prices.priced(Spent(1, output=MAX_OUTPUT), price)), limits)
        tokens = self._way().count(asked) or _estimated(asked)
        most = prices.priced(Spent(1, cache_write=tokens, output=MAX_OUTPUT), price)
        return _with(nothing, most)

    def _settle(self, call: spending.Call, spent: Spent | None) -> None:
        """What cannot be known, or written down, stays as it was reserved; that counts for this run as well."""
        self.spent += spent if spent is not None else call.spent
        if spent is not None:
            with contextlib.suppress(DetectorFault):
                spending.settle(call, spent)

    def _keep(self, question: Question, text: str, spent: Spent) -> None:
        """A disk that is full costs a second payment only if the process is killed as well."""
        kept = Kept(self.name, question.ids, question.labelled, question.known, text, spent)
        with contextlib.suppress(OSError):
            answers.keep(self._setting.project, kept)

    def _way(self) -> Asker:
        if self._asker is None:
            self._asker = _way(self._kind, self._config, self._setting)
        return self._asker

    # --- believing

    def _sightings(self, believed: Iterable[Claim], shown: Shown, known: Sequence[str]) -> list[Sighting]:
        """One for each occurrence in each session, anchored at its last event, in the order of events."""
        found: list[tuple[int, Sighting]] = []
        order = {label: number for number, label in enumerate(shown.events)}
        mine: dict[str, Pattern] = {}
        for claim in believed:
            pattern = self._pattern(claim, known, mine)
            if pattern is not None:
                mine[pattern.signature] = pattern
                found += _occurrences(pattern, claim, shown, order)
        return [sighting for _, sighting in sorted(found, key=lambda pair: pair[0])]

    def _pattern(self, claim: Claim, known: Sequence[str], mine: Mapping[str, Pattern]) -> Pattern | None:
        """The pattern that is meant: by its key, by words that say the same, or a new one."""
        tally = self._setting.tally
        if claim.key:
            record = tally.get(known[int(claim.key[1:]) - 1])
            return record.pattern if record is not None else None
        patterns = [*mine.values(), *(record.pattern for record in tally.records())]
        return next((one for one in patterns if _says(one, claim)), None) or _new(claim)


def _occurrences(
    pattern: Pattern, claim: Claim, shown: Shown, order: Mapping[str, int]
) -> Iterator[tuple[int, Sighting]]:
    """No event, and no call, is the end of two occurrences of one pattern; each has something new."""
    ends: set[tuple[str, str]] = set()
    for cited in claim.occurrences:
        by_session: dict[str, list[str]] = {}
        for label in sorted(set(cited), key=order.__getitem__):
            by_session.setdefault(shown.events[label].session, []).append(label)
        for session, labels in by_session.items():
            anchor = shown.events[labels[-1]]
            end = (session, anchor.call or anchor.id)
            at = _moment(shown.events[label] for label in reversed(labels))
            if not session or labels[-1] not in shown.new or end in ends or at is None:
                continue
            ends.add(end)
            yield order[labels[-1]], Sighting(pattern, session, at, tuple(shown.events[one].id for one in labels))


def _moment(observations: Iterable[Observation]) -> datetime | None:
    return next((one.at for one in observations if one.at), None)


def _says(pattern: Pattern, claim: Claim) -> bool:
    return similar.same(pattern.trigger, pattern.action, claim.trigger, claim.action)


def _new(claim: Claim) -> Pattern:
    name = validate.label(claim)
    return Pattern(
        signature=f"{MODEL}{claim.kind}\0{ids.short_hash(claim.trigger, claim.action, digits=16)}",
        family=f"{MODEL}{claim.kind}",
        trigger=claim.trigger,
        action=claim.action,
        title=name.replace("-", " ").capitalize(),
        name=name,
        domain=domains.canonical(claim.domain),
    )


def _with(call: spending.Call, spent: Spent) -> spending.Call:
    return spending.Call(call.id, call.at, call.day, call.project, call.detector, call.model, spent)


def _estimated(asked: Prompt) -> int:
    """More tokens than a prompt has."""
    return len((asked.system + asked.user).encode()) // _CHARACTERS_A_TOKEN + 1_000


def _bounded(text: str) -> str:
    if len(text) > LONGEST:
        raise ValueError(f"it has more than {LONGEST:,} characters")
    return text


def _way(kind: str, config: Config, setting: Setting) -> Asker:
    if kind == CLAUDE_CLI:
        from gitinstinct.observer.model.claude_cli import ClaudeCli

        return ClaudeCli(config.observer, setting.root, access.environment())
    from gitinstinct.observer.model.anthropic import Anthropic

    return Anthropic(config.observer, setting.root, access.environment())
