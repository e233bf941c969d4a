from __future__ import annotations

import pytest

from gitinstinct.errors import EnvironmentFault
from gitinstinct.git.repo import Entry
from gitinstinct.instinct import ids
from gitinstinct.store.layout import TOP, WORKFLOW, About, is_known, read_about, refusals

OID = "0" * 40


@pytest.mark.parametrize("stem", ["a", "a-b-c", "0", "x" * 64])
def test_an_instinct_lies_at_its_id(stem: str) -> None:
    assert ids.of_path(ids.path_of(stem)) == stem


@pytest.mark.parametrize(
    "path",
    [
        f"instincts/{stem}.md"
        for stem in ("", "A", "a_b", "-a", "a-", "a--b", "x" * 65, "a\n", "é", "a.b", "../a", "d/a")
    ]
    + ["a.md", "instincts/a.MD", "instincts/a.md/", "instincts/a.md\n", "./instincts/a.md", "evolved", "evolved/"]
    + [".github", ".github/workflows", ".github/workflows/x.yml", ".github/workflows/gitinstinct.yaml"]
    + [".github/workflows/Gitinstinct.yml", ".github/gitinstinct.yml", ".github/workflows/gitinstinct.yml/x"]
    + ["evolved/../a", "evolved/.git/x", "evolved/a/b/c/d/e", "README", ".gitattributes/x", "store.yaml\n"],
)
def test_no_other_path_is_known(path: str) -> None:
    assert not is_known(path)


@pytest.mark.parametrize("path", [*TOP, WORKFLOW, "evolved/skills/a-b/SKILL.md"])
def test_the_other_files_of_a_store(path: str) -> None:
    assert is_known(path)


@pytest.mark.parametrize(
    ("mode", "path", "reason"),
    [
        ("120000", "instincts/a.md", "symbolic link"),
        ("120000", "instincts", "symbolic link"),
        ("160000", "evolved/x", "submodule"),
        ("100755", "instincts/a.md", "mode 100755"),
        ("100644", "instincts/A.md", "twin"),
        ("100644", "instincts/a\x1b.md", "not the name of an instinct"),
        ("100644", ".gitmodules", "does not belong"),
        ("100644", ".github/workflows/release.yml", "does not belong"),
        ("100755", WORKFLOW, "mode 100755"),
        ("120000", WORKFLOW, "symbolic link"),
        ("120000", ".github/workflows", "symbolic link"),
        ("100644", ".GitHub/workflows/gitinstinct.yml", "twin"),
        ("100644", "instincts/sub/a.md", "not the name"),
    ],
)
def test_what_is_refused_is_named_with_its_reason(mode: str, path: str, reason: str) -> None:
    [refusal] = refusals([Entry(mode, "blob", OID, path), Entry("100644", "blob", OID, "instincts/good.md")])
    assert refusal.path == path
    assert reason in refusal.reason


ABOUTS = [
    About("project", "a1b2c3d4e5f6", "my-api"),
    About("project", "123456789012", "no"),
    About("global", "", ""),
    About("project", "1e5063015306", 'q"uo\\te: # ü'),
]


@pytest.mark.parametrize("about", ABOUTS)
def test_store_yaml_says_the_same_after_reading(about: About) -> None:
    assert read_about(about.render(), "here") == about


def test_store_yaml_byte_for_byte() -> None:
    assert ABOUTS[0].render() == b'format: 1\nscope: project\nproject_id: "a1b2c3d4e5f6"\nname: "my-api"\n'
    assert About("project", "a", "x\x1b[31m\u202ey\n" + "z" * 200).render().decode().isprintable() is False
    assert "\x1b" not in About("project", "a", "x\x1b\u202e").render().decode()


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"format: 2\nscope: global\n", "format 2; this gitinstinct knows formats up to 1"),
        (b"scope: global\n", "which format"),
        (b"format: yes\n", "which format"),
        (b"- 1\n", "which format"),
        (b"", "which format"),
        (b"a: [\n", "not YAML"),
        (b"a: " + b"[" * 30_000, "not YAML"),
        (b"a: &a [x]\nformat: *a\n", "which format"),
        (b"\xff\xfe\0", "not YAML"),
        (b"format: 1\nscope: project\n", "names no project"),
        (b"format: 1\nscope: else\nproject_id: x\n", "names no project"),
    ],
)
def test_a_store_yaml_that_cannot_be_followed(data: bytes, reason: str) -> None:
    with pytest.raises(EnvironmentFault, match=reason):
        read_about(data, "here")


def test_a_bomb_of_aliases_is_no_name() -> None:
    bomb = "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9) if n else 'x'}]\n" for n in range(10))
    assert read_about(f"format: 1\nscope: global\n{bomb}name: *a9\n".encode(), "here") == About("global", "", "")
