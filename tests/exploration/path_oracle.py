"""Explores generated programs in many ways, and compares with what they do on every input.

Whenever an exploration says that it is exhausted, all labels and all failures that any input reaches must have been
found; and whatever is found must be what that input does natively.
"""

from __future__ import annotations

import ctypes
import random
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from oracle_programs import bundle, program, steps_of

from cinquefoil.build.program import LinkedProgram, load_program
from cinquefoil.exploration import Exploration, Options, Outcome
from cinquefoil.exploration.parallel import ParallelExploration
from cinquefoil.exploration.runs.findings import Objects
from cinquefoil.exploration.session.melded_session import MeldedSession
from cinquefoil.exploration.session.session import Task
from cinquefoil.exploration.solving.worker_solver import WorkerSolver
from cinquefoil.machine.environment import parse_arguments
from cinquefoil.machine.image import Image, build_image
from cinquefoil.machine.run import Run
from cinquefoil.machine.worker import Limits, Worker

HEADER = Path(__file__).parent.parent / "programs" / "oracle"
KINDS = ("abort", "assertion", "division-by-zero", "out-of-bounds", "overshift", "null-pointer")
ASSUMED, FAILED, CODES = 1, 64, 512
STRATEGIES = (
    "bfs", "dfs", "random-path", "random-state", "edges", "sgs", "nurs:covnew", "nurs:md2u", "nurs:depth", "nurs:icnt",
    "nurs:cpicnt", "nurs:rp", "nurs:qc", "empc",
)  # fmt: skip
MOST_PATHS = 100


@dataclass(frozen=True)
class ExplorerConfiguration:
    """One way to explore; all expressions are forgotten after every `epoch` runs (0: as usual)."""

    options: Options
    limits: Limits = field(default_factory=Limits)
    solver: str = "bitwuzla"
    epoch: int = 0

    def changed(self, **options: Any) -> ExplorerConfiguration:
        """The same with some options changed."""
        return replace(self, options=replace(self.options, **options))

    def __str__(self) -> str:
        usual = ExplorerConfiguration(Options())
        parts = [f"{name}={value!r}" for name, value in self._parts().items() if value != usual._parts()[name]]
        return " ".join(parts)

    def _parts(self) -> dict[str, object]:
        fields = {name: getattr(self.options, name) for name in Options.__slots__}
        limits = {name: getattr(self.limits, name) for name in Limits.__slots__}
        return {**fields, **limits, "solver": self.solver, "epoch": self.epoch}


def configuration(seed: int, way: int = 0, heavy: bool = True) -> ExplorerConfiguration:
    """One of very many for a program, each thing on or off by chance, what takes long less often; `heavy` ones start
    processes or meld."""
    choose = random.Random(f"configuration {seed} {way}")
    loud = choose.random() < 0.15 and "output_of_fraction" not in steps_of(seed)
    kind = choose.randrange(60) if heavy else 59
    epoch = 0 if loud else choose.choice((0, 0, 0, 0, 7, 25))  # loud programs have long paths
    options = Options(
        search=() if choose.random() < 0.3 else (choose.choice(STRATEGIES),),
        seed=choose.randrange(1000),
        max_paths=MOST_PATHS,
        every_path=True,
        explore_output=loud,
        multiplex=choose.choice(((), (), (), ("auto",), ("simplex",), ("arrays",), ("descent",), ("sweep",))),
        mutations=choose.random() < 0.15,
        path_memory=choose.choice((256 << 20, 4096)) if not epoch else 256 << 20,
        workers=2 if kind == 0 else 1,
        meld=choose.choice(("all", "auto")) if kind == 1 else "",
    )
    limits = Limits(
        pin=choose.random() < 0.75,
        pin_fixed=bool(options.meld) or choose.random() < 0.1,
        mute_output=not loud,
        table_bytes=choose.choice((1 << 16, 1 << 16, 1 << 16, 16)),
        write_bytes=choose.choice((64, 64, 64, 16, 0)),
    )
    solver = "z3" if choose.random() < 0.1 else "bitwuzla"
    return ExplorerConfiguration(options, limits, solver, epoch)


class Forgetful(Worker):
    """Begins a new epoch after every so many runs."""

    runs = 0
    _done = 0

    def run(self, witness: bytes) -> Run:
        self._done += 1
        if self.runs and self._done % self.runs == 0:
            self.new_epoch()
        return super().run(witness)


PLAIN = ExplorerConfiguration(Options(max_paths=MOST_PATHS, every_path=True))


