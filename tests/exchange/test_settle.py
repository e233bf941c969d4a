"""Foreign words under our names: what stays, what is kept under another name, what is not taken."""

from __future__ import annotations

import pytest

from gitinstinct.exchange import evidence, naming, settle
from gitinstinct.exchange.draft import Draft
from gitinstinct.exchange.evidence import Known
from gitinstinct.instinct import dialect, markdown, sheet
from gitinstinct.instinct.errors import Invalid
from gitinstinct.store.layout import About
from tests.support.files import CANONICAL
from tests.support.stores import ABOUT, NOW

FOREIGN = """\
---
id: Prefer_RG   # short
trigger: "when searching"
confidence: {confidence}
domain: {domain}
reviewed: yes
owner: {{name: Ann}}
project_id: dc7b32441e61
---

# Prefer rg

## Action
Use `rg`.

## Notes
Mine.
"""


def draft(confidence: str = "0.8", domain: str = "git", text: str = FOREIGN) -> Draft:
    return Draft("x.md", "x", text.format(confidence=confidence, domain=domain).encode())


def settled(one: Draft, name: str = "prefer-rg", about: About = ABOUT) -> settle.Settled:
    return settle.settle(one, name, about, "file:x.md")


def whole(one: Draft, known: Known | None = None) -> bytes:
    return evidence.with_ledger(settled(one), "file:x.md", NOW, known or Known())


def values(data: bytes) -> dict[str, dialect.Value]:
    return {name: found.value for name, found in dialect.fields(sheet.split(data).fields).items()}


def test_only_what_must_change_does() -> None:
    data = whole(draft()).decode()
    assert "id: prefer-rg   # short\n" in data
    assert "reviewed: yes\nowner: {name: Ann}\n" in data
    assert (
        "\n---\n\n# Prefer rg\n\n## Action\nUse `rg`.\n\n## Notes\nMine.\n\n## Evidence\n- 2026-11-29 set 0.80: "
        in data
    )
    assert values(data.encode()) | {
        "x_original_id": "Prefer_RG", "x_original_project_id": "dc7b32441e61", "project_id": ABOUT.project_id,
        "project_name": ABOUT.name, "scope": "project", "source": "inherited", "imported_from": "file:x.md",
    } == values(data.encode())  # fmt: skip


def test_the_global_store_belongs_to_no_project() -> None:
    found = values(settled(draft(), about=About("global", "", "global")).data)
    assert found["scope"] == "global"
    assert "project_id" not in found
    assert "project_name" not in found


@pytest.mark.parametrize(
    ("written", "hundredths"),
    [
        ("0.8", 80),
        ("'0.8'", 80),
        ("0.8200", 82),
        ("1", 100),
        ("0.7500000000000001", 75),
        ("-0.0", 0),
        ("0", 0),
        ("", None),
    ],
)
def test_a_confidence_is_read_as_it_is_written(written: str, hundredths: int | None) -> None:
    assert settled(draft(written)).claimed == hundredths


@pytest.mark.parametrize(
    "written", ["high", "80%", "'0,7'", "1.5", "-1", ".nan", "NaN", ".inf", "1e3", "1:30", "yes", "[0.5]", "0x1",
                "\u0660\u066b\u0665", "undefined"]
)  # fmt: skip
def test_a_confidence_is_never_guessed(written: str) -> None:
    with pytest.raises(Invalid, match="confidence is"):
        settled(draft(written))


@pytest.mark.parametrize(("written", "value"), [("0.95", 90), ("1", 90), ("0.5", 50), ("", 30)])
def test_what_comes_in_is_worth_what_it_claims_up_to_090(written: str, value: int) -> None:
    instinct = markdown.parse(whole(draft(written)))
    assert instinct.written["confidence"] == value
    assert instinct.ledger[0].text.startswith("inherited from file:x.md (")


def test_what_it_claims_of_its_past_is_told_and_kept() -> None:
    text = FOREIGN.replace(
        "reviewed: yes", "confirmations: 8\nlast_observed: 2026-02-08\nstatus: pending\ncreated: 2026-01-02"
    )
    data = whole(draft(text=text))
    assert markdown.parse(data).ledger[0].text.endswith("(0.80 claimed there, 8 confirmations, last seen 2026-02-08)")
    found = values(data)
    assert (found["x_original_confirmations"], found["x_original_last_observed"]) == ("8", "2026-02-08")
    assert (found["confirmations"], found["created"], found["x_original_status"]) == ("0", "2026-01-02", "pending")


@pytest.mark.parametrize("line", ["status: archived", "status: deprecated", "active: false"])
def test_what_was_put_away_comes_in_put_away(line: str) -> None:
    instinct = markdown.parse(whole(draft(text=FOREIGN.replace("reviewed: yes", line))))
    assert instinct.fold("2026-11-29", "").status == "archived"


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("created: 2026-13-45", "created"), ("last_observed: yesterday", "last_observed"), 
        ("confirmations: many", "confirmations"),
        ("tags: {a: b}", "tags"), ("scope: [a]", "scope"), ("created: [2026]", "created"),
    ],
)  # fmt: skip
def test_a_field_that_cannot_be_used_is_kept_under_another_name(line: str, name: str) -> None:
    one = settled(draft(text=FOREIGN.replace("reviewed: yes", line.replace("{", "{{").replace("}", "}}"))))
    assert f"x_original_{name}" in values(one.data)
    assert any(name in note for note in one.notes)
    markdown.parse(one.data)


