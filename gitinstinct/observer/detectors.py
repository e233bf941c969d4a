"""Which detectors there are, and how one is made from its name."""

from __future__ import annotations

from gitinstinct.config import Config
from gitinstinct.errors import UsageError
from gitinstinct.observer.detector import KINDS, LOCAL, Detector
from gitinstinct.observer.setting import Setting


def make(name: str, config: Config, setting: Setting | None = None) -> Detector:
    """The detector of that kind.

    Args:
        name: `local`, `anthropic` or `claude-cli`.
        config: the person's settings (which model, which ceilings).
        setting: for whom and when; what a model is shown besides events. The local one needs none.

    Raises:
        UsageError: there is none of that name.
    """
    if name == LOCAL:
        from gitinstinct.observer.local.detector import LocalDetector

        return LocalDetector()
    known(name)
    if setting is None:
        raise ValueError("a model is asked for somebody, at some time")
    from gitinstinct.observer.model.detector import ModelDetector

    return ModelDetector(name, config, setting)


def known(name: str) -> str:
    """The name, if there is a detector of it.

    Raises:
        UsageError: there is none.
    """
    if name not in KINDS:
        raise UsageError(f"there is no detector {name!r}", f"choose one of {', '.join(KINDS)}")
    return name
