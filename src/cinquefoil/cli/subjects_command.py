"""`cinq subjects`: real programs from Debian's source packages, fetched, built, explored, measured."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path

import click

from cinquefoil.cli.checks import check_option
from cinquefoil.cli.confined import settled
from cinquefoil.cli.explore_view import ExploreView, outcome_lines
from cinquefoil.cli.progress import Preparation
from cinquefoil.cli.run_command import chosen_folder
from cinquefoil.cli.say import say
from cinquefoil.cli.units import duration, size
from cinquefoil.experiment.subjects import construct, measure
from cinquefoil.experiment.subjects.confirm import SanitizerVerdict, confirm
from cinquefoil.experiment.subjects.divergence import Compared, compare_natively
from cinquefoil.experiment.subjects.recipe import Recipe, SubjectProgram, choose, read_recipes
from cinquefoil.experiment.subjects.subject_table import markdown, read_results
from cinquefoil.experiment.subjects.upstream import fetch as fetch_source
from cinquefoil.experiment.subjects.upstream import version_of
from cinquefoil.exploration import Options
from cinquefoil.exploration.session.checking import checked
from cinquefoil.exploration.session.validating import check_strategies
from cinquefoil.machine.failure import count

_recipes = click.option(
    "--recipes", type=click.Path(exists=True, file_okay=False, path_type=Path), help="Folder of recipes of your own."
)
_names = click.argument("names", nargs=-1, required=True)


def _strategies(_context: click.Context, _parameter: click.Parameter, wanted: tuple[str, ...]) -> tuple[str, ...]:
    """Refuse unknown strategies before anything is built."""
    check_strategies(wanted)
    return wanted


@click.group()
def subjects() -> None:
    """Real programs to explore: bc, make, coreutils and others, from Debian's source packages.

    A name is a program (bc, echo), a recipe with all its programs (coreutils), or all.
    Sources and builds are kept in the cache directory (cinq cache path).
    """


@subjects.command(name="list")
@_recipes
def list_subjects(recipes: Path | None) -> None:
    """Print all subjects: what is built, and the symbolic arguments."""
    for recipe in read_recipes(recipes):
        state = "built" if all(construct.is_built(recipe, flavour) for flavour in construct.FLAVOURS) else "not built"
        say(f"{recipe.name} ({recipe.package} {recipe.version}, {state}): {recipe.about}")
        for names, program in _alike(recipe):
            say(f"  {names}: {' '.join(program.arguments)}")


def _alike(recipe: Recipe) -> Iterator[tuple[str, SubjectProgram]]:
    """Programs with the same arguments in one line."""
    groups: dict[tuple[str, ...], list[SubjectProgram]] = {}
    for program in recipe.programs:
        groups.setdefault(program.arguments, []).append(program)
    for members in groups.values():
        yield " ".join(program.name for program in members), members[0]


@subjects.command()
@_names
@_recipes
def fetch(names: tuple[str, ...], recipes: Path | None) -> None:
    """Download the sources of subjects, from the mirrors that apt on this machine uses."""
    for recipe in _distinct(names, recipes):
        archive = fetch_source(recipe)
        found = version_of(archive)
        note = "" if found.startswith(recipe.version) else f" (the recipe was tried with {recipe.version})"
        say(f"{recipe.name}: {archive.name}{note}")


@subjects.command()
@_names
@_recipes
def build(names: tuple[str, ...], recipes: Path | None) -> None:
    """Build subjects twice: with cinq cc, and with gcc --coverage."""
    for recipe in _distinct(names, recipes):
        for flavour in construct.FLAVOURS:
            say(f"{recipe.name}: {construct.build(recipe, flavour)}")


def _distinct(names: tuple[str, ...], recipes: Path | None) -> list[Recipe]:
    return list({recipe.name: recipe for recipe, _ in choose(read_recipes(recipes), names)}.values())


@subjects.command()
@click.argument("name")
@click.option("--search", multiple=True, metavar="NAME", callback=_strategies, help="As for cinq run.")
@click.option("--max-time", type=duration, metavar="TIME", default="60s", show_default=True, help="Of exploring.")
@click.option("--clock", type=click.Choice(["wall", "cpu"]), default="wall", show_default=True, help="As for cinq run.")
@click.option("--max-memory", type=size, metavar="SIZE", default="2G", show_default=True, help="Stop at this much.")
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Same seed, same choices.")
@click.option("--replay/--no-replay", default=True, show_default=True, help="Run the tests natively.")
@click.option("--confirm", "confirming", is_flag=True, help="Run the tests of errors on a build with gcc's sanitizers.")
@click.option("--max-errors", type=click.IntRange(min=1), metavar="N", help="Stop at this many distinct errors.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Output folder.  Default: cinq-out-N.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@check_option
@_recipes
def run(
    name: str,
    search: tuple[str, ...],
    max_time: float,
    clock: str,
    max_memory: int,
    seed: int,
    replay: bool,
    confirming: bool,
    max_errors: int | None,
    output: Path | None,
    as_json: bool,
    checks: tuple[str, ...],
    unchecked: tuple[str, ...],
    recipes: Path | None,
) -> None:
    """Explore the subject NAME, built if need be; replay its tests natively, and measure them by gcov."""
    ((recipe, program), *_) = choose(read_recipes(recipes), [name])
    if replay or confirming:
        settled(unconfined=False)  # a failure now costs no exploration
    if replay:
        construct.build(recipe, construct.GCOV)
    task, folder = checked(measure.task_of(recipe, program), checks, unchecked), chosen_folder(output)
    options = Options(search, seed, max_time, clock, max_errors=max_errors, max_memory=max_memory)
    options = replace(options, check=checks, no_check=unchecked)
    with Preparation() as preparation, ExploreView(max_time) as view:
        outcome, summary = measure.explore(task, options, folder, view.show, preparation.step)
    if not as_json:
        say("\n".join(outcome_lines(outcome, folder)))
    verdicts = confirm(folder, task, recipe, program, outcome.errors) if confirming else []
    measured, compared = _replayed(folder, recipe, program) if replay else (None, None)
    if as_json:
        data = measure.as_data(recipe, program, summary, measured, compared)
        say(json.dumps(data | {"verdicts": [asdict(verdict) for verdict in verdicts]}, indent=2))
        return
    for verdict in verdicts:
        say(f"sanitizers about {verdict.test}: {_spoken(verdict)}")
    if measured is not None and compared is not None:
        say("\n".join((*_lines(measured), *_compared_lines(compared))))


@subjects.command()
@click.argument("name")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@_recipes
def replay(name: str, folder: Path, as_json: bool, recipes: Path | None) -> None:
    """Replay the tests that `run` left in FOLDER for the subject NAME once more, natively and by gcov."""
    ((recipe, program), *_) = choose(read_recipes(recipes), [name])
    settled(unconfined=False)
    construct.build(recipe, construct.GCOV)
    measured, compared = _replayed(folder, recipe, program)
    if as_json:
        summary = json.loads((folder / "summary.json").read_bytes())
        say(json.dumps(measure.as_data(recipe, program, summary, measured, compared), indent=2))
    else:
        say("\n".join((*_lines(measured), *_compared_lines(compared))))


def _replayed(folder: Path, recipe: Recipe, program: SubjectProgram) -> tuple[measure.Measured, Compared]:
    task = measure.task_of(recipe, program)
    with Preparation(doing="replaying") as progress:
        compared, engine = compare_natively(folder, task, progress.step)
        return measure.measure(folder, task, recipe, program, engine, progress.step), compared


@subjects.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
def table(folder: Path) -> None:
    """Print a Markdown table of the results in FOLDER: files that hold what `run --json` printed."""
    say("\n".join(markdown(read_results(folder))))


def _spoken(verdict: SanitizerVerdict) -> str:
    return "; ".join(f"{each.kind} at {each.place}" for each in verdict.violations) or "nothing"


def _compared_lines(compared: Compared) -> Iterator[str]:
    yield f"{count(compared.tests, 'test')} replayed on a plain native build, {len(compared.diverging)} diverging"
    for each in compared.diverging:
        yield f"  {each.test}: {'; '.join(each.differences)}"


def _lines(measured: measure.Measured) -> Iterator[str]:
    found = asdict(measured)
    for kind in ("lines", "branches"):
        covered, total = found[kind]
        yield f"gcov: {covered} of {total} {kind}"
    agreement = measured.agreement
    differing = len(agreement.engine) + len(agreement.native)
    yield f"engine and gcov differ about {differing} of {agreement.lines} lines"
    for side, locations in (("engine", agreement.engine), ("gcov", agreement.native)):
        if locations:
            yield f"  covered only as {side} says: {' '.join(locations)}"
