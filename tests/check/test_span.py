"""`check A..B`: what a branch carries is found by name, with file, line, reason and way out; what is honest passes."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from gitinstinct.check.rules import RULES, Severity
from gitinstinct.check.span import asked, judgement
from gitinstinct.errors import UsageError
from gitinstinct.store import incoming, layout
from gitinstinct.store.layout import ABOUT, ATTRIBUTES, WORKFLOW, About
from tests.support import files
from tests.support.mates import tree
from tests.support.proposals import OTHER, PATH, SECOND, START, TODAY, Proposal, confirmed, proposal
from tests.support.repos import raw_commit, script, snapshot

SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


@pytest.fixture
def proposed(tmp_path: Path) -> Proposal:
    return proposal(tmp_path / "clone")


def observed(name: str = "prefer-rg") -> str:
    return f"observe: 1 confirmed\n\nInstinct: {name} confirmed 0.50 -> 0.55\nRun: 01m77pxbv0\n"


def test_an_honest_branch_passes(proposed: Proposal) -> None:
    proposed.commit({PATH: confirmed(START, 1)}, observed())
    proposed.commit({"instincts/use-uv.md": files.made("use-uv", "when installing", "Use `uv`.")}, "by hand")
    judged = proposed.judge()
    assert judged.findings == ()
    assert (judged.commits, judged.files) == (2, 2)
    assert proposed.judge("main..feature").findings == ()
    assert proposed.judge("feature").findings == ()
    assert proposed.judge("main...main").files == 0


FORGED = START.replace(b"confidence: 0.50", b"confidence: 0.90")
BENT = START.replace(b"Use `rg`.", b"Use `rg\xe2\x80\xae`.")


@pytest.mark.parametrize(
    ("path", "data", "rule", "line"),
    [
        (PATH, FORGED, "derived-field", 4),
        (PATH, BENT, "hidden-character", 21),
        (PATH, START.replace(b"Use `rg`.", f"Use {SECRET}.".encode()), "secret", 21),
        (PATH, START.replace(b"Use `rg`.", b"Look into /home/bob/x."), "home-path", 21),
        (PATH, b"<<<<<<< ours\n" + START, "conflict-marker", 1),
        (PATH, b"nothing", "unreadable", None),
        (PATH, START.replace(b"id: prefer-rg", b"id: prefer-ag"), "id-not-name", 2),
        ("README.md", f"the key is {SECRET}\n", "secret", 1),
        ("README.md", "look \u202e here\n", "hidden-character", 1),
        ("CLAUDE.md", "obey\n", "foreign-file", None),
        (".github/workflows/other.yml", "on: push\n", "foreign-file", None),
        ("instincts/Upper.md", SECOND, "foreign-file", None),
        ("instincts/big.md", b"x" * (layout.CAP + 1), "foreign-file", None),
        (ABOUT, About("project", "ffffffffffff", "my-api").render(), "other-project", None),
        (ABOUT, b"format: 9\nscope: global\n", "not-a-store", None),
        (ABOUT, None, "not-a-store", None),
    ],
)  # fmt: skip
def test_what_a_branch_carries_is_named(
    path: str, data: str | bytes | None, rule: str, line: int | None, proposed: Proposal
) -> None:
    proposed.commit({path: data})
    [first] = [one for one in proposed.errors() if one.rule == rule]
    assert first.file == path
    assert line is None or first.line == line
    assert first.why
    assert first.remedy == RULES[rule].remedy


@pytest.mark.parametrize(
    ("mode", "path", "why"),
    [
        ("120000", "instincts/link.md", "symbolic link"),
        ("120000", WORKFLOW, "symbolic link"),
        ("100755", "instincts/run.md", "mode 100755"),
        ("160000", "evolved/sub", "submodule"),
        ("100644", "evolved/A.md", "the same name as"),
    ],
)
def test_odd_entries_of_a_tree(mode: str, path: str, why: str, proposed: Proposal) -> None:
    proposed.raw("100644", "evolved/a.md")
    proposed.raw(mode, path, "1" * 40 if mode == "160000" else None)
    found = [one for one in proposed.errors() if one.rule == "foreign-file"]
    assert any(why in one.why and path.lower() == one.file.lower() for one in found)


def test_what_was_so_before_is_not_told_again(proposed: Proposal) -> None:
    proposed.on("main")
    proposed.commit({OTHER: SECOND.replace(b"domain: workflow", b"domain: openclaw")})
    proposed.git("checkout", "-q", "-B", "feature")
    proposed.commit({PATH: confirmed(START, 1)})
    assert proposed.found() == []
    assert proposed.found("feature") == [(OTHER, "unknown-domain", 5)], "a revision means its whole tree"


def test_a_twin_of_what_is_there_is_told_at_the_new_one(proposed: Proposal) -> None:
    proposed.commit({"instincts/a-new.md": files.made("a-new", "when searching text", "Use `rg`.")})
    [(path, rule, _)] = proposed.found()
    assert (path, rule) == ("instincts/a-new.md", "duplicate")


# --- evidence


def test_evidence_that_is_gone_or_says_something_else(proposed: Proposal) -> None:
    lost = START.replace(b"- 2026-11-08 observed 3: seen [01m6x9kf80-9f3ac1d0]\n", b"")
    proposed.commit({PATH: lost})
    assert (PATH, "lost-evidence") in [(path, rule) for path, rule, _ in proposed.found()]
    [finding] = [one for one in proposed.errors() if one.rule == "lost-evidence"]
    assert "1 line of evidence gone: 2026-11-08 observed 3" in finding.why
    proposed.commit({PATH: START.replace(b"observed 3", b"observed 11").replace(b"0.50", b"0.85")})
    [finding] = [one for one in proposed.errors() if one.rule == "rewritten-evidence"]
    assert "`2026-11-08 observed 3` and says `2026-11-08 observed 11` now" in finding.why
    proposed.commit({PATH: START.replace(b": seen [", b": surely seen [")})
    assert [(one.rule, one.severity) for one in proposed.judge().findings] == [("rewritten-evidence", Severity.WARNING)]


def test_what_was_retracted_or_forgotten_is_not_lost(proposed: Proposal) -> None:
    key = "01m6x9kf80-9f3ac1d0"
    retracted = f"- 2026-11-20 retracted {key}: wrong [01m7tmhb00-0a1b2c3d]\n".encode()
    line = f"- 2026-11-08 observed 3: seen [{key}]\n".encode()
    proposed.commit({PATH: START.replace(line, retracted), OTHER: STUB})
    assert not {"lost-evidence", "gone"} & {rule for _, rule, _ in proposed.found()}
    proposed.git("branch", "-q", "later")
    proposed.commit({PATH: START, OTHER: SECOND})
    assert [(place, rule) for place, rule, _ in proposed.found("later..feature")] == [
        (PATH, "lost-evidence"),
        (OTHER, "lost-evidence"),
    ], "neither comes back"


STUB = b"""\
---
id: run-tests
status: forgotten
content_hash: 0123456789abcdef
---

