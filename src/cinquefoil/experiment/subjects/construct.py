"""Subjects built from their recipes, once per flavour, each in a tree of its own.

`traced` is built by `cinq cc`, for the engine; `gcov` by gcc without optimisation and with counters, for measuring
coverage independently of the engine; `sanitized`, where it is asked for, by gcc with its sanitizers, to confirm errors.
A tree is finished when its stamp, a digest of the recipe, is written; a tree
without one, or with another, is built anew.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from cinquefoil.build.cache import key_of, locked
from cinquefoil.errors import UserError
from cinquefoil.experiment.subjects.recipe import Recipe, SubjectProgram, read_recipe
from cinquefoil.experiment.subjects.upstream import fetch, subjects_root, unpack

TRACED, GCOV, SANITIZED = "traced", "gcov", "sanitized"
FLAVOURS: Final = (TRACED, GCOV)  # those that every subject has
_STAMP = ".cinquefoil"
_LOG = ".cinquefoil.log"
_TAIL = 12  # lines of a failed step's output that are shown


def tree(recipe: Recipe, flavour: str) -> Path:
    return subjects_root() / flavour / recipe.name


def is_built(recipe: Recipe, flavour: str) -> bool:
    stamp = tree(recipe, flavour) / _STAMP
    return stamp.is_file() and stamp.read_text() == _digest(recipe)


def build(recipe: Recipe, flavour: str) -> Path:
    """The built tree; made if it is not here or the recipe is another one now."""
    folder = tree(recipe, flavour)
    with locked(folder):
        if not is_built(recipe, flavour):
            _build(recipe, flavour, folder)
    return folder


def executable(recipe: Recipe, program: SubjectProgram, flavour: str) -> Path:
    """A program, built if need be."""
    path = build(recipe, flavour) / program.path
    # Libtool leaves a script where a program would be that it links to a shared library of the same tree.
    hidden = path.parent / ".libs" / path.name
    found = hidden if hidden.is_file() else path
    if not found.is_file():
        raise UserError(f"{program.name} was not built: there is no {path}")
    return found


def _digest(recipe: Recipe) -> str:
    drivers = sorted((recipe.folder / "drivers").glob("*.[ch]"))
    used = [path for path in drivers if any(f"drivers/{path.name}" in step for step in recipe.steps)]
    patches = [recipe.folder / patch for patch in recipe.patches]
    base = _base(recipe)
    return key_of([recipe.package, *recipe.steps, *used, *patches, *([_digest(base)] if base is not None else [])])


def _build(recipe: Recipe, flavour: str, folder: Path) -> None:
    _require(("make", "gcc", *recipe.tools))
    _begin(recipe, flavour, folder)
    steps = [*(f'patch -p1 < "$RECIPES/{patch}"' for patch in recipe.patches), *recipe.steps]
    variables = _variables(recipe, flavour)
    for step in steps:
        _run(recipe, step, folder, variables)
    (folder / _STAMP).write_text(_digest(recipe))


def _begin(recipe: Recipe, flavour: str, folder: Path) -> None:
    """The tree as it is before any step: unpacked, or as the recipe's base left it."""
    base = _base(recipe)
    # A compiler's answers to configure do not depend on what else it is told to add.
    origin = build(base, TRACED if flavour == TRACED else GCOV) if base is not None else fetch(recipe)
    shutil.rmtree(folder, ignore_errors=True)
    if base is not None:
        shutil.copytree(origin, folder, symlinks=True, ignore=shutil.ignore_patterns(_STAMP, _LOG))
        return
    folder.mkdir(parents=True)
    unpack(origin, folder)


def _base(recipe: Recipe) -> Recipe | None:
    return read_recipe(recipe.folder / recipe.base) if recipe.base else None


def _require(tools: tuple[str, ...]) -> None:
    missing = [tool for tool in tools if shutil.which(tool) is None]
    if missing:
        raise UserError(f"building needs {', '.join(missing)}, which is not installed")


def _run(recipe: Recipe, step: str, folder: Path, variables: Mapping[str, str]) -> None:
    log = folder / _LOG
    with log.open("a") as output:
        output.write(f"$ {step}\n")
        output.flush()
        status = subprocess.call(
            ["/bin/sh", "-e", "-c", step], cwd=folder, env=variables, stdout=output, stderr=subprocess.STDOUT
        )
    if status != 0:
        last = "\n".join(log.read_text(errors="replace").splitlines()[-_TAIL:])
        raise UserError(f"building {recipe.name} failed; the end of {log}:\n{last}")


def _variables(recipe: Recipe, flavour: str) -> dict[str, str]:
    own = _traced_tools() if flavour == TRACED else {"CC": "gcc", "AR": "ar", "RANLIB": "ranlib"}
    flags = {TRACED: "-g", GCOV: "-O0 -g --coverage", SANITIZED: "-O0 -g -fsanitize=address,undefined"}[flavour]
    own["ASAN_OPTIONS"] = "detect_leaks=0"  # what configure scripts run may leak
    general = {"RECIPES": str(recipe.folder), "LC_ALL": "C", "FORCE_UNSAFE_CONFIGURE": "1", "MAKEFLAGS": ""}
    return os.environ | own | {"CFLAGS": flags, "FLAVOUR": flavour} | general


def _traced_tools() -> dict[str, str]:
    """`cinq cc` and its like as single words: not every configure script can do with more."""
    folder = subjects_root() / "tools"
    folder.mkdir(parents=True, exist_ok=True)
    return {name.upper(): str(_tool(folder, name)) for name in ("cc", "ar", "ranlib")}


def _tool(folder: Path, name: str) -> Path:
    call = f"from cinquefoil.cli.main import main; main()  # {name}"
    package = Path(__file__).resolve().parents[3]
    words = ["env", f"PYTHONPATH={package}", sys.executable, "-P", "-c", call, name]
    path = folder / f"cinq-{name}"
    text = f'#!/bin/sh\nexec {shlex.join(words)} "$@"\n'
    if not path.is_file() or path.read_text() != text:
        fresh = path.with_name(f".{path.name}.{os.getpid()}")
        fresh.write_text(text)
        fresh.chmod(0o755)
        fresh.replace(path)
    return path
