"""Which mutants a test suite kills.

One executable holds all mutants; a copy with another number in one variable is a mutant.  Each test first runs on the
original, twice: what does not repeat itself cannot tell mutants apart and is left out.  Then each mutant runs the
tests on which it makes a difference (mutate.py), until one ends otherwise or writes something else; first those that
have killed most so far.  All run in the enclosure of replays: a mutant of `rm` is not to be trusted.

A mutant hangs when it takes ten times the original's processor time, or longer than a test may take by the clock.
Risk: which tests make a difference is what the original says, so a program that does not repeat itself in what it
computes, but does in what it writes, may have a mutant taken for alive.
"""

from __future__ import annotations

import os
import re
import resource
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from cinquefoil.build import bitcode, cache, toolchain
from cinquefoil.build.program import LinkedProgram
from cinquefoil.build.scratch import scratch_folder
from cinquefoil.build.undefined import stand_ins
from cinquefoil.errors import EngineError
from cinquefoil.experiment import mutate as mutation
from cinquefoil.experiment.mutate import Mutant, mutate
from cinquefoil.machine.environment import Environment, parse_arguments
from cinquefoil.machine.image import undefined_functions
from cinquefoil.replay import native_build
from cinquefoil.replay.confinement import Confinement, best_confinement
from cinquefoil.replay.native_run import NativeRun, run_natively
from cinquefoil.replay.process import ProcessLimits
from cinquefoil.testcase.ktest import KTest
from cinquefoil.transform.block_coverage import cover_blocks

_BLOCK: Final = re.compile(r"  call void @cinq_block\(i32 (\d+)\)\Z")
_ASKED: Final = re.compile(r"  %cinq\.c(\d+) = ")
_REPORTED: Final = re.compile(r"^  %cinq\.r(\d+) = select i1 %cinq\.d\d+, i32 (\d+), ", re.MULTILINE)
_PATIENCE = 1.0  # seconds that a test may take
_SLOWER = 10  # times the original's processor time
_LEAST = 0.1  # seconds of the processor's that a mutant may take in any case
_OUTPUT = 1 << 20  # bytes that are compared


@dataclass(frozen=True, slots=True)
class MutantProgram:
    """`blocks[n]` is the block that holds mutant n; `telling[n]` is what a test that may kill it reports."""

    program: native_build.NativeProgram
    mutants: tuple[Mutant, ...]
    blocks: Mapping[int, int]
    telling: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Killing:
    """`dead` maps killed mutants to a test that kills them; `dropped` tests do not repeat themselves."""

    mutants: tuple[Mutant, ...]
    dead: Mapping[int, str]
    reached: int
    tests: int
    dropped: int


def build_mutants(
    program: LinkedProgram, sources: Sequence[str] = (), limit: int | None = None, seed: int = 0
) -> MutantProgram:
    """The executable with all chosen mutants; compiled once for each choice."""
    covered = cover_blocks(str(bitcode.read(program.module_bitcode)))
    mutated = mutate(covered.text, sources, limit, seed, len(covered.positions))
    others = stand_ins(undefined_functions(program))
    key: list[cache.KeyPart] = [toolchain.version(), mutated.text.encode(), *(other.name for other in others)]
    made = cache.get_or_make("mutants", key, "", lambda output: _build(mutated.text, others, output))
    reported = (*covered.positions, *((mutant.function, mutant.number) for mutant in mutated.mutants))
    blocks = _blocks(mutated.text)
    telling = {**blocks, **_told(mutated.text)}
    return MutantProgram(native_build.NativeProgram(made, reported), mutated.mutants, blocks, telling)


def _build(text: str, others: Sequence[Path], output: Path) -> None:
    with scratch_folder("mutants") as folder:
        compiled = folder / "program.o"
        compiled.write_bytes(native_build.compile_native(text))
        native_build.link([compiled, *native_build.library_objects(), *others], output)


