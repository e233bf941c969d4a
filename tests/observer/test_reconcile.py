"""Evidence finds its instinct, counts once a session, and makes a new one only when it is enough."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitinstinct.instinct import edit, markdown, shelf
from gitinstinct.instinct.ledger import Entry
from gitinstinct.observer import reconcile as rec
from gitinstinct.observer.proposals import Evidence, Proposal
from gitinstinct.observer.reconcile import Home, Reconciled, reconcile

START = datetime(2026, 11, 1, 9, tzinfo=UTC)
HOME = Home("project", "a1b2c3d4e5f6", "my-api")
PNPM = ("Use `pnpm` instead of `npm`.", "use pnpm")
NPM = ("Use `npm` instead of `pnpm`.", "use npm")


def shown(session: int, count: int = 1, is_founding: bool = True, day: int | None = None) -> Evidence:
    first = START + timedelta(days=session if day is None else day)
    return Evidence("a1b2c3d4e5f6", f"s{session}", first, count, (f"1:{session}",), is_founding)


def proposal(
    evidence: list[Evidence], words: tuple[str, str] = PNPM, family: str = "correction", qualified: bool = True
) -> Proposal:
    action, name = words
    return Proposal(
        family,
        name,
        name.title(),
        "when installing packages",
        action,
        "workflow",
        "asked for",
        tuple(evidence),
        qualified,
    )


def run(held: dict[str, bytes], *proposals: Proposal) -> tuple[dict[str, bytes], Reconciled]:
    """Reconciles, and gives what the store then holds."""
    named = {path.removeprefix("instincts/").removesuffix(".md"): data for path, data in held.items()}
    outcome = reconcile(shelf.read(named, lambda name: "2026-11-01"), proposals, HOME, lambda text: [])
    return held | outcome.files, outcome


def ledger(held: dict[str, bytes], name: str) -> list[str]:
    return [f"{e.kind} {e.amount}" for e in markdown.parse(held[f"instincts/{name}.md"], name).ledger]


def test_what_qualified_becomes_an_instinct() -> None:
    held, outcome = run({}, proposal([shown(1, 2), shown(2), shown(3, is_founding=False)]))
    assert ledger(held, "use-pnpm") == ["observed 2", "observed 1", "confirmed 1"]
    instinct = markdown.parse(held["instincts/use-pnpm.md"], "use-pnpm")
    assert (instinct.scope, instinct.project_id, instinct.source) == ("project", "a1b2c3d4e5f6", "session-observation")
    assert instinct.written["confidence"] == 55
    [learned] = outcome.learned
    assert (learned.verb, learned.before, learned.after) == ("new", None, 55)
    assert learned.evidence == "asked for 3 times in 2 sessions; asked for again in one session"


def test_what_has_not_qualified_waits() -> None:
    held, outcome = run({}, proposal([shown(1)], qualified=False))
    assert held == {}
    assert outcome.learned == []


def test_the_same_again_changes_nothing() -> None:
    held, _ = run({}, proposal([shown(1, 3), shown(2)]))
    again, outcome = run(held, proposal([shown(1, 9), shown(2, 5)]))
    assert again == held
    assert outcome.learned == []


def test_a_further_session_confirms_once() -> None:
    held, _ = run({}, proposal([shown(1, 3)]))
    held, outcome = run(held, proposal([shown(1, 3), shown(4, 7)], qualified=False))
    assert ledger(held, "use-pnpm") == ["observed 3", "confirmed 1"]
    [learned] = outcome.learned
    assert (learned.verb, learned.before, learned.after) == ("confirmed", 50, 55)


def test_a_similar_instinct_is_confirmed_not_doubled() -> None:
    by_hand = files_made("my-own-name", "when installing packages", "Please use `pnpm` instead of `npm`.")
    held, _ = run(by_hand, proposal([shown(1, 3)]))
    assert set(held) == {"instincts/my-own-name.md"}
    assert ledger(held, "my-own-name")[-1] == "confirmed 1"
    held, _ = run(by_hand, proposal([shown(1)], qualified=False))
    assert held == by_hand, "one sighting is no reason to speak for another's instinct"


def files_made(name: str, trigger: str, action: str) -> dict[str, bytes]:
    first = Entry("2026-10-01", "set", 85, "by hand", "01m3k5000z-0a0a0a0a")
    fields = {"id": name, "trigger": trigger, "source": "manual"}
    return {f"instincts/{name}.md": markdown.compose(fields, "T", action, [first])}


def test_other_words_by_a_person_stay_the_same_instinct() -> None:
    held, _ = run({}, proposal([shown(1, 3)]))
    path = "instincts/use-pnpm.md"
    held[path] = held[path].replace(b"Use `pnpm` instead of `npm`.", b"Install with our own wrapper script.")
    held, _ = run(held, proposal([shown(1, 3), shown(2)]))
    assert set(held) == {path}
    assert ledger(held, "use-pnpm") == ["observed 3", "confirmed 1"]


def test_an_id_that_another_text_has_is_told_apart_by_hash() -> None:
    other = files_made("use-pnpm", "when publishing", "Ask for a second reader.")
    held, _ = run(other, proposal([shown(1, 3)]))
    [new] = set(held) - set(other)
    assert new.startswith("instincts/use-pnpm-")
    assert len(new) == len("instincts/use-pnpm-.md") + 6
    again, _ = run(held, proposal([shown(1, 3), shown(2)]))
    assert set(again) == set(held)


def test_one_correction_contradicts_at_once_and_once_a_session() -> None:
    held, _ = run({}, proposal([shown(1, 3)]))
    held, outcome = run(held, proposal([shown(5, 4)], NPM, qualified=False))
    assert ledger(held, "use-pnpm") == ["observed 3", "contradicted 1"]
    assert [(x.id, x.verb, x.before, x.after) for x in outcome.learned] == [("use-pnpm", "contradicted", 50, 40)]
    held, outcome = run(held, proposal([shown(5, 9)], NPM, qualified=False))
    assert outcome.learned == []


def test_what_came_before_the_first_evidence_does_not_contradict() -> None:
    held, _ = run({}, proposal([shown(3, 3)]), proposal([shown(1)], NPM, qualified=False))
    assert ledger(held, "use-pnpm") == ["observed 3"]


def test_other_families_need_to_qualify_before_they_contradict() -> None:
    held, _ = run({}, proposal([shown(1, 3)]))
    same, _ = run(held, proposal([shown(5)], NPM, "workflow", qualified=False))
    assert same == held


@pytest.mark.parametrize("kind", ["archived", "forgotten"])
def test_what_a_person_put_away_stays_put_away(kind: str) -> None:
    held, _ = run({}, proposal([shown(1, 3)]))
    path = "instincts/use-pnpm.md"
    held[path] = edit.record(held[path], [Entry("2026-11-20", kind, None, "enough", "01m7tw000z-0c0c0c0c")], "")
    again, outcome = run(held, proposal([shown(1, 3), shown(2), shown(40)]))
    assert again == held
    assert outcome.learned == []


def test_what_is_put_away_no_more_learns_again() -> None:
    held, _ = run({}, proposal([shown(1, 3)]))
    path = "instincts/use-pnpm.md"
    away = Entry("2026-11-20", "archived", None, "enough", "01m7tw000z-0c0c0c0c")
    undone = Entry("2026-11-21", "retracted", away.key, "", "01m7xfc00z-0d0d0d0d")
    held[path] = edit.record(held[path], [away, undone], "")
    _, outcome = run(held, proposal([shown(1, 3), shown(25)]))
    assert [(told.id, told.verb) for told in outcome.learned] == [("use-pnpm", "confirmed")]


def test_a_stub_absorbs_what_comes_for_its_id() -> None:
    gone = Entry("2026-10-01", "forgotten", None, "", "01m3k5000z-0a0a0a0a")
    held = {"instincts/use-pnpm.md": markdown.compose({"id": "use-pnpm"}, "Forgotten", "", [gone])}
    again, outcome = run(held, proposal([shown(1, 3)]))
    assert again == held
    assert outcome.learned == []


def test_swapped_terms_with_one_slug_are_two_instincts() -> None:
    plus, sharp = (
        ("Use `C++` instead of `C#`.", "C++ instead of C#"),
        ("Use `C#` instead of `C++`.", "C# instead of C++"),
    )
    held, _ = run({}, proposal([shown(1, 3)], plus))
    held, outcome = run(held, proposal([shown(1, 3), shown(2)], plus), proposal([shown(3, 3)], sharp))
    assert len(held) == 2
    assert sorted(told.verb for told in outcome.learned) == ["contradicted", "new"]


def test_at_the_cap_one_line_a_week() -> None:
    held, _ = run({}, proposal([shown(1, 3)]))
    daily = [shown(1, 3), *(shown(n, is_founding=False) for n in range(2, 31))]
    held, _ = run(held, proposal(daily))
    assert markdown.parse(held["instincts/use-pnpm.md"]).written["confidence"] == 90
    assert len(ledger(held, "use-pnpm")) == 1 + 8 + 3
    again, _ = run(held, proposal(daily))
    assert again == held


def test_a_refusal_is_told_with_its_reason() -> None:
    held, outcome = run({}, proposal([shown(1, 3)], ("Look into /home/me/notes first.", "notes")))
    assert held == {}
    assert outcome.refused == [("notes", "a private path in the action")]


def test_a_flood_waits_for_the_next_run() -> None:
    many = [proposal([shown(1, 3)], (f"Run `tool-{n}`.", f"tool {n}")) for n in range(rec.NEW_PER_RUN + 5)]
    held, outcome = run({}, *many)
    assert len(held) == rec.NEW_PER_RUN
    held, outcome = run(held, *many)
    assert len(held) == rec.NEW_PER_RUN + 5
    assert outcome.refused == []


sessions = st.lists(st.integers(1, 60), min_size=1, max_size=25, unique=True).map(sorted)


@given(sessions, st.integers(3, 24))
def test_portions_do_not_matter(numbers: list[int], cut: int) -> None:
    """What the sessions prove is the same whether it is told at once or in two runs."""
    evidence = [shown(n, is_founding=index < 3) for index, n in enumerate(numbers)]
    against = [shown(n + 100, day=n) for n in numbers[::3]]
    at_once, _ = run({}, proposal(evidence), proposal(against, NPM, qualified=False))
    until = evidence[min(cut, len(evidence)) - 1].first
    first, _ = run({}, proposal(evidence[:cut]), *told(against, until))
    in_two, _ = run(first, proposal(evidence), *told(against, START + timedelta(days=999)))
    assert proofs(in_two) == proofs(at_once)


def told(against: list[Evidence], until: datetime) -> list[Proposal]:
    so_far = [shown for shown in against if shown.first <= until]
    return [proposal(so_far, NPM, qualified=False)] if so_far else []


def proofs(held: dict[str, bytes]) -> set[tuple[str, str, str]]:
    return {(e.date, e.kind, e.origin) for data in held.values() for e in markdown.parse(data).ledger}


def test_a_file_that_cannot_be_read_is_not_written_over() -> None:
    held, outcome = run({"instincts/use-pnpm.md": b"half ty"}, proposal([shown(1, 3)]))
    assert held == {"instincts/use-pnpm.md": b"half ty"}
    [(name, reason)] = outcome.refused
    assert (name, "cannot be read: line 1: no frontmatter" in reason) == ("use-pnpm", True)
