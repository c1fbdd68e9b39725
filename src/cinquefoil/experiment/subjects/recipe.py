"""Recipes: how a subject's source is had and built, and with which symbolic input each of its programs is explored.

A recipe is one TOML file.  `package` is Debian's source package, `version` the one that figures were measured with,
`suite` the release it is taken from if that is not the machine's own.
`steps` are shell commands, run in the unpacked source, once per flavour of build: `$CC`, `$AR`, `$RANLIB` and `$CFLAGS`
differ, `$RECIPES` is the folder of recipes, where drivers lie.  Each entry of `programs` names one program, or several
that only differ by name; `sources` are patterns of its own files, those whose coverage counts.  `base` names another
recipe, whose configured and built tree this one starts from instead of the package's.
"""

from __future__ import annotations

import shlex
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from cinquefoil.errors import UserError

_PACKAGED = Path(__file__).parent / "recipes"  # in an installed package
_CHECKOUT = Path(__file__).resolve().parents[4] / "benchmarks" / "subjects"
_RECIPE_KEYS = {"package", "version", "steps", "programs", "about", "tools", "patches", "suite", "base"}
_PROGRAM_KEYS = {"name", "names", "path", "arguments", "sources", "files", "variables"}


@dataclass(frozen=True, slots=True)
class SubjectProgram:
    """One executable of a recipe; its path is relative to the built tree."""

    name: str
    path: str
    arguments: tuple[str, ...]
    sources: tuple[str, ...]
    files: tuple[str, ...] = ()  # given to the program, relative to the folder of recipes
    variables: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Recipe:
    name: str
    about: str
    package: str
    version: str
    steps: tuple[str, ...]
    programs: tuple[SubjectProgram, ...]
    folder: Path
    tools: tuple[str, ...] = ()  # of the host, beside a compiler and make
    patches: tuple[str, ...] = ()  # relative to the folder of recipes
    suite: str = ""  # Debian's release; empty: the machine's own
    base: str = ""  # another recipe, relative to the folder, whose built tree this one starts from


def recipe_folder() -> Path:
    """Where the recipes are: in the installed package, or in the checkout it runs from."""
    return _PACKAGED if _PACKAGED.is_dir() else _CHECKOUT


def read_recipes(folder: Path | None = None) -> tuple[Recipe, ...]:
    """All recipes of a folder, by name; `UserError` if there are none."""
    chosen = folder or recipe_folder()
    recipes = tuple(read_recipe(path) for path in sorted(chosen.glob("*.toml")))
    if not recipes:
        raise UserError(f"{chosen} holds no recipes (*.toml)")
    return recipes


def read_recipe(path: Path) -> Recipe:
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        return _recipe(path, table)
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, KeyError, TypeError, ValueError) as error:
        raise UserError(f"recipe {path} cannot be used: {error}") from error


def _recipe(path: Path, table: Mapping[str, Any]) -> Recipe:
    _only(table, _RECIPE_KEYS)
    programs = [program for entry in table["programs"] for program in _programs(entry)]
    return Recipe(
        path.stem,
        str(table.get("about", "")),
        str(table["package"]),
        str(table["version"]),
        _words(table, "steps"),
        tuple(programs),
        path.parent.resolve(),
        _words(table, "tools"),
        _words(table, "patches"),
        str(table.get("suite", "")),
        str(table.get("base", "")),
    )


def _programs(entry: Mapping[str, Any]) -> Iterator[SubjectProgram]:
    _only(entry, _PROGRAM_KEYS)
    names = entry["names"] if "names" in entry else [entry["name"]]
    for name in cast("list[str]", names):
        yield SubjectProgram(
            name,
            str(entry["path"]).replace("{name}", name),
            tuple(shlex.split(str(entry["arguments"]))),
            tuple(text.replace("{name}", name) for text in _words(entry, "sources")),
            _words(entry, "files"),
            _words(entry, "variables"),
        )


def _only(table: Mapping[str, Any], known: set[str]) -> None:
    unknown = sorted(set(table) - known)
    if unknown:
        raise ValueError(f"unknown key {', '.join(unknown)}")


def _words(table: Mapping[str, Any], key: str) -> tuple[str, ...]:
    value: object = table.get(key, [])
    if not isinstance(value, list) or not all(isinstance(item, str) for item in cast("list[object]", value)):
        raise TypeError(f"{key} must be a list of texts")
    return tuple(cast("list[str]", value))


Chosen = tuple[Recipe, SubjectProgram]


def choose(recipes: Sequence[Recipe], wanted: Iterable[str]) -> list[Chosen]:
    """Programs by name, `RECIPE/NAME`, or all of a recipe by its name; in the order asked for, each once."""
    found: dict[tuple[str, str], Chosen] = {}
    for name in wanted:
        for recipe, program in _matching(recipes, name):
            found.setdefault((recipe.name, program.name), (recipe, program))
    return list(found.values())


def _matching(recipes: Sequence[Recipe], name: str) -> list[Chosen]:
    everything = [(recipe, program) for recipe in recipes for program in recipe.programs]
    exact = [each for each in everything if name in (each[1].name, f"{each[0].name}/{each[1].name}")]
    found = exact or [each for each in everything if name in (each[0].name, "all")]
    if not found:
        raise UserError(f"there is no subject {name}; cinq subjects list shows them")
    if len(exact) > 1:
        raise UserError(f"{name} is ambiguous: {', '.join(f'{r.name}/{p.name}' for r, p in exact)}")
    return found
