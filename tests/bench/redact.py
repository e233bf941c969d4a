"""How the redactor's time grows: `python tests/bench/redact.py`.

For every hostile unit the time of 20 KB and of 80 KB, and for plain source code the time of a megabyte. Shown are the
ratios, and what misses the promise: at most 0.5 s for 80 KB, and at most six times the time of 20 KB.
"""

from __future__ import annotations

import time
from pathlib import Path

from gitinstinct.capture.redact import redact

D = "-" * 5
UNITS = (
    *" \t\n\\\"'-.,:;=&<>@[]{}()",
    "a://b:",
    "a://b@",
    "pass" + "word=",
    "pass" + "word: {",
    "pass" + "word=[",
    "pass" + "word: |\n  a\n",
    "pass" + "word='",
    "ey" + "J0ey" + "J0.",
    "ey" + "J",
    "ey" + "J-",
    f"{D}BEGIN RSA PRIVATE" + f" KEY{D}\n",
    f"{D}BEGIN RSA PRIVATE" + f" KEY{D}",
    f"{D}END RSA PRIVATE" + f" KEY{D}\n",
    "1234567890",
    "token" + " " * 50,
    "curl -u ",
    "s" + "k-",
    "authorization: digest ",
    "bearer ",
    "cookie: a=",
    "mysql -p",
    "name=pass value ",
    "<password a ",
    "&sig=",
    "pgpass a:1:b:c:",
    "mnemonic abc ",
    "password for x ",
    "echo a | -stdin ",
    "login a ",
    "[REDACTED:",
    "[REDACTED:a]",
    "key",
    "\x1b[",
    "\x1b]",
    "A" * 63 + "b\n",
    "&quot;",
    "\u5bc6\u7801",
)


def seconds(text: str) -> float:
    begin = time.perf_counter()
    redact(text)
    return time.perf_counter() - begin


def main() -> None:
    missed = 0
    for unit in UNITS:
        small, large = (seconds((unit * (size // len(unit) + 1))[:size]) for size in (20_000, 80_000))
        wrong = large > 0.5 or (large > 0.05 and large > 6 * small)
        missed += wrong
        print(f"{unit[:30]!r:36} {large / small:5.1f} x  {large * 1000:7.1f} ms {'<-- too slow' if wrong else ''}")
    code = "".join(path.read_text("utf-8") for path in sorted(Path(__file__).parents[2].rglob("gitinstinct/**/*.py")))
    code = (code * (1_000_000 // len(code) + 1))[:1_000_000]
    print(f"{'a megabyte of source code':36}           {seconds(code) * 1000:7.1f} ms")
    print(f"{missed} of {len(UNITS)} too slow")


if __name__ == "__main__":
    main()
