"""The domains that an instinct can belong to, and the other words that people use for them."""

from __future__ import annotations

DOMAINS = (
    "code-style",
    "testing",
    "git",
    "debugging",
    "workflow",
    "file-patterns",
    "security",
    "general-best-practices",
)

_SYNONYMS = {
    "architecture": "general-best-practices",
    "best-practices": "general-best-practices",
    "code-quality": "code-style",
    "commit": "git",
    "communication": "general-best-practices",
    "debug": "debugging",
    "error-handling": "debugging",
    "file-organization": "file-patterns",
    "file-structure": "file-patterns",
    "files": "file-patterns",
    "formatting": "code-style",
    "general": "general-best-practices",
    "git-workflow": "git",
    "naming": "code-style",
    "style": "code-style",
    "test": "testing",
    "tests": "testing",
    "tool-preference": "workflow",
    "tooling": "workflow",
    "version-control": "git",
    "workflows": "workflow",
}


def canonical(domain: str) -> str:
    """The domain's own word for a known synonym; any other text as it is (kept, and linted)."""
    word = "-".join(domain.strip().lower().replace("_", " ").split())
    return word if word in DOMAINS else _SYNONYMS.get(word, domain.strip())
