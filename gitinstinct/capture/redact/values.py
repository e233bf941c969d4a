"""What a value's look says: a stand-in, prose, code, or something that a machine made.

A redactor that blanks `token = get_token()` or `password: required` destroys what patterns are found from. So a value
next to a telling name is still looked at; only what cannot be told from a secret goes.

Patterns stand as text and are compiled at their first use: compiling all of them would take longer than a hook may.
"""

from __future__ import annotations

import re

from gitinstinct.capture.redact import names

# References, templates, masks, patterns and times: where a secret comes from, or that there is none.
_STAND_IN = r"""(?xsi)
    \[(?:REDACTED(?::[\w-]{1,40})?|hidden|masked|filtered|secret|removed)\] | <[^<>]*>? | \(\w[\w ]*\)
    | \$\{[^}]*\}?.* | \$\(.* | \$\w+(?:[:.]\w+)* | \$\{\{.* | \#\{.* | `.* | %\w+% | %[sdr@v] | %\(\w+\)s
    | \{[A-Za-z_.\ ]*\}? | \{\{.* | @\w+@ | !\w+.* | ENC\[.* | https?://[^@]* | data: | arn:aws.*
    | (?:op|vault|secret|ref\+\w+|keyring|env|file|ssm|sops|doppler|bao)://?.*
    | (?:vault|env|file|ssm|secretsmanager):[\w/.:#-]+
    | [\w-]{0,20}(?:\.{3}|[xX]{6,}) | (?:\.[*+]|\[\^|\(\?|\\[wsd][*+]).* | \d{4}-\d\d-\d\d[T\d:.+Z\ -]*
    | (?:your|my|some|the|example|sample|dummy|fake|insert|enter|replace)[-_ ].*(?:here|key|token|secret|password)
    | (?:x{3,}|\*{2,}|\.{3,}|•{2,}|-{3,}).* | [Xx*•.#_-]+(?:[ -][Xx*•.#_-]+)*
"""
_WORDS = frozenset(
    "none null nil undefined true false yes no on off string str text bool boolean number int integer long bytes char"
    " any object unknown never void self required optional missing invalid expired incorrect wrong unset empty hidden"
    " masked redacted encrypted disabled enabled revoked failed ok okay default changeme change_me placeholder example"
    " sample todo fixme tbd n/a na username user email file env stdin prompt ask value varchar list dict map array type"
    " name input output readonly password passwd pass passphrase secret token key apikey api_key access_token jwt"
    " current-password new-password one-time-code basic bearer oauth oauth2 github google include omit same-origin is"
    " was are has must should can will and or not the a an to for from with when if in of by at as it option flag"
    " argument parameter field header variable instead await new function async return lambda typeof yield let const"
    " var import export interface private public protected static final class def func fn pub mut inherit stored"
    " generated test testing foo bar dummy fake mock rotated rotation mismatch refresh reset validation login prompted"
    " provided set used uses using".split()
)
_FUNCTION_WORDS = frozenset(
    "the your you a an is are was to must should for of and or not with this that in on at be has have can cannot will"
    " please if from by it we no do does least der die das und le la les de el los para por".split()
)
_SECRET_WORDS = ("pass", "pwd", "secret", "token", "key", "cred", "auth")
_CHAIN = r"[A-Za-z_$]\w*(?:[?!]?(?:\.|->|::)[A-Za-z_]\w*)+"
_CALL = r"[A-Za-z_$][\w$.]*(?:\?\.)?[(\[]"
_TEMPLATE = r"\$?\{[^{}]*\}|%[sdr]|\$\w+|<[^<>]*>"


def stand_in(value: str) -> bool:
    """Whether a value says that a secret is elsewhere or not there: empty, masked, a reference, a template, a word."""
    value = value.strip()
    lowered = value.lower()
    if len(set(value)) < 2 or lowered in _WORDS or lowered.endswith(("xxxxxx", "example", "examplekey")):
        return True
    return not value.isalnum() and re.fullmatch(_STAND_IN, value) is not None


def wordy(text: str) -> bool:
    """Whether a text is made of words and small numbers, as names, versions and dates are."""
    return all([_is_word(part) for part in _parts(text)])


