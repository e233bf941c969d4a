"""What kind of failure a text reports: one code or class, or one of the messages that every system has.

The text comes from programs, and so from whoever wrote what they printed. Therefore only two things are taken from it:
a single token in the place where tools put their error codes and classes, and messages that stand in the list here.
Nothing else of an output can reach an instinct.
"""

from __future__ import annotations

import re

from gitinstinct.observer.local.safe import is_word

_LONGEST = 40

# A code after the word "error", in brackets or bare: `error TS2307:`, `error[E0432]`, `ERROR 1045 (28000)`.
_AFTER_WORD = re.compile(
    r"\b(?:fatal |syntax |compile |build )?(?:error|warning|fatal|failure|ERR!(?: code)?)\b[\s:]{0,3}[\[(]?"
    r"(?P<code>[A-Z]{1,8}-?\d{2,6}|\d{4,5}(?= \())\b",
    re.I,
)
# A code where linters put it: `file.py:1:2: F401 message`, `(SC2086)`, `[CS0103]`.
_AFTER_PLACE = re.compile(
    r":\d+(?::\d+)?:?\s+(?:\w+:?\s+)?(?P<code>[A-Z]{1,4}\d{2,5})\b|\[(?P<boxed>[A-Z]{1,4}\d{3,5})\]"
)
_AT_START = re.compile(r"^[ \t]*(?:\^-- )?(?P<code>[A-Z]{2,8}-?\d{3,6})[:\s]", re.M)
_SQLSTATE = re.compile(r"\bSQL ?STATE(?:\s*[:=\[(]\s*|\s+)(?P<code>[0-9A-Z]{5})\b")
_NAMED = re.compile(r"\b(?P<code>ERR_[A-Z0-9]+(?:_[A-Z0-9]+){0,4})\b|\bcode: '(?P<quoted>[A-Z]+(?:_[A-Z]+){0,3})'")
_CLASS = re.compile(
    r"^(?:[ \t]*(?:E|Caused by:|Exception in thread \"[^\"]{1,40}\"|Unhandled exception\.?|Uncaught|Traceback:"
    r"|thread .{1,40}:"
    r"|Fatal error:|PHP Fatal error:|fatal:|error:|ERROR:?|Error:|\w{1,20}:\d+:in .{1,60}:|.{1,80}:\d+:in"
    r" [`'].{1,40}':)[ \t]+){0,3}[ \t]*"
    r"(?P<name>(?:[A-Za-z_]\w*(?:\.|::|\\)){0,6}[A-Z]\w*(?:Error|Exception|Failure|Fault|Panic|Timeout|Interrupt"
    r"|NotFound|Violation"
    r"|Missing|Invalid|Denied|Refused|Exceeded|Abort)|(?:[a-z_]\w*\.){1,5}[A-Z][a-z]\w*)(?=[ \t]*(?:[:(]|$| \[))",
    re.M,
)
_IN_TEXT = re.compile(
    r"\((?P<name>[A-Z]\w{2,30}(?:Error|Exception))\)|\b(?P<rest>[A-Z][a-z]\w{0,30}(?:Error|Exception)):"
)
_ERRNO = re.compile(
    r"\b(?P<code>E(?:ACCES|ADDRINUSE|ADDRNOTAVAIL|AI_AGAIN|BADF|BUSY|CONNABORTED|CONNREFUSED|CONNRESET|EXIST"
    r"|INTEGRITY|INVAL|ISDIR|MFILE|NOENT|NOMEM|NOSPC|NOTDIR|NOTEMPTY|NOTFOUND|NOTSUP|NOTTY|PERM|PIPE|RESOLVE"
    r"|ROFS|TARGET|TIMEDOUT|USAGE|XDEV|BADENGINE|OVERRIDE|PEERINVALID))\b"
)
_HTTP = re.compile(
    r"\b(?:HTTP(?:/\d(?:\.\d)?)?(?: status)?(?: code| error)?|status(?: code)?|returned"
    r" error)[\s:=]{1,2}(?P<code>[45]\d\d)\b"
    r"|\b(?P<told>[45]\d\d) (?:Bad Request|Unauthorized|Forbidden|Not Found|Method Not Allowed|Conflict|Gone"
    r"|Unprocessable|Too Many Requests|Internal Server Error|Bad Gateway|Service Unavailable|Gateway Time)",
    re.I,
)
_RULE = re.compile(
    r"\d+:\d+\s+(?:error|warning)\s.{1,200}?\s{2,}(?P<rule>@?[a-z][\w-]*(?:/[a-z][\w-]*){0,2})\s*$", re.M
)
_EXIT = re.compile(r"\A\s*(?:Exit code:?|Process exited with code) (?P<code>\d{1,3})\b")

_NO_CODES = re.compile(
    r"(?:SHA|UTF|ISO|MD|ES|RFC|HTTP|BASE|INT|UINT|FLOAT|AES|RSA|PEP|CVE|ASCII|CP|WIN|X|H|V)-?\d+", re.I
)
_GENERIC = frozenset("Error Exception RuntimeError SystemExit BuildFailure CalledProcessError".split())