@dataclass(frozen=True)
class Truth:
    """What a program does over all inputs: labels as bits, and the codes of its failures."""

    labels: int
    failures: frozenset[int]


class OracleBundle:
    """Programs of several seeds in one image and one native library."""

    def __init__(self, seeds: Sequence[int], folder: Path) -> None:
        self.seeds = list(seeds)
        self.source = folder / f"bundle{self.seeds[0]}_{len(self.seeds)}.c"
        self.source.write_text(bundle(self.seeds))
        self._truths: dict[int, Truth] = {}

    @cached_property
    def program(self) -> LinkedProgram:
        return load_program(self.source, (f"-I{HEADER}",))

    @cached_property
    def image(self) -> Image:
        return build_image(self.program, blocks=True, level=0)

    @cached_property
    def _native(self) -> ctypes.CDLL:
        library = self.source.with_suffix(".so")
        flags = ("-w", "-O0", "-fwrapv", "-ffp-contract=off", "-DNATIVE", "-fPIC", "-shared", f"-I{HEADER}")
        subprocess.run(["gcc", *flags, self.source, "-o", library, "-lm"], check=True)
        loaded = ctypes.CDLL(str(library))
        loaded.everything.restype = ctypes.c_uint64
        return loaded

    def truth(self, number: int) -> Truth:
        if number not in self._truths:
            codes = (ctypes.c_uint8 * CODES)()
            labels = self._native.everything(number, codes)
            self._truths[number] = Truth(labels, frozenset(code for code in range(FAILED, CODES) if codes[code]))
        return self._truths[number]

    def native(self, number: int, objects: Objects) -> tuple[int, int]:
        """The labels that an input reaches, and the code it ends with."""
        data = dict(objects).get("in", b"").ljust(3, b"\0")
        if data[2] >= 4:
            return 0, 0
        reached = ctypes.c_uint64()
        code = self._native.evaluate(number, data, ctypes.byref(reached))
        return reached.value, code

    def text(self, number: int) -> str:
        return program(self.seeds[number], number)[0]

    # ---- exploring ----

    def explore(self, number: int, how: ExplorerConfiguration) -> Outcome:
        if how.options.meld:
            return self._explore_melded(number, how)
        environment = parse_arguments((str(number),), "bundle")
        with Forgetful(self.image, environment, how.limits) as worker:
            worker.runs = how.epoch
            options = how.options
            solver = WorkerSolver(worker, how.solver, options.solver_seconds, options.seed, options.multiplex)
            try:
                return self._run(worker, solver, how)
            finally:
                solver.close()

    def _run(self, worker: Worker, solver: WorkerSolver, how: ExplorerConfiguration) -> Outcome:
        options, graph = how.options, self.image.graph
        if options.workers > 1:
            exploration = ParallelExploration(worker, solver, how.solver, options, graph, by_itself=0.0)
        else:
            exploration = Exploration(worker, solver, options, graph)
        return exploration.run()

    def _explore_melded(self, number: int, how: ExplorerConfiguration) -> Outcome:
        """By itself: all programs of an image are melded."""
        alone = OracleBundle([self.seeds[number]], self.source.parent)
        task = Task(alone.source, ("0",), solver=how.solver)
        options = replace(how.options, workers=1)
        return MeldedSession(task, options, alone.image, alone.program).run()

    # ---- comparing ----

    def wrong(self, number: int, how: ExplorerConfiguration, outcome: Outcome) -> list[str]:
        """What an exploration claims that is not so."""
        found = [self.native(number, test.objects) for test in outcome.tests]
        labels = 0
        for reached, _ in found:
            labels |= reached
        failures = {code for _, code in found if code >= FAILED}
        claimed = [self._false(number, error.kind, error.test.objects) for error in outcome.errors]
        complaints = [complaint for complaint in claimed if complaint]
        if outcome.exhausted:
            truth = self.truth(number)
            complaints += [f"label {k} missed" for k in range(64) if (truth.labels & ~labels) >> k & 1]
            complaints += [f"failure {code} missed" for code in sorted(truth.failures - failures)]
        return [f"seed {self.seeds[number]}, {how}: {complaint}" for complaint in complaints]

    def _false(self, number: int, kind: str, objects: Objects) -> str:
        """What is wrong with an error that was found, if anything."""
        _, code = self.native(number, objects)
        usual = "false-assumption" if code == ASSUMED else "no error"
        actual = KINDS[(code - FAILED) // 64] if code >= FAILED else usual
        return "" if actual == kind else f"{kind} found with {dict(objects)}, which natively is {actual}"
