"""Where instincts come from: files, folders, archives, bundles, repositories; honest ones and hostile ones."""

from __future__ import annotations

import gzip
import io
import os
import subprocess
import tarfile
import zipfile
from pathlib import Path

import pytest

from gitinstinct.errors import FatalError, Found, UsageError
from gitinstinct.exchange import sources
from gitinstinct.exchange.sources import archive
from gitinstinct.exchange.sources.source import Source
from gitinstinct.git import bundle
from tests.exchange.support import BOT
from tests.support.files import CANONICAL
from tests.support.repos import commit_all, git, raw_commit, repository


def paths(source: Source) -> list[str]:
    return [file.path for file in source.files]


# --- files and folders


def test_a_file_is_called_by_its_last_part(tmp_path: Path) -> None:
    (tmp_path / "team.yaml").write_text(BOT)
    found = sources.gather(str(tmp_path / "team.yaml"))
    assert (found.name, paths(found), found.loose) == ("file:team.yaml", ["team.yaml"], True)


def test_a_folder_is_read_to_its_depths_and_through_no_link(tmp_path: Path) -> None:
    top = tmp_path / "team"
    for name in (
        "a.md",
        ".claude/homunculus/b.yaml",
        "deep/er/c.yml",
        "d.json",
        "e.txt",
        ".git/f.md",
        "node_modules/g.md",
    ):
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_text(BOT)
    (top / "link.md").symlink_to("/etc/passwd")
    (top / "round").symlink_to(top)
    os.mkfifo(top / "pipe.md")
    found = sources.gather(str(top))
    assert found.name == "dir:team"
    assert sorted(paths(found)) == [".claude/homunculus/b.yaml", "a.md", "d.json", "deep/er/c.yml"]
    assert {(one.file, one.reason) for one in found.refused} == {
        ("link.md", "a symbolic link"), ("pipe.md", "it is no plain file"),
    }  # fmt: skip


@pytest.mark.parametrize("make", [os.mkfifo, lambda path: path.symlink_to(path)])
def test_what_is_no_plain_file_is_refused_at_once(tmp_path: Path, make) -> None:  # type: ignore[no-untyped-def]
    make(tmp_path / "odd.md")
    with pytest.raises(Found, match="cannot be read"):
        sources.gather(str(tmp_path / "odd.md"))


@pytest.mark.parametrize("text", ["no-such-file.md", "", "a\0b", "no where"])
def test_what_is_nothing_is_said_to_be_nothing(text: str) -> None:
    with pytest.raises(UsageError):
        sources.gather(text)


def test_standard_input_is_a_file_of_that_name() -> None:
    found = sources.gather("-", BOT.encode())
    assert (found.name, len(found.files)) == ("stdin", 1)


# --- archives


def tar(files: dict[str, bytes], mode: str = "w:gz", extra: tuple[tarfile.TarInfo, ...] = ()) -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode=mode) as packed:  # type: ignore[call-overload]
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            packed.addfile(member, io.BytesIO(content))
        for member in extra:
            packed.addfile(member)
    return made.getvalue()


