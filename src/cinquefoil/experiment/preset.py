"""Named experiments: the papers' set-ups as data, with the papers' own figures beside ours.

A preset is one TOML file in `presets/`.  It names subjects (those that are not at hand are left out, and told),
configurations, the measure, which tables to make, and what the paper reports: `figures` by subject and column, and
`facts` in words.  `arguments` replaces the subjects' own.  Times are scaled: a run gets what `--scale` says instead of
the paper's hours, and every table says so.  Risk: short runs favour what is quick at the start, so an order of
strategies at a minute need not be the order at ten hours.
"""

from __future__ import annotations

import shlex
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from cinquefoil.build import cache
from cinquefoil.errors import UserError
from cinquefoil.experiment.configuration import Configuration, distinct, parse_configuration
from cinquefoil.experiment.subject import Locate, Subject, numbered
from cinquefoil.search import registry

FOLDER: Final = Path(__file__).parent / "presets"
_KEYS: Final = {
    "title",
    "paper",
    "paper_time",
    "paper_runs",
    "scale",
    "seeds",
    "measure",
    "baseline",
    "clock",
    "steps",
    "subjects",
    "arguments",
    "configurations",
    "views",
    "figures",
    "facts",
    "about",
}


@dataclass(frozen=True, slots=True)
class View:
    """A table of a paper: its kind, and what that kind wants to know."""

    kind: str
    settings: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Preset:
    """`figures[subject][column]` are the paper's."""

    name: str
    title: str
    paper: str
    paper_time: str
    paper_runs: int
    scale: float
    seeds: int
    measure: str
    baseline: str
    clock: str
    steps: tuple[str, ...]
    subjects: tuple[Mapping[str, Any] | str, ...]
    arguments: tuple[str, ...]
    configurations: tuple[Configuration, ...]
    views: tuple[View, ...]
    figures: Mapping[str, Mapping[str, float]]
    facts: tuple[str, ...]
    about: str


def names() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def load(name: str) -> Preset:
    path = FOLDER / f"{name}.toml"
    if name not in names():
        raise UserError(f"there is no preset '{name}'; known are {', '.join(names())}")
    return read(path)


def read(path: Path) -> Preset:
    """A preset's file; `UserError` if it is none."""
    try:
        return _preset(path.stem, tomllib.loads(path.read_text(encoding="utf-8")))
    except (tomllib.TOMLDecodeError, KeyError, TypeError, ValueError) as error:
        raise UserError(f"{path} is no preset: {error}") from error


def _preset(name: str, table: Mapping[str, Any]) -> Preset:
    unknown = set(table) - _KEYS
    if unknown:
        raise ValueError(f"unknown keys {', '.join(sorted(unknown))}")
    return Preset(
        name=name,
        title=table["title"],
        paper=table.get("paper", ""),
        paper_time=table.get("paper_time", ""),
        paper_runs=int(table.get("paper_runs", 0)),
        scale=float(table.get("scale", 60)),
        seeds=int(table.get("seeds", 5)),
        measure=table.get("measure", "blocks"),
        baseline=table.get("baseline", ""),
        clock=table.get("clock", "wall"),
        steps=tuple(table.get("steps", ())),
        subjects=tuple(table["subjects"]),
        arguments=tuple(shlex.split(table.get("arguments", ""))),
        configurations=distinct([found for each in table["configurations"] for found in _configurations(each)]),
        views=tuple(View(each.get("kind", ""), each) for each in table.get("views", ())),
        figures=table.get("figures", {}),
        facts=tuple(table.get("facts", ())),
        about=table.get("about", ""),
    )


def _configurations(entry: str | Mapping[str, Any]) -> list[Configuration]:
    """A string as on the command line; "*" for every search strategy; a table that builds on the best of others."""
    if entry == "*":
        return [parse_configuration(name) for name in strategies()]
    if isinstance(entry, str):
        return [parse_configuration(entry)]
    options = tuple(shlex.split(entry.get("options", "")))
    return [Configuration(entry["name"], options, float(entry.get("share", 1.0)), tuple(entry["best_of"]))]


def strategies() -> list[str]:
    """Every search strategy by itself: SGS also with each length of its own."""
    return [*registry.names(), *(f"sgs:{length}" for length in (1, 2, 4, 8))]


def subjects_of(preset: Preset, locate: Locate, only: Sequence[str] = ()) -> tuple[tuple[Subject, ...], list[str]]:
    """The subjects at hand, and the names of those that are not."""
    found: list[Subject] = []
    absent: list[str] = []
    for entry in preset.subjects:
        name = entry if isinstance(entry, str) else str(entry["name"])
        if only and name not in only:
            continue
        subject = locate(name) if isinstance(entry, str) else _inline(entry, locate)
        if subject is not None and preset.arguments:
            subject = replace(subject, arguments=preset.arguments)
        if subject is None or not subject.program.is_file():
            absent.append(name)
        else:
            found.append(subject)
    return numbered(found), absent


def _inline(entry: Mapping[str, Any], locate: Locate) -> Subject | None:
    """A source of the project's own benchmarks, or another subject with other arguments."""
    arguments, options = (tuple(shlex.split(str(entry.get(key, "")))) for key in ("arguments", "options"))
    if "seed" in entry:
        options += ("--seeds", str(_seed(benchmarks() / str(entry["seed"]))))
    if "program" in entry:
        return Subject(str(entry["name"]), benchmarks() / str(entry["program"]), arguments, options)
    known = locate(str(entry["subject"]))
    if known is None:
        return None
    own = arguments or known.arguments
    return replace(known, name=str(entry["name"]), arguments=own, options=(*known.options, *options))


def _seed(path: Path) -> Path:
    """A file that begins an exploration; benchmarks hold them as hexadecimal text."""
    if not path.is_file():
        return path
    data = bytes.fromhex(path.read_text(encoding="ascii"))
    return cache.get_or_make("seed", [data], ".bin", lambda output: _write(output, data))


def _write(path: Path, data: bytes) -> None:
    path.write_bytes(data)


def benchmarks() -> Path:
    """The benchmarks of the checkout this package runs from."""
    return Path(__file__).resolve().parents[3] / "benchmarks"


def scaling(preset: Preset, budget: float, seeds: int, used: int) -> str:
    """How our set-up differs from the paper's, in one honest sentence."""
    parts = [f"{budget:g} s per run" + (f" instead of {preset.paper_time}" if preset.paper_time else "")]
    parts.append(f"{seeds} seeds" + (f" instead of {preset.paper_runs} runs" if preset.paper_runs else ""))
    parts.append(f"{used} of {len(preset.subjects)} subjects")
    end = f"; the paper's figures are {preset.paper}'s own, on its engine and machine" if preset.paper else ""
    return f"Scaled: {', '.join(parts)}{end}."
