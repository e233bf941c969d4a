"""The workflow that ships: real YAML, few rights, no foreign text in a command line, steps that do what they say."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from gitinstinct import __version__
from gitinstinct.store import layout
from gitinstinct.store.layout import WORKFLOW
from tests.support.proposals import PATH, START, Proposal, confirmed, proposal
from tests.support.repos import git, script

TEXT = layout.workflow().decode()
# YAML 1.1 reads the key `on` as true; GitHub and this loader do not.
FILE: dict[str, Any] = yaml.load(TEXT, Loader=yaml.BaseLoader)
CHECK, COMMENT = (FILE["jobs"][name] for name in ("check", "comment"))
STEPS = [step for job in (CHECK, COMMENT) for step in job["steps"]]
_EXPRESSION = re.compile(r"\$\{\{\s*(.*?)\s*\}\}")


def test_it_has_the_parts_that_it_must_have() -> None:
    assert set(FILE) == {"name", "on", "permissions", "concurrency", "jobs"}
    assert set(FILE["on"]) == {"pull_request"}, (
        "pull_request_target would run foreign text with the rights of the store"
    )
    assert FILE["permissions"] == {}
    assert len(TEXT.encode()) < layout.CAP
    for job in FILE["jobs"].values():
        assert int(job["timeout-minutes"]) <= 15
        assert job["runs-on"] == "ubuntu-latest"


def test_rights_are_few_and_apart() -> None:
    assert CHECK["permissions"] == {"contents": "read"}
    assert COMMENT["permissions"] == {"pull-requests": "write"}
    assert "github.event.pull_request.head.repo.full_name == github.repository" in COMMENT["if"], "not for forks"
    assert not any("uses" in step for step in COMMENT["steps"]), "nothing foreign runs where something may be written"
    assert "secrets" not in TEXT


def test_no_expression_stands_in_a_command_line() -> None:
    for step in STEPS:
        assert not _EXPRESSION.search(step.get("run", ""))
        unquoted = re.sub(r'"[^"]*"', "", step.get("run", ""))
        assert not re.search(r"\$[A-Za-z_{(]", unquoted), "a variable is quoted wherever it is used"
    used = {found for step in STEPS for value in step.get("env", {}).values() for found in _EXPRESSION.findall(value)}
    assert used == {
        "github.event.pull_request.base.sha", "github.event.pull_request.head.sha", "github.event.pull_request.number",
        "github.token", "github.repository", "needs.check.outputs.summary",
    }  # fmt: skip


def test_what_it_uses_is_pinned_and_the_whole_history_comes() -> None:
    for step in STEPS:
        if "uses" in step:
            assert re.fullmatch(r"actions/[a-z-]+@(v\d+|[0-9a-f]{40})", step["uses"])
    [checkout] = [step for step in STEPS if step.get("uses", "").startswith("actions/checkout@")]
    assert checkout["with"]["fetch-depth"] == "0"
    [install] = [step for step in STEPS if "pip install" in step.get("run", "")]
    assert f"'gitinstinct=={__version__}'" in install["run"]
    assert "@VERSION@" not in TEXT


def test_shell_lines_are_shell() -> None:
    for step in STEPS:
        if "run" in step:
            done = subprocess.run(["bash", "-n"], input=step["run"].encode(), capture_output=True, check=False)
            assert done.returncode == 0, done.stderr
            assert shlex.split(step["run"].splitlines()[0])


def test_ours_is_known_whichever_version_it_installs() -> None:
    assert layout.is_own_workflow(TEXT.encode())
    assert layout.is_own_workflow(layout.workflow("2.0.1rc1"))
    for other in (TEXT + "# more\n", TEXT.replace("contents: read", "contents: write"), "", "gitinstinct==1\n"):
        assert not layout.is_own_workflow(other.encode())


# --- its steps, run


class Runner:
    """A machine as a host gives it to a job: a checkout, a few files, the program on PATH."""

    def __init__(self, home: Path, proposed: Proposal) -> None:
        self.home = home
        self.hub = home / "hub.git"
        git(home, "clone", "-q", "--bare", str(proposed.folder), str(self.hub))
        self.clone = home / "work"
        git(home, "clone", "-q", "--template=", str(self.hub), str(self.clone))
        git(self.clone, "checkout", "-q", "--detach", "origin/feature")
        script(home / "bin", "gitinstinct", f'exec {sys.executable} -m gitinstinct "$@"')
        self.output = home / "output"

    def run(self, step: dict[str, Any], **env: str) -> subprocess.CompletedProcess[str]:
        """One step, as GitHub runs it."""
        variables = {
            "PATH": f"{self.home / 'bin'}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(Path(__file__).parents[2]),
            "RUNNER_TEMP": str(self.home), "GITHUB_OUTPUT": str(self.output),
            "GITHUB_STEP_SUMMARY": str(self.home / "step.md"), "GITINSTINCT_HOME": str(self.home / "none"),
        }  # fmt: skip
        arguments = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
        return subprocess.run(
            arguments, cwd=self.clone, env=os.environ | variables | env, capture_output=True, text=True, check=False
        )

    def check(self) -> subprocess.CompletedProcess[str]:
        """The steps of the job, but for those that fetch tools."""
        base, head = git(self.hub, "rev-parse", "main", "feature").splitlines()
        fetch, check = (step for step in CHECK["steps"] if "run" in step and "pip install" not in step["run"])
        fetched = self.run(fetch)
        assert fetched.returncode == 0, fetched.stderr
        return self.run(check, BASE=base, HEAD=head)

    @property
    def summary(self) -> str:
        """The job's output of that name, read as GitHub reads it."""
        head, _, rest = self.output.read_text().partition("\n")
        name, _, end = head.partition("<<")
        assert name == "summary"
        body, _, after = rest.partition(f"\n{end}\n")
        assert after == ""
        return body + "\n"


