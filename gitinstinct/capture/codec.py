"""JSON and SHA-256 without the standard library's wrappers.

`json` imports `re` and costs as much as the rest of the hook; `hashlib` loads OpenSSL. Their C cores can be imported
alone, under private names. Where these are missing, the public modules do the same work: both give identical results,
and a test holds them to it.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Scan = Callable[[str, int], tuple[Any, int]]

_LONG = 1000


def parse(text: str, start: int = 0) -> tuple[Any, int]:
    """The JSON value that begins exactly at `start`, and where it ends. What follows it is not looked at.

    Raw control characters in strings, NaN and infinities are accepted; of a doubled key the last one counts.

    Raises:
        ValueError: there is no whole JSON value.
        RecursionError: it is nested too deeply.
    """
    try:
        return scan(text, start)
    except (StopIteration, SystemError) as error:
        # Without `json` loaded, the C scanner of Python 3.11 and 3.12 finds no class for its error.
        raise ValueError("no JSON value") from error


def encode(value: Any) -> str:
    """A value as one line of ASCII JSON; numbers that JSON does not know become null."""
    if isinstance(value, str):
        return quote(value)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        return int.__repr__(value)
    if isinstance(value, float):
        return float.__repr__(value) if value - value == 0 else "null"
    if isinstance(value, dict):
        return "{" + ",".join([quote(key) + ":" + encode(item) for key, item in value.items()]) + "}"
    return "[" + ",".join([encode(item) for item in value]) + "]"


class _Tolerant:
    """How the scanner is to read: the attributes of `json.JSONDecoder` that it looks at."""

    strict = False
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_constant = float

    @staticmethod
    def parse_int(digits: str) -> float:
        """Beyond Python's limit for digits a whole number would be an error."""
        return int(digits) if len(digits) < _LONG else float(digits)


def _private() -> tuple[Scan, Callable[[str], str], Callable[[bytes], Any]]:
    core, hashes = __import__("_json"), __import__("_sha2" if sys.version_info >= (3, 12) else "_sha256")
    return core.make_scanner(_Tolerant), core.encode_basestring_ascii, hashes.sha256


def _public() -> tuple[Scan, Callable[[str], str], Callable[[bytes], Any]]:
    import hashlib
    import json

    reader: Any = json.JSONDecoder(strict=False, parse_int=_Tolerant.parse_int)
    return reader.scan_once, json.dumps, hashlib.sha256


try:
    scan, quote, sha256 = _private()
except (ImportError, AttributeError):
    scan, quote, sha256 = _public()


def short_hash(text: str, digits: int) -> str:
    """The first hex digits of SHA-256 over a text in UTF-8; lone surrogates, as in odd file names, are allowed."""
    return hash_bytes(text.encode("utf-8", "surrogatepass"), digits)


def hash_bytes(data: bytes, digits: int) -> str:
    """The first hex digits of SHA-256 over bytes."""
    found: str = sha256(data).hexdigest()
    return found[:digits]
