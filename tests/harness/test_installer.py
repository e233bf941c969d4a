"""The disk side: what is written, what is kept, and when nothing at all may happen."""

from __future__ import annotations

import json
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from gitinstinct import paths
from gitinstinct.errors import EnvironmentFault
from gitinstinct.harness import HARNESSES, installer, settings
from gitinstinct.harness.claude_code import CLAUDE_CODE
from gitinstinct.harness.model import Harness, Program, Scope

PROGRAM = Program("/opt/gi/bin/python", "/opt/gi/hooks/hook.py")
MINE = '{\n\t"model": "opus",\n\t"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}\n}'


@pytest.fixture
def file(home: Path) -> Path:
    return CLAUDE_CODE.settings_file(Scope.USER, None, {"HOME": str(home)})


def write(file: Path, text: str = MINE) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text.encode())
    return file


def planned(file: Path) -> installer.Plan:
    return installer.plan(CLAUDE_CODE, Scope.USER, file, PROGRAM)


def unplanned(file: Path) -> installer.Plan:
    return installer.unplan(CLAUDE_CODE, file)


def install(file: Path) -> installer.Plan:
    plan = planned(file)
    installer.apply(plan)
    return plan


def uninstall(file: Path) -> installer.Plan:
    plan = unplanned(file)
    installer.apply(plan)
    return plan


def installed(harness: Harness, file: Path) -> list[str]:
    """The events that our entries in a settings file are for."""
    return [entry.event for entry in settings.entries(file.read_text()) if harness.owns(entry.handler)]


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("harness", HARNESSES.values(), ids=list(HARNESSES))
@pytest.mark.parametrize("scope", Scope)
def test_what_is_installed_can_be_found_and_taken_out_without_trace(harness: Harness, scope: Scope, home: Path) -> None:
    file = write(harness.settings_file(scope, home / "project", {"HOME": str(home)}))
    installer.apply(installer.plan(harness, scope, file, PROGRAM))
    assert installed(harness, file)[1:] != []
    assert set(installed(harness, file)) == set(harness.events)
    installer.apply(installer.unplan(harness, file))
    assert file.read_text() == MINE
    assert names(file.parent) == [file.name]


def test_a_second_install_does_nothing(file: Path) -> None:
    install(write(file))
    first = file.stat()
    plan = install(file)
    assert not plan.changed
    assert plan.diff == ""
    assert (file.stat().st_ino, file.stat().st_mtime_ns) == (first.st_ino, first.st_mtime_ns)


def test_a_file_that_we_made_goes_with_us(file: Path) -> None:
    assert install(file).before is None
    assert json.loads(file.read_text())["hooks"].keys() == CLAUDE_CODE.events.keys()
    assert uninstall(file).after is None
    assert names(file.parent) == []


def test_a_file_that_we_made_stays_when_the_person_used_it(file: Path) -> None:
    install(file)
    write(file, file.read_text().replace('{\n  "hooks"', '{\n  "model": "opus",\n  "hooks"', 1))
    uninstall(file)
    assert json.loads(file.read_text()) == {"model": "opus"}


def test_an_empty_file_that_was_there_before_us_stays(file: Path) -> None:
    install(write(file, "{}"))
    uninstall(file)
    assert file.read_text() == "{}"
    assert names(file.parent) == [file.name]


def test_the_copy_is_made_once_and_outlives_later_edits(file: Path) -> None:
    install(write(file))
    edited = file.read_text().replace("opus", "sonnet")
    write(file, edited.replace("/opt/gi/bin/python", "/old/bin/python"))
    install(file)
    assert file.read_text() == edited
    uninstall(file)
    assert installer.backup(file).read_text() == MINE
    assert file.read_text() == MINE.replace("opus", "sonnet")


def test_planning_writes_nothing(file: Path) -> None:
    write(file)
    planned(file)
    unplanned(file)
    assert names(file.parent) == [file.name]
    assert file.read_text() == MINE


def test_the_diff_shows_the_change_and_no_more(file: Path) -> None:
    write(file, '{\r\n  "a": 1,\r\n  "b": 2,\r\n  "c": 3,\r\n  "d": 4,\r\n  "e": 5\r\n}\r\n')
    lines = installer.plan(CLAUDE_CODE, Scope.PROJECT, file).diff.splitlines()
    assert lines[:2] == [f"--- {file}", f"+++ {file}"]
    assert [line for line in lines[2:] if line.startswith("-")] == ['-  "e": 5']
    assert '+            "command": "gitinstinct hook claude-code",' in lines


def test_a_link_is_followed_and_stays_a_link(file: Path, tmp_path: Path) -> None:
    real = write(tmp_path / "dotfiles" / "claude.json")
    file.parent.mkdir()
    file.symlink_to(real)
    install(file)
    assert file.is_symlink()
    assert names(real.parent) == ["claude.json", "claude.json.gitinstinct-bak"]
    assert names(file.parent) == [file.name]
    uninstall(file)
    assert real.read_text() == MINE
    assert names(real.parent) == ["claude.json"]