def zipped(files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as packed:
        for name, content in files.items():
            packed.writestr(name, content)
    return made.getvalue()


GOOD = {"personal/a.md": BOT.encode(), "personal/note.txt": b"x", "._a.md": b"resource", "__MACOSX/b.md": b"x"}


@pytest.mark.parametrize("data", [tar(GOOD), tar(GOOD, "w:"), zipped(GOOD), zipped(GOOD, zipfile.ZIP_STORED)])
def test_archives_are_read_in_memory(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "homunculus.tar.gz").write_bytes(data)
    found = sources.gather(str(tmp_path / "homunculus.tar.gz"))
    assert (found.name, paths(found)) == ("file:homunculus.tar.gz", ["personal/a.md"])
    assert (
        list(tmp_path.iterdir()) == [tmp_path / "homunculus.tar.gz", tmp_path / "home"]
        or len(list(tmp_path.iterdir())) == 2
    )


def link(name: str, target: str, kind: bytes) -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.type, member.linkname = kind, target
    return member


def test_names_that_lead_out_and_links_are_refused_by_name() -> None:
    extra = (
        link("sym.md", "/etc/passwd", tarfile.SYMTYPE), link("hard.md", "a.md", tarfile.LNKTYPE),
        link("dev.md", "", tarfile.CHRTYPE),
    )  # fmt: skip
    files = {
        "../up.md": b"x",
        "/abs.md": b"x",
        "a/../../b.md": b"x",
        "C:evil.md": b"x",
        "a\\..\\b.md": b"x",
        "ok.md": b"x",
    }
    found, refused = archive.read(tar(files, extra=extra))
    assert [file.path for file in found] == ["ok.md"]
    assert len(refused) == 8
    found, refused = archive.read(zipped(files))
    assert [file.path for file in found] == ["ok.md"]


def test_a_link_in_a_zip_is_none() -> None:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as packed:
        member = zipfile.ZipInfo("link.md")
        member.external_attr = 0o120777 << 16
        packed.writestr(member, "/etc/passwd")
    assert archive.read(made.getvalue())[1][0].reason == "a symbolic link"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (gzip.compress(b"\0" * (80 * 1024 * 1024)), "unfolds to more"),
        (zipped({f"{number}.md": b"\0" * (4 * 1024 * 1024) for number in range(20)}), "unfolds to more"),
        (tar({f"{number}.md": b"" for number in range(10_001)}), "more than 10,000 files"),
        (tar(GOOD)[:-30], "damaged"),
        (tar(GOOD)[:40] + b"\0\0\0" + tar(GOOD)[43:], "damaged"),
        (zipped(GOOD)[:-30], "damaged"),
        (b"BZh91AY&SY", "bzip2 are not read"),
        (b"\xfd7zXZ\0", "xz are not read"),
    ],
    ids=["gzip bomb", "zip bomb", "many", "cut", "flipped", "cut zip", "bzip2", "xz"],
)
def test_hostile_archives_are_refused(data: bytes, reason: str) -> None:
    with pytest.raises(Found, match=reason):
        archive.read(data)


def test_a_large_file_in_an_archive_is_refused_by_name() -> None:
    for data in (
        tar({"big.md": b"\0" * (5 * 1024 * 1024), "a.md": b"x"}),
        zipped({"big.md": b"\0" * (5 * 1024 * 1024), "a.md": b"x"}),
    ):
        found, refused = archive.read(data)
        assert [file.path for file in found] == ["a.md"]
        assert "5,242,880 bytes" in refused[0].reason


# --- repositories and bundles


@pytest.fixture
def team(tmp_path: Path) -> Path:
    """Somebody's repository."""
    folder = tmp_path / "their repo"
    repository(folder)
    commit_all(folder, {"instincts/grep-before-edit.md": CANONICAL, "README.md": "# Ours\n", "notes/x.md": BOT})
    return folder


def test_a_store_gives_its_instincts_and_nothing_beside_them(team: Path) -> None:
    found = sources.gather(f"file://{team}")
    assert (found.name, paths(found)) == ("repo:their repo", ["instincts/grep-before-edit.md"])


def test_another_repository_is_looked_through(tmp_path: Path) -> None:
    folder = tmp_path / "dots"
    repository(folder)
    commit_all(folder, {"home/.claude/a.yaml": BOT, "b.txt": "x"})
    (folder / "link.md").symlink_to("/etc/passwd")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "link")
    found = sources.gather(f"file://{folder}")
    assert paths(found) == ["home/.claude/a.yaml"]
    assert found.refused[0].reason == "a symbolic link"