## Evidence
- 2026-11-20 forgotten: gone [01m7tmhb00-1a2b3c4d]
"""


def test_an_instinct_under_another_name(proposed: Proposal) -> None:
    proposed.commit({PATH: None, "instincts/prefer-ag.md": START.replace(b"id: prefer-rg", b"id: prefer-ag")})
    [finding] = proposed.errors()
    assert (finding.file, finding.rule) == ("instincts/prefer-ag.md", "changed-id")
    assert "the evidence of prefer-rg" in finding.why


def test_an_instinct_that_goes_is_told_and_no_error(proposed: Proposal) -> None:
    proposed.commit({PATH: None})
    [finding] = proposed.judge().findings
    assert (finding.file, finding.rule, finding.severity) == (PATH, "gone", Severity.WARNING)


# --- merges by plain git, and a host's button


def text_merged(proposed: Proposal) -> None:
    """Both sides have seen something; `main` is merged into the branch line by line, and the branch's side is taken."""
    proposed.commit({PATH: confirmed(START, 1)}, "ours")
    proposed.on("main")
    proposed.commit({PATH: confirmed(START, 2, who="bb")}, "theirs")
    proposed.on("feature")
    proposed.git("merge", "-q", "main", ok=False)
    proposed.git("checkout", "--ours", PATH)
    proposed.git("add", "-A")
    proposed.git("commit", "-q", "-m", "Merge branch 'main' into feature")


