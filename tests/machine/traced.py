"""Runs a program natively and traced, and judges what the trace says about it.

The oracles here are independent of the worker: native code for outputs, plain Python evaluation for
expressions."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import bitwuzla
from bitwuzla import Kind

from cinquefoil.build import static_libc
from cinquefoil.build.compile import compile_c
from cinquefoil.build.program import load_program
from cinquefoil.expr.backend_bitwuzla import BitwuzlaBackend
from cinquefoil.expr.constraint import Constraint
from cinquefoil.expr.evaluate import Evaluator, mask
from cinquefoil.expr.smt import Translator
from cinquefoil.expr.table import ExpressionTable
from cinquefoil.layout import EventKind
from cinquefoil.machine.environment import parse_arguments
from cinquefoil.machine.image import Image, build_image
from cinquefoil.machine.run import Run
from cinquefoil.machine.worker import Limits, Worker

PROGRAMS = Path(__file__).parents[1] / "programs"
LIMITS = Limits(seconds=20, instructions=300_000_000)


@dataclass(frozen=True)
class PlainRun:
    output: bytes
    status: int


@cache
def image_of(program: Path, check: bool = False, flags: tuple[str, ...] = ()) -> Image:
    return build_image(load_program(program, flags), check=check)


def worker_of(
    program: Path,
    *,
    check: bool = False,
    quiet: bool = False,
    arguments: tuple[str, ...] = (),
    limits: Limits = LIMITS,
    flags: tuple[str, ...] = (),
) -> Worker:
    environment = parse_arguments(list(arguments), program="prog")
    if quiet:
        environment = replace(environment, variables=(*environment.variables, "QUIET=1"))
    return Worker(image_of(program, check, flags), environment, limits)


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="traced-")


@cache
def native_of(program: Path, flags: tuple[str, ...] = ()) -> Path:
    """The same program as a native executable, with input objects filled by replay.c."""
    folder = Path(_folder().name)
    name = f"{program.stem}{'-'.join(flags).replace('/', '_')[:40]}"
    objects = [folder / f"{name}.bc", folder / "replay.bc"]
    compile_c(program, objects[0], flags)
    if not objects[1].exists():
        compile_c(PROGRAMS / "replay.c", objects[1])
    output = folder / name
    status, message = static_libc.link_executable(output, [str(o) for o in objects])
    assert status == 0, message
    return output


def run_native(
    program: Path,
    witness: bytes,
    arguments: tuple[str, ...] = (),
    flags: tuple[str, ...] = (),
    seconds: float = 60,
) -> PlainRun:
    executable = native_of(program, flags)
    data = Path(_folder().name) / f"{program.stem}.{os.getpid()}.in"
    data.write_bytes(witness)
    variables = {"REPLAY": str(data), "PATH": "/usr/bin:/bin", "LANG": "C", "HOME": "/", "PWD": "/"}
    done = subprocess.run(
        ["prog", *arguments],
        executable=executable,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # ignored in background jobs
        env=variables,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=seconds,
        check=False,
    )
    return PlainRun(done.stdout, done.returncode)


# ---- what a run says
# -----------------------------------------------------------------------------------------------


def table_of(worker: Worker) -> ExpressionTable:
    memory = worker.expressions
    return ExpressionTable(memory.nodes, memory.tables, memory.pool)


def path_condition(worker: Worker, run: Run) -> list[Constraint]:
    """One constraint per event, in order; events without an expression give none."""
    alts = worker.alts
    found: list[Constraint] = []
    for event in run.events:
        kind, expr, taken = int(event["kind"]), int(event["expr"]), int(event["taken"])
        if kind == EventKind.SWITCH:
            found.append(Constraint(int(alts[int(event["alts"]) + 1 + taken])))
        elif kind in (EventKind.BRANCH, EventKind.CHECK):
            found.append(Constraint(expr, taken))
        elif kind == EventKind.ASSUME:
            found.append(Constraint(expr))
        elif kind in (EventKind.PIN, EventKind.CONCRETIZE):
            width = int(worker.expressions.nodes[expr]["width"])
            found.append(Constraint(expr, int(event["value"]) & mask(width)))
    return found


def violated(table: ExpressionTable, constraints: list[Constraint], witness: bytes) -> list[int]:
    """Numbers of the constraints that are false under an input."""
    values = Evaluator(table, witness).values(c.node for c in constraints)
    return [n for n, (c, v) in enumerate(zip(constraints, values, strict=True)) if not c.holds(v)]


def decisions(run: Run) -> list[tuple[int, ...]]:
    """What the run decided: comparable across runs of one worker."""
    names = ("kind", "taken", "site", "expr", "value")
    rows = [tuple(int(event[name]) for name in names) for event in run.events]
    # A switch's value may differ within its group, a branch's value means nothing.
    return [r if r[0] in (EventKind.PIN, EventKind.CONCRETIZE) else (*r[:4], 0) for r in rows]


def fingerprint(run: Run) -> tuple[object, ...]:
    return (run.end, run.code, run.output, decisions(run), run.covered.tolist(), run.objects, run.error)


def mutated(witness: bytes, generator: random.Random) -> bytes:
    """A near neighbour: one to three bytes changed, by a little or at random."""
    data = bytearray(witness)
    for _ in range(generator.choice((1, 1, 1, 2, 3))):
        if data:
            at = generator.randrange(len(data))
            change = generator.choice((1, -1, 2, 16, 32, 128, generator.randrange(256)))
            data[at] = (data[at] + change) % 256
    return bytes(data)


def random_witness(size: int, generator: random.Random) -> bytes:
    """Bytes of mixed taste: small numbers, text, extremes, noise."""
    tastes = (
        lambda: generator.randrange(4),
        lambda: generator.randrange(32, 127),
        lambda: generator.choice((0, 1, 127, 128, 255)),
        lambda: generator.randrange(256),
    )
    chosen = generator.choice((*tastes, None))
    return bytes((chosen or generator.choice(tastes))() for _ in range(size))


def solver_of(worker: Worker, run: Run) -> tuple[bitwuzla.Bitwuzla, dict[int, bitwuzla.Term], bitwuzla.TermManager]:
    """Bitwuzla with the run's path condition asserted, and its input variables by index."""
    manager = bitwuzla.TermManager()
    translator = Translator(table_of(worker), BitwuzlaBackend(manager))
    options = bitwuzla.Options()
    options.set(bitwuzla.Option.PRODUCE_MODELS, True)
    options.set(bitwuzla.Option.TIME_LIMIT_PER, 5000)
    solver = bitwuzla.Bitwuzla(manager, options)
    condition = path_condition(worker, run)
    for constraint in condition:
        solver.assert_formula(translator.condition(constraint))
    for definition in translator.definitions(c.node for c in condition):
        solver.assert_formula(definition)
    return solver, translator.inputs, manager


