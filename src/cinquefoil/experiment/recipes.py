"""Subjects by name: programs that `cinq subjects build` has built from its recipes."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from cinquefoil.experiment.subject import Subject

_PACKAGE = "cinquefoil.experiment.subjects"


def located(name: str) -> Subject | None:
    """The subject of that name; its program's file is missing until it is built."""
    if find_spec(_PACKAGE) is None:
        return None
    recipe_module: Any = import_module(f"{_PACKAGE}.recipe")
    for recipe in recipe_module.read_recipes():
        for program in recipe.programs:
            if program.name == name:
                return _subject(recipe, program)
    return None


def _subject(recipe: Any, program: Any) -> Subject:
    construct: Any = import_module(f"{_PACKAGE}.construct")
    files = [word for file in program.files for word in ("--file", str(recipe.folder / file))]
    variables = [word for variable in program.variables for word in ("--env", variable)]
    traced, native = (_executable(construct.tree(recipe, flavour) / program.path) for flavour in construct.FLAVOURS)
    return Subject(
        program.name,
        traced,
        tuple(program.arguments),
        (*files, *variables),
        native=native if native.is_file() else None,
        sources=tuple(program.sources),
    )


def _executable(path: Path) -> Path:
    """Libtool keeps the real executable beside a script."""
    hidden = path.parent / ".libs" / path.name
    return hidden if hidden.is_file() else path
