"""The image: program, the needed part of libc and the run-time, linked into one static executable.

Site numbers are fixed when linking: every module's base is an absolute symbol.  Images are cached by their objects.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache as remember
from pathlib import Path

from cinquefoil.build import cache, libc, toolchain
from cinquefoil.build.cleanup import UNWRITTEN
from cinquefoil.build.libc import LibcModule
from cinquefoil.build.program import LinkedProgram
from cinquefoil.build.runtime_symbols import WRAPPED, is_runtime_symbol
from cinquefoil.build.undefined import stand_ins
from cinquefoil.errors import CinquefoilError, EngineError, LinkError
from cinquefoil.ir.sites import SiteTable
from cinquefoil.layout import COV_BASE
from cinquefoil.machine.elf import defined_symbols
from cinquefoil.machine.graph import ProgramGraph
from cinquefoil.machine.objects import ObjectRequest, Progress, TracedObject, traced_objects
from cinquefoil.transform.instrument.instrument_options import InstrumentOptions
from cinquefoil.transform.instrument.site_numbers import coverage_symbol
from cinquefoil.transform.instrument.traced_module import ModuleFacts

_RUNTIME = Path(__file__).resolve().parent / "runtime"
_SCRIPT = _RUNTIME / "image.ld"
_NATIVE_LIBC = ("int128", "half")  # called by LLVM itself, without shadows: compiled as they are
_UNDEFINED = re.compile(r"undefined symbol: (.*)")
_FLAGS = (
    *("--target=x86_64-linux-musl", "-O2", "-std=gnu11", "-msse4.1", "-ffreestanding", "-fno-builtin"),
    *("-fno-stack-protector", "-fno-pic", "-fno-pie", "-fno-unwind-tables", "-fno-asynchronous-unwind-tables"),
    *("-fno-strict-aliasing", "-ffp-contract=off"),
)


@dataclass(frozen=True, slots=True)
class Image:
    """A worker executable, and what its numbers mean."""

    path: Path
    sites: SiteTable
    graph: ProgramGraph
    block_sites: dict[tuple[str, int], int]  # of the program's blocks, by function and number in it
    undefined: tuple[str, ...] = ()  # functions that nobody defines: calling one is an error
    checksums: dict[str, list[str]] = field(default_factory=dict[str, list[str]])  # of source files, by name


def own_options(overshift: bool, *, blocks: bool = True, check: bool = False, plain: bool = False) -> InstrumentOptions:
    """How a program's own code is traced; that of libc is not looked at as closely."""
    return InstrumentOptions(blocks=blocks, check=check, plain=plain, overshift=overshift)


def build_image(
    program: LinkedProgram,
    *,
    blocks: bool = False,
    check: bool = False,
    plain: bool = False,
    overshift: bool = True,
    level: int = 1,
    progress: Progress | None = None,
) -> Image:
    """Trace, compile and link; everything that was made before comes from the cache.

    `level` is that of code generation for the program's own code: 0 takes a ninth of the time of 1, and its code runs
    more slowly."""
    options = own_options(overshift, blocks=blocks, check=check, plain=plain)
    (own,) = traced_objects([ObjectRequest(program.module_bitcode, options, level)])
    modules = _with_needed(program, own)
    library = InstrumentOptions(library=True, check=check, plain=plain)
    traced = [m for m in modules if not _is_native(m)]
    objects = [own, *traced_objects([ObjectRequest(m.path, library) for m in traced], progress)]
    undefined = undefined_functions(program)
    natives = [*(_native_object(m.path) for m in modules if _is_native(m)), *stand_ins(undefined)]
    sites, bases = _number(objects)
    graph = replace(_graph(own.facts, bases[0]), module=program.module_bitcode)
    path = _link(objects, bases, natives, len(sites))
    return Image(path, sites, graph, _block_sites(own.facts, bases[0]), undefined, own.facts.checksums)


def undefined_functions(program: LinkedProgram) -> tuple[str, ...]:
    """Functions that neither the program, nor libc, nor the run-time defines: names like the run-time's own are known
    only here."""
    missing = {name for name in program.symbols.undefined - program.undefined if not name.startswith(UNWRITTEN)}
    runtime = set(filter(is_runtime_symbol, missing))
    absent = runtime - _runtime_symbols() if runtime else runtime
    return tuple(sorted(program.undefined | absent))