@pytest.fixture
def proposed(tmp_path: Path) -> Proposal:
    return proposal(tmp_path / "clone")


def test_a_clean_request_passes(proposed: Proposal, home: Path) -> None:
    proposed.commit({PATH: confirmed(START, 1), WORKFLOW: layout.workflow()})
    proposed.git("update-ref", "refs/gitinstinct/promoted/p/x", "main")
    runner = Runner(home, proposed)
    git(runner.hub, "update-ref", "refs/gitinstinct/promoted/p/x", "main")
    done = runner.check()
    assert (done.returncode, done.stdout) == (0, "1 commit, 2 files checked: nothing found\n"), done.stderr
    assert git(runner.clone, "for-each-ref", "refs/gitinstinct/")
    assert "nothing found" in runner.summary
    assert (home / "step.md").read_text() == runner.summary


def test_a_request_with_findings_fails_and_tells(proposed: Proposal, home: Path) -> None:
    evil = START.replace(b"domain: workflow", b'domain: "EOF ::stop-commands::x $(touch /tmp/x) `@team`"')
    proposed.commit({PATH: evil.replace(b"confidence: 0.50", b"confidence: 0.90")})
    runner = Runner(home, proposed)
    done = runner.check()
    assert done.returncode == 1
    assert all(re.match(r"::(error|warning) |\d", line) for line in done.stdout.splitlines())
    assert f"::error file={PATH},line=4," in done.stdout
    assert "derived-field" in runner.summary
    log = home / "gh.log"
    script(home / "bin", "gh", f'printf "%s\\n" "$@" > {log}; cat "$RUNNER_TEMP/summary.md" >> {log}')
    [comment] = COMMENT["steps"]
    env = {"SUMMARY": runner.summary.rstrip("\n"), "NUMBER": "7", "GH_REPO": "acme/x", "GH_TOKEN": "x"}
    assert runner.run(comment, **env).returncode == 0
    said = log.read_text()
    assert said.startswith("pr\ncomment\n7\n")
    assert said.endswith(runner.summary)


def test_a_check_that_could_not_be_made_fails(proposed: Proposal, home: Path) -> None:
    proposed.commit({PATH: confirmed(START, 1)})
    runner = Runner(home, proposed)
    (runner.clone / ".git" / "shallow").write_text("")
    done = runner.check()
    assert done.returncode != 0
