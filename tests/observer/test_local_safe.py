# ruff: noqa: RUF001 -- letters of other alphabets
"""Which tokens may be part of an instinct's words."""

from __future__ import annotations

import pytest

from gitinstinct.observer.local.safe import is_word

WORDS = """
npm pnpm C++ g++ .env src/main snake_case camelCase ModuleNotFoundError UnsupportedClassVersionError
JSONDecodeError EOFError ERR_PNPM_OUTDATED_LOCKFILE EADDRINUSE TS2307 ORA-00942 x86_64 base64 OAuth2 k8s
python3.11 db:migrate @scope/pkg --force-with-lease golangci-lint internationalization Leerzeichen пробелы var
Users préférence mcp--browser--take-screenshot
""".split()

NO_WORDS = """
/home/ann/x /Users/ann ~/x ../x home/ann/x C:/Users/ann/x [REDACTED:token] redacted deadbeef01234567 a1b2c3d4e5
hunter2hunter2 ghp_a1B2c3D4e5F6g7H8i9J0 AKIAZLXPPDJIWWPWFROO ZSXfEsXVVHRmmXCWdl h8tQYw8D GquLHAIPAEhTfrea
eyJhbGciOiJIUzI1NiJ9 парольUOnF abcdefghijklmnopqrstuvwxyz 12345678
""".split()


@pytest.mark.parametrize("word", WORDS)
def test_words_of_tools(word: str) -> None:
    assert is_word(word)


@pytest.mark.parametrize("word", ["", "x" * 41, *NO_WORDS])
def test_keys_hashes_and_folders_are_none(word: str) -> None:
    assert not is_word(word)