# What operating systems and the common tools say in words. Each is written as it is said in an instinct.
_MESSAGES = (
    "port is already allocated",
    "address already in use",
    "command not found",
    "no such file or directory",
    "permission denied",
    "operation not permitted",
    "connection refused",
    "connection reset",
    "could not resolve host",
    "network is unreachable",
    "no space left on device",
    "read-only file system",
    "too many open files",
    "out of memory",
    "heap out of memory",
    "segmentation fault",
    "certificate verify failed",
    "certificate has expired",
    "is not recognized as an internal or external command",
    "authentication failed",
    "access denied",
    "unauthorized",
    "rate limit exceeded",
    "timed out",
    "deadline exceeded",
    "not a git repository",
    "merge conflict",
    "non-fast-forward",
    "fetch first",
    "stale info",
    "has no upstream branch",
    "unrelated histories",
    "would be overwritten",
    "unmerged files",
    "index.lock",
    "rejected",
    "cannot connect to the docker daemon",
    "manifest unknown",
    "no such container",
    "no such image",
    "imagepullbackoff",
    "crashloopbackoff",
    "state lock",
    "already exists",
    "does not exist",
    "no such table",
    "deadlock detected",
    "duplicate key",
    "pending migrations",
    "cannot find module",
    "module not found",
    "unresolved import",
    "no required module provides package",
    "missing go.sum entry",
    "undefined reference",
    "undefined symbol",
    "undeclared identifier",
    "cannot find symbol",
    "could not resolve dependencies",
    "could not find a version",
    "externally-managed-environment",
    "lock file is out of date",
    "lockfile is not up to date",
    "frozen-lockfile",
    "peer dependency",
    "unsupported engine",
    "syntax error",
    "parse error",
    "type mismatch",
    "assertion failed",
    "would reformat",
    "not formatted",
    "missing script",
    "no rule to make target",
    "unknown command",
    "unrecognized arguments",
    "unexpected token",
    "not installed",
    "not logged in",
    "must be logged in",
    "has expired",
    "invalid_grant",
    "bad credentials",
    "invalid credentials",
    "could not connect",
    "unable to connect",
    "can't connect",
    "failed to connect",
    "could not translate host name",
    "already running",
    "already in use",
    "in use by another process",
    "another operation",
    "pending operations",
    "hash mismatch",
    "checksum mismatch",
    "integrity check failed",
    "no such package",
    "no matching package",
    "version solving failed",
    "dependencies could not be resolved",
    "failed to resolve",
    "couldn't resolve",
    "updates to go.mod needed",
    "format violations",
    "files were modified by this hook",
    "failed to compile",
    "not up to date",
    "out of date",
    "out of sync",
    "could not find",
    "couldn't find",
    "cannot find",
    "file not found",
    "unable to locate package",
    "could not resolve",
    "not found",
)
_EXIT_MEANINGS = {
    "126": "permission denied",
    "127": "command not found",
    "137": "exit code 137",
    "139": "segmentation fault",
}


def classify(text: str) -> str:
    """The code, class or message that a failure's text reports, as it is to be written; "" where it reports none.

    At most 60 characters. Codes come before classes, classes before what the system says in words.
    """
    return _code(text) or _class(text) or _system(text) or _message(text) or _exit(text)


def _code(text: str) -> str:
    for pattern in (_SQLSTATE, _AFTER_WORD, _AFTER_PLACE, _AT_START):
        for found in pattern.finditer(text):
            code = next(group for group in found.groups() if group)
            if _is_code(code):
                return f"SQLSTATE {code}" if pattern is _SQLSTATE else f"error {code}" if code.isdigit() else code
    return ""


def _is_code(code: str) -> bool:
    return code.upper() == code and _NO_CODES.fullmatch(code) is None and is_word(code)


def _class(text: str) -> str:
    """The last class that stands where tracebacks put it: the cause is told last."""
    names = [found["name"] for found in _CLASS.finditer(text)]
    names = names or [found["name"] or found["rest"] for found in _IN_TEXT.finditer(text)]
    short = [re.split(r"[.:\\]+", name)[-1] for name in names]
    fitting = [name for name in short if name not in _GENERIC and _is_class(name)]
    return fitting[-1] if fitting else ""


def _is_class(name: str) -> bool:
    stem = re.sub(r"(?:Error|Exception|Failure)$", "", name)
    return len(name) <= _LONGEST and is_word(name) and (not stem or is_word(stem))


def _system(text: str) -> str:
    for found in _NAMED.finditer(text):
        code = found["code"] or found["quoted"]
        if len(code) <= _LONGEST and is_word(code):
            return code
    if errno := _ERRNO.search(text):
        return errno["code"]
    if http := _HTTP.search(text):
        return f"HTTP {http['code'] or http['told']}"
    rule = _RULE.search(text)
    return rule["rule"] if rule and len(rule["rule"]) <= _LONGEST and is_word(rule["rule"].lstrip("@")) else ""


def _message(text: str) -> str:
    """The known message that stands first in the text, the longest of those there."""
    folded = text.casefold()
    places = [(place, -len(message), message) for message in _MESSAGES if (place := folded.find(message)) >= 0]
    return min(places)[2] if places else ""


def _exit(text: str) -> str:
    found = _EXIT.match(text)
    return _EXIT_MEANINGS.get(found["code"], "") if found else ""
