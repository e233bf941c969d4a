"""The person's settings: `config.yaml`, one map of sections, every key optional.

One loader for every entry point. A key that cannot be used keeps its default and is named with the reason; the file is
never rewritten. The hook reads no YAML: what concerns it is compiled into a small JSON file.
"""

from gitinstinct.config.compiled import capture_settings, compile_for_hook
from gitinstinct.config.reading import forbids, load, read
from gitinstinct.config.sections import MODEL, REVIEW_ALL, Config, Inject, Observer, Promote, Trust
from gitinstinct.config.values import PRICED

__all__ = [
    "MODEL", "PRICED", "REVIEW_ALL", "Config", "Inject", "Observer", "Promote", "Trust", "capture_settings",
    "compile_for_hook", "forbids", "load", "read",
]  # fmt: skip
