"""Beginning a list anew whose file is damaged, or is not what this program made."""

from __future__ import annotations

from pathlib import Path

from gitinstinct import paths
from gitinstinct.trust import book

ASIDE = ".bad"


def repair() -> str | None:
    """Puts a list that cannot be used, or not wholly, aside; the lines that can be understood begin a new one.

    Returns:
        Where the old one lies now, or None if there was nothing to repair.

    Raises:
        OSError: it cannot be moved.
    """
    try:
        lines = book.every_line()
    except book.Unusable:
        lines = None
    if lines is not None and all(map(book.is_understood, lines)):
        return None
    path = Path(paths.trust())
    folder = path.parent
    wrong = folder if folder.is_symlink() or not folder.is_dir() else path
    aside = _free(wrong.with_name(wrong.name + ASIDE))
    wrong.rename(aside)
    book.append([line for line in lines or () if book.is_understood(line)])
    return str(aside)


def _free(path: Path) -> Path:
    """The path, or the first with a number behind it that is not taken."""
    number, found = 1, path
    while found.exists() or found.is_symlink():
        number += 1
        found = path.with_name(f"{path.name}{number}")
    return found
