"""From the hook to `list`, while the store is in other hands: a person's, another git's, a bad disk's."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from gitinstinct import paths
from gitinstinct.store.layout import About
from tests.cli.conftest import PROJECT_ID
from tests.support import work
from tests.support.program import Result, process
from tests.support.repos import commit_all, git
from tests.support.stores import new_store

OBSERVE = [sys.executable, "-m", "gitinstinct", "observe", "--now"]


def _store() -> Path:
    return Path(paths.store(PROJECT_ID))


def _captured(project: Path, part: slice) -> None:
    """Some of the planted sessions, as work in that project."""
    shown = [{**payload, "cwd": str(project)} for payload in work.payloads(7)]
    sessions = list(dict.fromkeys(payload["session_id"] for payload in shown))[part]
    work.hook(*(payload for payload in shown if payload["session_id"] in sessions))


@pytest.fixture
def learned(project: Path) -> Path:
    """The store after half of the sessions; the other half is captured and waits."""
    _captured(project, slice(0, 5))
    assert process("observe", "--now").code == 0
    _captured(project, slice(5, 10))
    return _store()


def _listed() -> dict[str, tuple[float, int]]:
    return {one["id"]: (one["confidence"], one["confirmations"]) for one in process("list", "--json").json["instincts"]}


def _explained(result: Result) -> bool:
    said = result.out + result.err
    return (
        result.err.startswith("error: ") and "\nhint: " in result.err and "Traceback" not in said and "bug" not in said
    )


def _empty_tip(store: Path) -> None:
    tip = git(store, "rev-parse", "main")
    file = store / ".git/objects" / tip[:2] / tip[2:]
    file.chmod(0o644)
    file.write_bytes(b"")


CLOSED: list[tuple[Callable[[Path], object], str]] = [
    (_empty_tip, "is empty"),
    (lambda store: (store / ".git/HEAD").write_text(""), "not a git repository"),
    (lambda store: (store / ".git/config").write_text("[core\n"), "bad config line 1"),
    (lambda store: (store / ".git/shallow").touch(), "shallow"),
    (lambda store: commit_all(store, {"store.yaml": "format: 2\n"}), "format 2"),
]


@pytest.mark.parametrize(("spoil", "reason"), CLOSED, ids=[case[1] for case in CLOSED])
def test_a_store_that_cannot_be_used_is_told_in_a_sentence_with_a_way_out(
    spoil: Callable[[Path], object], reason: str, project: Path
) -> None:
    spoil(new_store(_store(), about=About("project", PROJECT_ID, "my-api")).path)
    for verb in ("list", "status", "observe"):
        result = process(verb)
        assert (result.code, reason in result.err, _explained(result)) == (3, True, True), result


def test_a_run_that_waits_for_a_person_consumes_nothing(learned: Path) -> None:
    reference = _reference()
    name = next(iter(_listed()))
    file = learned / "instincts" / f"{name}.md"
    before = file.read_bytes()
    file.write_text("half ty")
    result = process("observe", "--now")
    assert (result.code, _explained(result)) == (3, True), result
    assert f"{name}.md waits for you" in result.err
    assert file.read_text() == "half ty"
    assert "half" not in process("list").out
    assert f"{name}.md" in process("status").out
    file.write_bytes(before)
    assert process("observe", "--now").code == 0
    assert _listed() == reference


def test_eight_observers_at_once_learn_once(learned: Path) -> None:
    reference = _reference()
    started = [subprocess.Popen(OBSERVE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) for _ in range(8)]
    told = Counter(b"learned" in run.communicate(timeout=120)[0] for run in started)
    assert ({run.returncode for run in started}, told[True]) == ({0}, 1)
    assert _listed() == reference
    assert git(learned, "status", "--porcelain") == ""


@pytest.mark.parametrize("blocks", [0, 2, 8])
def test_a_full_disk_costs_a_run_and_no_evidence(learned: Path, blocks: int) -> None:
    reference = _reference()
    limit = (blocks * 1024, resource.RLIM_INFINITY)
    full = subprocess.run(
        OBSERVE, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, limit), capture_output=True, check=False
    )
    assert (full.returncode, b"Traceback" in full.stderr) == (3, False), full.stderr
    assert process("list").code == 0
    assert process("observe", "--now").code == 0
    assert _listed() == reference
    git(learned, "fsck", "--strict", "--no-dangling")
    assert git(learned, "status", "--porcelain") == ""


def _reference() -> Mapping[str, object]:
    """What is known after a run that nothing disturbs, in a copy of everything."""
    home = Path(os.environ["GITINSTINCT_HOME"])
    shutil.copytree(home, home.with_name("undisturbed"), symlinks=True)
    copy = str(home.with_name("undisturbed"))
    assert process("observe", "--now", GITINSTINCT_HOME=copy).code == 0
    told = process("list", "--json", GITINSTINCT_HOME=copy).json["instincts"]
    return {one["id"]: (one["confidence"], one["confirmations"]) for one in told}


@pytest.mark.parametrize("name", ["höme b", "new\nline", "q'u\"o$(t)e", os.fsdecode(b"\xff")])
def test_a_home_of_any_name(name: str, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / name).mkdir()
    (project / "link").symlink_to(tmp_path / name)
    monkeypatch.setenv("GITINSTINCT_HOME", "link")  # relative, and a link
    _captured(project, slice(0, 5))
    result = process("observe", "--now")
    assert (result.code, "learned" in result.out) == (0, True), result
    store = tmp_path / name / "data" / "projects" / PROJECT_ID
    assert git(store, "status", "--porcelain") == ""
    (store / ".git/refs/heads/main").write_text("")
    hint = process("list").err.partition("hint: put it back: ")[2]
    assert hint
    if hint.isprintable() and "\\" not in hint:  # a terminal shows the others as escapes
        subprocess.run(hint, shell=True, check=True)
        assert process("list").code == 0
