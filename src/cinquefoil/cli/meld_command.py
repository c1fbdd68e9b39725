"""`cinq meld`: what melding does to a program, without running it."""

from __future__ import annotations

import difflib
import shlex
from collections.abc import Iterator
from pathlib import Path

import click

from cinquefoil.build import bitcode
from cinquefoil.build.program import load_program
from cinquefoil.cli.notes import note_compilation
from cinquefoil.cli.paths import shown
from cinquefoil.cli.progress import Preparation
from cinquefoil.cli.say import say
from cinquefoil.errors import UserError
from cinquefoil.ir.model import Function, Module
from cinquefoil.ir.parser import parse_module
from cinquefoil.ir.printer import print_function
from cinquefoil.machine.failure import count
from cinquefoil.transform.meld.meld_options import MODES, MeldOptions
from cinquefoil.transform.meld.meld_report import MeldedRegion, MeldReport, Refusal
from cinquefoil.transform.meld.melded_program import meld_program


@click.command()
@click.argument("program", type=click.Path(path_type=Path))
@click.option("--function", "wanted", metavar="NAME", help="Only this function.")
@click.option(
    "--code/--no-code", default=True, show_default=True, help="Show the code of melded functions before and after."
)
@click.option(
    "--mode",
    type=click.Choice(MODES),
    default="all",
    show_default=True,
    help="Which branches to meld, as of cinq run --meld.",
)
@click.option("--cflags", multiple=True, metavar="FLAGS", help="Flags for clang if PROGRAM is C source.  Repeatable.")
def meld(program: Path, wanted: str | None, code: bool, mode: str, cflags: tuple[str, ...]) -> int:
    """Show which branches of PROGRAM melding (CFMSE) removes, which it leaves and why.

    First comes the code of each function that is changed, before and after.  Only branches that may depend on input are
    listed.  Instructions: "merged" ones stand for one of each side, "dead" ones run whether their side is taken or not;
    "selects" choose between the sides.
    """
    with Preparation() as preparation:
        linked = load_program(
            program, [f for flags in cflags for f in shlex.split(flags)], preparation.step, note_compilation
        )
    melded = meld_program(linked, MeldOptions(mode))
    before = parse_module(str(bitcode.read(linked.module_bitcode)))
    if wanted is not None:
        _check(before, wanted)
    if code:
        after = parse_module(str(bitcode.read(melded.program.module_bitcode)))
        for name in _changed(melded.report) if wanted is None else [wanted]:
            say("\n".join(_code(before, after, name)) + "\n")
    say("\n".join(_listing(melded.report, wanted)))
    return 0


def _changed(report: MeldReport) -> list[str]:
    return list(dict.fromkeys(region.function.strip('"') for region in report.regions))


def _check(module: Module, wanted: str) -> None:
    names = [f.name.strip('"') for f in module.functions.values() if f.blocks]
    if wanted not in names:
        close = difflib.get_close_matches(wanted, names, 1)
        hint = f"; did you mean '{close[0]}'?" if close else ""
        raise UserError(f"the program defines no function '{wanted}'{hint}")


def _listing(report: MeldReport, wanted: str | None) -> Iterator[str]:
    regions = [r for r in report.regions if wanted in (None, r.function.strip('"'))]
    refusals = [r for r in report.refusals if wanted in (None, r.function.strip('"'))]
    for item in sorted([*regions, *refusals], key=_order):
        yield _line(item)
    yield f"{count(len(regions), 'branch', 'branches')} on input melded, {len(refusals)} left"


def _order(item: MeldedRegion | Refusal) -> tuple[str, int, int, str]:
    return item.file, item.line, item.column, item.home


def _line(item: MeldedRegion | Refusal) -> str:
    location = f"{shown(item.file)}:{item.line}:{item.column}" if item.file else f"block {item.home}"
    head = f"{location} in {item.function}"
    if isinstance(item, Refusal):
        return f"{head}: left: {item.reason}"
    figures = item.figures
    return f"{head}: melded {item.kind}: {figures.merged} merged, {figures.dead} dead, {figures.selects} selects"


def _code(before: Module, after: Module, wanted: str) -> Iterator[str]:
    for title, module in (("before", before), ("after", after)):
        function = _named(module, wanted)
        yield f"; {wanted} {title}: {len(function.blocks)} blocks"
        yield _without_debug(print_function(function))


def _named(module: Module, wanted: str) -> Function:
    return next(f for f in module.functions.values() if f.name.strip('"') == wanted)


def _without_debug(text: str) -> str:
    lines = (line for line in text.splitlines() if "@cinq_meld_" not in line)
    return "\n".join(line.split(", !dbg")[0] for line in lines)
