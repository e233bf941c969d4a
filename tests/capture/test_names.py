"""What the name of a key says about its value."""

from __future__ import annotations

import pytest

from gitinstinct.capture.redact import names

STRONG = """DB_PASSWORD dbPassword db-password auth.rootPassword pgpassword ApI-kEy x-api-key
    AWS_SECRET_ACCESS_KEY MYSQL_PWD SSHPASS DB_PASS2 DB_PASSWORD_PROD accessToken
    PRIVATE-TOKEN AccountKey SECRET_KEY_BASE
    Set-Cookie Authorization api_keys tokens пароль 密码""".split()
WEAK = "DD_APP_KEY base64Key key _auth NPM_CONFIG__AUTH salt".split()
NONE = """author authority keyboard monkey tokenizer secretary compass bypass passed password_hash token_url
    private_key_id primary_key cacheKey publicKeyToken next_token nextToken pageToken max_tokens input_tokens
    credential.helper session_id path""".split()


@pytest.mark.parametrize(
    ("name", "judged"),
    [
        *((name, names.STRONG) for name in STRONG),
        *((name, names.WEAK) for name in WEAK),
        *((name, names.NONE) for name in NONE),
    ],
)
def test_how_sure_a_name_makes(name: str, judged: str) -> None:
    assert names.judge(name) == judged


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("AWS_SECRET_ACCESS_KEY", "aws secret access key"),
        ("APIKey", "api key"),
        ("x-api-key", "x api key"),
        ("dbPassword2", "db password2"),
        ("__", ""),
    ],
)
def test_the_words_of_a_name(name: str, words: str) -> None:
    assert names.split(name) == words.split()


@pytest.mark.parametrize("before", ["", "İ", "İİ ß ", "ΑΣ "])
def test_a_name_is_found_where_it_stands_whatever_letters_come_before(before: str) -> None:
    text = f"{before}x my_Token=1"
    assert [text[start:end] for start, end in names.found_in(text)] == ["my_Token"]