def test_a_bare_repository_is_fetched(team: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--bare", str(team), "bare.git")
    assert paths(sources.gather(str(tmp_path / "bare.git"))) == ["instincts/grep-before-edit.md"]


def test_a_branch_can_be_named_and_must_be_where_nothing_tells(team: Path) -> None:
    git(team, "checkout", "-q", "-b", "export/all")
    commit_all(team, {"instincts/other.md": CANONICAL})
    assert len(sources.gather(f"file://{team}").files) == 1
    found = sources.gather(f"file://{team}#export/all")
    assert (found.name, len(found.files)) == ("repo:their repo#export/all", 2)
    git(team, "branch", "-m", "main", "other")
    with pytest.raises(Found, match="2 branches"):
        sources.gather(f"file://{team}")
    with pytest.raises(Found, match="no branch nowhere"):
        sources.gather(f"file://{team}#nowhere")


@pytest.mark.parametrize(
    "text", ["ext::sh -c touch% x", "http://example.org/x.git", "ftp://h/x", "-x@h:p", "git://h/x"]
)
def test_addresses_that_git_may_not_have_are_refused(text: str) -> None:
    with pytest.raises(UsageError):
        sources.gather(text)


def bundled(team: Path, *what: str) -> Path:
    git(team, "bundle", "create", "-q", "../x.bundle", *(what or ("main",)))
    return team.parent / "x.bundle"


def test_a_bundle_gives_its_branch(team: Path) -> None:
    found = sources.gather(str(bundled(team)))
    assert (found.name, paths(found)) == ("file:x.bundle", ["instincts/grep-before-edit.md"])


def test_bundles_that_are_cut_flipped_or_of_another_version(team: Path) -> None:
    path = bundled(team)
    whole = path.read_bytes()
    middle = len(whole) - 40
    for data in (whole[:-20], whole[:30], whole[:middle] + bytes([whole[middle] ^ 255]) + whole[middle + 1 :],
                 whole.replace(b"# v2", b"# v7")):  # fmt: skip
        path.write_bytes(data)
        with pytest.raises(Found):
            sources.gather(str(path))


def test_a_bundle_that_lacks_commits_says_so(team: Path) -> None:
    commit_all(team, {"more.txt": "x"})
    with pytest.raises(Found, match="needs commits that it does not hold"):
        sources.gather(str(bundled(team, "main~1..main")))


@pytest.mark.parametrize(
    "lines",
    [
        b"-x refs/heads/main\n", b"%(oid) refs/heads/../x\n", b"%(oid) refs/replace/aa\n", b"%(oid) HEAD\n",
        b"%(oid) refs/heads/" + b"x" * 2000 + b"\n", b"%(oid) refs/tags/v1\n", b"",
    ],
)  # fmt: skip
def test_odd_refs_of_a_bundle_are_never_taken(team: Path, lines: bytes) -> None:
    path = bundled(team)
    head, _, pack = path.read_bytes().partition(b"\n\n")
    oid = head.split(b"\n")[1].split(b" ")[0]
    path.write_bytes(b"# v2 git bundle\n" + lines.replace(b"%(oid)", oid) + b"\n" + pack)
    with pytest.raises(Found):
        sources.gather(str(path))


def test_a_bundle_with_countless_refs_is_refused_before_git_sees_it(team: Path) -> None:
    oid = git(team, "rev-parse", "main")
    data = b"# v2 git bundle\n" + b"".join(b"%s refs/heads/x%d\n" % (oid.encode(), number) for number in range(200_000))
    with pytest.raises(Found, match="more than 1,000 refs"):
        bundle.branches(data)


def test_a_bundle_with_what_git_does_not_let_in_is_refused(tmp_path: Path) -> None:
    repo = repository(tmp_path / "evil")
    oid = git(tmp_path / "evil", "hash-object", "-w", "--stdin", stdin=CANONICAL.encode())
    commit = raw_commit(repo, [("100644", b".git", oid)])
    git(tmp_path / "evil", "update-ref", "refs/heads/main", commit)
    with pytest.raises(Found, match="not let in"):
        sources.gather(str(bundled(tmp_path / "evil")))


def test_a_tree_without_end_is_refused(tmp_path: Path) -> None:
    repo = repository(tmp_path / "bomb")
    oid = git(tmp_path / "bomb", "hash-object", "-w", "--stdin", stdin=b"x")
    kind = b"100644 file.md\0" + bytes.fromhex(oid)
    for _ in range(9):
        tree = repo.ask("hash-object", "-t", "tree", "-w", "--stdin", stdin=kind)
        kind = b"".join(b"40000 d%d\0" % number + bytes.fromhex(tree) for number in range(10))
    tree = repo.ask("hash-object", "-t", "tree", "-w", "--stdin", stdin=kind)
    commit = git(tmp_path / "bomb", "commit-tree", tree, "-m", "bomb")
    git(tmp_path / "bomb", "update-ref", "refs/heads/main", commit)
    with pytest.raises(FatalError):
        sources.gather(f"file://{tmp_path / 'bomb'}")


def test_nothing_of_a_source_is_run(team: Path, tmp_path: Path) -> None:
    (team / ".gitattributes").write_text("* filter=evil\n")
    canary = tmp_path / "canary"
    git(team, "config", "core.fsmonitor", f"touch {canary}")
    git(team, "config", "uploadpack.packObjectsHook", f"touch {canary}")
    sources.gather(str(team))
    sources.gather(f"file://{team}")
    assert not canary.exists()
    assert subprocess.run(["git", "--version"], capture_output=True, check=True).returncode == 0
