"""What may be a remote's address, and what git never gets to see."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitinstinct.errors import UsageError
from gitinstinct.git.url import Address, parse, shown


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("https://github.com/acme/x.git", Address("https", "https://github.com/acme/x.git", "github.com")),
        ("https://ann@GitHub.com:443/acme/x", Address("https", "https://ann@GitHub.com:443/acme/x", "github.com")),
        ("https://host/~ann/my%20x", Address("https", "https://host/~ann/my%20x", "host")),
        ("git@github.com:Acme/My-API.git", Address("ssh", "git@github.com:Acme/My-API.git", "github.com")),
        ("work:~/x.git", Address("ssh", "work:~/x.git", "work")),
        ("git@[::1]:/srv/x", Address("ssh", "git@[::1]:/srv/x", "[::1]")),
        ("ssh://git@git.acme.com:2222/team/app.git", Address("ssh", "ssh://git@git.acme.com:2222/team/app.git",
                                                            "git.acme.com")),
        ("http://127.0.0.1:8080/x.git", Address("http", "http://127.0.0.1:8080/x.git", "127.0.0.1")),
        ("http://[::1]:80/x", Address("http", "http://[::1]:80/x", "[::1]")),
        ("http://localhost/x", Address("http", "http://localhost/x", "localhost")),
        ("/srv/git/My App.git", Address("file", "/srv/git/My App.git")),
        ("file:///srv/git/App%20x.git", Address("file", "/srv/git/App x.git")),
        ("file://localhost/srv/x", Address("file", "/srv/x")),
        ("C:\\git\\x", Address("file", "file:///C:/git/x")),
    ],
)  # fmt: skip
def test_what_may_be_an_address(text: str, address: Address) -> None:
    assert parse(text) == address


@pytest.mark.parametrize(
    "text",
    [
        "ext::sh -c touch% x", "EXT::sh -c x", " ext::x", "fd::17", "transport::https://x/y", "--upload-pack=x",
        "-oProxyCommand=x:y", "ssh://-oProxyCommand=x/", "ssh://git@-h/x", "git@-h:x", "-u@h:x", "h:-x", "ssh://h/-x",
        "http://example.com/x", "http://127.0.0.1.evil.org/x", "git://h/x", "ftp://h/x", "javascript:alert(1)",
        "file:x", "https:/h/x", "file://host/x", "//host/x", "\\\\unc\\x", "$HOME/x", "~/x", "./x", "../x", "x/y", "x",
        "", "host:", "https://h", "https://h/", "https://h:99999999/x", "https://h:²/x", "https://ü.com/x",
        "https://h/x y", "https://h\\@evil/x", "https://h/`x`", "https://h/x?token=1", "https://h/x#y",
        "a\nb", "https://h/x\n", "https://h/\0", "https://h/\x1b[31m", "file:///a%0ab", "/srv/\u202ex",
        "/" + "x" * 5000,
    ],
)  # fmt: skip
def test_everything_else_is_refused_before_git_runs(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse(text)
    assert caught.value.hint
    assert caught.value.message.isprintable()
    assert len(caught.value.message) < 250


@pytest.mark.parametrize(
    "text",
    ["https://u:zq7wvx@h/x", "https://:zq7wvx@h/x", "https://u:zq7/wvx@h/x", "https://u:zq7@wvx@h/x", "u:zq7wvx@h:x",
     "ssh://u:zq7wvx@h/x", "git://u:zq7wvx@h/x", "https://h/x?token=zq7wvx", "https://u:zq7 wvx@h/x"],
)  # fmt: skip
def test_a_password_is_refused_and_never_shown(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse(text)
    assert "zq7" not in caught.value.message + caught.value.hint
    assert "wvx" not in caught.value.message


@given(st.text())
def test_what_is_shown_is_printable(text: str) -> None:
    assert shown(text).isprintable()


@given(st.text(alphabet=st.sampled_from("-:/@.[]ahtps\\ \n?%$~")))
def test_what_is_let_through_is_no_option_and_runs_nothing(text: str) -> None:
    try:
        found = parse(text)
    except UsageError:
        return
    assert not found.url.startswith("-")
    assert "::" not in found.url.partition("[")[0] or found.kind == "file"
    assert not found.host.startswith("-")
