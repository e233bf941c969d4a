"""`why`: one screen on where an instinct comes from."""

from __future__ import annotations

import pytest

from tests.support import files
from tests.support.life import Lived
from tests.support.program import Program


def test_why_tells_origin_steps_decay_and_neighbours(lived: Lived, program: Program) -> None:
    out = program("why", "use-rg").out
    assert "came from   session-observation, 2026-11-02\n            run 01aaaaaaaa, detector local/1\n" in out
    assert f"{lived.made[:10]}  2026-11-02  observe  run 01aaaaaaaa\n" in out
    assert "  2026-11-10  0.48                  -0.02 for weeks without news\n" in out
    assert "  2026-11-15  0.63  confirmed 1     on the side\n" in out
    assert "  2026-11-29  0.59  today           -0.04 for weeks without news\n" in out
    assert "influenced  nothing yet: no session has had it, as far back as the record goes\n" in out
    assert out.endswith("neighbours  contrary  global   prefer-rg  Do not use `use-rg`.\n")
    assert max(map(len, out.splitlines())) <= 80


def test_why_as_json(lived: Lived, program: Program) -> None:
    found = program("why", "use-rg", "--json").json["why"]
    step = found["steps"][1]
    assert (step["date"], step["kind"], step["text"], step["live"]) == ("2026-11-10", "confirmed", "used again", True)
    assert (step["decay"], step["before"], step["after"]) == (0.02, 0.48, 0.53)
    assert (step["commit"], step["run"], step["verb"]) == (lived.confirmed, "01bbbbbbbb", "observe")
    assert (found["first"]["commit"], found["effective"], found["influenced"]) == (lived.made, 0.59, None)
    assert found["neighbours"] == [
        {"relation": "contrary", "scope": "global", "id": "prefer-rg", "action": "Do not use `use-rg`."}
    ]
    assert (found["gone"], found["removed"], found["as_written"], found["problems"]) == (False, None, None, [])


def test_a_forged_number_is_set_against_the_evidence(lived: Lived, program: Program) -> None:
    lived.put("2026-11-21", "use-rg", lived.data("use-rg").replace(b"confidence: 0.58", b"confidence: 0.95"))
    assert "the file says confidence 0.95; its evidence gives 0.63\n" in program("why", "use-rg").out
    forged = program("why", "use-rg", "--json").json["why"]["forged"]
    assert {"field": "confidence", "written": "0.95", "given": "0.63"} in forged


def test_what_is_gone_is_explained_from_its_past(lived: Lived, program: Program) -> None:
    out = program("why", "faded").out
    told = f"gone from main since {lived.removed[:10]}  prune: faded; told as it was in {lived.confirmed[:10]}\n"
    assert told in out
    assert "0.26  what it would be worth today\n" in out
    found = program("why", "faded", "--json").json["why"]
    assert (found["gone"], found["removed"]["commit"], found["shown"]) == (True, lived.removed, lived.confirmed)


def test_what_is_archived_is_explained(lived: Lived, program: Program) -> None:
    archived = files.made("old").replace(b"2026-11-08", b"2026-01-08")
    lived.put("2026-11-21", "old", archived)
    assert "0.00  archived, as of today\n" in program("why", "old").out


def test_versions_that_cannot_be_read_are_named(lived: Lived, program: Program) -> None:
    bad = lived.put("2026-11-21", "use-rg", b"<<<<<<< ours\n")
    out = program("why", "use-rg").out
    assert f"version {bad[:10]} cannot be read: line 1: no frontmatter" in out
    assert f"told as it was in {lived.merged[:10]}\n" in out
    assert "0.63" in out


def test_a_file_without_evidence_says_so(lived: Lived, program: Program) -> None:
    lived.by_hand("2026-11-10", {"prefer-fd": files.UNADOPTED.replace("prefer-rg", "prefer-fd").encode()})
    out = program("why", "prefer-fd").out
    assert "no evidence yet: it counts as written on 2026-11-10\n" in out
    assert "edit by Ann\n" in out


def test_a_conflict_is_said(lived: Lived, program: Program) -> None:
    held = lived.data("use-rg").replace(b"---\n\n#", b"conflicts:\n- field: trigger\n  values: [a, b]\n---\n\n#")
    lived.put("2026-11-21", "use-rg", held)
    assert "conflicted: two sides gave it another trigger\n" in program("why", "use-rg").out


def test_a_long_life_fits_on_a_screen(lived: Lived, program: Program) -> None:
    for day in range(1, 29):
        lived.observe(f"2026-12-{day:02}", f"01dd{day:06}", "use-rg")
    out = program("why", "use-rg").out
    assert "… 17 more; all of them: gitinstinct show use-rg\n" in out
    assert len(out.splitlines()) < 60
    assert len(program("why", "use-rg", "--json").json["why"]["steps"]) == 32


@pytest.mark.parametrize(
    ("name", "message"),
    [("no-such", "no instinct is called no-such"), ("../x", "no instinct is called ../x"),
     ("odd", "no version of odd can be read: line 2: not UTF-8")],
)  # fmt: skip
def test_what_cannot_be_explained_is_said(name: str, message: str, lived: Lived, program: Program) -> None:
    lived.by_hand("2026-11-21", {"odd": b"---\n\xff"})
    result = program("why", name)
    assert (result.code, result.out) == (1, "")
    assert message in result.err
