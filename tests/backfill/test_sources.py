"""Which files hold this project's past: told by what stands in them."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

import pytest

from gitinstinct.backfill import sources
from gitinstinct.backfill.event import moment
from gitinstinct.capture import project as projects
from gitinstinct.capture.project import Project
from tests.backfill.conftest import Fill, told
from tests.support.pasts import Rollout, Transcript, habits
from tests.support.repos import commit_all, git


def surveyed(home: Path, project: Project) -> sources.Survey:
    found = sources.usual({}, home, sources.foreign_ids(project), project.root)
    return sources.survey(found, project, (), subagents=False)


def test_worktrees_subfolders_and_clones_are_the_project_whatever_the_folder_is_called(
    home: Path, work: Path, project: Project
) -> None:
    commit_all(work, {"a.txt": "a"})
    tree = home / "elsewhere"
    git(work, "worktree", "add", "-q", str(tree))
    clone = home / "clone"
    git(home, "clone", "-q", str(work), str(clone))
    git(clone, "remote", "set-url", "origin", "https://github.com/acme/my-api")
    gone = work / ".claude" / "worktrees" / "gone"
    for number, folder in enumerate([work, work / "src" / "deep", tree, clone, gone]):
        habits(number, folder).write(home, slug=f"-any-{number}")
    assert len(surveyed(home, project).files) == 5


def test_other_projects_are_left_alone_and_get_no_id(home: Path, work: Path, project: Project) -> None:
    other = home / "work" / "other"
    other.mkdir()
    git(other, "init", "-q", "--template=")
    nested = work / "vendor" / "lib"
    nested.mkdir(parents=True)
    git(nested, "init", "-q", "--template=")
    for number, folder in enumerate([other, nested, home]):
        habits(number, folder).write(home)
    habits(7, "/somewhere/that/is/not/here").write(home)
    found = surveyed(home, project)
    assert found.files == []
    assert found.passed["sessions of other projects"] == 3
    assert found.passed["sessions of folders that are not here"] == 1
    assert not (other / ".git" / "gitinstinct-id").exists()


def test_a_project_without_a_remote_is_known_by_its_own_id(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = home / "work" / "fresh"
    folder.mkdir(parents=True)
    git(folder, "init", "-q", "--template=")
    habits(1, folder / "src").write(home)
    assert len(surveyed(home, projects.identify(str(folder), {})).files) == 1


def test_a_folder_that_is_no_repository_has_the_past_that_began_in_it(home: Path) -> None:
    folder = home / "notes"
    folder.mkdir()
    habits(1, folder).write(home)
    habits(2, home / "notes2").write(home)
    project = projects.identify(str(folder), {"CLAUDE_PROJECT_DIR": str(folder)})
    assert len(surveyed(home, project).files) == 1


@pytest.mark.parametrize(
    "first",
    [
        "Hello memory agent, you are continuing to observe",
        "You are a Claude-Mem, a specialized observer tool",
        "IMPORTANT: You are running in non-interactive --print mode. You MUST use the Write tool directly",
        "You look at what happened while a coding agent worked with a person, and you tell",
    ],
)
def test_sessions_of_observers_are_left_out_whole(first: str, home: Path, work: Path, project: Project) -> None:
    Transcript(1, work).says(first).run("ls").write(home)
    Rollout(2, work).says(first).run("ls").write(home)
    assert surveyed(home, project).passed["sessions of observers"] == 2


def test_sessions_in_folders_of_observers_are_left_out_whole(home: Path, project: Project) -> None:
    for number, folder in enumerate([home / ".claude" / "homunculus", home / ".claude-mem" / "x"]):
        Transcript(number, folder).run("ls").write(home)
    Transcript(7, "/x").run("ls").write(home, slug="-home-claude-mem-observer-sessions")
    assert surveyed(home, project).passed["sessions of observers"] == 3


def test_files_that_are_none_have_a_name(home: Path, work: Path, project: Project) -> None:
    file = habits(1, work).write(home)
    for number, content in enumerate([b"", b"version https://git-lfs.github.com/spec/v1\nsize 1\n", b'{"x":1}\n']):
        file.with_name(f"{number:08x}-1111-4000-8000-000000000000.jsonl").write_bytes(content)
    file.with_name("journal.jsonl").write_bytes(b'{"x":1}\n')
    found = surveyed(home, project)
    assert len(found.files) == 1
    assert sorted(found.passed.values()) == [1, 1, 1]
    assert any("git lfs pull" in reason for reason in found.passed)


def test_a_pipe_is_not_waited_for(home: Path, work: Path, project: Project, fill: Fill) -> None:
    os.mkfifo(work / "pipe.jsonl")
    assert fill(work / "pipe.jsonl").files == 0


def test_another_observers_folder_is_found_by_the_hash_of_remote_or_root(
    home: Path, work: Path, project: Project, fill: Fill
) -> None:
    for number, text in enumerate(["git@github.com:Acme/My-API.git", str(work), "/not/ours"]):
        name = hashlib.sha256(text.encode()).hexdigest()[:12]
        folder = home / ".claude" / "homunculus" / "projects" / name
        folder.mkdir(parents=True)
        line = {"timestamp": f"2026-03-0{number + 1}T12:00:00Z", "event": "tool_complete", "tool": "Read"}
        lines = [line | {"session": f"s{number}", "project_id": name}, line | {"session": "x", "project_id": "f" * 12}]
        (folder / "observations.jsonl").write_text("".join(json.dumps(one) + "\n" for one in lines))
    summary = fill()
    assert sorted(one["session"] for one in told(project)) == ["s0", "s1"]
    assert summary.left["events of other projects"] == 2


def test_a_file_that_is_named_counts_unless_it_is_certainly_anothers(
    home: Path, tmp_path: Path, project: Project, fill: Fill
) -> None:
    far = tmp_path / "far.jsonl"
    far.write_bytes(b"".join(Transcript(1, "/on/another/machine").run("ls").lines))
    assert fill(far).events == 1
    other = home / "work" / "other"
    other.mkdir()
    git(other, "init", "-q", "--template=")
    near = tmp_path / "near.jsonl"
    near.write_bytes(b"".join(Transcript(2, other).run("ls").lines))
    assert fill(near).events == 0


def test_a_past_that_was_planted_in_the_project_is_not_read(
    home: Path, work: Path, project: Project, fill: Fill
) -> None:
    file = habits(1, work).write(work)
    env = {"CLAUDE_CONFIG_DIR": str(work / ".claude"), "CODEX_HOME": str(work / ".codex")}
    Rollout(2, work).run("ls").write(work)
    found = list(sources.usual(env, home, sources.foreign_ids(project), project.root))
    assert found == []
    assert fill(file).events == 13, "the person may name it"


def test_a_home_that_is_a_repository_itself_has_its_past(home: Path) -> None:
    git(home, "init", "-q", "--template=")
    habits(1, home).write(home)
    assert len(surveyed(home, projects.identify(str(home), {})).files) == 1


def test_the_configured_folder_of_the_agent_is_looked_at(home: Path, work: Path, project: Project) -> None:
    habits(1, work).write(home / "x")
    env = {"CLAUDE_CONFIG_DIR": str(home / "x" / ".claude")}
    found = sources.survey(sources.usual(env, home, (), ""), project, (), subagents=False)
    assert len(found.files) == 1


def test_of_large_lines_a_head_holds_the_beginning(home: Path, work: Path, project: Project) -> None:
    snapshot = {"type": "file-history-snapshot", "files": [["x" * 50] * 100] * 100}
    made = habits(1, work)
    begun = made.values[0]["timestamp"]
    made.values[0]["message"]["content"] = [{"type": "text", "text": "add a retry " * 50_000}]
    path = made.write(home)
    path.write_bytes(json.dumps(snapshot).encode() + b"\n" + path.read_bytes())
    assert len(str(sources.head(path))) < 100_000
    [past] = surveyed(home, project).files
    assert (past.kind.FAMILY, past.begun) == ("transcript", moment(begun))


def test_an_observer_that_was_told_much_is_known_by_the_beginning(home: Path, work: Path, project: Project) -> None:
    Transcript(1, work).says("Hello memory agent, " + "look at this " * 50_000).run("ls").write(home)
    found = surveyed(home, project)
    assert (found.files, found.passed["sessions of observers"]) == ([], 1)