def _blocks(text: str) -> dict[int, int]:
    found: dict[int, int] = {}
    block = 0
    for line in text.split("\n"):
        if entered := _BLOCK.match(line):
            block = int(entered[1])
        elif asked := _ASKED.match(line):
            found[int(asked[1])] = block
    return found


def _told(text: str) -> dict[int, int]:
    """What mutants report; deleted calls are not among them."""
    return {int(mutant): int(number) for mutant, number in _REPORTED.findall(text)}


def kill(
    built: MutantProgram, tests: Sequence[tuple[str, KTest]], name: str, confinement: Confinement | None = None
) -> Killing:
    """Runs the tests on the original and on every mutant on which they make a difference; `name` is the program's."""
    chosen = confinement or best_confinement()
    known = [each for named, test in tests if (each := _original(built, named, test, name, chosen)) is not None]
    reported = frozenset[int]().union(*(each.reported for each in known))
    dead: dict[int, str] = {}
    kills: Counter[str] = Counter()
    with scratch_folder("mutant") as folder:
        executable = _Switched(built.program.executable, folder / "mutant")
        for mutant in built.mutants:
            near = [each for each in known if built.telling[mutant.number] in each.reported]
            near.sort(key=lambda each: -kills[each.name])
            killer = _killer(executable, mutant, near, chosen) if near else None
            if killer is not None:
                dead[mutant.number] = killer
                kills[killer] += 1
    reached = sum(built.blocks[mutant.number] in reported for mutant in built.mutants)
    return Killing(built.mutants, dead, reached, len(known), len(tests) - len(known))


@dataclass(frozen=True, slots=True)
class _Known:
    """A test, what the original does with it and reports, and what a mutant may take for it."""

    name: str
    test: KTest
    environment: Environment
    result: tuple[str, int, bytes]
    reported: frozenset[int]
    limits: ProcessLimits


def _original(built: MutantProgram, named: str, test: KTest, name: str, confinement: Confinement) -> _Known | None:
    environment = parse_arguments(test.args[1:], name)
    limits = ProcessLimits(seconds=_PATIENCE, output_bytes=_OUTPUT)
    before = _processor_time()
    runs = [run_natively(built.program, test, environment, limits, False, confinement) for _ in range(2)]
    if _seen(runs[0]) != _seen(runs[1]) or runs[0].end in ("time", "assume"):
        return None
    reported = frozenset(number for run in runs for number in run.report.covered.tolist())
    processor = max(_LEAST, _SLOWER * (_processor_time() - before) / len(runs))
    allowed = replace(limits, processor=processor, seconds=max(_PATIENCE, processor))
    return _Known(named, test, environment, _seen(runs[0]), reported, allowed)


def _processor_time() -> float:
    """The processor time of all processes that were waited for; starting them is in it."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _seen(run: NativeRun) -> tuple[str, int, bytes]:
    return run.end, run.status, run.output


def _killer(executable: _Switched, mutant: Mutant, tests: Sequence[_Known], confinement: Confinement) -> str | None:
    program = native_build.NativeProgram(executable.to(mutant.number), ())
    for each in tests:
        run = run_natively(program, each.test, each.environment, each.limits, False, confinement)
        if _seen(run) != each.result:
            return each.name
    return None


class _Switched:
    """A copy of an executable in which one number can be changed."""

    def __init__(self, original: Path, copy: Path) -> None:
        content = original.read_bytes()
        wanted = mutation.NONE.to_bytes(8, "little")
        self._at = content.find(wanted)
        if self._at < 0 or content.find(wanted, self._at + 1) >= 0:
            raise EngineError(f"{original} does not hold the number of its mutant exactly once")
        self._path = copy
        copy.write_bytes(content)
        copy.chmod(0o755)

    def to(self, number: int) -> Path:
        file = os.open(self._path, os.O_WRONLY)
        try:
            os.pwrite(file, number.to_bytes(8, "little"), self._at)
        finally:
            os.close(file)
        return self._path
