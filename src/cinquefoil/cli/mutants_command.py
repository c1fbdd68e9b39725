"""`cinq mutants`: how many small changes of a program its tests notice."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import click

from cinquefoil.build.program import load_program
from cinquefoil.cli.confined import settled, unconfined_option
from cinquefoil.cli.notes import note
from cinquefoil.cli.paths import shown
from cinquefoil.cli.progress import Preparation
from cinquefoil.cli.say import say
from cinquefoil.errors import UserError
from cinquefoil.experiment.mutants import Killing, build_mutants, kill
from cinquefoil.machine.failure import count
from cinquefoil.replay.replay_suite import read_suite
from cinquefoil.testcase.ktest import KTest


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--program", type=click.Path(path_type=Path), help="The program.  Default: what summary.json names.")
@click.option("--source", "sources", multiple=True, metavar="GLOB", help="Change only these files.  Repeatable.")
@click.option("--limit", type=click.IntRange(min=1), default=200, show_default=True, help="At most so many mutants.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Chooses among the mutants.")
@click.option("--max-tests", type=click.IntRange(min=1), default=200, show_default=True, help="Use at most so many.")
@click.option("--survivors", is_flag=True, help="List the mutants that are reached or not, and live.")
@unconfined_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def mutants(
    folder: Path,
    program: Path | None,
    sources: tuple[str, ...],
    limit: int,
    seed: int,
    max_tests: int,
    survivors: bool,
    unconfined: bool,
    as_json: bool,
) -> None:
    """Run the tests of the output folder FOLDER on mutants of the program.

    A mutant is the program with one small change: another comparison or operation, another constant, a branch
    that always or never goes one way, a store or call left out.  It is killed when a test ends otherwise or
    writes something else than on the original.
    """
    suite = read_suite(folder, note)
    chosen = program or suite.program
    if chosen is None or not chosen.is_file():
        raise UserError(f"the program of {folder} is not known or not here; use --program")
    confinement = settled(unconfined)
    with Preparation() as preparation:
        built = build_mutants(load_program(chosen, progress=preparation.step), sources, limit, seed)
    if not built.mutants:
        raise UserError(f"{chosen} has nothing to change in {', '.join(sources) or 'its sources'}")
    killing = kill(built, _spread(suite.tests, max_tests), chosen.stem, confinement)
    if as_json:
        say(json.dumps({"confinement": confinement.value} | as_data(killing)))
    else:
        say("\n".join(_lines(killing, survivors)) + (", unconfined" if unconfined else ""))


def _spread(tests: Sequence[tuple[str, KTest]], limit: int) -> Sequence[tuple[str, KTest]]:
    """Picks at most so many, from the first to the last: the early ones alone would favour what is quick."""
    return tests[:: -(-len(tests) // limit)]


def as_data(killing: Killing) -> dict[str, object]:
    return {
        "killed": [len(killing.dead), len(killing.mutants)],
        "reached": killing.reached,
        "tests": killing.tests,
        "dropped": killing.dropped,
        "dead": sorted(killing.dead),
        "mutants": [asdict(mutant) for mutant in killing.mutants],
    }


def _lines(killing: Killing, survivors: bool) -> list[str]:
    made = Counter(mutant.operator for mutant in killing.mutants)
    dead = Counter(mutant.operator for mutant in killing.mutants if mutant.number in killing.dead)
    lines = [f"{name}: {dead[name]} of {all_made} killed" for name, all_made in sorted(made.items())]
    if survivors:
        lines += [
            f"alive: {mutant.operator}, {mutant.change}, at {shown(mutant.file)}:{mutant.line} in {mutant.function}"
            for mutant in killing.mutants
            if mutant.number not in killing.dead
        ]
    share = 100 * len(killing.dead) / len(killing.mutants)
    made_in_all = count(len(killing.mutants), "mutant")
    total = f"{len(killing.dead)} of {made_in_all} killed ({share:.1f} %), {killing.reached} reached"
    left_out = f", {killing.dropped} left out" if killing.dropped else ""
    return [*lines, f"{total}, {count(killing.tests, 'test')}{left_out}"]