def _with_needed(program: LinkedProgram, own: TracedObject) -> list[LibcModule]:
    """libc's modules, with those that only the traced code calls."""
    needed = own.facts.needed - program.symbols.defined
    if not needed:
        return program.libc
    return libc.resolve({*program.symbols.undefined, *needed}, program.symbols.defined)


def _is_native(module: LibcModule) -> bool:
    return Path(module.name).stem in _NATIVE_LIBC


def _native_object(bitcode: Path) -> Path:
    flags = ["--target=x86_64-linux-musl", "-O2", "-c", "-fno-pic", str(bitcode), "-o"]
    return cache.get_or_make(
        "native-object",
        [toolchain.version(), *flags, bitcode],
        ".o",
        lambda output: _compile(flags, output, bitcode.name),
    )


def _compile(flags: Sequence[str], output: Path, what: str) -> None:
    toolchain.clang([*flags, str(output)], what)


def _number(objects: Sequence[TracedObject]) -> tuple[SiteTable, list[int]]:
    table = SiteTable()
    bases = [table.append_module(o.facts.sites) for o in objects]
    return table, bases


def _graph(own: ModuleFacts, base: int) -> ProgramGraph:
    """The program's blocks by site id; calls that leave the program are dropped."""
    entries = {name: site + base for name, site in own.entries.items()}
    return ProgramGraph(
        entries=frozenset(entries.values()),
        dead_ends=frozenset(site + base for site in own.dead_ends),
        cfg={site + base: tuple(s + base for s in to) for site, to in own.successors.items()},
        calls={site + base: tuple(entries[n] for n in names if n in entries) for site, names in own.calls.items()},
        instructions={site + base: count for site, count in own.instructions.items()},
        names={site: name for name, site in entries.items()},
    )


def _block_sites(own: ModuleFacts, base: int) -> dict[tuple[str, int], int]:
    return {position: site + base for site, position in own.positions.items()}


@remember
def _runtime_symbols() -> frozenset[str]:
    return frozenset[str]().union(*map(defined_symbols, runtime_objects()))


# ---- run-time and linking ----------------------------------------------------------------------------------------


def runtime_objects() -> list[Path]:
    """The run-time's object files."""
    headers = sorted(_RUNTIME.glob("*.h"))
    sources = sorted(_RUNTIME.glob("*.c"))
    if not sources:
        raise EngineError("the run-time's C sources are missing from the installation")
    return [_runtime_object(source, headers) for source in sources]


def _runtime_object(source: Path, headers: list[Path]) -> Path:
    flags = [*_FLAGS, "-I", str(_RUNTIME), "-c", str(source), "-o"]
    key: list[cache.KeyPart] = [toolchain.version(), *_FLAGS, source, *headers]
    return cache.get_or_make("runtime", key, ".o", lambda output: _compile(flags, output, source.name))


def _link_failure(said: str) -> CinquefoilError:
    """Names that no compiler makes (in damaged bitcode, say) are known to the linker only."""
    names = [name.encode("unicode_escape").decode() for name in dict.fromkeys(_UNDEFINED.findall(said))]
    if names:
        return LinkError(f"undefined: {', '.join(names)}")
    return EngineError(f"linking the worker failed: {said.strip()}")


def _link(objects: Sequence[TracedObject], bases: list[int], natives: list[Path], count: int) -> Path:
    based = list(zip(objects, bases, strict=True))
    symbols = [f"--defsym={o.base_symbol}={base}" for o, base in based]
    symbols += [f"--defsym={coverage_symbol(o.base_symbol)}={COV_BASE + base}" for o, base in based]
    symbols.append(f"--defsym=cinq_site_count={count}")
    files = [*runtime_objects(), *(o.path for o in objects), *natives]
    key: list[cache.KeyPart] = [toolchain.version(), _SCRIPT, *WRAPPED, *symbols, *(f.name for f in files)]

    def link(output: Path) -> None:
        arguments = ["-static", "--no-pie", *WRAPPED, "-T", str(_SCRIPT), *symbols, "-o", str(output)]
        done = toolchain.run_tool("ld.lld", [*arguments, *map(str, files)])
        if done.returncode != 0:
            raise _link_failure(done.stderr)

    return cache.get_or_make("image", key, "", link)