def test_domains_get_their_own_word() -> None:
    found = values(settled(draft(domain="Error Handling")).data)
    assert (found["domain"], found["x_original_domain"]) == ("debugging", "Error Handling")
    assert values(settled(draft(domain="openclaw")).data)["domain"] == "openclaw"


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('trigger: "when searching"', 'trigger: ""', "no trigger"),
        ('trigger: "when searching"', "trigger: undefined", "the trigger 'undefined' says nothing"),
        ('trigger: "when searching"', "trigger: {{a: b}}", "trigger is a map"),
        ("Use `rg`.", "undefined", "the action 'undefined' says nothing"),
        ("# Prefer rg\n\n## Action\nUse `rg`.\n\n## Notes\nMine.\n", "", "no action"),
        ("Use `rg`.", "<<<<<<< HEAD\nx", "conflict marker"),
        ("reviewed: yes", "reviewed: yes\nreviewed: no", "stands twice"),
        ("reviewed: yes", "reviewed: &a yes", "anchors"),
        ("reviewed: yes", "conflicts: [{{field: trigger}}]", "nobody has settled"),
    ],
)
def test_what_lacks_what_an_instinct_needs_is_not_taken(old: str, new: str, reason: str) -> None:
    with pytest.raises(Invalid, match=reason):
        settled(draft(text=FOREIGN.replace(old, new)))


@pytest.mark.parametrize(
    ("body", "action"),
    [
        ("# T\n\n## 操作\n用 rg。\n\n## 证据\n- x\n", "用 rg。"),
        ("# T\n\nText first.\n\n1. one\n\n## Why\nx\n", "Text first.\n\n1. one"),
        ("No heading at all.\n", "No heading at all."),
        ("## Trigger\nx\n\n## Do this\nRun it.\n", "Run it."),
    ],
)
def test_an_action_is_found_where_others_write_it(body: str, action: str) -> None:
    head = FOREIGN.partition("# Prefer rg")[0]
    data = whole(draft(text=head + body))
    assert markdown.parse(data).action == action
    assert data.count(b"## Evidence") == 1


@pytest.mark.parametrize("fence", ["```", "~~~~", "````js"])
def test_a_code_fence_that_is_never_closed_does_not_swallow_the_evidence(fence: str) -> None:
    data = whole(draft(text=FOREIGN.replace("Mine.\n", f"Mine.\n{fence}\ncode")))
    assert markdown.parse(data).written["confidence"] == 80


# --- a ledger of its own


def test_a_ledger_stays_and_forged_numbers_do_not() -> None:
    forged = CANONICAL.replace("confidence: 0.65", "confidence: 0.99").replace("confirmations: 8", "confirmations: 500")
    data = whole(Draft("x.md", "x", forged.encode()))
    instinct = markdown.parse(data)
    assert instinct.ledger == markdown.parse(CANONICAL.encode()).ledger
    assert (instinct.written["confidence"], instinct.written["confirmations"]) == (65, 8)


def test_a_ledger_of_tomorrow_is_not_believed() -> None:
    late = CANONICAL.replace("2026-11-12 confirmed", "2099-11-12 confirmed")
    with pytest.raises(Invalid, match="an entry of 2099-11-12"):
        whole(Draft("x.md", "x", late.encode()))


def test_a_foreign_ledger_takes_back_nothing_of_ours() -> None:
    line = "- 2026-11-13 retracted 01m6x9kf80-{}: taken back [01m77pxbv1-aaaaaaaa]\n"
    for origin, kept in (("deadbeef", False), ("9f3ac1d0", True)):
        data = whole(Draft("x.md", "x", (CANONICAL + line.format(origin)).encode()))
        assert (b"retracted" in data) is kept


# --- ids


@pytest.mark.parametrize(
    ("head", "stem", "name"),
    [
        ("id: ok-id", "file", "ok-id"),
        ("id: AEON-IQ-temp", "", "aeon-iq-temp"),
        ("id: repl.deploy_x", "", "repl-deploy-x"),
        ("name: Some Name", "", "some-name"),
        ("a: b", "20260102-some-file", "some-file"),
        ("a: b", "2026-01-02_some-file", "some-file"),
        ("a: b", "", "title-words"),
        ("id: 検索", "", "instinct-1b6b1a6f"),
        ("id: 検索\ndomain: git", "", "git-1b6b1a6f"),
    ],
)
def test_ids_are_made_where_there_is_none(head: str, stem: str, name: str) -> None:
    one = Draft("f.md", "l", f"---\n{head}\ntrigger: x\n---\n\n# Title words\n".encode(), stem)
    assert naming.names([one]) == [name]


def test_long_ids_and_look_alikes_stay_apart() -> None:
    def called(*ids: str) -> list[str]:
        return naming.names([Draft("f", "l", f"---\nid: {one}\ntrigger: x\n---\n".encode()) for one in ids])

    long = "a-very-long-name-for-an-instinct-that-goes-on-and-on-and-on-until-the-end-of-the-line"
    one, two = called(long + "-1", long + "-2")
    assert one != two
    assert len(one) <= 64
    assert called("Foo_Bar", "foo-bar", "FOO.BAR")[1] == "foo-bar"
    assert len(set(called("Foo_Bar", "foo-bar", "FOO.BAR"))) == 3
    assert called("Foo_Bar") == ["foo-bar"]
