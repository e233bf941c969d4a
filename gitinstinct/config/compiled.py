"""What the hook reads of the settings: it knows no YAML, so its part is compiled into a small JSON file."""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path

from gitinstinct import paths
from gitinstinct.config.sections import Config


def capture_settings(config: Config) -> str:
    """The hook's settings as JSON."""
    chosen = config.capture
    return json.dumps(
        {
            "enabled": config.enabled,
            "auto": config.observer.auto,
            "pause": config.observer.project_cooldown,
            "subagents": chosen.subagents,
            "skip_paths": [str(Path(path).expanduser()) for path in chosen.skip_paths],
            "skip_tools": list(chosen.skip_tools),
            "measure": config.measure.enabled,
        }
    )


def compile_for_hook(config: Config) -> None:
    """Writes the hook's settings where it reads them, if they have changed. A failure is the next command's to mend."""
    path, text = Path(paths.hook_settings()), capture_settings(config)
    with contextlib.suppress(OSError):
        known = path.read_text("utf-8") if path.exists() else capture_settings(Config())
        if known != text:
            paths.make_private(str(path.parent))
            temporary = path.with_name(f".{path.name}.{os.getpid()}")
            temporary.write_text(text, "utf-8")
            temporary.replace(path)