def random(text: str, least: int = 6) -> bool:
    """Whether a text without blanks looks made by a machine, or chosen to be hard to guess."""
    return len(text) >= least and not stand_in(text) and not wordy(text) and not _is_path(text)


def key_like(text: str, least: int = 16) -> bool:
    """Whether a text looks like a generated key even without a telling name: a long run of many different signs."""
    longest = max(_parts(text), key=len, default="")
    return (
        random(text, least)
        and re.fullmatch(r"[\w+/=.~:%-]+", text) is not None
        and len(longest) >= least // 2
        and len(set(longest)) >= 6
        and not longest.isalpha()
    )


def quoted_secret(value: str, name: str) -> bool:
    """Whether what stands in quotes after a telling name is a secret."""
    if stand_in(value) or value.lower() in _spellings(name):
        return False
    if names.judge(name) == names.WEAK:
        return _weak_secret(value, name)
    if names.is_password(name):
        return not _prose(value) and not (_is_identifier(value) and _has_secret_word(value) and wordy(value))
    rest = re.sub(_TEMPLATE, "", value)
    if any([sign.isspace() for sign in value]) or (rest != value and wordy(rest)):
        return False
    return random(value) or (len(value) >= 24 and not re.fullmatch(_CHAIN, value))


def bare_secret(value: str, name: str, sure: bool, follows: str) -> bool:
    """Whether what stands unquoted after a telling name is a secret.

    `sure`: the place (an environment line, a flag, a query) allows no code. `follows`: the sign after the value.
    """
    if len(value) < 3 or stand_in(value) or follows in ("(", "[") or _is_path(value):
        return False
    if any([sign in value for sign in "(["]) and re.match(_CALL, value):
        return False
    if names.judge(name) == names.WEAK:
        return not re.fullmatch(_CHAIN, value) and _weak_secret(value, name)
    if value.isdigit():
        return names.is_password(name) and len(value) > 3
    if _is_identifier(value) and wordy(value) and (_has_secret_word(value) or value.isupper()):
        return False
    if sure:
        return True
    return random(value) and not re.fullmatch(_CHAIN, value) and not re.search(r"[(\[{]", value)


def _weak_secret(value: str, name: str) -> bool:
    """Whether the value of a name such as `app_key` is a key. A mere `key` is mostly the key of a map."""
    if name.lower() in ("key", "keys"):
        return key_like(value, 20) and value.lower() != value and re.fullmatch(r"[\w+/=]+", value) is not None
    return key_like(value, 12 if name.lower().endswith("auth") else 16)


def _prose(value: str) -> bool:
    """Whether a text with blanks is a sentence or a label."""
    words = _parts(value)
    if len(value.split()) < 2 or not all([_is_word(word) for word in words]):
        return False
    told = any([word.lower() in _FUNCTION_WORDS for word in words]) or _has_secret_word(value)
    return told or value.rstrip().endswith((".", "?", "!", ":"))


def _spellings(name: str) -> set[str]:
    return {name.lower(), "".join(names.split(name)), *names.split(name)}


def _is_identifier(value: str) -> bool:
    return value.isascii() and value.isidentifier()


def _has_secret_word(value: str) -> bool:
    lowered = value.lower()
    return any([word in lowered for word in _SECRET_WORDS])


def _parts(text: str) -> list[str]:
    """The runs of letters and digits in a text."""
    return "".join([sign if sign.isalnum() else " " for sign in text]).split()


def _is_word(part: str) -> bool:
    """A number of up to four digits, a version, or letters that change between small and capital as words do."""
    if part.isdigit():
        return len(part) <= 4
    if not part.isalpha():
        letters = part.rstrip("0123456789")
        return len(part) < 4 and letters.isalpha()
    if len(part) > 40:
        return False
    turns = sum([part[at].isupper() != part[at + 1].isupper() for at in range(len(part) - 1)])
    return turns <= 1 or turns / len(part) <= 0.34


def _is_path(value: str) -> bool:
    """An absolute, home or drive path whose parts look like names of files."""
    start = value.lstrip(".")[:1] if len(value) - len(value.lstrip(".")) < 3 else ""
    if start not in ("/", "\\") and value[:2] not in ("~/", "~\\") and value[1:3] not in (":\\", ":/"):
        return False
    return all([wordy(part) or len(part) < 12 for part in value.replace("\\", "/").split("/")])
