"""Subjects by name: programs that `cinq subjects build` has built from its recipes."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from cinquefoil.experiment.subject import Subject
from cinquefoil.experiment.subjects.construct import FLAVOURS, tree
from cinquefoil.experiment.subjects.recipe import Recipe, SubjectProgram, read_recipes


def located(name: str) -> Subject | None:
    """The subject of that name; its program's file is missing until it is built."""
    return _known().get(name)


@cache
def _known() -> dict[str, Subject]:
    return {program.name: _subject(recipe, program) for recipe in read_recipes() for program in recipe.programs}


def _subject(recipe: Recipe, program: SubjectProgram) -> Subject:
    files = [word for file in program.files for word in ("--file", str(recipe.folder / file))]
    variables = [word for variable in program.variables for word in ("--env", variable)]
    traced, native = (_executable(tree(recipe, flavour) / program.path) for flavour in FLAVOURS)
    return Subject(
        program.name,
        traced,
        program.arguments,
        (*files, *variables),
        native=native if native.is_file() else None,
        sources=program.sources,
    )


def _executable(path: Path) -> Path:
    """Libtool keeps the real executable beside a script."""
    hidden = path.parent / ".libs" / path.name
    return hidden if hidden.is_file() else path