def test_a_merge_by_plain_git(proposed: Proposal) -> None:
    text_merged(proposed)
    merge = proposed.git("rev-parse", "feature")
    found = proposed.errors()
    assert {(one.file, one.rule) for one in found} == {(PATH, "text-merge"), (PATH, "lost-evidence")}
    assert next(one for one in found if one.rule == "text-merge").commit == merge


def test_a_squash_of_the_same(proposed: Proposal) -> None:
    text_merged(proposed)
    proposed.git("reset", "-q", "--soft", "main")
    proposed.git("commit", "-q", "-m", "squashed")
    assert [(one.file, one.rule) for one in proposed.errors()] == [(PATH, "lost-evidence")]


def test_what_both_sides_changed_is_not_for_the_button(proposed: Proposal) -> None:
    proposed.commit({PATH: confirmed(START, 1)})
    proposed.on("main")
    proposed.commit({PATH: confirmed(START, 2, who="bb")})
    [finding] = proposed.judge().findings
    assert (finding.file, finding.rule, finding.severity) == (PATH, "both-sides", Severity.WARNING)
    assert [rule for _, rule, _ in proposed.found("main..feature")] == ["lost-evidence"], "here B takes A's place"


# --- the history


def test_a_secret_that_a_later_commit_took_out(proposed: Proposal) -> None:
    first = proposed.commit({"README.md": f"the key is {SECRET}\n"})
    proposed.commit({"README.md": "nothing\n"})
    [finding] = proposed.errors()
    assert (finding.file, finding.rule, finding.commit) == ("README.md", "past-secret", first)
    assert first[:10] in finding.why
    assert SECRET not in finding.why


def test_what_messages_hold(proposed: Proposal) -> None:
    one = proposed.commit({PATH: confirmed(START, 1)}, f"work\n\nwith {SECRET} in /home/bob/x")
    two = proposed.commit({PATH: confirmed(START, 2)}, "work \u202e on it")
    proposed.git("commit", "-q", "--allow-empty", "-m", "x", "--author=An\u200bn <ann@example.org>")
    three = proposed.git("rev-parse", "HEAD")
    assert {(place, rule) for place, rule, _ in proposed.found()} == {
        (one, "past-secret"),
        (one, "past-home-path"),
        (two, "hidden-in-message"),
        (three, "hidden-in-message"),
    }


@pytest.mark.parametrize(
    ("message", "rules"),
    [
        (observed(), []),
        (observed("run-tests"), ["unnamed-change"]),
        ("squashed\n\n* observe: 1 new\n\nInstinct: prefer-rg new\n\n* more\n\nRun: x\n", ["loose-trailer"]),
        ("work\n\nPromoted-From: evil abc\nis what I say here\n\nand more prose\n", ["loose-trailer"]),
        (observed() + "Run: 01zzzzzzzz\n", ["doubled-trailer"]),
        ("plain words alone", []),
    ],
)  # fmt: skip
def test_what_messages_claim(message: str, rules: list[str], proposed: Proposal) -> None:
    commit = proposed.commit({PATH: confirmed(START, 1)}, message)
    assert [(place, rule) for place, rule, _ in proposed.found()] == [(commit, rule) for rule in rules]


# --- what decides how a host treats the store


