"""Small private files that are there whole or not at all: written beside, then renamed into place."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from gitinstinct import paths


def write(place: str, text: str) -> None:
    """Puts a text in place of what the file held, for this person alone.

    Raises:
        OSError: the disk does not take it; what was there stays.
    """
    path = Path(place)
    paths.make_private(str(path.parent))
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            file.write(text)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
