"""What a key's name says about its value: surely a secret, perhaps one, or nothing.

Names are taken apart into words, so that `DB_PASSWORD`, `dbPassword`, `db-password` and `auth.dbPassword` are one case.
The last word decides, since the words before it only say whose secret it is: a `password_hash` or `token_url` is none.
"""

from __future__ import annotations

STRONG = "strong"
WEAK = "weak"
NONE = ""

# A value below these goes whatever it looks like.
PASSWORDS = frozenset(
    "password passwd passwort passphrase passcode pass pwd pw secret passwords passwds secrets credential credentials"
    " creds cred contraseña senha пароль 密码 口令 パスワード".split()
)
TOKENS = frozenset("token tokens jwt bearer authtoken accesstoken refreshtoken idtoken apitoken".split())
_KEYS = frozenset(
    "apikey apikeys accesskey secretkey privatekey authkey sharedkey masterkey signingkey encryptionkey accountkey"
    " authorization cookie cookies setcookie mnemonic seedphrase connectionstring psk clientsecret appsecret"
    " sshpass pgpass dbpass userpass rootpass smtppass mailpass adminpass 密钥 令牌".split()
)
_SURE = PASSWORDS | TOKENS | _KEYS

# `key` and `keys` after one of these words are as sure; after any other the value must look like a key.
_SECRET_BEFORE_KEY = frozenset("api access secret private signing encryption master shared account".split())
_HARMLESS_BEFORE_KEY = frozenset(
    "public primary foreign cache sort partition object group index routing unique row column hash range map dict"
    " lookup config translation message i18n data order parent node entity item idempotency dedup shift arrow hot"
    " short surrogate natural composite join candidate answer issue project ticket bucket file path state registry"
    " event metric tag label field query lock known host sub subject list child section menu tab setting option env"
    " query storage s3 redis react vue pub ctrl alt meta enter return escape any press"
    " recv send export import delete search gpg fingerprint".split()
)
# Words after which `token` is a mark of a list or of a language, not a credential.
_HARMLESS_BEFORE_TOKEN = frozenset(
    "next page continuation pagination eos bos pad sep mask unk cls special stop start end max min num per each first"
    " last lock change idempotency word sub lexer parse current unexpected expected invalid of input output prompt"
    " completion cached total"
    " reasoning count new sync resume cancellation cancel delimiter".split()
)
# Words that may follow the telling one without changing what it tells.
_TAILS = frozenset(
    "prod production staging stage dev test live old new current previous value plain plaintext cleartext b64 base64"
    " string text default env base".split()
)
_WEAK_LAST = frozenset("key keys auth hmac seed salt pepper".split())

# Long enough to be recognised where nothing separates them from the word before, as in `pgpassword` or `ApI-kEy`.
_PASSWORD_SUFFIXES = ("password", "passwd", "passphrase", "passwort")
_SUFFIXES = (*_PASSWORD_SUFFIXES, "secret", "token", "apikey", "secretkey", "accesskey", "privatekey", "credentials")
# Of the words above, those below which something generated stands, not something chosen.
_NO_WORDS = frozenset("secret secrets credential credentials creds cred".split())

STEMS = (
    "pass", "pwd", "pw", "secret", "token", "jwt", "bearer", "cred", "key", "auth", "cookie", "mnemonic", "seed",
    "connectionstring", "psk", "hmac", "salt", "pepper", "contraseña", "senha", "парол", "密", "口令", "パスワード",
    "令牌",
)  # fmt: skip


def judge(name: str) -> str:
    """STRONG, WEAK or NONE for the name of a key, in any spelling."""
    if not _has_stem(name):
        return NONE
    words = _telling(name)
    last, before = (words[-1], words[-2] if len(words) > 1 else "") if words else ("", "")
    if "public" in words or (last in TOKENS and before in _HARMLESS_BEFORE_TOKEN):
        return NONE
    if last in _SURE or before + last in _SURE or "".join(words).endswith(_SUFFIXES):
        return STRONG
    if last in ("key", "keys"):
        return STRONG if before in _SECRET_BEFORE_KEY else NONE if before in _HARMLESS_BEFORE_KEY else WEAK
    return WEAK if last in _WEAK_LAST else NONE


def found_in(text: str) -> list[tuple[int, int]]:
    """(start, end) of the words of a text that a telling name could be, in order. A word holds `_` and `-` too."""
    # Of all letters only this one becomes two when it is made small, which would move all places behind it.
    lowered = text.replace("\u0130", "i").lower()
    found = set()
    for stem in STEMS:
        at = lowered.find(stem)
        while at >= 0:
            start, end = _word(text, at, at + len(stem))
            found.add((start, end))
            at = lowered.find(stem, end)
    return sorted(found)


def is_password(name: str) -> bool:
    """Whether the name asks for something that a person could have chosen: any text may be the value."""
    words = _telling(name)
    return bool(words) and (words[-1] in PASSWORDS - _NO_WORDS or words[-1].endswith(("pass", *_PASSWORD_SUFFIXES)))


def kind(name: str) -> str:
    """What to call the secret below a name: password, token, key or secret."""
    last = (_telling(name) or [""])[-1]
    if is_password(name):
        return "password"
    return next((found for found in ("token", "key") if found in last), "secret")


def split(name: str) -> list[str]:
    """The words of a name, lower case: split at signs, and at a capital that begins a word."""
    parts: list[str] = []
    word = ""
    for index, sign in enumerate(name):
        if not sign.isalnum():
            parts.append(word)
            word = ""
            continue
        if sign.isupper() and word and (not name[index - 1].isupper() or name[index + 1 : index + 2].islower()):
            parts.append(word)
            word = ""
        word += sign
    parts.append(word)
    return [part.lower() for part in parts if part]


def _telling(name: str) -> list[str]:
    """The words of a name up to the last one that tells something, without numbers at its end."""
    words = [word.rstrip("0123456789") or word for word in split(name)]
    while len(words) > 1 and (words[-1] in _TAILS or words[-1].isdigit()):
        words.pop()
    return words


def _has_stem(name: str) -> bool:
    lowered = name.lower()
    return any([stem in lowered for stem in STEMS])


def _word(text: str, start: int, end: int) -> tuple[int, int]:
    """The word around a place."""
    while start > 0 and (text[start - 1].isalnum() or text[start - 1] in "_-"):
        start -= 1
    while end < len(text) and (text[end].isalnum() or text[end] in "_-"):
        end += 1
    return start, end
