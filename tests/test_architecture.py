"""The borders of the house: which part may lean on which, what is imported when, and how long things may get."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "gitinstinct"
MODULES = sorted(PACKAGE.rglob("*.py"))

# A part may lean on itself and on those named. What is not listed is a file at the top.
LEANS_ON = {
    "errors": set(),
    "paths": set(),
    "clock": {"errors"},
    "hours": set(),
    "config": {"hours", "paths"},
    "shipped": {"errors"},
    "instinct": {"errors"},
    "capture": {"paths", "clock", "errors"},
    "git": {"errors"},
    "driver": {"instinct"},
    "trust": {"instinct", "paths", "errors"},
    "store": {"driver", "trust", "git", "instinct", "capture", "shipped", "paths", "errors"},
    "observer": set("trust store git instinct capture config clock shipped hours paths errors".split()),
    "backfill": {"observer", "capture", "paths", "errors"},
    "measure": {"observer", "store", "instinct", "capture", "paths", "errors"},
    "inject": set("measure trust observer store git instinct capture config clock paths errors".split()),
    "hook": {"inject", "capture"},
    "trace": {"store", "git", "instinct", "clock", "paths", "errors"},
    "promote": set("measure trust store git instinct capture config clock paths errors".split()),
    "review": {"check", "promote", "inject", "measure", "trust", "trace", "store", "git", "instinct", "errors"},
    "pullrequest": set("check review team promote trace store git instinct shipped errors".split()),
    "resolve": {"trust", "teach", "store", "git", "instinct", "errors"},
    "teach": {"trust", "store", "git", "instinct", "capture", "errors"},
    "team": {"promote", "store", "git", "instinct", "capture", "errors"},
    "check": {"promote", "measure", "trust", "store", "git", "instinct", "capture", "paths", "errors"},
    "exchange": {"check", "store", "git", "instinct", "capture", "errors"},
    "doctor": {"check", "store", "git", "instinct", "capture", "observer", "harness", "config", "paths", "errors"},
    "harness": {"shipped", "paths", "errors"},
    "demo": {"shipped"},
}
HEAVY = {"anthropic", "deepdiff", "git", "jinja2", "rich", "rapidfuzz", "snowballstemmer", "frontmatter", "typer"}
MAY_IMPORT_HEAVY = {"cli": {"typer"}, "instinct": {"frontmatter"}}
PRINTERS = {"cli", "capture"}
STARTERS = {  # besides the git door
    "gitinstinct/capture/detached.py",  # starts ourselves in the background
    "gitinstinct/cli/demo.py",  # plays the agent that starts our hook
    "gitinstinct/cli/selftest.py",  # does the same
    "gitinstinct/cli/editor.py",  # opens the person's own editor
    "gitinstinct/pullrequest/programs.py",  # asks the person's own `gh` or `glab`, by the git door's way of waiting
    "gitinstinct/observer/model/program.py",  # asks a model through the person's own `claude`
}
LONGEST_FILE, LONGEST_FUNCTION, LONGEST_MERGE_FUNCTION = 320, 40, 25


def part(path: Path) -> str:
    """The folder below the package, or the module at its top."""
    inside = path.relative_to(PACKAGE)
    return inside.parts[0].removesuffix(".py")


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def imports(tree: ast.AST) -> Iterator[str]:
    """Every imported module, in full."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def at_import(tree: ast.Module) -> Iterator[ast.stmt]:
    """The statements that run when the module is imported, type-checking blocks left out."""
    waiting = list(tree.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            waiting += node.orelse
        elif isinstance(node, ast.If | ast.Try | ast.With):
            waiting += [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.stmt)]
            waiting += [stmt for handler in getattr(node, "handlers", []) for stmt in handler.body]
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node


def parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_dependencies_point_one_way(path: Path) -> None:
    allowed = LEANS_ON.get(part(path))
    if allowed is None:
        assert part(path) in {"cli", "__init__", "__main__"}, f"give {part(path)} its place in LEANS_ON"
        return
    for module in imports(parse(path)):
        if module.startswith("gitinstinct."):
            other = module.split(".")[1]
            assert other in allowed | {part(path), "__version__"}, f"{name(path)} leans on {other}"


def test_no_part_leans_on_one_that_leans_on_it() -> None:
    order = TopologicalSorter({one: others - {one} for one, others in LEANS_ON.items()})
    assert list(order.static_order())  # raises, naming the circle, if there is one


# What the hook loads to answer, see gitinstinct/inject/__init__.py.
_ANSWERING = "answer begin block globs log lookup news pick ready state terms".split()
ANSWERING = {f"gitinstinct/inject/{one}.py" for one in _ANSWERING}


@pytest.mark.parametrize("path", [m for m in MODULES if part(m) == "capture" or name(m) in ANSWERING], ids=name)
def test_capture_uses_the_standard_library_alone(path: Path) -> None:
    for module in imports(parse(path)):
        top = module.split(".")[0]
        assert top in sys.stdlib_module_names | {"gitinstinct", "_sha2", "_sha256"}, f"{name(path)} imports {module}"


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_heavy_modules_are_imported_where_they_are_needed(path: Path) -> None:
    for statement in at_import(parse(path)):
        heavy = {module.split(".")[0] for module in imports(statement)} & HEAVY
        assert heavy <= MAY_IMPORT_HEAVY.get(part(path), set()), f"{name(path)} imports {heavy} at the top"


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_only_the_git_door_starts_programs(path: Path) -> None:
    tops = {module.split(".")[0] for module in imports(parse(path))}
    if part(path) != "git" and name(path) not in STARTERS:
        assert not tops & {"git", "subprocess", "multiprocessing", "pty"}
    assert "anthropic" not in tops or path.name == "anthropic.py"
    assert "pydantic" not in tops or path.name == "schema.py"
    assert "httpx2" not in tops or path.name == "body.py"


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_only_the_command_line_prints(path: Path) -> None:
    calls = [node.func.id for node in ast.walk(parse(path)) if isinstance(node, ast.Call) and hasattr(node.func, "id")]
    forbidden = {"print", "input", "breakpoint"} if part(path) not in PRINTERS else {"input", "breakpoint"}
    assert not forbidden & set(calls)


@pytest.mark.parametrize("path", [m for m in MODULES if part(m) == "instinct"], ids=name)
def test_the_domain_is_pure(path: Path) -> None:
    tops = {module.split(".")[0] for module in imports(parse(path))}
    assert not tops & {"os", "sys", "pathlib", "time", "random", "secrets", "socket", "shutil", "tempfile", "logging"}
    text = path.read_text("utf-8")
    assert ".now(" not in text
    assert "open(" not in text


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_nothing_grows_too_long(path: Path) -> None:
    text = path.read_text("utf-8")
    assert text.count("\n") <= LONGEST_FILE, f"{name(path)} has {text.count(chr(10))} lines"
    most = LONGEST_MERGE_FUNCTION if "merge" in str(path.relative_to(PACKAGE)) else LONGEST_FUNCTION
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            assert length <= most, f"{name(path)}: {node.name} has {length} lines"


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_every_module_says_why_it_exists(path: Path) -> None:
    assert ast.get_docstring(parse(path))