def test_a_link_to_nowhere_gets_its_file(file: Path, tmp_path: Path) -> None:
    file.parent.mkdir()
    file.symlink_to(tmp_path / "dotfiles" / "claude.json")
    install(file)
    assert (tmp_path / "dotfiles" / "claude.json").is_file()
    uninstall(file)
    assert file.read_text() == "{}\n"  # removing what the link points to would break the link


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o664])
def test_the_mode_is_kept_for_the_file_and_its_copy(file: Path, mode: int) -> None:
    write(file).chmod(mode)
    install(file)
    assert [stat.S_IMODE(path.stat().st_mode) for path in (file, installer.backup(file))] == [mode, mode]


@pytest.mark.parametrize("make", [planned, unplanned])
def test_a_change_in_between_stops_it(file: Path, make: Callable[[Path], installer.Plan]) -> None:
    install(write(file))
    write(file, file.read_text().replace("/opt/gi", "/elsewhere"))
    plan = make(file)
    write(file, file.read_text() + "\n")
    now = file.read_bytes()
    with pytest.raises(EnvironmentFault, match="changed in the meantime"):
        installer.apply(plan)
    assert file.read_bytes() == now
    assert names(file.parent) == [file.name, installer.backup(file).name]


@pytest.mark.parametrize(
    "content",
    [
        b'{"a": 1, // mine\n}',
        b"[]",
        b'{"hooks": 3}',
        b'{"hooks": {"Stop": 1}}',
        b'{"a": "\xff"}',
        '{"a": 1}'.encode("utf-16"),
    ],
)
def test_a_file_that_is_not_understood_is_left_as_it_is_and_named(file: Path, content: bytes) -> None:
    write(file)
    file.write_bytes(content)
    for refused in (install, uninstall):
        with pytest.raises(EnvironmentFault, match=r"settings\.json was left as it is: ") as caught:
            refused(file)
        assert caught.value.hint
    assert file.read_bytes() == content
    assert names(file.parent) == [file.name]


def test_a_read_only_file_is_respected(file: Path) -> None:
    write(file).chmod(0o444)
    with pytest.raises(EnvironmentFault, match="read-only"):
        install(file)
    assert file.read_text() == MINE
    assert not uninstall(file).changed


@pytest.mark.parametrize("obstacle", ["folder in its place", "file in place of the folder"])
def test_what_the_disk_refuses_is_named(file: Path, obstacle: str) -> None:
    if obstacle == "folder in its place":
        file.mkdir(parents=True)
    else:
        file.parent.write_text("")
    with pytest.raises(EnvironmentFault, match=r"settings\.json was left as it is"):
        install(file)


def test_a_failed_write_leaves_no_remains(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(file)

    def fail(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("gitinstinct.harness.installer.os.fsync", fail)
    with pytest.raises(EnvironmentFault, match="No space left"):
        install(file)
    assert names(file.parent) == [file.name]
    assert file.read_text() == MINE


def test_eight_at_once_end_in_one_installation(file: Path) -> None:
    write(file)
    code = (
        "from pathlib import Path; import sys\n"
        "from gitinstinct.harness import installer, HARNESSES, model\n"
        "from gitinstinct.errors import EnvironmentFault\n"
        "for _ in range(50):\n"
        "    try: installer.apply(installer.plan(HARNESSES['claude-code'], model.Scope.USER, Path(sys.argv[1]),\n"
        "                         model.Program('/opt/gi/bin/python', '/opt/gi/hooks/hook.py'))); break\n"
        "    except EnvironmentFault as error: assert 'in the meantime' in error.message, error\n"
    )
    workers = [
        subprocess.Popen([sys.executable, "-c", code, str(file)], cwd=Path(__file__).parents[2]) for _ in range(8)
    ]
    assert [worker.wait(60) for worker in workers] == [0] * 8
    assert len(installed(CLAUDE_CODE, file)) == len(CLAUDE_CODE.events)
    assert installer.backup(file).read_text() == MINE
    assert names(file.parent) == [file.name, installer.backup(file).name]


def test_the_lock_lies_with_our_state_not_beside_the_file(file: Path) -> None:
    install(write(file))
    assert Path(paths.lock("settings")).parent.is_dir()
    assert not list(file.parent.glob("*.lock"))


def test_the_running_program_is_what_gets_registered(file: Path) -> None:
    plan = installer.plan(CLAUDE_CODE, Scope.USER, file)
    handlers = [handler for groups in json.loads(plan.after or b"")["hooks"].values() for handler in groups[0]["hooks"]]
    assert {handler["command"] for handler in handlers} == {sys.executable}
    assert all(Path(handler["args"][2]).is_absolute() for handler in handlers)


def test_a_temporary_environment_is_warned_of_but_not_in_a_portable_file(file: Path) -> None:
    fleeting = Program("/home/me/.cache/uv/archive-v0/Xy/bin/python", "/x/hooks/hook.py")
    warned = installer.plan(CLAUDE_CODE, Scope.LOCAL, file, fleeting).warnings
    assert ["temporary environment" in sentence for sentence in warned] == [True]
    assert installer.plan(CLAUDE_CODE, Scope.PROJECT, file, fleeting).warnings == ()
