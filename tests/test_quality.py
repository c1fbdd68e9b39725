"""The linter and the type checker are content with the whole project."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "cinquefoil"
EVERYWHERE = ("__init__.py", "__main__.py", "api.py", "registry.py", "conftest.py")
DEFINED = re.compile(r"^\w[\w \t*]*?\b(\w+)\([^;{}]*\)\s*\{", re.MULTILINE)


def run(*command: str) -> None:
    done = subprocess.run([sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


FORMATTED = ("src", "tests", "typings", "benchmarks", "tools", "examples", "hatch_build.py")


def test_ruff() -> None:
    run("ruff", "check", *FORMATTED)


def test_format() -> None:
    run("ruff", "format", "--check", *FORMATTED)


def test_pyright() -> None:
    run("pyright", "--pythonpath", sys.executable)


def repeated(names: Iterable[str]) -> list[str]:
    return [name for name, count in Counter(names).items() if count > 1]


def test_modules_have_names_of_their_own() -> None:
    """A name leads to one file.  Only names that every package may have are excepted."""
    modules = (path.name for folder in ("src", "tests") for path in (ROOT / folder).rglob("*.py"))
    assert repeated(name for name in modules if name not in EVERYWHERE) == []


def test_classes_have_names_of_their_own() -> None:
    trees = (ast.parse(path.read_text()) for folder in ("src", "tests") for path in (ROOT / folder).rglob("*.py"))
    assert repeated(node.name for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)) == []


def test_functions_of_the_native_core_have_names_of_their_own() -> None:
    """No other C of the engine defines a function of the same name, be it one that no other file sees."""
    defined = [(path, name) for path in PACKAGE.rglob("*.[ch]") for name in DEFINED.findall(path.read_text())]
    core = {name for path, name in defined if path.is_relative_to(PACKAGE / "native") and name.startswith("cinq_")}
    assert len(core) > 80
    assert repeated(name for _, name in defined if name in core) == []
