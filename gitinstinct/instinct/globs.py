"""Globs as in `paths`, matched by hand: `**` goes through folders, `*` and `?` do not, `{a,b}` is either.

A pattern without a slash is meant for a file's name anywhere, as in `.gitignore`; any other may match from any folder
on, since an agent names files by their whole path. Matched part by part, without a regular expression: the hook loads
this, and no pattern takes long.
"""

from __future__ import annotations

_MOST_BRANCHES = 64
_SPECIAL = frozenset("*?[{")


def branches(pattern: str) -> list[str]:
    """A pattern without braces for each of their choices."""
    found: list[str] = [pattern]
    done: list[str] = []
    while found and len(found) + len(done) <= _MOST_BRANCHES:
        one = found.pop()
        begin = one.find("{")
        end = one.find("}", begin)
        if begin < 0 or end < 0:
            done.append(one)
        else:
            found += [one[:begin] + choice + one[end + 1 :] for choice in one[begin + 1 : end].split(",")]
    return done


def matches(pattern: str, path: str) -> bool:
    """Whether a path, absolute or from the project's folder, is one of a pattern's."""
    parts = path.replace("\\", "/").strip("/").split("/")
    return any([_one(branch.removeprefix("./").strip("/").split("/"), parts) for branch in branches(pattern)])


def _one(pattern: list[str], parts: list[str]) -> bool:
    if len(pattern) == 1:
        return _part(pattern[0], parts[-1])
    # An absolute path, or one from a sub-folder's view, may begin before or in the middle of the pattern.
    return any([_walk(pattern, parts[start:]) for start in range(len(parts))])


def _walk(pattern: list[str], parts: list[str]) -> bool:
    """Both part by part; the set of places in the pattern that may come next bounds the work."""
    places = {0}
    for part in parts:
        places = _opened(pattern, places)
        places = {
            place if pattern[place] == "**" else place + 1
            for place in places
            if place < len(pattern) and (pattern[place] == "**" or _part(pattern[place], part))
        }
    return len(pattern) in _opened(pattern, places)


def _opened(pattern: list[str], places: set[int]) -> set[int]:
    """With the places behind each `**`, which may stand for no folder at all."""
    found = set(places)
    for place in sorted(places):
        while place < len(pattern) and pattern[place] == "**":
            place += 1
            found.add(place)
    return found


def _part(pattern: str, name: str) -> bool:
    """One folder's or file's name. Goes back only to the last star, so that no pattern takes long."""
    at = where = 0
    star = back = -1
    while where < len(name):
        if at < len(pattern) and pattern[at] == "*":
            star, back = at, where
            at += 1
        elif at < len(pattern) and pattern[at] in ("?", name[where]):
            at, where = at + 1, where + 1
        elif star >= 0:
            back += 1
            at, where = star + 1, back
        else:
            return False
    return pattern[at:].strip("*") == ""


def suffixes(pattern: str) -> list[str]:
    """What a matching path ends with: an extension like `.py`, or "" where the pattern leaves it open."""
    found = []
    for branch in branches(pattern):
        last = branch.rpartition("/")[2]
        tail = last.rpartition(".")[2] if "." in last else ""
        found.append("." + tail.lower() if tail and _SPECIAL.isdisjoint(tail) else "")
    return found


def roots(patterns: list[str]) -> list[str]:
    """The folders, or the file, that each pattern begins with; empty if one of them begins anywhere."""
    found = []
    for pattern in [branch for one in patterns for branch in branches(one)]:
        plain: list[str] = []
        parts = pattern.removeprefix("./").strip("/").split("/")
        for part in parts:
            if not _SPECIAL.isdisjoint(part):
                break
            plain.append(part)
        if not plain or len(parts) == 1:
            return []
        found.append("/".join(plain))
    return found
