"""The floor plan of the house, drawn from its imports: who may know whom."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import experience

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("experience", "memory_sync", "jobs", "dashboard")
GROUND = {
    "models",
    "errors",
    "clock",
    "ids",
    "values",
    "checks",
    "analyzer",
    "columns",
    "fence",
    "files",
    "globs",
    "neighbours",
    "version",
}
CELLAR = {"db", "schema", "settings"}
STRANGERS = {"capture", "pipeline", "context", "learning"}
DOORS = {"cli", "hooks", "mcp_server", "adapters"}
UPSTAIRS = {"desks", "exchange", "verbs", "hall", "memory", "experience"}
INSIDE = GROUND | CELLAR | {"layers", "search"} | STRANGERS | UPSTAIRS
# What each room may know besides itself. The console script is the one door that opens the others.
MAY_KNOW: dict[str, set[str]] = {
    **dict.fromkeys(GROUND, GROUND),
    **dict.fromkeys(CELLAR, GROUND),
    "layers": GROUND | CELLAR,
    "search": GROUND | CELLAR | {"layers"},
    **dict.fromkeys(STRANGERS, GROUND | CELLAR | {"layers", "search"}),
    "desks": INSIDE - {"exchange", "verbs", "hall", "memory", "experience"},
    "exchange": INSIDE - {"verbs", "hall", "memory", "experience"},
    "verbs": INSIDE - {"hall", "memory", "experience"},
    "hall": INSIDE - {"memory", "experience"},
    "memory": INSIDE - {"experience"},
    "experience": INSIDE,
    "memory_sync": INSIDE,
    "jobs": INSIDE | {"memory_sync"},
    "dashboard": INSIDE,
    **dict.fromkeys(DOORS, INSIDE),
    "__main__": {"cli"},
    "cli": INSIDE | DOORS | {"memory_sync", "jobs", "dashboard"},
}
SQL = re.compile(
    r"\s*(select\s.+\sfrom\s|select\s+[\w(*?]|insert\s+(or\s+\w+\s+)?into\s|update\s+\w+\s+set\s|delete\s+from\s"
    r"|create\s+(table|index|unique|trigger|view|virtual|temp)|alter\s+table|drop\s+\w+|pragma\s+\w+\s*(=|$))",
    re.DOTALL,
)
HEAVY = ("numpy", "flask", "bm25s", "mcp", "sklearn", "apscheduler", "click", "libsql_client", "asyncio")


def sources() -> dict[str, Path]:
    """Every module of the four packages by its name."""
    found = {}
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


SOURCES = sources()


def room(module: str) -> str:
    """The room a module belongs to: the folder or file right inside `experience`, or one of its neighbours."""
    parts = module.split(".")
    return parts[1] if parts[0] == "experience" and len(parts) > 1 else parts[0]


def imports(module: str, *, types: bool) -> Iterator[str]:
    """The full names a module imports anywhere, also inside functions; with *types* those for type checkers too."""
    tree = ast.parse(SOURCES[module].read_text(encoding="utf-8"))
    pending: list[ast.AST] = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from imported(module, node)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test) and not types:
            pending += node.orelse
        else:
            pending += ast.iter_child_nodes(node)


def imported(module: str, node: ast.ImportFrom) -> Iterator[str]:
    """What `from … import …` names: modules where it names modules."""
    source = node.module or ""
    if node.level:
        package = module.split(".") if SOURCES[module].name == "__init__.py" else module.split(".")[:-1]
        source = ".".join([*package[: len(package) - node.level + 1], *filter(None, [node.module])])
    for alias in node.names:
        whole = f"{source}.{alias.name}"
        yield whole if whole in SOURCES else source


def texts(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Every text in the code that is no docstring, with its line; the holes of f-strings are question marks."""
    holders = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docs = {id(node.body[0].value) for node in ast.walk(tree)
            if isinstance(node, holders) and node.body and isinstance(node.body[0], ast.Expr)}  # fmt: skip
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield node.lineno, "".join(str(p.value) if isinstance(p, ast.Constant) else "?" for p in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            yield node.lineno, node.value


def cycle(graph: dict[str, set[str]]) -> list[str]:
    """Some circle of modules that import each other, or nothing."""
    done: set[str] = set()

    def walk(module: str, path: list[str]) -> list[str]:
        if module in path:
            return [*path[path.index(module) :], module]
        if module in done:
            return []
        for known in sorted(graph[module]):
            if circle := walk(known, [*path, module]):
                return circle
        done.add(module)
        return []

    return next(filter(None, (walk(module, []) for module in graph)), [])


def test_every_module_has_a_place_in_the_plan() -> None:
    """A new room must be drawn into the plan before it is built."""
    assert {room(module) for module in SOURCES} <= MAY_KNOW.keys()


def test_no_wall_is_broken_through() -> None:
    """Imports point one way: ground ← cellar ← layers ← search ← rooms ← hall ← doors ← nobody."""
    broken = [
        f"{module} imports {name}"
        for module in SOURCES
        for name in imports(module, types=True)
        if name.split(".")[0] in PACKAGES
        and room(name) != room(module)
        and room(name) not in MAY_KNOW.get(room(module), set())
    ]

    assert broken == []


def test_no_layer_imports_another() -> None:
    """A layer is its own tables and nothing else; the hall introduces them."""
    broken = [
        f"{module} imports {name}"
        for module in SOURCES
        for name in imports(module, types=True)
        if module.startswith("experience.layers.") and name.startswith("experience.layers.")
    ]

    assert broken == []


def test_no_two_modules_import_each_other_in_a_circle() -> None:
    """Lazy imports count: hiding one inside a function does not open the circle."""
    graph = {module: {name for name in imports(module, types=False) if name in SOURCES} for module in SOURCES}

    assert cycle(graph) == []


def test_a_circle_would_be_seen() -> None:
    assert cycle({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == ["b", "c", "b"]
    assert cycle({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == []


def test_only_the_database_room_knows_a_driver() -> None:
    broken = [
        f"{module} imports {name}"
        for module in SOURCES
        for name in imports(module, types=True)
        if name.split(".")[0] in ("sqlite3", "libsql_client", "libsql", "aiosqlite") and room(module) != "db"
    ]

    assert broken == []


def test_sql_stands_only_in_the_layers_and_the_database_room() -> None:
    """`memory_sync` may hold the SQL of its own tables."""
    found = [
        f"{path.relative_to(ROOT)}:{line} {text.strip()[:60]!r}"
        for module, path in SOURCES.items()
        if room(module) not in ("layers", "db", "memory_sync")
        for line, text in texts(ast.parse(path.read_text(encoding="utf-8")))
        if SQL.match(text)
    ]

    assert found == []


@pytest.mark.parametrize(
    "text", ["select a from b", "\n  insert into a (b) values (?)", "pragma a=1", "update a set b = 1"]
)
def test_sql_would_be_seen(text: str) -> None:
    assert SQL.match(text)


def test_importing_the_house_stays_cheap() -> None:
    """None of the heavy packages is loaded by `import experience`: every hook of an agent would pay for it."""
    code = f"import sys, experience; print(*[name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)

    assert done.stdout.split() == []


def test_the_exported_names_are_the_promised_ones() -> None:
    promised = {name for names in experience._ROOMS.values() for name in names.split()} | {"open"}

    assert set(experience.__all__) == promised == set(dir(experience))
    assert all(getattr(experience, name) is not None for name in promised)
    with pytest.raises(AttributeError, match="nonsense"):
        experience.nonsense  # noqa: B018  # asking is the test
    assert list(experience.__all__) == sorted(experience.__all__)


def test_no_file_is_longer_than_400_lines() -> None:
    folders = (*PACKAGES, "tests", "benchmarks")
    paths = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    lengths = {str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines()) for path in paths}

    assert {name: lines for name, lines in lengths.items() if lines > 400} == {}
