"""`cinq trace`: one input, one run, everything it decided on symbolic data."""

from __future__ import annotations

import dataclasses
import json
import shlex
from pathlib import Path

import click

from cinquefoil.cli.checks import check_option
from cinquefoil.cli.notes import note, note_arguments
from cinquefoil.cli.prepare import prepare
from cinquefoil.cli.replay_input import replay
from cinquefoil.cli.say import say
from cinquefoil.cli.trace_report import TraceReport, describe, names_of, path_condition
from cinquefoil.cli.trace_text import as_lines
from cinquefoil.cli.units import duration
from cinquefoil.exploration.session.checking import OVERSHIFT, UNINITIALIZED, checked_arguments, checked_flags
from cinquefoil.expr.smtlib import smtlib
from cinquefoil.expr.table import ExpressionTable
from cinquefoil.ir.sources import Sources
from cinquefoil.machine.environment import parse_arguments
from cinquefoil.machine.failure import UNSUPPORTED, count
from cinquefoil.machine.run import Run
from cinquefoil.machine.worker import Limits, Worker
from cinquefoil.testcase.ktest import KTest

_OK, _PROGRAM_ERROR, _FAULT, _UNSUPPORTED = 0, 1, 3, 4


@dataclasses.dataclass(frozen=True, slots=True)
class _Remarks:
    """What is about the tracing and not about the program."""

    notes: tuple[str, ...]
    check_failures: int | None
    smt2: str | None


@click.command(context_settings={"allow_interspersed_args": False})
@click.argument("program", type=click.Path(path_type=Path))
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@click.option("--input", "test", type=click.Path(path_type=Path), help="A .ktest file; without it all input is zero.")
@click.option("--smt2", is_flag=True, help="Print only the path condition, as SMT-LIB 2.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object (with --smt2: that text in it).")
@check_option
@click.option("--verify", is_flag=True, help="Compare expressions with the program's values, and runs from snapshots.")
@click.option("--cflags", multiple=True, metavar="FLAGS", help="Flags for clang if PROGRAM is C source.  Repeatable.")
@click.option(
    "--file",
    "files",
    type=click.Path(exists=True, path_type=Path),
    multiple=True,
    help="Give the program a copy of a file or folder.  Repeatable.",
)
@click.option(
    "--env", "variables", multiple=True, metavar="NAME=VALUE", help="Set a variable; NAME takes it away.  Repeatable."
)
@click.option("--max-time", type=duration, metavar="TIME", default="10s", show_default=True, help="Time to run.")
@click.option("--pin/--no-pin", default=True, show_default=True, help="Fix table look-ups that depend on older bytes.")
@click.pass_context
def trace(
    ctx: click.Context,
    program: Path,
    arguments: tuple[str, ...],
    test: Path | None,
    smt2: bool,
    as_json: bool,
    checks: tuple[str, ...],
    unchecked: tuple[str, ...],
    verify: bool,
    cflags: tuple[str, ...],
    files: tuple[Path, ...],
    variables: tuple[str, ...],
    max_time: float,
    pin: bool,
) -> int:
    """Run PROGRAM once and show how it ended, its output, and what it decided on symbolic data.

    PROGRAM is a .c file, bitcode (.bc, .ll) or an executable made by cinq cc.  All that follows belongs to
    it and may hold a symbolic environment: --sym-arg N, --sym-args MIN MAX N, --sym-files NUM N,
    --sym-stdin N, --sym-stdout, --sym-stat, --sym-size, --sym-rand, --max-fail N, --max-fail-malloc N.  With
    --input and no arguments, those of the test are used.

    Exit status: 0, 1 if the run ended in an error of the program, 4 if by something that is not supported.
    """
    note_arguments(ctx.command, arguments)
    given = KTest.read(test) if test else KTest()
    words = checked_arguments(arguments or given.args[1:], checks)
    own = tuple(flag for flags in cflags for flag in shlex.split(flags))
    watching = UNINITIALIZED in checks
    flags = checked_flags(str(program), own, checks)
    image = prepare(program, flags, check=verify, overshift=OVERSHIFT not in unchecked)
    limits = Limits(seconds=max_time, pin=pin, uninitialized=watching, verify=verify)
    environment = parse_arguments(words, program.stem).with_files(files).with_variables(variables)
    with Worker(image, environment, limits) as worker:
        replayed = replay(worker, given)
        report, formula = _read(worker, replayed.run, smt2)
        failures = int(worker.memory.control[0]["check_failures"]) if verify else None
    sources = Sources(image.checksums, program.parent)
    _show(report, sources, _Remarks(replayed.notes if test else (), failures, formula), as_json)
    return _status(report, failures or 0)


def _read(worker: Worker, run: Run, smt2: bool) -> tuple[TraceReport, str | None]:
    """All that is told of a run, while the expression table is still there."""
    expressions = worker.expressions
    table = ExpressionTable(expressions.nodes, expressions.tables, expressions.pool)
    formula = smtlib(table, path_condition(run, expressions.alts), names_of(run)) if smt2 else None
    return describe(run, worker.sites, table, expressions.alts), formula


def _show(report: TraceReport, sources: Sources, remarks: _Remarks, as_json: bool) -> None:
    if as_json:
        say(json.dumps(dataclasses.asdict(report) | dataclasses.asdict(remarks), indent=2))
        return
    say("\n".join(as_lines(report, sources)) if remarks.smt2 is None else remarks.smt2.rstrip())
    for remark in remarks.notes:
        note(remark)
    if remarks.check_failures is not None:
        differed = count(remarks.check_failures, "expression")
        note(f"checked: {differed} differed from the program's value")


def _status(report: TraceReport, failures: int) -> int:
    if failures or report.end == "died":
        return _FAULT
    if report.end == UNSUPPORTED:
        return _UNSUPPORTED
    return _PROGRAM_ERROR if report.failure else _OK
