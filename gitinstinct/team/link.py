"""Where a store is shared: the remote `origin` of its own git config, so that plain git goes the same way.

On a code project's repository only one branch is ours, and it is fetched by its exact name: plain `git fetch` in the
store brings none of the project's branches. The address is read by our own parser each time, since a person or a tool
may have written the config.
"""

from __future__ import annotations

from dataclasses import dataclass

from gitinstinct.errors import EnvironmentFault, Found, UsageError
from gitinstinct.git import config, refs
from gitinstinct.git.repo import Repo, text
from gitinstinct.git.repo import refs as read_refs
from gitinstinct.git.url import Address, parse
from gitinstinct.promote import branches
from gitinstinct.store import driver
from gitinstinct.store import store as stores
from gitinstinct.store.layout import BRANCH
from gitinstinct.store.store import Store, identity

SHARED = "refs/heads/instincts"  # beside the branches of a project's code
_HEADS = "refs/heads/"
_TRACKING = "refs/remotes/origin/"
_GONE = "refs/gitinstinct/gone/"
_SETTINGS = {  # a person's own are for their code: here a plain pull merges, a plain fetch takes one branch
    "remote.origin.tagOpt": "--no-tags",
    "branch.main.remote": "origin",
    "branch.main.rebase": "false",
    "pull.rebase": "false",
    "pull.ff": "true",
    "merge.ff": "true",
    "fetch.recurseSubmodules": "false",
    "transfer.fsckObjects": "true",
}


@dataclass(frozen=True, slots=True)
class Link:
    """A remote's address and the full name of the branch there."""

    address: Address
    branch: str

    @property
    def name(self) -> str:
        """The branch for people."""
        return self.branch.removeprefix(_HEADS)

    @property
    def is_alone(self) -> bool:
        """Whether nothing but a store is there, so that all its refs are a store's."""
        return self.branch == BRANCH

    @property
    def promotions(self) -> str:
        """The folder of the branches there on which promotions wait, with its final slash."""
        return branches.HERE if self.is_alone else _HEADS + branches.BESIDE_OTHERS

    @property
    def promotions_seen(self) -> str:
        """The folder of the refs here that show where those branches were."""
        return self.promotions.replace(_HEADS, _TRACKING)

    @property
    def tracking(self) -> str:
        """The ref here that shows where the branch there was."""
        return _TRACKING + self.name

    @property
    def gone(self) -> str:
        """The ref here that shows where the branch there was when it went away."""
        return _GONE + self.name


def read(store: Store) -> Link | None:
    """Where the store is shared; None if it is not.

    Raises:
        EnvironmentFault: its config names an address that git may not be given.
    """
    found = _config(store.repo)
    url, branch = found.get("remote.origin.url"), found.get("branch.main.merge", "")
    if not url or found.get("branch.main.remote") != "origin" or not branch.startswith(_HEADS):
        return None
    try:
        return Link(parse(url), branch)
    except UsageError as error:
        raise EnvironmentFault(f"the store's remote: {error.message}", "gitinstinct share URL sets another") from error


def required(store: Store) -> Link:
    """The same where it must be shared.

    Raises:
        Found: it is not.
    """
    link = read(store)
    if link is None:
        raise Found("this store is not shared", "gitinstinct share begins it")
    return link


def _config(repo: Repo) -> dict[str, str]:
    """The last value of each setting: git's own rule."""
    out = repo.run("config", "-z", "--get-regexp", r"^(remote\.origin|branch\.main)\.", expect=(0, 1)).out
    return {name: value for name, _, value in (item.partition("\n") for item in text(out).split("\0"))}


def establish(store: Store, link: Link) -> None:
    """Writes the link into the store's git config. What was known of another remote goes.

    Raises:
        EnvironmentFault: the config cannot be read or written.
    """
    before = _config(store.repo).get("remote.origin.url")
    if before is not None and before != link.address.url:
        forget(store, _TRACKING, _GONE)
    wanted = {
        "remote.origin.url": link.address.url,
        "remote.origin.fetch": f"+{link.branch}:{link.tracking}",
        "branch.main.merge": link.branch,
    }
    config.ensure(store.repo, store.repo.git_dir / "config", wanted | _SETTINGS)


def forget(store: Store, *names: str) -> None:
    """Drops refs of ours that say how a remote was; a name that ends in `/` stands for all below."""
    known = [refs.Move(name, ref.oid, None) for name, ref in read_refs(store.repo, *names).items()]
    if known:
        refs.move(store.repo, known, identity(store), "gitinstinct: another remote")


def wire(store: Store) -> bool:
    """Gives a plain clone what a store made by us has: the merge driver and the attributes. Whether it lacked it."""
    command = driver.command()
    found = text(store.repo.run("config", "-z", "--get", "merge.instinct.driver", expect=(0, 1)).out).rstrip("\0")
    if found == command and stores.is_protected(store.repo):
        return False
    stores.wire(store.repo, driver=command)
    return True


def known_tip(repo: Repo, link: Link) -> str | None:
    """The commit that the branch there had when it was last looked at."""
    found = read_refs(repo, link.tracking).get(link.tracking)
    return found.oid if found else None


def tip(store: Store) -> str:
    """The commit of `main`.

    Raises:
        EnvironmentFault: the branch is missing or damaged.
    """
    found = read_refs(store.repo, BRANCH).get(BRANCH)
    if found is None:
        raise EnvironmentFault(f"the branch main of {store.path} is missing or damaged", stores.way_back(store.repo))
    return found.oid