def test_attributes_and_the_workflow_are_watched(proposed: Proposal) -> None:
    proposed.commit({WORKFLOW: layout.workflow(), ATTRIBUTES: "* merge=union\n"})
    assert proposed.found() == [(ATTRIBUTES, "attributes", None)]
    proposed.commit({WORKFLOW: layout.workflow("0.0.7"), ATTRIBUTES: layout.attributes()})
    assert proposed.found() == []
    proposed.commit({WORKFLOW: layout.workflow() + b"# and more\n"})
    assert proposed.found() == [(WORKFLOW, "workflow", None)]


# --- bounds


def bomb(proposed: Proposal, levels: int = 10) -> str:
    made = proposed.repo.ask("hash-object", "-w", "--stdin", stdin=b"x")
    kind = "100644"
    for _ in range(levels):
        made = tree(proposed.repo, *((kind, b"%d" % number, made) for number in range(10)))
        kind = "40000"
    return made


def odd(proposed: Proposal, folder: bytes, oid: str) -> str:
    """A commit on `feature` with such a folder."""
    entries = []
    for line in proposed.git("ls-tree", "main").splitlines():
        mode, _, rest = line.split(" ", 2)
        known, name = rest.split("\t")
        entries.append((mode.lstrip("0"), name.encode(), known))
    entries = sorted([e for e in entries if e[1] != folder] + [("40000", folder, oid)], key=lambda e: e[1])
    commit = raw_commit(proposed.repo, entries, proposed.git("rev-parse", "feature"))
    proposed.git("update-ref", "refs/heads/feature", commit)
    return commit


@pytest.mark.parametrize("folder", [b"instincts", b"evolved", b"other", b".github"])
def test_a_tree_without_end(folder: bytes, proposed: Proposal) -> None:
    odd(proposed, folder, bomb(proposed))
    found = proposed.errors()
    assert {one.rule for one in found} <= {"boundless", "foreign-file"}
    assert any(folder.decode() in one.why or one.file.startswith(folder.decode()) for one in found)


def bombed(proposed: Proposal) -> None:
    """A tree without end somewhere in the history; the newest tree is that of `main`."""
    odd(proposed, b"instincts", bomb(proposed))
    clean = proposed.git("commit-tree", "-p", "feature", "-m", "gone", "main^{tree}")
    proposed.git("update-ref", "refs/heads/feature", clean)
    proposed.git("reset", "-q", "--hard")


def test_a_tree_without_end_in_the_history_is_never_unfolded(proposed: Proposal) -> None:
    bombed(proposed)
    assert proposed.found() == []


@pytest.mark.slow
def test_a_tree_without_end_and_a_secret_or_a_merge(proposed: Proposal) -> None:
    """Git is asked where the secret came in, and to make the merge again: it gets its share of the machine, no more."""
    proposed.on("main")
    proposed.commit({PATH: confirmed(START, 1)})
    proposed.on("feature")
    bombed(proposed)
    proposed.commit({"README.md": f"the key is {SECRET}\n"})
    proposed.commit({"README.md": "nothing\n"})
    [finding] = proposed.errors()
    assert (finding.file, finding.rule, finding.commit) == ("README.md", "past-secret", "")
    bomb_itself = proposed.git("rev-parse", "feature~3")
    oddly = proposed.git("commit-tree", "-p", "main", "-p", bomb_itself, "-m", "both", "main^{tree}")
    assert {one.rule for one in proposed.errors(f"main...{oddly}")} == {"boundless"}


def test_too_many_commits_and_too_large_ones(proposed: Proposal, monkeypatch: pytest.MonkeyPatch) -> None:
    proposed.git("commit", "-q", "--allow-empty", "-F", "-", stdin=b"x" * 70_000)
    assert [(one.rule, "65,536" in one.why) for one in proposed.errors()] == [("boundless", True)]
    proposed.git("reset", "-q", "--hard", "main")
    monkeypatch.setattr(incoming, "COMMITS", 3)
    for _ in range(4):
        proposed.git("commit", "-q", "--allow-empty", "-m", "again")
    [finding] = proposed.errors()
    assert (finding.rule, "more than 3 new commits" in finding.why) == ("boundless", True)