def solved_neighbours(
    worker: Worker, run: Run, witness: bytes, generator: random.Random, tries: int
) -> Iterator[bytes]:
    """Other inputs that satisfy the run's path condition according to Bitwuzla; the witness must be one first."""
    solver, inputs, manager = solver_of(worker, run)
    sort = manager.mk_bv_sort(8)
    same = {i: manager.mk_term(Kind.EQUAL, [x, manager.mk_bv_value(sort, witness[i])]) for i, x in inputs.items()}
    assert solver.check_sat(*same.values()) == bitwuzla.Result.SAT, "the run's own input"
    for _ in range(tries):
        index = generator.choice(sorted(inputs))
        if solver.check_sat(manager.mk_term(Kind.NOT, [same[index]])) == bitwuzla.Result.SAT:
            known = {i: int(solver.get_value(x).value(16), 16) for i, x in inputs.items()}
            yield bytes(known.get(i, generator.randrange(256)) for i in range(len(witness)))


def broken_promises(worker: Worker, run: Run, witness: bytes, generator: random.Random, tries: int) -> list[str]:
    """The strongest oracle: whoever satisfies a run's path condition follows its path.

    Runs neighbours of the witness that satisfy the condition, and describes those that decide or cover
    otherwise."""
    table, condition = table_of(worker), path_condition(worker, run)
    nearby = [mutated(witness, generator) for _ in range(tries)]
    return disagreements(worker, run, witness, [other for other in nearby if not violated(table, condition, other)])


def disagreements(worker: Worker, run: Run, witness: bytes, others: Iterable[bytes]) -> list[str]:
    """Those of the other inputs whose runs decide or cover otherwise."""
    found: list[str] = []
    for other in others:
        again = worker.run(other)
        if (again.end, decisions(again), again.covered.tolist()) != (run.end, decisions(run), run.covered.tolist()):
            who = f"{witness.hex()} and {other.hex()}: {run.end} {again.end}, "
            found.append(who + _first_difference(worker, run, again))
    return found


def _first_difference(worker: Worker, one: Run, two: Run) -> str:
    pairs = list(zip(decisions(one), decisions(two), strict=False))
    at = next((n for n, (a, b) in enumerate(pairs) if a != b), len(pairs))
    if at < len(pairs):
        return f"event {at}: {[(worker.sites[d[2]].function, worker.sites[d[2]].line, d) for d in pairs[at]]}"
    different = sorted(set(one.covered.tolist()) ^ set(two.covered.tolist()))
    lines = [(worker.sites[s].function, worker.sites[s].line) for s in different[:5]]
    return f"{len(one.events)} and {len(two.events)} events, coverage differs at {lines}"
