"""Which programs serve the same need, so that choosing one of them says something.

A table, like `programs`: a program is added by adding a word to a row.
"""

from __future__ import annotations

from typing import NamedTuple

from gitinstinct.observer.local import programs
from gitinstinct.observer.local.programs import phrases, words


class Need(NamedTuple):
    """Something that several programs do.

    `usual` are those that anybody would take unasked: using them tells nothing. Where `is_exclusive` is False one
    program beside another is no sign of doubt: a project has several task runners.
    """

    when: str
    purpose: str
    domain: str
    members: frozenset[str]
    usual: frozenset[str] = frozenset()
    is_exclusive: bool = True


NEEDS = (
    Need(
        "when searching in file contents",
        "search file contents",
        "workflow",
        phrases("rg, ag, ack, ugrep, git grep, ast-grep, sg"),
        phrases("grep, egrep"),
    ),
    Need("when finding files by name", "find files", "workflow", phrases("fd, fdfind"), phrases("find, locate")),
    Need("when listing files", "list files", "workflow", phrases("eza, exa, lsd"), phrases("ls, tree")),
    Need("when showing files", "show files", "workflow", phrases("bat, batcat"), phrases("cat, less")),
    Need("when reading JSON or YAML", "read JSON or YAML", "workflow", phrases("jq, jaq, gojq, fx, dasel, yq")),
    Need("when replacing text in files", "replace text", "workflow", phrases("sd, ast-grep"), phrases("sed, perl")),
    Need(
        "when sending HTTP requests",
        "send HTTP requests",
        "workflow",
        phrases("http, xh, curlie"),
        phrases("curl, wget"),
    ),
    Need(
        "when handling JavaScript packages or scripts",
        "handle JavaScript packages",
        "workflow",
        phrases("npm, pnpm, yarn, bun, deno"),
    ),
    Need(
        "when handling Python packages",
        "handle Python packages",
        "workflow",
        phrases("uv pip, uv add, uv sync, poetry, pdm, pipenv, conda, mamba, micromamba, rye, pixi"),
        phrases("pip, pip3"),
    ),
    Need(
        "when running Python programs or tools",
        "run Python programs",
        "workflow",
        phrases("uv run, poetry run, pdm run, pipenv run, hatch run, rye run, pixi run, conda run, uvx, pipx run"),
        phrases("python, python3"),
    ),
    Need(
        "when running JavaScript tools",
        "run JavaScript tools",
        "workflow",
        phrases("bunx, pnpm exec, pnpm dlx, yarn exec, yarn dlx, npm exec"),
        phrases("npx"),
    ),
    Need("when running Ruby tools", "run Ruby tools", "workflow", phrases("bundle exec, bin/rails, rbenv exec")),
    Need(
        "when running a project task such as build or test",
        "run project tasks",
        "workflow",
        programs.TASK_RUNNERS - words("rails bin/rails artisan mix") | phrases("invoke, dagger"),
        is_exclusive=False,
    ),
    Need(
        "when working with pull requests, issues or CI runs",
        "work with pull requests",
        "git",
        phrases("gh, glab, hub, tea, az repos, bb, fj"),
    ),
    Need(
        "when working with version control",
        "work with version control",
        "git",
        phrases("jj, sl, hg, but, gt"),
        phrases("git"),
    ),
    Need(
        "when handling containers",
        "handle containers",
        "workflow",
        phrases("podman, nerdctl, finch"),
        phrases("docker"),
    ),
    Need("when working with a cluster", "work with the cluster", "workflow", phrases("oc, k9s, k"), phrases("kubectl")),
    Need(
        "when changing infrastructure",
        "change infrastructure",
        "workflow",
        phrases("tofu, terragrunt, pulumi, cdk"),
        phrases("terraform"),
    ),
    Need(
        "when running tests",
        "run tests",
        "testing",
        phrases("vitest, cargo nextest, nose2, ava, gotestsum, bats, playwright, cypress"),
        phrases("jest, pytest, cargo test, go test, mocha"),
    ),
    Need(
        "when checking types",
        "check types",
        "code-style",
        phrases("pyright, basedpyright, ty, pyrefly"),
        phrases("mypy, tsc"),
    ),
    Need(
        "when linting or formatting code",
        "lint and format code",
        "code-style",
        phrases("ruff, biome, oxlint, dprint, standard, pre-commit, lefthook, trunk"),
        phrases("eslint, prettier, black, flake8, pylint, isort"),
    ),
    Need(
        "when choosing a tool version",
        "choose tool versions",
        "workflow",
        phrases("fnm, volta, asdf, nvm, pyenv, rbenv, mise use, mise install"),
    ),
)

NEED_OF: dict[str, Need] = {member: need for need in reversed(NEEDS) for member in sorted(need.members | need.usual)}

# What else stands for each other: words of code and of its style, and programs that nobody counts the uses of.
_CONSTRUCTS = [
    words(row)
    for row in (
        "var let const val",
        "any unknown",
        "interface type",
        "null undefined nil",
        "tabs spaces",
        "vite webpack rollup esbuild parcel rspack gulp grunt",
    )
]
_PROGRAMS = [frozenset(member.split()[0] for member in need.members | need.usual) for need in NEEDS]


def are_rivals(one: str, other: str) -> bool:
    """Whether two programs serve one need, or two words of code one purpose."""
    pair = {one.casefold(), other.casefold()}
    return len(pair) == 2 and any(pair <= row for row in (*_PROGRAMS, *_CONSTRUCTS))