def test_nothing_in_common(proposed: Proposal) -> None:
    lonely = proposed.git("commit-tree", "-m", "alone", "main^{tree}")
    for text in (f"main...{lonely}", f"main..{lonely}"):
        assert [one.rule for one in proposed.errors(text)] == ["unrelated"]


def test_very_many_findings_are_counted(proposed: Proposal) -> None:
    names = [f"n{number:03}" for number in range(judgement.MOST + 7)]
    proposed.commit({f"{name}.txt": "x\n" for name in names})
    found = proposed.errors()
    assert len(found) == judgement.MOST
    assert "and 7 more of this kind" in found[-1].why


# --- the clone


def test_nothing_of_the_clone_is_used_or_changed(proposed: Proposal, tmp_path: Path) -> None:
    canary = tmp_path / "canary"
    evil = script(tmp_path / "bin", "evil", f"echo x >> {canary}\ncat")
    proposed.commit({ATTRIBUTES: "*.md filter=evil diff=evil merge=evil\n", PATH: confirmed(START, 1)})
    for name, value in {
        "core.fsmonitor": evil, "core.hooksPath": evil.parent, "core.pager": evil, "diff.external": evil,
        "filter.evil.smudge": evil, "filter.evil.clean": evil, "diff.evil.textconv": evil, "merge.evil.driver": evil,
        "gpg.program": evil, "gpg.ssh.program": evil, "core.sshCommand": evil, "core.askPass": evil,
        "alias.log": f"!{evil}", "alias.rev-parse": f"!{evil}",
    }.items():  # fmt: skip
        proposed.git("config", name, str(value))
    for hook in ("post-checkout", "reference-transaction", "post-index-change"):
        script(evil.parent, hook, f"echo x >> {canary}")
    (proposed.folder / PATH).write_text("a person is in the middle of something")
    before = snapshot(proposed.folder)
    canary.unlink(missing_ok=True)
    assert [rule for _, rule, _ in proposed.found()] == ["attributes"]
    assert snapshot(proposed.folder) == before
    assert not canary.exists()


def test_replaced_objects_and_grafts_have_no_say(proposed: Proposal) -> None:
    bad = proposed.commit({PATH: FORGED})
    good = proposed.git("commit-tree", "-p", "main", "-m", "x", "main^{tree}")
    proposed.git("replace", bad, good)
    (proposed.folder / ".git/info").mkdir(exist_ok=True)
    (proposed.folder / ".git/info/grafts").write_text(f"{bad} {proposed.git('rev-parse', 'main')}\n")
    assert [one.rule for one in proposed.errors()] == ["derived-field"]


def test_what_a_range_means() -> None:
    assert asked.read("a..b") == asked.Asked("a..b", "a", "b")
    assert asked.read("a...b").merged
    assert asked.read("v1.0").old is None
    for text in ("a..b..c", "a....b", "..b", "a..", "...", "a..."):
        with pytest.raises(UsageError, match="no range"):
            asked.read(text)
    assert not any(map(asked.is_range, ("../x.md", "./a", "..", "a.md")))


@pytest.mark.slow
def test_a_long_honest_history(proposed: Proposal) -> None:
    """Two thousand commits with a thousand versions: no process for each of them."""
    stream = [b"reset refs/heads/feature\nfrom refs/heads/main\n"]
    for number in range(2_000):
        data = files.made(f"n{number % 500}", f"when {number}", f"Do `x{number}`.")
        message = b"work %d" % number
        stream.append(
            b"commit refs/heads/feature\ncommitter A <a@b> %d +0000\ndata %d\n%s\nM 100644 inline instincts/n%d.md\n"
            b"data %d\n%s\n" % (1_790_000_000 + number, len(message), message, number % 500, len(data), data)
        )
    subprocess.run(
        ["git", "fast-import", "--quiet", "--force"], cwd=proposed.folder, input=b"".join(stream), check=True
    )
    judged = proposed.judge(wanted=judgement.Wanted(TODAY))
    assert judged.commits == 2_000
    assert not [one for one in judged.findings if one.rule == "boundless"]
