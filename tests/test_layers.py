"""Imports point down the layers only."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import cinquefoil

PACKAGE = Path(cinquefoil.__file__).parent
LAYERS = (
    ("cli", "testing"),
    ("api",),
    ("experiment",),
    ("report",),
    ("exploration",),
    ("search", "prune"),
    ("states",),
    ("solver",),
    ("expr",),
    ("replay",),
    ("machine",),
    ("transform",),
    ("analysis",),
    ("ir",),
    ("native",),
    ("build",),
    ("testcase",),
)
ROOMS = ("session", "parallel", "output", "loop", "pruning", "mutations", "solving", "runs", "accounting")
RANK = {name: rank for rank, names in enumerate(LAYERS) for name in names}
FOR_ALL = {"errors", "layout", "plugins", "registry", "version"}  # modules at the top that belong to no layer
MODULES = sorted(PACKAGE.rglob("*.py"))


def imported(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """(line, name below the package) of every import of our own, wherever it stands."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: a relative import"
            yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)


def upward(source: str, layer: str) -> list[str]:
    """Imports in a module of this layer that break the rule."""
    wrong: list[str] = []
    for line, name in imported(ast.parse(source)):
        parts = name.split(".")
        if parts[0] != "cinquefoil" or len(parts) < 2 or parts[1] in FOR_ALL or parts[1].startswith("__"):
            continue
        if parts[1] not in RANK or RANK[parts[1]] < RANK[layer] or _sibling(parts[1], layer):
            wrong.append(f"line {line}: {name}")
    return wrong


def _sibling(target: str, layer: str) -> bool:
    return RANK[target] == RANK[layer] and target != layer


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_down(path: Path) -> None:
    relative = path.relative_to(PACKAGE)
    if len(relative.parts) > 1:
        assert relative.parts[0] in RANK, f"{relative.parts[0]} is not a layer"
        assert not upward(path.read_text(encoding="utf-8"), relative.parts[0])


def test_the_architecture_lists_the_same_layers_in_the_same_order() -> None:
    page = (Path(__file__).parents[1] / "ARCHITECTURE.md").read_text(encoding="utf-8")
    table = page.partition("| layer (")[2].partition("\n\n")[0]
    listed = list(dict.fromkeys(re.findall(r"^\| `(\w+)/", table, re.MULTILINE)))
    assert set(listed) == {name for name in RANK if (PACKAGE / name).is_dir()}
    assert [RANK[name] for name in listed] == sorted(RANK[name] for name in listed)


@pytest.mark.parametrize("room", ROOMS)
def test_rooms_of_exploration_import_from_rooms_below(room: str) -> None:
    for path in (PACKAGE / "exploration" / room).glob("*.py"):
        names = [name.split(".") for _, name in imported(ast.parse(path.read_text(encoding="utf-8")))]
        used = {name[2] for name in names if name[:2] == ["cinquefoil", "exploration"] and len(name) > 2}
        assert not used & set(ROOMS[: ROOMS.index(room)]), path.name


def test_the_architecture_lists_the_same_rooms_in_the_same_order() -> None:
    page = (Path(__file__).parents[1] / "ARCHITECTURE.md").read_text(encoding="utf-8")
    table = page.partition("| room |")[2].partition("\n\n")[0]
    assert tuple(re.findall(r"^\| `(\w+)/", table, re.MULTILINE)) == ROOMS
    assert set(ROOMS) == {path.parent.name for path in (PACKAGE / "exploration").glob("*/__init__.py")}


@pytest.mark.parametrize("name", sorted(FOR_ALL))
def test_what_all_may_import_imports_no_layer(name: str) -> None:
    source = (PACKAGE / f"{name}.py").read_text(encoding="utf-8")
    found = {target.split(".")[1] for _, target in imported(ast.parse(source)) if "cinquefoil." in target}
    assert found <= FOR_ALL


@pytest.mark.parametrize(
    ("source", "count"),
    [
        ("from cinquefoil.cli.main import main", 1),
        ("def f():\n    import cinquefoil.exploration.loop.exploration", 1),
        ("from cinquefoil import search", 1),
        ("from cinquefoil.ir.model import Module\nfrom cinquefoil.errors import UserError", 0),
        ("import os\nfrom cinquefoil.machine.run import Run", 0),
    ],
)
def test_the_rule_itself(source: str, count: int) -> None:
    assert len(upward(source, "machine")) == count
