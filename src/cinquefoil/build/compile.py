"""Compile one C file to bitcode so that its bugs survive.

By default clang only generates code, as at `-O0`, and runs no LLVM pass at all; but it marks the life times of local
variables and leaves out `optnone`, which later passes need.  The flags take away the liberties the
language gives an optimiser (wrapping overflow, no aliasing assumptions, null pointers may be dereferenced);
what remains is cleaned by `cleanup.py`.  A caller who asks for `-O1` or more gets clang's real optimiser,
and loses the bugs it exploits.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from cinquefoil.build import toolchain
from cinquefoil.build.dialect import PREPROCESSED, remedies
from cinquefoil.build.implicit import compile_declared
from cinquefoil.build.sanitizers import sanitizing
from cinquefoil.errors import CompileError

FAITHFUL = (
    "-fwrapv",  # no nsw: overflow must not become poison
    "-fno-strict-aliasing",
    "-fno-delete-null-pointer-checks",
    "-fno-builtin",  # a call stays the call that was written
    "-fno-discard-value-names",  # error reports name local variables
    "-ffp-contract=off",
    "-fno-vectorize",
    "-fno-slp-vectorize",
)
PLAIN_CODE = (
    "-fno-pic",
    "-fno-stack-protector",
    "-fno-unwind-tables",
    "-fno-asynchronous-unwind-tables",
    "-fno-sanitize=all",
    "-ffunction-sections",
    "-fdata-sections",
)
# By this, longlong.h, of which many GNU programs have a copy, leaves its assembly out.
NO_ASSEMBLY = "-DNO_ASM"
# What gcc 12 accepts with a warning, and old programs rely on.
TOLERANT = tuple(
    "-Wno-error=" + name
    for name in (
        "implicit-function-declaration",
        "implicit-int",
        "int-conversion",
        "incompatible-function-pointer-types",
        "return-type",
    )
)
NO_OPTIMISATION = (
    *("-O0", "-Xclang", "-disable-llvm-passes", "-Xclang", "-disable-O0-optnone"),
    # Life times are marked for AddressSanitizer also at -O0; nothing else comes with this flag.
    *("-Xclang", "-fsanitize-address-use-after-scope", "-fomit-frame-pointer"),
)
_INSTRUMENTING = (
    *("-finstrument-functions", "-pg", "-mfentry", "-fxray-instrument", "-fpatchable-function-entry"),
    *("-fprofile-", "-ftest-coverage", "--coverage"),
    *("-fcoverage-mapping", "-fcs-profile-generate", "-fsplit-stack"),
)
_HOOKS = "functions are not given calls or counters of the compiler's own"
_IGNORED = {
    **dict.fromkeys(_INSTRUMENTING, _HOOKS),
    "-fstack-protector": "every access to memory is checked anyway",
    "-fcf-protection": "where calls and jumps lead is checked anyway",
    **dict.fromkeys(("-fopenmp", "-fopenacc"), "there is one thread, and directives are passed over"),
    "-funsigned-bitfields": "bit-fields are signed if their type is",
    "-fsingle-precision-constant": "constants have the types that C gives them",
    "--target=": f"programs are compiled for {toolchain.TARGET}",
}
_NOTE = "note: "  # those of clang begin with a location
_OPTIMISATION = re.compile(r"-O(|[0-9sgz]|fast)\Z")


def include_flags() -> list[str]:
    """Header directories of the target, and nothing of the host."""
    own = toolchain.own_headers()
    folders = [own, own / "libc", toolchain.clang_headers(), *toolchain.libc_headers()]
    flags = ["-nostdinc"]
    for folder in folders:
        flags += ["-isystem", str(folder)]
    return flags


def optimises(flags: Sequence[str]) -> bool:
    """Whether the last `-O` flag asks for real optimisation."""
    levels = [flag for flag in flags if _OPTIMISATION.match(flag)]
    return bool(levels) and levels[-1] not in ("-O0", "-Og")


def code_flags(flags: Sequence[str]) -> list[str]:
    """All flags for code generation: ours first, so that the caller's win."""
    flags = [flag for flag in sanitizing(flags).flags if not flag.startswith(tuple(_IGNORED))]
    ours = [f"--target={toolchain.TARGET}", "-g", NO_ASSEMBLY, *FAITHFUL, *PLAIN_CODE, *TOLERANT]
    if optimises(flags):
        return [*ours, *flags]
    kept = [flag for flag in flags if not _OPTIMISATION.match(flag)]
    return [*ours, *NO_OPTIMISATION, *kept]


def without_effect(flags: Sequence[str]) -> list[str]:
    """A remark on each flag that asks for code which is not made here: it is not handed on."""
    reasons = (
        (flag, reason) for flag in dict.fromkeys(flags) for start, reason in _IGNORED.items() if flag.startswith(start)
    )
    return [f"{flag} has no effect here: {reason}" for flag, reason in dict(reasons).items()]


def compile_c(
    source: Path,
    output: Path,
    flags: Sequence[str] = (),
    includes: Sequence[Path] = (),
    cwd: Path | None = None,
) -> str:
    """Compile one C file to bitcode; our own notes and clang's warnings, or `CompileError`."""
    if not source.is_file():
        raise CompileError(f"{source}: no such file")
    arguments = ["-c", "-emit-llvm", *code_flags(flags)]
    for folder in includes:
        arguments += ["-I", str(folder)]
    arguments += [*include_flags(), str(source), "-o", str(output)]
    if source.suffix == PREPROCESSED:
        arguments.append("-Qunused-arguments")  # folders of headers
    compiled = compile_declared(arguments, cwd)
    if compiled.process.returncode != 0 and (more := remedies(source, compiled.process.stderr)):
        compiled = compile_declared([*more, *arguments], cwd)
    if compiled.process.returncode != 0:
        raise CompileError(toolchain.complaint(compiled.process, str(source)))
    notes = (*sanitizing(flags).notes, *without_effect(flags), *compiled.ignored)
    return "".join(f"{_NOTE}{note}\n" for note in notes) + compiled.process.stderr


def own_notes(said: str) -> list[str]:
    """What of that is not clang's: notes on what has no effect here."""
    return [line.removeprefix(_NOTE) for line in said.splitlines() if line.startswith(_NOTE)]
