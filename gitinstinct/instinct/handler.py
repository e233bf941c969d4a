"""Our dialect as a handler of python-frontmatter: what that library reads and writes with it follows our rules."""

from __future__ import annotations

from collections.abc import Mapping

from frontmatter.default_handlers import YAMLHandler

from gitinstinct.instinct import dialect
from gitinstinct.instinct.dialect import Value


class Handler(YAMLHandler):
    """python-frontmatter's handler for instinct files."""

    def split(self, text: str) -> tuple[str, str]:
        """Frontmatter and body, cut at our two fences; `Invalid` when there is none at the top."""
        lines = dialect.cut(text)
        end = dialect.closing_fence(lines)
        return "".join(lines[1:end]), "".join(lines[end + 1 :])

    def load(self, fm: str, **_: object) -> dict[str, Value]:
        """The frontmatter as a map of text, lists and maps.

        Raises:
            Invalid: with the line of the *file*, the opening fence being line 1.
        """
        return {name: found.value for name, found in dialect.fields(dialect.cut(fm)).items()}

    def export(self, metadata: Mapping[str, object], **_: object) -> str:
        """The map as canonical lines, in its own order."""
        return "".join(f"{dialect.field(name, value)}\n" for name, value in metadata.items()).removesuffix("\n")
