"""What kinds of things wait, and how they are told apart.

By what brought them *here*: a colleague's import that came with a pull is incoming. Messages are claims; they sort what
a person sees, and decide nothing.
"""

from __future__ import annotations

from gitinstinct.review.origin import Origin
from gitinstinct.trace import commits

CONFLICT, INCOMING, IMPORT, PROMOTION, PROPOSAL, EDIT = (
    "conflict", "incoming", "import", "promotion", "proposal", "edit",
)  # fmt: skip
ORDER = (CONFLICT, INCOMING, IMPORT, PROMOTION, PROPOSAL, EDIT)
"""As they are asked about: what holds an instinct back that was trusted comes first."""


def of(origin: Origin, mail: str) -> str:
    """The kind of an instinct on `main` whose words wait.

    Args:
        origin: where its words come from.
        mail: this person's address.
    """
    if origin.wrote is None or not _is_by(origin, mail):
        return INCOMING
    if origin.merge is not None:
        return IMPORT if origin.merge.verb == "import" else INCOMING
    return _OWN.get(origin.wrote.verb, INCOMING if _is_told(origin) else EDIT)


_OWN = {"observe": PROPOSAL, "import": IMPORT}


def _is_by(origin: Origin, mail: str) -> bool:
    """Whether this person brought it to `main`."""
    author = origin.author.mail if origin.author else ""
    return (origin.merge.mail if origin.merge else author).lower() == mail.lower()


def _is_told(origin: Origin) -> bool:
    """Whether a command of ours made the commit, on another machine then, or a merge did."""
    return origin.wrote is not None and (origin.wrote.verb in commits.VERBS - {"edit"} or len(origin.wrote.parents) > 1)
