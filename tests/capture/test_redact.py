"""Every kind of secret through every wrapper; harmless text byte for byte; twice is once; linear time."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitinstinct.capture import redact
from tests.data import secret_samples
from tests.data.secret_samples import BENIGN, HEX, SAMPLES, WRAPPERS, Sample, body, fragments

WRAP = cast(dict[str, Callable[[str], str]], WRAPPERS)
FIRST, SECOND = ([sample for sample in SAMPLES if sample.tier == tier] for tier in (1, 2))
PASS = "pass" + "word"


def leaks(text: str, secrets: tuple[str, ...]) -> list[str]:
    pieces = [piece for secret in secrets for piece in (secret, *fragments(secret))]
    return [piece for piece in pieces if piece in text]


@pytest.mark.parametrize("wrapper", WRAP)
@pytest.mark.parametrize("samples", [FIRST, SECOND], ids=["surely", "likely"])
def test_no_piece_of_a_secret_is_left_however_the_text_is_wrapped(wrapper: str, samples: list[Sample]) -> None:
    missed = {sample.kind for sample in samples if leaks(redact.redact(WRAP[wrapper](sample.text)), sample.secrets)}
    assert missed == set()


@pytest.mark.parametrize("wrapper", WRAP)
def test_what_stands_around_a_secret_stays(wrapper: str) -> None:
    lost = []
    for sample in FIRST + SECOND:
        text = WRAP[wrapper](sample.text)
        out = redact.redact(text)
        lost += [(sample.kind, word) for word in sample.keep if word in text and word not in out]
    assert lost == []


@pytest.mark.parametrize("wrapper", sorted(set(WRAP) - {"ansi-colour", "nul-before"}))
def test_harmless_text_comes_out_byte_for_byte(wrapper: str) -> None:
    changed = [text.kind for text in BENIGN if redact.redact(WRAP[wrapper](text.text)) != WRAP[wrapper](text.text)]
    assert changed == []


@pytest.mark.parametrize("wrapper", WRAP)
def test_twice_is_once(wrapper: str) -> None:
    texts = [redact.redact(WRAP[wrapper](sample.text)) for sample in SAMPLES]
    assert [text for text in texts if redact.redact(text) != text] == []


# Families that the samples file does not hold.
MORE = [
    ("the {p} in a URL of several hosts", "mongodb+srv://app:{s}@a.example,b.example/db", "b.example/db"),
    ("a slash in the {p} of a URL", "amqp://svc:a/{s}@mq.example/vhost", "mq.example"),
    ("a URL with escaped slashes", r'{{"url": "https:\/\/u:{s}@h.example\/r"}}', "h.example"),
    ("a token for a user in front of a key", "https://{s}@o1.ingest.example/2", "o1.ingest.example/2"),
    ("netrc", "machine api.example login me {p} {s}", "machine api.example"),
    ("an ini file", "[db]\n{p} = {s}\nport = 1\n", "port = 1"),
    ("a Java field", 'String {p} = "{s}";', "String"),
    ("a TypeScript constant", 'const {p}: string = "{s}";', "string"),
    ("a PHP define", "define('DB_{p}', '{s}');", "define"),
    ("a setter", 'source.setPassword("{s}");', "source"),
    ("a default of the environment", "os.getenv('API_TOKEN', '{s}')", "API_TOKEN"),
    ("a fallback", "process.env.API_TOKEN || '{s}'", "process.env"),
    ("a comparison", "if {p} == '{s}':", "if"),
    ("a Dockerfile", "ENV DB_{p} {s}", "ENV"),
    ("Windows", "setx API_TOKEN {s}", "setx"),
    ("a fish shell", "set -gx API_TOKEN {s}", "set -gx"),
    ("Kubernetes", "env:\n- name: DB_{p}\n  value: {s}\n- name: X\n  value: plain", "value: plain"),
    ("a property list", "<key>APIKey</key>\n<string>{s}</string>", "APIKey"),
    ("an XML attribute", '<server user="a" {p}="{s}"/>', 'user="a"'),
    ("an XML element with attributes", '<wsse:Password Type="x">{s}</wsse:Password>', 'Type="x"'),
    ("a YAML list", "api_keys:\n  - {s}\nport: 1", "port: 1"),
    ("two cookies", "Cookie: sid={s}; theme=dark", "Cookie"),
    ("curl's cookies", "curl -b 'sid={s}' https://x.example", "https://x.example"),
    ("mysql", "mysql -u root -p{s} shop", "shop"),
    ("ODBC", "Driver=x;Pwd={{{s}}};", "Driver=x"),
    ("an OAuth header", 'Authorization: OAuth realm="x", oauth_token="{s}"', "Authorization"),
    ("an upper-case flag", "tool --CLIENT_SECRET {s} run", "run"),
    ("another language", "пароль: {s}", "пароль"),
    ("prose", "my api key is: {s} thanks", "thanks"),
    ("a SQL statement", "ALTER USER app IDENTIFIED BY '{s}';", "ALTER USER app"),
    ("a signed address", "https://b.example/k?Expires=1&Signature={s}%3D", "Expires=1"),
]


@pytest.mark.parametrize(
    ("text", "keep"), [row[1:] for row in MORE], ids=[row[0].format(p="word", s="") for row in MORE]
)
def test_further_places_of_secrets(text: str, keep: str) -> None:
    secret = body(text, 24)
    out = redact.redact(text.format(p=PASS, s=secret))
    assert leaks(out, (secret,)) == []
    assert keep in out


@pytest.mark.parametrize(
    "name",
    "REDISCLI_AUTH DB_PASSWD SMTP_PASS AWS_CREDS SESSION_SECRET SECRET_KEY_BASE API_KEY_PROD DB_PASSWORD_2 accessToken"
    " secretAccessKey ACCESS-TOKEN wifiPassphrase masterkey SubscriptionKey ansible_ssh_pass X-Auth-Key".split(),
)
@pytest.mark.parametrize(
    "text",
    ["{n}={s}", "export {n}={s}; run", "{n}: {s}", '"{n}": "{s}",', "'{n}' => '{s}'", "--{n} {s}", "?a=1&{n}={s}&b=2"],
)
def test_every_name_that_ends_in_a_telling_word(name: str, text: str) -> None:
    secret = body(name, 20)
    assert secret not in redact.redact(text.format(n=name, s=secret))


@pytest.mark.parametrize(
    "value", ["aB3x", "hunter2", "swordfish", "pässwörd", "!@#$%^&*()", "correct horse battery staple"]
)
def test_a_chosen_one_goes_however_weak(value: str) -> None:
    assert value not in redact.redact(f'{PASS}="{value}"')


def test_the_word_behind_a_flag_goes_and_not_the_next_one() -> None:
    assert redact.redact(f"tool --{PASS} Swordfish production-db") == f"tool --{PASS} [REDACTED:password] production-db"


HARMLESS = """
token expired yesterday
error: password authentication failed for user "app"
SyntaxError: Unexpected token '}'
syntax error near unexpected token `('
WWW-Authenticate: Bearer realm="example", error="invalid_token"
headers["Authorization"] = f"Bearer {token}"
-H 'Authorization: Bearer <token>'
curl -u "$USER:$PASS" https://api.example
docker run --user 1000:1000 image
  -p, --password string   Password or Personal Access Token
usage: tool [--token TOKEN] [--password PASSWORD]
export TOKEN="$(cat token.txt)"
"forgot_password": "Forgot your password?",
"password": {"type": "string", "minLength": 8}
required: ["username", "password", "email"]
<label for="password">Password</label>
next_token: abc123def456
"pad_token": "<pad>", "eos_token": "</s>"
{"usage": {"input_tokens": 10, "output_tokens": 402}}
secretKeyRef: { name: db-secret, key: password }
fetch(url, { credentials: "same-origin" })
password: z.string().min(8)
password = getpass.getpass("Password: ")
let token = parser.next()?;
arn:aws:secretsmanager:us-east-1:123456789012:secret:db-AbCd3f
DB_PASSWORD_FILE=/run/secrets/db_password
PWD=/home/me/project
SECRET_KEY = os.getenv("SECRET_KEY")
api_key="YOUR_API_KEY"
OPENAI_API_KEY=sk-...
token = "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE
grep -n "BEGIN RSA PRIVATE KEY" -r .
if "-----BEGIN PRIVATE KEY-----" in text:
https://example.com/@user/post
postgres://user:${PASSWORD}@localhost/db
risk-assessment-2024-quarter-four-report
document.cookie = "theme=dark; path=/"
"jsonwebtoken": "^9.0.0",
PYTHONHASHSEED=0
👩🏽‍💻 et café, لا تستخدم npm
""".strip().splitlines()


@pytest.mark.parametrize("text", HARMLESS)
def test_further_harmless_text(text: str) -> None:
    assert redact.redact(text) == text
    assert redact.redact(json.dumps({"command": text})) == json.dumps({"command": text})


# --- hidden and wide signs


@pytest.mark.parametrize(
    "hide",
    [
        lambda text: text.replace("s", "s\u200b", 1),
        lambda text: text.replace("w", "\u2060w"),
        lambda text: f"\u202e{text}",
        lambda text: "".join(chr(ord(sign) + 0xFEE0) if sign == "=" else sign for sign in text),
        lambda text: text.replace("=", "\x1b[0m=\x1b[33m"),
        lambda text: json.dumps("\x1b[32m" + text),
    ],
    ids=["zero-width", "joiner", "override", "wide", "colour", "colour-as-json"],
)
def test_hidden_signs_hide_nothing(hide: Callable[[str], str]) -> None:
    secret = body("hidden", 20)
    assert secret not in redact.redact(hide(f"{PASS}={secret}"))


def test_terminal_sequences_go_and_cannot_be_put_together_by_that() -> None:
    assert redact.redact("\x1b[31mred\x1b[0m \x1b]0;title\x07ok\x00") == "red ok"
    assert "\x1b" not in redact.redact("\x1b\x1b[31m[31mx")


def test_a_forged_placeholder_protects_nothing() -> None:
    secret = body("forged", 16)
    assert secret not in redact.redact(f"{PASS}=[REDACTED:x]{secret}")


# --- private keys

KEY = "-----{} RSA PRIVATE" + " KEY-----"
ROWS = [body(f"row{i}", 64, secret_samples.B64) for i in range(6)]
BLOCK = [KEY.format("BEGIN"), *ROWS, body("last", 20, secret_samples.B64) + "==", KEY.format("END")]


@pytest.mark.parametrize(
    "mark",
    [
        "{row}",
        "    {row}",
        "+{row}",
        "-{row}",
        "> {row}",
        "{n:6d}\t{row}",
        "{n:6d}\u2192{row}",
        "{n} | {row}",
        "api_1  | {row}",
        "id_rsa-{n}-{row}",
        "a1b2c3d4 (Me 2026-01-01 {n}) {row}",
        "2026-11-29T10:00:00Z {row}",
        '  "{row}\\n" +',
    ],
)
@pytest.mark.parametrize("cut", [slice(None), slice(0, 4), slice(3, None)], ids=["whole", "head", "tail"])
def test_no_row_of_a_private_key_is_left(mark: str, cut: slice) -> None:
    rows = [mark.format(n=number, row=row) for number, row in enumerate(BLOCK, 1)][cut]
    out = redact.redact("\n".join(["before it", *rows, "and after it"]))
    assert [row for row in ROWS if row in out] == []
    assert out.startswith("before it")
    assert out.endswith("and after it")


@pytest.mark.parametrize("join", ["\\n", " ", "\\\\n", "\\r\\n"])
def test_no_row_of_a_private_key_on_one_line_is_left(join: str) -> None:
    out = redact.redact(f'KEY="{join.join(BLOCK)}" && run')
    assert [row for row in ROWS if row in out] == []
    assert "&& run" in out


# --- structured values


def test_below_a_telling_key_everything_goes_but_what_is_nothing() -> None:
    value = {
        "credentials": {"id": 7, "value": "x"},
        "api_keys": ["a", "b"],
        PASS: 12345678,
        "token": None,
        "secret": False,
        "pwd": "",
    }
    assert redact.redact_value(value) == {
        "credentials": {"id": "[REDACTED:secret]", "value": "[REDACTED:secret]"},
        "api_keys": ["[REDACTED:key]", "[REDACTED:key]"],
        PASS: "[REDACTED:password]",
        "token": None,
        "secret": False,
        "pwd": "",
    }


def test_counts_names_and_marks_of_lists_stay() -> None:
    value = {
        "max_tokens": 4096,
        "tokens": 12,
        "next_token": "abc123def456",
        "primary_key": "id",
        "usage": {"input_tokens": 3},
    }
    assert redact.redact_value(value) == value


def test_a_pair_of_name_and_value_is_a_key_and_its_value() -> None:
    assert redact.redact_value([{"name": "DB_" + PASS, "value": "x1"}, {"name": "PORT", "value": "80"}]) == [
        {"name": "DB_" + PASS, "value": "[REDACTED:password]"},
        {"name": "PORT", "value": "80"},
    ]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@settings(deadline=None, max_examples=60)
@given(
    value=json_values,
    sample=st.sampled_from(FIRST),
    places=st.lists(st.sampled_from(["list", "dict", "key"]), max_size=4),
)
def test_a_secret_is_found_at_any_place_of_any_value(value: Any, sample: Sample, places: list[str]) -> None:
    nested: Any = sample.text
    for place in places:
        nested = {"list": [value, nested], "dict": {"x": nested, "y": value}, "key": {"k": value, "z": [nested]}}[place]
    out = json.dumps(redact.redact_value(nested), ensure_ascii=False)
    assert leaks(out, sample.secrets) == []


@settings(deadline=None, max_examples=150)
@given(text=st.text(alphabet="pastokenwrdk_-:= \"'\\{}[]()<>&@/.,;\n\t1aB$", max_size=120))
def test_any_text_is_taken_and_twice_is_once(text: str) -> None:
    once = redact.redact(text)
    assert redact.redact(once) == once


# --- by value, by kind, without cost


def test_known_values_of_the_environment_go_wherever_they_stand() -> None:
    odd = "zq9" + body("env", 12)
    env = {
        "CI_DEPLOY_TOKEN": odd,
        "MY_TOKEN": "true",
        "DB_PASSWORD": "postgres",
        "SECRET_DIR": odd[::-1],
        "API_KEY": "/etc/key1",
    }
    known = redact.known_values(env)
    assert known == (odd,)
    assert redact.redact(f"deploy said {odd} twice", known) == "deploy said [REDACTED:environment] twice"


def test_findings_name_kinds_and_never_values() -> None:
    token = "gh" + "p_" + body("found", 36)
    assert redact.findings(f"first {token}, then {PASS}=hunter2") == ["github-token", "password"]
    assert redact.findings("nothing to see, 40 hex: " + body("sha", 40, HEX)) == []


def test_quiet_text_is_told_without_the_regular_expressions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gitinstinct.capture.redact.engine", None)
    for text in (
        "uv run pytest -q tests/test_upload.py",
        "4 passed in 0.42s",
        "Path to the author's keyboard",
        "päth, ünd 文字",
    ):
        assert redact.redact(text) == text


HOSTILE = {
    "blanks": " ",
    "tabs": "\t",
    "quotes": '"',
    "backslashes": "\\",
    "urls": "a://b:",
    "assignments": PASS + "=",
    "headers": "authorization: ",
    "jwt": "ey" + "J0ey" + "J0.",
    "jwt-run": "ey" + "J",
    "begins": BLOCK[0] + "\n",
    "begins-glued": BLOCK[0],
    "ends": BLOCK[-1] + "\n",
    "digits": "1234567890",
    "dots": ".",
    "words": "token" + " " * 50,
    "curl": "curl -u ",
    "braces": PASS + ": {",
    "blocks": PASS + ": |\n  a\n",
    "lists": PASS + "=[",
    "marks": "[REDACTED:",
    "keys": "key",
}


@pytest.mark.parametrize("unit", HOSTILE.values(), ids=HOSTILE)
def test_work_grows_no_faster_than_the_text(unit: str) -> None:
    assert _steps(unit, 16_000) <= 6 * _steps(unit, 4_000) + 4_000


def _steps(unit: str, size: int) -> int:
    """Lines of our own code that run for a text: a measure that no other process disturbs. See also bench/redact.py."""
    counted = 0

    def trace(frame: Any, event: str, arg: object) -> Any:
        nonlocal counted
        counted += event == "line"
        return trace if "/redact/" in frame.f_code.co_filename else None

    text = (unit * (size // len(unit) + 1))[:size]
    before = sys.gettrace()
    sys.settrace(trace)
    try:
        redact.redact(text)
    finally:
        sys.settrace(before)
    return counted
