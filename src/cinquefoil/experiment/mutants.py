"""Which mutants a test suite kills.

One executable holds all mutants; a copy with another number in one variable is a mutant.  Each test first runs on the
original, twice: what does not repeat itself cannot tell mutants apart and is left out.  Then each mutant runs the
tests that enter its block, until one ends otherwise or writes something else.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cinquefoil.build import bitcode, cache, toolchain
from cinquefoil.build.program import LinkedProgram
from cinquefoil.errors import EngineError
from cinquefoil.experiment import mutate as mutation
from cinquefoil.experiment.mutate import Mutant, mutate
from cinquefoil.machine.environment import Environment, parse_arguments
from cinquefoil.replay import native
from cinquefoil.replay.process import ProcessLimits
from cinquefoil.replay.run import NativeRun, run_binary, run_natively
from cinquefoil.testcase.ktest import KTest
from cinquefoil.transform.coverage import cover_blocks

_BLOCK: Final = re.compile(r"  call void @cinq_block\(i32 (\d+)\)\Z")
_ASKED: Final = re.compile(r"  %cinq\.c(\d+) = ")
_PATIENCE = 1.0  # seconds that a test may take; a mutant that takes longer hangs
_OUTPUT = 1 << 20  # bytes that are compared


@dataclass(frozen=True, slots=True)
class MutantProgram:
    """`blocks[n]` is the block that holds mutant n."""

    program: native.NativeProgram
    mutants: tuple[Mutant, ...]
    blocks: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Killing:
    """`dead` maps killed mutants to the first test that kills them; `dropped` tests do not repeat themselves."""

    mutants: tuple[Mutant, ...]
    dead: Mapping[int, str]
    reached: int
    tests: int
    dropped: int


def build_mutants(
    program: LinkedProgram, sources: Sequence[str] = (), limit: int | None = None, seed: int = 0
) -> MutantProgram:
    """The executable with all chosen mutants; compiled once for each choice."""
    mutated = mutate(str(bitcode.read(program.module_bitcode)), sources, limit, seed)
    covered = cover_blocks(mutated.text)
    key: list[cache.KeyPart] = [toolchain.version(), covered.text.encode()]
    made = cache.get_or_make("mutants", key, "", lambda output: _build(covered.text, output))
    built = native.NativeProgram(made, tuple(covered.places), frozenset())
    return MutantProgram(built, mutated.mutants, _blocks(covered.text))


def _build(text: str, output: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="cinq-mutants-") as folder:
        compiled = Path(folder) / "program.o"
        compiled.write_bytes(native.compile_native(text))
        native.link([compiled, *native.library_objects()], output)


def _blocks(text: str) -> dict[int, int]:
    found: dict[int, int] = {}
    block = 0
    for line in text.split("\n"):
        if entered := _BLOCK.match(line):
            block = int(entered[1])
        elif asked := _ASKED.match(line):
            found[int(asked[1])] = block
    return found


def kill(built: MutantProgram, tests: Sequence[tuple[str, KTest]], name: str) -> Killing:
    """Runs the tests on the original and on every mutant they reach; `name` is the program's."""
    limits = ProcessLimits(seconds=_PATIENCE, output_bytes=_OUTPUT)
    known = [each for named, test in tests if (each := _original(built, named, test, name, limits)) is not None]
    dead: dict[int, str] = {}
    reached = 0
    with tempfile.TemporaryDirectory(prefix="cinq-mutant-") as folder:
        executable = _Switched(built.program.executable, Path(folder) / "mutant")
        for mutant in built.mutants:
            near = [each for each in known if built.blocks[mutant.number] in each.covered]
            reached += bool(near)
            killer = _killer(executable, mutant, near, limits) if near else None
            if killer is not None:
                dead[mutant.number] = killer
    return Killing(built.mutants, dead, reached, len(known), len(tests) - len(known))


@dataclass(frozen=True, slots=True)
class _Known:
    """A test and what the original does with it."""

    name: str
    test: KTest
    environment: Environment
    result: tuple[str, int, bytes]
    covered: frozenset[int]


def _original(built: MutantProgram, named: str, test: KTest, name: str, limits: ProcessLimits) -> _Known | None:
    environment = parse_arguments(test.args[1:], name)
    runs = [run_natively(built.program, test, environment, limits) for _ in range(2)]
    if _seen(runs[0]) != _seen(runs[1]) or runs[0].end in ("time", "assume"):
        return None
    return _Known(named, test, environment, _seen(runs[0]), frozenset(runs[0].report.covered.tolist()))


def _seen(run: NativeRun) -> tuple[str, int, bytes]:
    return run.end, run.status, run.output


def _killer(executable: _Switched, mutant: Mutant, tests: Sequence[_Known], limits: ProcessLimits) -> str | None:
    path = executable.to(mutant.number)
    for each in tests:
        if _seen(run_binary(path, each.test, each.environment, limits)) != each.result:
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
