"""A plain native executable of a program, that replays tests and reports the blocks it enters.

Its code is LLVM's of the same cleaned bitcode that the engine traces, its libc is musl compiled as usual, and the
replay library (build/native/replay) gives it its input.  Nothing of the tracing takes part.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from cinquefoil.build import bitcode, cache, static_libc, toolchain
from cinquefoil.build.child import in_child
from cinquefoil.build.compile import include_flags
from cinquefoil.build.program import LinkedProgram
from cinquefoil.build.runtime_symbols import WRAPPED
from cinquefoil.build.undefined import stand_ins
from cinquefoil.errors import LinkError
from cinquefoil.machine.image import undefined_functions
from cinquefoil.machine.objects import compile_ir
from cinquefoil.transform import block_coverage
from cinquefoil.transform.block_coverage import BlockPosition

LIBRARY = static_libc.NATIVE_SOURCES / "replay"
_FLAGS = ("-c", f"--target={toolchain.TARGET}", "-O2", "-fno-pic", "-fno-builtin", "-fno-stack-protector")
_LEVEL = 0  # of code generation
_CONSTRUCTORS = re.compile(r"^@llvm\.global_ctors = appending global [^\n]*$", re.MULTILINE)
_CONSTRUCTOR = re.compile(r"\{ i32 (\d+), ptr (@\"[^\"]*\"|@[-\w$.]+), ptr")
_LAST = 65535  # a constructor's priority when none is given


@dataclass(frozen=True, slots=True)
class NativeProgram:
    """`positions[n]` is the block that the executable reports as n."""

    executable: Path
    positions: tuple[BlockPosition, ...]


def build_native(program: LinkedProgram) -> NativeProgram:
    """The program's native executable; from the cache if it was made before."""
    own = [program.module_bitcode, Path(block_coverage.__file__), Path(__file__)]
    positions = cache.get_or_make("replay-positions", own, ".json", lambda output: _write_positions(program, output))
    files = [_program_object(program, own), *library_objects(), *stand_ins(undefined_functions(program))]
    key: list[cache.KeyPart] = [toolchain.version(), *(f.name for f in files), static_libc.libc_archive().name]
    executable = cache.get_or_make("replay", key, "", lambda output: link(files, output))
    rows: list[tuple[str, int]] = json.loads(positions.read_text())
    return NativeProgram(executable, tuple((function, number) for function, number in rows))


def _covered(program: LinkedProgram) -> block_coverage.CoveredModule:
    return block_coverage.cover_blocks(str(bitcode.read(program.module_bitcode)))


def _write_positions(program: LinkedProgram, output: Path) -> None:
    output.write_text(json.dumps(_covered(program).positions, separators=(",", ":")))


def _program_object(program: LinkedProgram, own: list[Path]) -> Path:
    def make(output: Path) -> None:
        output.write_bytes(compile_native(_covered(program).text))

    return cache.get_or_make("replay-object", [toolchain.version(), *own], ".o", make)


def compile_native(text: str) -> bytes:
    """An object file of plain IR, made in a child: code generators give up by ending their process."""
    return in_child(lambda: _compile(text), "the program's code")


def _compile(text: str) -> bytes:
    """Inline assembly, which only this build keeps, needs a parser of its own."""
    import llvmlite.binding as llvm

    llvm.initialize_native_asmparser()
    return compile_ir(with_init_array(text), _LEVEL)


def with_init_array(text: str) -> str:
    """Constructors where the linker and libc look for them: llvmlite's code generator would use `.ctors`."""
    return _CONSTRUCTORS.sub(lambda found: "\n".join(_init_entries(found[0])), text)


def _init_entries(line: str) -> Iterator[str]:
    for number, (priority, name) in enumerate(_CONSTRUCTOR.findall(line)):
        section = ".init_array" if int(priority) == _LAST else f".init_array.{int(priority):05d}"
        yield f'@cinq.init.{number} = private constant ptr {name}, section "{section}", align 8'


def library_objects() -> list[Path]:
    """The replay library, compiled for the target."""
    return [_library_object(source) for source in library_sources()]


def library_sources() -> list[Path]:
    return sorted(LIBRARY.glob("*.c"))


def _library_object(source: Path) -> Path:
    def make(output: Path) -> None:
        toolchain.clang([*_FLAGS, *include_flags(), str(source), "-o", str(output)], source.name)

    headers = sorted(LIBRARY.glob("*.h"))
    return cache.get_or_make("replay-library", [toolchain.version(), *_FLAGS, source, *headers], ".o", make)


def link(files: Sequence[Path], output: Path) -> None:
    """An executable of a program's object and the replay library's."""
    status, said = static_libc.link_executable(output, [*WRAPPED, *(str(file) for file in files)])
    if status != 0:
        raise LinkError(f"the program cannot be linked natively: {said.strip()}")
    output.chmod(0o755)
