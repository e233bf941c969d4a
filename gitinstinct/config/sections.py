"""The sections of the settings, each with its defaults: what there is to choose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Capture:
    """What the hook leaves out: subagents unless asked for, folders and tools by name."""

    subagents: bool = False
    skip_paths: tuple[str, ...] = ()
    skip_tools: tuple[str, ...] = ()


MODEL = "claude-haiku-5-5"
"""The model that is asked unless another is chosen: the small one of the current family."""


@dataclass(frozen=True, slots=True)
class Observer:
    """When an observer run may start by itself, if at all (`auto`).

    `minimum` new observations; seconds between two runs of any project (`cooldown`) and of one (`project_cooldown`);
    `hours` are local time; `interval`, in seconds, is how often the daemon looks, if there is one.

    `detector` finds the patterns. One that asks a model asks `model`, at `address` if that is not the usual one, with
    the key in `key_file` if it is not in the environment; in a day of local time it may cost `daily_dollars` and
    `daily_tokens` at most, over all projects, by our prices or `prices`: model → dollars for a million tokens.
    """

    auto: bool = True
    minimum: int = 20
    cooldown: int = 60
    project_cooldown: int = 300
    hours: str = "08-23"
    idle_minutes: int = 30
    interval: int = 300
    detector: str = "local"
    model: str = MODEL
    address: str = ""
    key_file: str = ""
    daily_dollars: float = 0.10
    daily_tokens: int = 1_000_000
    prices: Mapping[str, Mapping[str, float]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Inject:
    """What a session start gets: the threshold in hundredths, how many, and how many characters; what a prompt gets.

    `remind`: a word before a tool call that an instinct's `check` is against.
    """

    enabled: bool = True
    threshold: int = 70
    most: int = 6
    budget: int = 4000
    prompt_most: int = 2
    prompt_budget: int = 1200
    remind: bool = False


@dataclass(frozen=True, slots=True)
class Team:
    """How long a remote may take, in seconds; names of yours that may be published; a file of allowed signers.

    `host`: what runs at the remote, for a pull request; `auto` goes by the host's name, `none` opens none.
    """

    timeout: int = 120
    public: tuple[str, ...] = ()
    signers: str = ""
    host: str = "auto"


@dataclass(frozen=True, slots=True)
class Trust:
    """Whose words reach an agent: only what was consented to here (`review`), or everything (`all`).

    `models`: what a model's detector writes needs no consent; `hosts`: addresses there are no finding.
    """

    policy: str = "review"
    models: bool = False
    hosts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Promote:
    """What makes an instinct a candidate for all projects, and where a promotion lands.

    In `projects` at least, their `mean` and the `lowest` confidence in hundredths, one of the `domains`. `disclose`:
    the shared global store tells project ids and names instead of a keyed hash. `land`: on `main`, on a `branch` of its
    own, as a pull request (`pr`); `auto` is `main` while the global store is not shared, else `branch`.
    """

    projects: int = 2
    mean: int = 80
    lowest: int = 70
    domains: tuple[str, ...] = ("security", "general-best-practices", "workflow", "git")
    disclose: bool = False
    land: str = "auto"


@dataclass(frozen=True, slots=True)
class Measure:
    """Whether `measure on` counts; false keeps measuring off."""

    enabled: bool = True


REVIEW_ALL = "all"
"""`review`: everything that an observer proposes waits for a person."""


@dataclass(frozen=True, slots=True)
class Config:
    """All settings, and what was wrong with the file.

    `review`: what a person is asked about, the words of `others` and of models, or `all` that an observer proposes.
    """

    enabled: bool = True
    review: str = "others"
    capture: Capture = field(default_factory=Capture)
    observer: Observer = field(default_factory=Observer)
    inject: Inject = field(default_factory=Inject)
    team: Team = field(default_factory=Team)
    trust: Trust = field(default_factory=Trust)
    measure: Measure = field(default_factory=Measure)
    promote: Promote = field(default_factory=Promote)
    problems: tuple[str, ...] = ()
