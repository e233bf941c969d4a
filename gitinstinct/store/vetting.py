"""Whether a file that a person edited may be committed: it can be read as an instinct, and it holds no secret."""

from __future__ import annotations

from gitinstinct.instinct import ids, markdown
from gitinstinct.instinct.errors import Invalid


def reason(path: str, data: bytes) -> str | None:
    """Why an edited instinct cannot be committed, as a sentence without a full stop; None if it can.

    A secret is never committed, not even a person's own: the history would keep it, and be shared.
    """
    from gitinstinct.capture import redact

    try:
        markdown.parse(data, ids.of_path(path))
    except Invalid as error:
        return str(error)
    kinds = redact.findings(data.decode())
    return f"it holds what looks like a secret ({', '.join(kinds)})" if kinds else None
