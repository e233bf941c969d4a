from __future__ import annotations

from gitinstinct.instinct import markdown
from gitinstinct.instinct.ledger import Entry
from gitinstinct.trace import account, past
from gitinstinct.trace.account import Account
from tests.support import files
from tests.support.life import Life, Lived
from tests.support.repos import git

TODAY = "2026-11-29"


def of(life: Life, name: str = "use-rg") -> Account:
    found = past.read(life.store.repo, name)
    assert found is not None
    told = account.of(life.store.repo, found, TODAY)
    assert told is not None
    return told


def test_each_step_is_told_with_the_commit_that_brought_it(lived: Lived) -> None:
    told = of(lived)
    steps = [(step.entry.text, step.decay, step.before, step.after, step.commit.subject) for step in told.steps]
    assert steps == [
        ("used 5 times", 0, 0, 50, "observe: 1 observed"),
        ("used again", 2, 48, 53, "observe: 2 confirmed"),
        ("on main", 0, 53, 58, "observe: 1 confirmed"),
        ("on the side", 0, 58, 63, "observe by hand"),
    ]
    assert (told.first.commit, told.shown.commit, told.today.confidence) == (lived.made, lived.merged, 59)
    assert not told.gone
    assert not told.fault


def test_a_line_is_its_first_commits_whatever_was_rewritten_later(lived: Lived) -> None:
    rewritten = lived.data("use-rg").replace(b"\n", b"\r\n").replace(b"used again", b"used again, I think")
    lived.by_hand("2026-11-21", {"use-rg": rewritten})
    assert [step.commit.commit for step in of(lived).steps][:2] == [lived.made, lived.confirmed]


def test_what_does_not_count_is_told_and_marked(lived: Lived) -> None:
    first = of(lived).steps[0].entry
    line = Entry("2026-11-21", "retracted", first.key, "not so", "01kcsqrs00-0badc0de").render()
    lived.by_hand("2026-11-21", {"use-rg": lived.data("use-rg") + line.encode() + b"\n"})
    steps = of(lived).steps
    assert [(step.entry.kind, step.live, step.after) for step in steps if not (step.live and step.after)] == [
        ("observed", False, None), ("retracted", True, None),
    ]  # fmt: skip


def test_forged_numbers_are_set_against_the_evidence(lived: Lived) -> None:
    assert of(lived).forged  # the merge by hand left the numbers as they were
    data = markdown.parse(lived.data("use-rg"))
    assert data.written["confidence"] == 58
    forged = lived.data("use-rg").replace(b"confidence: 0.58", b"confidence: 0.95")
    lived.by_hand("2026-11-21", {"use-rg": forged.replace(b"confirmations: 7\n", b"")})
    assert of(lived).forged == {
        "confidence": ("0.95", "0.63"), "last_observed": ("2026-11-14", "2026-11-15"), "confirmations": ("", "8"),
    }  # fmt: skip


def test_what_is_gone_is_told_from_its_last_state(lived: Lived) -> None:
    told = of(lived, "faded")
    assert told.gone
    assert told.removed is not None
    assert (told.removed.commit, told.shown.commit) == (lived.removed, lived.confirmed)
    assert [step.after for step in told.steps] == [30]


def test_an_unreadable_present_is_said_and_the_last_readable_state_told(lived: Lived) -> None:
    lived.put("2026-11-21", "use-rg", b"no frontmatter")
    told = of(lived)
    assert "no frontmatter" in told.fault
    assert told.shown.commit == lived.merged


def test_a_file_without_a_ledger_counts_from_its_commit(life: Life) -> None:
    life.by_hand("2026-11-10", {"prefer-rg": files.UNADOPTED.encode()})
    told = of(life, "prefer-rg")
    assert (told.since, told.steps, told.forged, told.today.confidence) == ("2026-11-10", (), {}, 76)


def test_nothing_can_be_told_of_what_was_never_readable(life: Life) -> None:
    life.by_hand("2026-11-10", {"odd": b"\xff"})
    found = past.read(life.store.repo, "odd")
    assert found is not None
    assert account.of(life.store.repo, found, TODAY) is None


def test_a_store_under_someones_hands_tells_the_same(lived: Lived) -> None:
    before, path = of(lived), lived.store.path
    git(path, "checkout", "-q", "--detach", "main~2")
    assert of(lived) == before
    git(path, "merge", "-q", "side", ok=False)
    git(path, "checkout", "-q", "-f", "main")
    git(path, "checkout", "-q", "-b", "late", "main~1")
    lived.by_hand("2026-11-22", {"use-rg": lived.data("use-rg").replace(b"Use", b"Late")})
    git(path, "merge", "-q", "main~2", ok=False)
    (path / "instincts/use-rg.md").write_bytes(b"<<<<<<< half done")
    assert of(lived) == before
