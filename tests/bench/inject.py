"""What injection costs, as ratios to a bare start of the same interpreter: `python tests/bench/inject.py [ROUNDS [N]]`.

A project with N instincts (5,000), all of them sure enough, on disk as after a `git gc`. All commands run once in every
round, in turn, so that a busy machine slows them alike; shown is the median of the ratios of the rounds. `hit`: what
was prepared is still right. `miss`: one instinct has changed since, or the cache was deleted.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from gitinstinct import paths  # noqa: E402
from gitinstinct.git.trailers import Message  # noqa: E402
from gitinstinct.instinct import ids, ledger, markdown  # noqa: E402
from gitinstinct.store import commit, store  # noqa: E402
from gitinstinct.store.layout import About  # noqa: E402
from gitinstinct.trust import giving  # noqa: E402

FLOOR = [sys.executable, "-I", "-S", "-c", "pass"]
HOOK = [sys.executable, "-I", "-S", str(ROOT / "hooks" / "hook.py"), "claude-code"]
PROJECT = "e5c363015306"
NOW = datetime.now(UTC)  # no GITINSTINCT_NOW: reading it costs more than the hook
LIMITS = {
    "a tool call": 1.5, "session start, hit": 2.0, "prompt, hit, nothing matches": 2.0, "prompt, hit, two match": 3.0,
    "session start, miss": 14.0, "prompt, miss": 40.0, "session start, no cache": 80.0,
}  # fmt: skip
_WORDS = "queue cache parser schema socket thread budget invoice ledger token route shard panel widget vector".split()


def instinct(number: int, seen: int = 12) -> bytes:
    name = f"rule-{number:05d}"
    entry = ledger.parse_line(f"- {NOW.date().isoformat()} observed {seen}: seen [01m6x9kf80-9f3ac1d0]")
    assert entry is not None
    one, other = _WORDS[number % 15], _WORDS[number // 15 % 15]
    fields = {"id": name, "trigger": f"when changing the {one} of a {other} in part {number}", "domain": "testing"}
    fields |= {"source": "session-observation", "scope": "project", "project_id": PROJECT}
    return markdown.compose(fields, name.title(), f"Run `make {one}-{number}` first.", [entry])


def build(folder: Path, number: int) -> Path:
    project = folder / "my-api"
    project.mkdir()
    subprocess.run(["git", "init", "-q", str(project)], check=True)
    subprocess.run(["git", "-C", str(project), "remote", "add", "origin", "git@github.com:Acme/My-API.git"], check=True)
    made = store.create(Path(paths.store(PROJECT)), About("project", PROJECT, "my-api"), NOW)
    files = {ids.path_of(f"rule-{at:05d}"): instinct(at) for at in range(number)}
    commit.write(made, lambda _: commit.Change(dict(files), Message("observe: many new")), NOW)
    subprocess.run(["git", "-C", str(made.path), "gc", "-q"], check=True)
    giving.approve([markdown.parse(data) for data in files.values()], "bench", NOW)
    return project


def payload(project: Path, event: str, **more: str) -> bytes:
    session = os.urandom(8).hex()
    return json.dumps({"session_id": session, "cwd": str(project), "hook_event_name": event, **more}).encode()


def once(command: list[str], stdin: bytes, env: dict[str, str], expect: bool | None = None) -> float:
    begin = time.perf_counter()
    done = subprocess.run(command, input=stdin, env=env, check=True, stdout=subprocess.PIPE)
    took = time.perf_counter() - begin
    if expect is not None and bool(done.stdout) is not expect:
        print("unexpected answer:", done.stdout[:200])
    return took


def settle(kind: str) -> None:
    """Waits until what runs in the background has finished."""
    cache = Path(paths.root("cache")) / "inject" / f"{PROJECT}{kind}"
    for _ in range(10_000):
        if cache.exists():
            return
        time.sleep(0.01)


def forget(*kinds: str) -> None:
    for kind in kinds:
        (Path(paths.root("cache")) / "inject" / f"{PROJECT}{kind}").unlink(missing_ok=True)
    (Path(paths.root("state")) / "inject" / f"{PROJECT}.begun").unlink(missing_ok=True)


def main(rounds: int, number: int) -> None:
    folder = Path(tempfile.mkdtemp(prefix="gitinstinct-bench-"))
    os.environ |= {"HOME": str(folder), "GITINSTINCT_HOME": str(folder / "gi"), "GITINSTINCT_AUTO": "0"}
    env = dict(os.environ)
    project = build(folder, number)
    start = payload(project, "SessionStart", source="startup")
    once(HOOK, start, env)
    settle(".words")
    nothing, two = "What is the weather like in Lisbon?", f"change the queue of the cache in part {number - 1}"
    ratios: dict[str, list[float]] = {name: [] for name in LIMITS}
    for _ in range(rounds + 1):
        floor = once(FLOOR, b"", env)

        def told(name: str, stdin: bytes, expect: bool | None, floor: float = floor) -> None:
            ratios[name].append(once(HOOK, stdin, env, expect) / floor)

        told("a tool call", payload(project, "PostToolUse", tool_name="Bash"), False)
        told("session start, hit", payload(project, "SessionStart", source="startup"), True)
        told("prompt, hit, nothing matches", payload(project, "UserPromptSubmit", prompt=nothing), False)
        told("prompt, hit, two match", payload(project, "UserPromptSubmit", prompt=two), True)
        forget(".json", ".words")
        told("session start, miss", payload(project, "SessionStart", source="startup"), True)
        settle(".words")
        forget(".words")
        told("prompt, miss", payload(project, "UserPromptSubmit", prompt=two), None)
        settle(".words")
        forget(".json", ".words", ".facts")
        told("session start, no cache", payload(project, "SessionStart", source="startup"), None)
        settle(".words")
    print(f"{number:,} instincts")
    for name, found in ratios.items():
        print(f"{name:30} {statistics.median(found[1:]):6.2f} x  (at most {LIMITS[name]})")
    shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 15, int(sys.argv[2]) if len(sys.argv) > 2 else 5_000)
