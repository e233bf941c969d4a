"""The way back from all projects."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitinstinct import paths
from gitinstinct.errors import Found
from gitinstinct.instinct import markdown, words
from gitinstinct.promote import branches, demote, news
from gitinstinct.promote.demote import Back, Demoted, Way, Word
from gitinstinct.store import homes
from gitinstinct.store import store as stores
from gitinstinct.store.layout import About
from gitinstinct.store.store import Store
from gitinstinct.teach import commands
from gitinstinct.trust import book
from tests.support import projects
from tests.support.projects import API, CLI, NAME, made, more, promote, put, two
from tests.support.repos import git
from tests.support.stores import NOW, assert_sound, new_store, subjects
from tests.support.teaching import apply, said


def demoted(name: str = NAME, *, about: About | None = CLI, why: str = "too broad", rehearse: bool = False) -> Demoted:
    def home() -> Store | None:
        return new_store(about=about) if about else None

    return demote.demote(projects.everybody(), name, Word(why, NOW, "nonce"), home, about, rehearse=rehearse)


def test_it_is_put_away_with_the_reason_and_stays_where_projects_have_it() -> None:
    two()
    promote()
    found = demoted()
    assert (found.way, found.back, found.projects) == (Way.ARCHIVED, Back.KEPT, ("api", "web"))
    assert projects.there().written["status"] == "archived"
    assert projects.there().ledger[-1].text == "demoted: too broad"
    assert subjects(projects.everybody())[0] == f"demote: {NAME}"
    assert_sound(projects.everybody())


def test_what_no_project_has_any_more_goes_back_to_the_one_at_hand() -> None:
    api, web = two()
    promote()
    for held in (api, web):
        apply(held, said("archive", at=NOW), NAME)
    found = demoted()
    assert found.back == Back.GIVEN
    cli = stores.open(Path(paths.store(CLI.project_id)))
    given = markdown.parse(projects.data(cli))
    assert (given.scope, given.project_id, given.project_name) == ("project", CLI.project_id, "cli")
    assert given.written["confirmations"] == 24
    assert given.written["status"] == "active"
    assert words.content_hash(given) in book.approved()
    assert_sound(cli)


def test_what_the_project_has_put_away_itself_stays_put_away() -> None:
    api, web = two()
    promote()
    for held in (api, web):
        apply(held, said("archive", at=NOW), NAME)
    assert demoted(about=API).back == Back.PUT_AWAY
    assert markdown.parse(projects.data(api)).written["status"] == "archived"


def test_what_no_session_has_said_yet_is_not_said_any_more() -> None:
    two()
    promote()
    news.add(["another"])
    demoted()
    assert Path(paths.news()).read_text() == "another\n"


def test_without_a_project_it_is_only_put_away() -> None:
    put(homes.make_global(NOW), made(API))
    assert demoted(about=None).back == Back.NONE


def test_twice_is_once() -> None:
    two()
    promote()
    demoted()
    before = git(projects.everybody().path, "rev-parse", "main")
    assert demoted().way == Way.NOTHING
    assert git(projects.everybody().path, "rev-parse", "main") == before


def test_a_rehearsal_writes_nothing() -> None:
    api, web = two()
    promote()
    for held in (api, web):
        apply(held, said("archive", at=NOW), NAME)
    before = [git(held.path, "rev-parse", "main") for held in (api, web, projects.everybody())]
    assert demoted(rehearse=True).back == Back.GIVEN
    assert before == [git(held.path, "rev-parse", "main") for held in (api, web, projects.everybody())]
    assert not Path(paths.store(CLI.project_id)).exists()


def test_a_promotion_that_waits_is_withdrawn_and_may_be_made_again(tmp_path: Path) -> None:
    api, _ = two()
    held = projects.shared(tmp_path / "remote")
    promote()
    assert demoted().way == Way.WITHDRAWN
    assert branches.waiting(held.repo) == []
    assert "promoted" not in {entry.kind for entry in markdown.parse(projects.data(api)).ledger}
    more(api, "later")
    promote()
    assert projects.there(revision=f"promote/{NAME}").written["confirmations"] == 25


def test_one_that_was_published_waits_at_the_remote_and_that_is_told(tmp_path: Path) -> None:
    two()
    held = projects.shared(tmp_path / "remote")
    promote()
    assert not demoted(rehearse=True).is_published
    git(held.path, "update-ref", f"refs/remotes/origin/promote/{NAME}", f"refs/heads/promote/{NAME}")
    found = demoted()
    assert (found.way, found.is_published) == (Way.WITHDRAWN, True)
    [waiting] = branches.waiting(held.repo)
    assert (waiting.here, waiting.there is not None) == (None, True)


def test_a_promotion_after_it_stops_until_a_person_restores_it() -> None:
    api, _ = two()
    promote()
    demoted()
    more(api, "later")
    with pytest.raises(Found, match="was put away") as stopped:
        promote()
    assert stopped.value.hint == f"bring it back first: gitinstinct restore {NAME} --global"
    apply(projects.everybody(), commands.Command("restore", NOW, "again", value=70), NAME)
    promote()
    assert projects.there().written["status"] == "active"


@pytest.mark.parametrize("name", ["unknown", "../x", "-x", ""])
def test_what_is_not_there_is_said(name: str) -> None:
    homes.make_global(NOW)
    with pytest.raises(Found, match="the global store has no"):
        demoted(name)


def test_one_without_a_ledger_is_adopted_first() -> None:
    text = made(API).decode()
    bare = text[: text.index("## Evidence")].replace("confirmations: 12\n", "")
    put(homes.make_global(NOW), bare.encode())
    demoted(about=None)
    assert [entry.kind for entry in projects.there().ledger] == ["set", "archived"]
