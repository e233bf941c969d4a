# ruff: noqa: RUF001 -- letters of other alphabets
"""Each rule: a file that breaks it, where and why it is told, and that a good file breaks none."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from gitinstinct.check.inspection import inspect, inspect_all
from gitinstinct.check.rules import RULES, Finding, Severity
from gitinstinct.check.subject import Home, Subject
from gitinstinct.instinct import markdown
from gitinstinct.instinct.ledger import Entry
from tests.support import files, needs_real_samples, real_samples
from tests.support.ledgers import ledgers

TODAY = "2026-11-29"
HOME = Home("project", "a1b2c3d4e5f6")
GOOD = files.CANONICAL.replace("- Observed 8 times in session abc123 (2026-02-08)\n", "")
LAST = "- 2026-11-12 confirmed 1: same order in another session [01m77pxbv0-7e21f04c]\n"


def checked(data: bytes | str, name: str = "grep-before-edit", home: Home | None = HOME) -> list[Finding]:
    raw = data if isinstance(data, bytes) else data.encode("utf-8", "surrogatepass")
    return inspect(Subject(f"instincts/{name}.md", raw, name, home), TODAY)


def with_line(line: str) -> str:
    """The good file with one line more in its evidence."""
    return GOOD + line + "\n"


@pytest.mark.parametrize("data", [GOOD, files.CANONICAL, GOOD.replace("\n", "\r\n"), "\ufeff" + GOOD, GOOD.rstrip()])
def test_a_good_file_has_nothing(data: str) -> None:
    assert checked(data) == []


@given(ledgers())
@settings(max_examples=60)
def test_what_we_write_has_nothing_that_check_would_mend(entries: list[Entry]) -> None:
    if entries:
        fields = {"id": "x", "trigger": "when testing", "domain": "testing", "source": "manual", "scope": "project"}
        data = markdown.compose(fields, "X", "Run the tests.", entries)
        assert [found.rule for found in checked(data, "x") if found.fixable] == []


FIELDS = [
    ("confidence: 0.65", "confidence: 0.90", "derived-field", 4, "confidence is 0.90; the ledger gives 0.65"),
    ("status: active", "status: archived", "derived-field", 10, "status is 'archived'; the ledger gives 'active'"),
    ("created: 2026-11-08", "created: 2026-11-09", "derived-field", 11, "gives '2026-11-08'"),
    ("last_observed: 2026-11-12", "last_observed: 2026-11-20", "derived-field", 12, "gives '2026-11-12'"),
    ("confirmations: 8", "confirmations: 80", "derived-field", 13, "confirmations is 80; the ledger gives 8"),
    ("contradictions: 0", "contradictions: 3", "derived-field", 14, "contradictions is 3; the ledger gives 0"),
    ("confirmations: 8\n", "", "missing-field", None, "confirmations is missing; the ledger gives 8"),
    ("confidence: 0.65", "confidence: high", "unreadable", None, "confidence is 'high', not a number"),
    ("confidence: 0.65", "confidence: [", "unreadable", 6, "YAML"),
    ("id: grep-before-edit", "id: grep-after-edit", "id-not-name", 2, "the file is called 'grep-before-edit'"),
    ("domain: workflow", "domain: git-workflow", "domain-synonym", 5, "called git"),
    ("domain: workflow", "domain: openclaw", "unknown-domain", 5, "'openclaw' is no domain"),
    ("domain: workflow\n", "", "no-domain", None, "no domain"),
    ("scope: project", "scope: global", "wrong-scope", 7, "this is a project store"),
    ("a1b2c3d4e5f6", "ffffffffffff", "wrong-project", 8, "this is the store of a1b2c3d4e5f6"),
    ("when modifying code in a file", "always", "too-broad", 3, "applies to nearly everything"),
    ("when modifying code in a file", "'*'", "too-broad", 3, "applies to nearly everything"),
    ("when modifying code in a file", "undefined", "placeholder", 3, "says nothing"),
    ("when modifying code in a file", "when " + "x" * 200, "too-long", 3, "the trigger has 205 characters"),
    ("status: active", "status: active\nConfidence: 0.9", "look-alike-field", 11, "not the field `confidence`"),
    ("status: active", "status: active\nlastObserved: 1", "look-alike-field", 11, "not the field `last_observed`"),
    ("status: active", "status: active\nconflicts: [{field: domain, values: [git, testing]}]", "unsettled-conflict", 11,
     "'domain' has two values: 'git' or 'testing'"),
    ("status: active", "status: active\nconflicts: perhaps", "unsettled-conflict", 11, "no list"),
    ("workflow", '"\\e[31m"', "hidden-character", 5, "behind an escape stands a control character, U+001B"),
    ("in a file", "in a \u202efile", "hidden-character", 3, "U+202E RIGHT-TO-LEFT OVERRIDE"),
    ("Find the", "Find\u00a0the", "odd-space", 20, "U+00A0 NO-BREAK SPACE"),
    ("Find the", "Fi\u200bnd the", "zero-width", 20, "U+200B ZERO WIDTH SPACE"),
    ("Find the", "".join(chr(0xE0000 + ord(sign)) for sign in "obey") + "Find the", "hidden-character", 20, "'obey'"),
    ("Find the", "pip install pаndas, find the", "mixed-scripts", 20, "mixes two alphabets"),
    ("Find the", "<!-- obey --> Find the", "hidden-text", 20, "HTML comment"),
    ("Find the", "\n" * 25 + "Find the", "hidden-text", 45, "behind 25 empty lines"),
    ("Find the", " " * 150 + "Find the", "hidden-text", 20, "blanks"),
    ("Find the exact place with Grep, read it, then edit.", "", "no-action", 19, "does not say what to do"),
    ("Find the exact place with Grep, read it, then edit.", "TODO", "placeholder", 19, "'TODO' says nothing"),
    ("Find the", "- Find it\n- Read it\n- Find the", "several-actions", 19, "3 points"),
    ("## Evidence", "## Action\nRun.\n\n## Evidence", "several-actions", 22, "only the first is used"),
    ("Find the", "Find it. " * 120 + "Find the", "too-long", 19, "characters; 1,000 are enough"),
    ("Find the exact", "Look in /home/ann/secret, find the exact", "home-path", 20, "'/home/ann'"),
    ("Find the exact", r"Look in C:\Users\Ann\x, find the exact", "home-path", 20, "home"),
    ("Find the exact", "See ghp_" + "a1B2c3D4e5" * 4 + " for the exact", "secret", 20, "looks like a secret"),
    ("[01m75k3j80-c05d9b13]", "[01m75k3j80-9f3ac1d0]", "origin-twice", 25, "the same evidence stands in line 23"),
    ("[01m75k3j80-c05d9b13]", "[01m72cnze0-41b7e2aa]", "key-with-two-texts", 25, "has another text in line 24"),
    ("[01m75k3j80-c05d9b13]", "[from-elsewhere]", "odd-key", 25, "not of the form"),
    ("2026-11-11 confirmed", "2026-11-10 confirmed", "odd-key", 25, "is of 2026-11-11, the entry of 2026-11-10"),
    ("2026-11-12 confirmed", "2026-12-24 confirmed", "future-date", 26, "dated 2026-12-24; today is 2026-11-29"),
    ("## Evidence", "## Notes\n" + LAST + "\n## Evidence", "misplaced-entry", 23, "outside of ## Evidence"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "rule", "line", "why"), FIELDS, ids=lambda value: ascii(value)[1:25])
def test_a_fault_is_found_with_its_line_and_reason(old: str, new: str, rule: str, line: int | None, why: str) -> None:
    assert old in GOOD
    found = {finding.rule: finding for finding in checked(GOOD.replace(old, new, 1))}
    assert rule in found, found
    assert why in found[rule].why
    assert found[rule].line == line
    assert found[rule].severity is RULES[rule].severity
    assert found[rule].why.isprintable()


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("- 2026-11-12 set 1.50: by hand [01m77pxbv0-7e21f04d]", "a set is worth 0.00 to 0.95, not '1.50'"),
        ("- 2026-11-12 confirmed many: x [01m77pxbv0-7e21f04d]", "'many' is no number of sightings"),
        ("- 2026-11-12 confirmed: x [01m77pxbv0-7e21f04d]", "no number of sightings"),
        ("- 2026-11-12 confirmed 1: without a key", "no key at its end"),
        ("- 2026-02-31 confirmed 1: x [01m77pxbv0-7e21f04d]", "'2026-02-31' is no day"),
        ("- 2026-11-12 Confirmed 1: x [01m77pxbv0-7e21f04d]", "not in lower case"),
        ("* 2026-11-12 confirmed 1: x [01m77pxbv0-7e21f04d]", "begins with * instead of -"),
        ("- 2026-11-12 retracted: x [01m77pxbv0-7e21f04d]", "which key is retracted"),
        ("- yesterday confirmed 1: x [01m77pxbv0-7e21f04d]", "not as it must be"),
        ("- 2026-11-12 confirmed 1:\n  more [01m77pxbv0-7e21f04d]", "not as it must be"),
    ],
)
def test_a_line_that_was_meant_as_an_entry(line: str, why: str) -> None:
    [found] = [finding for finding in checked(with_line(line)) if finding.rule == "not-an-entry"]
    assert why in found.why
    assert found.line == 27


@pytest.mark.parametrize(
    "line",
    [
        "- 2026-03-16 during an audit of the error handling",
        "- Last observed: 2026-03-16T21:06:14Z",
        "- Observed 8 times in session abc123 (2026-02-08)",
        "- 2026-11-12 seen: at work",
        "- see [RFC 2119] and [a-link-target]",
        "- in a future release, 2026-12-24",
        "- lives in `/home/user/x`, ~/.config and /homework",
    ],
)
def test_free_text_is_free(line: str) -> None:
    assert checked(with_line(line)) == []


def test_the_ledger_out_of_order() -> None:
    lines = GOOD.splitlines(keepends=True)
    lines[-1], lines[-2] = lines[-2], lines[-1]
    [found] = checked("".join(lines))
    assert (found.rule, found.line, found.fixable) == ("unsorted-ledger", 26, True)


def test_a_file_without_a_ledger() -> None:
    rules = {finding.rule for finding in checked(files.UNADOPTED, "prefer-rg")}
    assert rules == {"unadopted", "no-domain"}
    future = files.UNADOPTED.replace("2026-02-08", "2036-02-08")
    assert "future-date" in {finding.rule for finding in checked(future, "prefer-rg")}


def test_a_stub_of_what_was_forgotten_needs_no_words() -> None:
    fields = {"id": "gone", "source": "session-observation"}
    stub = markdown.compose(fields, "", "", [Entry("2026-11-08", "forgotten", None, "", "01m6x9kf80-9f3ac1d0")])
    assert checked(stub, "gone") == []


def test_a_bare_file_belongs_nowhere_yet() -> None:
    renamed = checked(GOOD, "any-name", home=None)
    assert [(found.rule, found.severity) for found in renamed] == [("name-not-id", Severity.WARNING)]
    assert checked(GOOD.replace("scope: project", "scope: galaxy"), home=None)[0].rule == "unknown-scope"
    in_global = checked(GOOD, home=Home("global", ""))
    assert [found.rule for found in in_global] == ["wrong-scope", "project-in-global"]


def test_a_conflict_marker_is_told_as_such() -> None:
    merged = GOOD.replace("confidence: 0.65", "<<<<<<< ours\nconfidence: 0.65\n=======\n>>>>>>> theirs")
    [found] = checked(merged)
    assert (found.rule, found.line, found.severity) == ("conflict-marker", 4, Severity.ERROR)


SECRET = "ghp_" + "a1B2c3D4e5" * 4


@pytest.mark.parametrize(
    "data",
    [
        GOOD.replace("grep-before-edit", SECRET, 1),
        GOOD.replace("workflow", SECRET),
        GOOD.replace("when modifying", f"when {SECRET} modifying"),
        GOOD.replace("status: active", f"status: active\nconflicts: [{{field: domain, values: [{SECRET}, x]}}]"),
        GOOD.replace("workflow", '"' + SECRET.replace("_", "\\x5f") + '"'),
        with_line(f"- 2026-11-12 confirmed {SECRET}: x [01m77pxbv0-7e21f04d]"),
    ],
)
def test_a_secret_is_found_wherever_it_stands_and_never_told(data: str) -> None:
    found = checked(data)
    assert "secret" in {finding.rule for finding in found}
    assert not any(SECRET in f"{finding.why}{finding.remedy}" for finding in found)


def test_many_lines_of_one_fault_are_counted() -> None:
    flood = checked(GOOD.replace("Find the", "a\u202eb\n" * 500 + "Find the"))
    told = [finding for finding in flood if finding.rule == "hidden-character"]
    assert len(told) == 6
    assert "495 lines in all from here" in told[-1].why


# --- beside each other


def instinct(name: str, action: str, trigger: str = "when searching text", **more: object) -> Subject:
    data = files.made(name, trigger, action, **more)
    return Subject(f"instincts/{name}.md", data, name, HOME)


def test_doubles_and_contraries_are_found() -> None:
    every = [
        instinct("a-use", "Use `rg` instead of `grep`."),
        instinct("b-use", "Use `grep` instead of `rg`."),
        instinct("c-run", "Always run the `lint` step before you commit."),
        instinct("d-run", "Please run the `lint` step before your commit.", "when searching the text"),
        instinct("e-run", "Never run the `lint` step before you commit."),
        instinct("f-run", "Run the `test` step before you commit."),
        instinct("g-run", "Run the `lint` step before you commit.", "when deploying a release"),
    ]
    found = {(one.file, one.rule, one.why) for one in inspect_all(every, TODAY)}
    assert found == {
        ("instincts/b-use.md", "contrary", "it says the contrary of a-use"),
        ("instincts/d-run.md", "duplicate", "it says the same as c-run"),
        ("instincts/e-run.md", "contrary", "it says the contrary of c-run"),
        ("instincts/e-run.md", "contrary", "it says the contrary of d-run"),
        ("instincts/g-run.md", "contrary", "it says the contrary of e-run"),
    }


def test_an_archived_one_may_say_what_it_likes() -> None:
    gone = instinct("gone", "Use `grep` instead of `rg`.")
    archived = gone.data.replace(b"2026-11-08 observed 3", b"2025-11-08 observed 3")
    every = [instinct("use", "Use `rg` instead of `grep`."), Subject(gone.file, archived, "gone", HOME)]
    assert "contrary" not in {one.rule for one in inspect_all(every, TODAY)}


def test_a_project_is_compared_with_the_global_store() -> None:
    own = [instinct("use", "Use `rg` instead of `grep`."), instinct("same-id", "Run `a`.")]
    everybody = [
        instinct("other", "Use `grep` instead of `rg`."),
        instinct("same-id", "Run `b`."),
        instinct("more", "Use `rg` instead of `grep`.", "when asked for a summary"),
    ]
    found = {(one.rule, one.why) for one in inspect_all(own, TODAY, everybody)}
    assert found == {
        ("contrary", "it says the contrary of other (global)"),
        ("hides-global", "the global same-id says something else"),
    }


def test_a_persons_version_is_told_beside_the_committed_one() -> None:
    forged = GOOD.replace("confidence: 0.65", "confidence: 0.90")
    mine = forged.replace("domain: workflow", "domain: openclaw")
    path, name = "instincts/grep-before-edit.md", "grep-before-edit"
    both = [Subject(path, forged.encode(), name, HOME), Subject(path, mine.encode(), name, HOME, uncommitted=True)]
    found = [(one.rule, one.uncommitted) for one in inspect_all(both, TODAY)]
    assert found == [("derived-field", False), ("unknown-domain", True)]


@needs_real_samples
@pytest.mark.parametrize("path", real_samples("instincts"), ids=lambda path: path.name)
def test_real_files_are_never_passed_over_in_silence(path: object) -> None:
    from pathlib import Path

    file = Path(str(path))
    found = inspect(Subject(str(file), file.read_bytes(), file.stem), TODAY)
    assert found, "none of them is one of our own, so there is always something to say"
    assert all(one.why and one.remedy and one.why.isprintable() for one in found)
