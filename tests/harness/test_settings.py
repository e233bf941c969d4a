"""Settings stay a person's own: laws over any value in any formatting, then the cases that people really have."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as profile
from hypothesis import strategies as st

from gitinstinct.harness import jsontext, settings
from gitinstinct.harness.claude_code import CLAUDE_CODE
from gitinstinct.harness.model import Program, Scope

SHARED = Path(os.environ.get("GITINSTINCT_SHARED") or Path(__file__).parents[3] / "shared")  # before tests clear it
GROUPS = CLAUDE_CODE.groups(Scope.USER, Program("/opt/gi/bin/python", "/opt/gi/hooks/hook.py"))
OWNED = CLAUDE_CODE.owns

_TEXT = st.text(max_size=8).map(lambda text: text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))
_LEAF = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | _TEXT
_VALUE = st.recursive(_LEAF, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_TEXT, inner, max_size=3))
_HANDLER = st.fixed_dictionaries({"type": st.just("command"), "command": _TEXT}) | _VALUE
_GROUP = st.fixed_dictionaries({"hooks": st.lists(_HANDLER, max_size=3)}, optional={"matcher": _TEXT}) | _VALUE
_EVENT = st.sampled_from([*GROUPS, "Notification"])
_HOOKS = st.dictionaries(_EVENT, st.lists(_GROUP, min_size=1, max_size=3), min_size=1, max_size=3)
_OTHER = st.dictionaries(_TEXT.filter(lambda key: key != "hooks"), _VALUE, max_size=3)


@st.composite
def settings_values(draw: st.DrawFn) -> dict[str, object]:
    members = list(draw(_OTHER).items())
    if draw(st.booleans()):
        members.insert(draw(st.integers(0, len(members))), ("hooks", draw(_HOOKS)))
    return dict(members)


@st.composite
def documents(draw: st.DrawFn) -> str:
    """A settings value written in some style: tidy with any indentation, or with blanks strewn between the tokens."""
    value = draw(settings_values())
    text = json.dumps(
        value,
        indent=draw(st.sampled_from([None, "", "  ", "    ", "\t"])),
        ensure_ascii=draw(st.booleans()),
        separators=draw(st.sampled_from([(",", ":"), (", ", ": "), (",", ": ")])),
    )
    if draw(st.booleans()):
        text = _strewn(value, random.Random(draw(st.integers(0, 1000))))
    text += draw(st.sampled_from(["", "\n", "\n\n"]))
    return draw(st.sampled_from(["", "\ufeff"])) + text.replace("\n", draw(st.sampled_from(["\n", "\r\n", "\r"])))


def _strewn(value: object, chance: random.Random) -> str:
    def blank() -> str:
        return chance.choice(["", "", " ", "\n", "\t", "\n  ", " \n\n "])

    if isinstance(value, dict):
        inner = [
            f"{blank()}{json.dumps(key)}{blank()}:{blank()}{_strewn(item, chance)}{blank()}"
            for key, item in value.items()
        ]
        return "{" + (",".join(inner) or blank()) + "}"
    if isinstance(value, list):
        return "[" + (",".join(blank() + _strewn(item, chance) + blank() for item in value) or blank()) + "]"
    return json.dumps(value, ensure_ascii=False)


def parse(text: str) -> dict[str, object]:
    value = json.loads(text.removeprefix("\ufeff"))
    assert isinstance(value, dict)
    return value


def our_groups(text: str) -> dict[str, list[object]]:
    found: dict[str, list[object]] = {}
    for entry in settings.entries(text):
        if OWNED(entry.handler):
            found.setdefault(entry.event, []).append(entry.group)
    return found


@profile(deadline=None)
@given(documents())
def test_taking_out_what_was_put_in_restores_every_byte(text: str) -> None:
    added = settings.add(text, GROUPS, OWNED)
    removed = settings.remove(added, OWNED)
    assert parse(removed) == parse(text)
    if parse(text):  # blanks inside an empty object are all that may go
        assert removed == text


@profile(deadline=None)
@given(documents())
def test_adding_twice_changes_nothing(text: str) -> None:
    added = settings.add(text, GROUPS, OWNED)
    assert our_groups(added) == {event: [group] for event, group in GROUPS.items()}
    assert settings.add(added, GROUPS, OWNED) == added


@profile(deadline=None)
@given(documents())
def test_removing_where_nothing_is_ours_changes_nothing(text: str) -> None:
    assert settings.remove(text, OWNED) == text


@profile(deadline=None)
@given(documents(), st.data())
def test_whatever_stood_of_ours_before_ends_in_the_same_settings(text: str, data: st.DataObject) -> None:
    some = data.draw(st.sets(st.sampled_from(sorted(GROUPS))))
    old = {event: group for event, group in CLAUDE_CODE.portable_groups().items() if event in some}
    changed = settings.add(settings.add(text, old, OWNED), GROUPS, OWNED)
    assert our_groups(changed) == {event: [group] for event, group in GROUPS.items()}
    assert settings.same_but_ours(text, changed, OWNED)


_OURS = st.sampled_from(["gitinstinct hook claude-code", "sh -c 'gitinstinct hook claude-code'"])
_MIXED_GROUP = st.fixed_dictionaries({"hooks": st.lists(st.fixed_dictionaries({"command": _OURS | _TEXT}), max_size=4)})
_MIXED = st.dictionaries(_EVENT, st.lists(_MIXED_GROUP, max_size=4), max_size=3)


@profile(deadline=None)
@given(_MIXED, st.sampled_from([None, "", "\t"]))
def test_only_ours_goes_wherever_it_stands(hooks: dict[str, list[dict[str, list[object]]]], indent: str | None) -> None:
    def without(groups: list[dict[str, list[object]]]) -> list[dict[str, list[object]]]:
        kept = [{"hooks": [handler for handler in group["hooks"] if not OWNED(handler)]} for group in groups]
        return [new for new, old in zip(kept, groups, strict=True) if new["hooks"] or not old["hooks"]]

    left = {event: without(groups) for event, groups in hooks.items() if without(groups) or not groups}
    expected = {"model": "opus"} | ({"hooks": left} if left or not hooks else {})
    text = json.dumps({"model": "opus", "hooks": hooks}, indent=indent)
    assert parse(settings.remove(text, OWNED)) == expected


@pytest.mark.parametrize("text", ["", " \n\t", "{}\n"])
def test_a_missing_or_empty_file_becomes_a_canonical_one(text: str) -> None:
    assert (
        settings.add(text, GROUPS, OWNED) == json.dumps({"hooks": {e: [g] for e, g in GROUPS.items()}}, indent=2) + "\n"
    )


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"a": 1, // mine\n}', "strict JSON"),
        ('{"a": 1,}', "strict JSON"),
        ('{"a": NaN}', "NaN"),
        ("{} {}", "strict JSON"),
        ("[" * 100_000, "strict JSON"),
        ('{"n": ' + "1" * 5000 + "}", "strict JSON"),
        ("\x00" * 40, "strict JSON"),
        ("[]", "top level"),
        ('"hooks"', "top level"),
        ('{"hooks": []}', '"hooks" is not an object'),
        ('{"hooks": null}', '"hooks" is not an object'),
        ('{"hooks": {"Stop": {}}}', "not a list: 'Stop'"),
        ('{"hooks": {"Stop": [], "Stop": []}}', "twice: 'Stop'"),
        ('{"hooks": {}, "hooks": {}}', "'hooks' twice"),
    ],
)
@pytest.mark.parametrize(
    "act", [lambda text: settings.add(text, GROUPS, OWNED), lambda text: settings.remove(text, OWNED)]
)
def test_what_cannot_be_understood_is_refused_with_its_reason(
    act: Callable[[str], str], text: str, reason: str
) -> None:
    with pytest.raises(settings.Uneditable, match=reason):
        act(text)


def handler(**fields: object) -> dict[str, object]:
    return {"type": "command", **fields}


def test_a_handler_of_ours_leaves_a_foreign_group_alone() -> None:
    foreign = handler(command="lint --fix")
    group = {"matcher": "Edit", "hooks": [handler(command="gitinstinct hook claude-code"), foreign]}
    text = json.dumps({"hooks": {"PostToolUse": [group]}}, indent=2)
    assert parse(settings.remove(text, OWNED)) == {"hooks": {"PostToolUse": [{"matcher": "Edit", "hooks": [foreign]}]}}


def test_only_what_became_empty_through_us_goes() -> None:
    ours = {"hooks": [handler(command="gitinstinct hook claude-code")]}
    hooks = {"Stop": [ours, ours], "PreToolUse": [{"hooks": []}, ours], "Notification": []}
    kept: dict[str, list[object]] = {"PreToolUse": [{"hooks": []}], "Notification": []}
    assert parse(settings.remove(json.dumps({"hooks": hooks}), OWNED)) == {"hooks": kept}


def test_what_stands_rightly_is_not_moved_behind_what_others_added_later() -> None:
    text = settings.add("", GROUPS, OWNED)
    at = next(entry.path[2][0] for entry in settings.entries(text) if entry.event == "Stop")
    later = jsontext.append(text, at, {"hooks": [handler(command="say done")]})
    assert settings.add(later, GROUPS, OWNED) == later


def test_what_another_tool_rewrote_in_another_order_stands_rightly_too() -> None:
    text = json.dumps(parse(settings.add("", GROUPS, OWNED)), sort_keys=True)
    assert settings.add(text, GROUPS, OWNED) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a":1}', '{"a":1,"hooks":{"E":[{"x":true}]}}'),
        ('{"a": 1}', '{"a": 1, "hooks": {"E": [{"x": true}]}}'),
        ('{|>"a": 1|}', '{|>"a": 1,|>"hooks": {|>>"E": [|>>>{|>>>>"x": true|>>>}|>>]|>}|}'),
        (
            '{|   "hooks": {}|}',
            '{|   "hooks": {|      "E": [|         {|            "x": true|         }|      ]|   }|}',
        ),
        ('{|  "hooks": {"E": [{"y": 1}]}|}', '{|  "hooks": {"E": [{"y": 1}, {"x": true}]}|}'),
        ('{|  "hooks": {"E": [{|    "y": 1|  }]}|}', '{|  "hooks": {"E": [{|    "y": 1|  }, {|    "x": true|  }]}|}'),
    ],
    ids=["tight", "one line", "tabs", "empty hooks", "list on one line", "hugging brackets"],
)
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_new_text_follows_the_style_of_the_document(text: str, expected: str, line_end: str) -> None:
    text, expected = (side.replace("|", line_end).replace(">", "\t") for side in (text, expected))
    assert settings.add(text, {"E": {"x": True}}, lambda _: False) == expected


def test_real_settings_come_back_byte_for_byte() -> None:
    samples = sorted((SHARED / "samples/real/settings").glob("setting-*"))
    if not samples:
        pytest.skip("the collection of real settings is not on this machine")
    readable = [text for path in samples if "{{/*" not in (text := path.read_bytes().decode())]
    assert len(readable) >= 9
    for text in readable:
        assert settings.remove(settings.add(text, GROUPS, OWNED), OWNED) == text
