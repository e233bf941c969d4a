"""Where a model is asked, and with whose key: never as a project wants it."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitinstinct.config import Observer
from gitinstinct.observer.model import access
from gitinstinct.observer.model.asking import Unanswered

ENV = {"ANTHROPIC_API_KEY": "sk-mine"}


def test_the_key_is_in_the_environment_and_the_address_is_the_usual_one() -> None:
    found = access.of(Observer(), "", ENV)
    assert (found.address, found.key, found.token) == ("https://api.anthropic.com", "sk-mine", "")
    assert access.of(Observer(), "", {"ANTHROPIC_AUTH_TOKEN": "t"}).token == "t"


def test_a_key_is_never_shown() -> None:
    assert "sk-mine" not in repr(access.of(Observer(), "", ENV))


def test_the_environment_does_not_choose_the_address() -> None:
    found = access.of(Observer(), "", ENV | {"ANTHROPIC_BASE_URL": "https://evil.example"})
    assert found.address == "https://api.anthropic.com"


@pytest.mark.parametrize(
    "name", [".env", ".envrc", ".claude/settings.json", ".claude/settings.local.json", "mise.toml"]
)
@pytest.mark.parametrize("variable", ["ANTHROPIC_API_KEY", "HTTPS_PROXY", "SSL_CERT_FILE", "ANTHROPIC_CUSTOM_HEADERS"])
def test_what_a_file_of_the_project_sets_is_not_believed(name: str, variable: str, tmp_path: Path) -> None:
    (tmp_path / ".claude").mkdir()
    (tmp_path / name).write_text(f"{variable}=theirs")
    with pytest.raises(Unanswered, match=variable) as caught:
        access.of(Observer(), str(tmp_path), ENV | {variable: "theirs"})
    assert "theirs" not in caught.value.message
    assert caught.value.spent is not None
    assert caught.value.spent.tokens == 0
    with pytest.raises(Unanswered):
        access.of(Observer(), "", ENV | {variable: "theirs", "CLAUDE_PROJECT_DIR": str(tmp_path)})


def test_a_variable_that_is_named_and_not_set_disturbs_nobody(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("HTTPS_PROXY=x\nANTHROPIC_BASE_URL=https://evil.example")
    assert access.of(Observer(), str(tmp_path), ENV).key == "sk-mine"


def test_a_key_of_ones_own_file_beats_the_environment(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("sk-file\n")
    (tmp_path / ".env").write_text("ANTHROPIC_API_KEY=theirs")
    chosen = Observer(key_file=str(tmp_path / "key"))
    assert access.of(chosen, str(tmp_path), {"ANTHROPIC_API_KEY": "theirs"}).key == "sk-file"


@pytest.mark.parametrize("text", ["", "two words", "a\nb", "schlüssel"])
def test_a_file_that_holds_no_key_is_named(text: str, tmp_path: Path) -> None:
    (tmp_path / "key").write_text(text, "utf-8")
    with pytest.raises(Unanswered, match="key"):
        access.of(Observer(key_file=str(tmp_path / "key")), "", ENV)


def test_a_key_file_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(Unanswered, match=r"none\.txt cannot be read"):
        access.of(Observer(key_file=str(tmp_path / "none.txt")), "", ENV)


def test_no_key_is_a_sentence_with_a_way_out() -> None:
    with pytest.raises(Unanswered, match="no key") as caught:
        access.of(Observer(), "", {})
    assert "observer.key_file" in caught.value.hint


@pytest.mark.parametrize(
    "address", ["http://api.example.com", "ftp://x", "api.example.com", "https://a:b@x.example", "["]
)
def test_an_address_is_https_or_near(address: str) -> None:
    with pytest.raises(Unanswered, match="no https address"):
        access.of(Observer(address=address), "", ENV)


@pytest.mark.parametrize("address", ["https://gateway.example/anthropic/", "http://127.0.0.1:8080", "http://[::1]:1"])
def test_an_address_of_ones_own_is_used_and_told(address: str) -> None:
    chosen = Observer(address=address)
    assert access.of(chosen, "", ENV).address == address.rstrip("/")
    assert access.host(chosen) in address
    assert access.host(chosen)
    assert access.host(Observer()) == ""
