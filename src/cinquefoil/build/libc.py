"""musl as bitcode, file by file and only what a program needs, compiled on first use and cached.

`resolve` follows a static linker's rule for archives: a file is pulled in only when a strong reference is
still undefined, and a weak definition already present satisfies it.  musl depends on that (for example a
program that never writes must keep `exit`'s empty `__stdio_exit`).  Compilation goes in waves, all files of a
wave in parallel.  System calls, memory and threads go through the override headers in `musl/`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache as remember
from pathlib import Path

from cinquefoil.build import cache, toolchain
from cinquefoil.build.jobs import in_threads
from cinquefoil.build.libc_index import OWN_SOURCES, Index, build_index, libc_sources
from cinquefoil.build.runtime_symbols import is_runtime_symbol
from cinquefoil.build.symbols import Symbols, read_symbols
from cinquefoil.errors import LinkError

START = "cinq_start"
Progress = Callable[[str, int, int], None]  # file just done, files done, files known to be needed so far

FLAGS: tuple[str, ...] = (
    "-c",
    "-emit-llvm",
    f"--target={toolchain.TARGET}",
    "-nostdinc",
    "-std=c99",
    "-ffreestanding",
    "-O1",
    "-gline-tables-only",
    "-w",
    "-fwrapv",
    "-fno-strict-aliasing",
    "-fno-delete-null-pointer-checks",
    "-ffp-contract=off",
    "-fno-vectorize",
    "-fno-slp-vectorize",
    "-fno-unroll-loops",
    "-fno-unwind-tables",
    "-fno-asynchronous-unwind-tables",
    "-fno-stack-protector",
    "-fno-pic",
    "-D_XOPEN_SOURCE=700",
)


@dataclass(frozen=True, slots=True)
class LibcModule:
    """One compiled file of libc."""

    path: Path  # bitcode, in the cache
    name: str  # such as stdio/printf.c
    symbols: Symbols

    @property
    def defined(self) -> frozenset[str]:
        return self.symbols.defined

    @property
    def undefined(self) -> frozenset[str]:
        return self.symbols.undefined


def resolve(
    undefined: Iterable[str], defined: Iterable[str] = (), progress: Progress | None = None
) -> list[LibcModule]:
    """The files of libc that satisfy these references and, transitively, their own.

    `defined` are the program's definitions, which come first.  The start routine is always included.
    Names that libc does not have are ignored here: `unresolved` tells them.
    """
    return _Closure(frozenset(defined), progress).run({START, *undefined})


def unresolved(undefined: Iterable[str], defined: Iterable[str], modules: Iterable[LibcModule]) -> set[str]:
    """References that neither the program, nor libc, nor the run-time satisfies."""
    have = set(defined).union(*(module.defined for module in modules))
    need = set(undefined).union(*(module.undefined for module in modules))
    return {name for name in need - have if not is_runtime_symbol(name)}


class _Closure:
    """One run of the archive rule: what is defined so far, what is taken, what is still wanted."""

    def __init__(self, program: frozenset[str], progress: Progress | None) -> None:
        self.program = program
        self.progress = progress
        self.owner: dict[str, LibcModule] = {}
        self.taken: dict[str, LibcModule] = {}
        self.done = 0

    def run(self, wanted: set[str]) -> list[LibcModule]:
        seen: set[str] = set()
        while wave := sorted(name for name in wanted - seen if self._missing(name)):
            seen.update(wave)
            for module in self._definers(wave):
                self._take(module)
            wanted = set[str]().union(*(module.undefined for module in self.taken.values()))
        return [self.taken[name] for name in sorted(self.taken)]

    def _missing(self, name: str) -> bool:
        known = name in self.owner or name in self.program
        return not known and (name == START or not is_runtime_symbol(name))

    def _definers(self, wave: list[str]) -> list[LibcModule]:
        """A module for each symbol of the wave that libc has."""
        first = {name: paths[0] for name in wave if (paths := index().get(name))}
        self._compile(sorted(set(first.values())))
        return [module for name in wave if (module := find(name)) is not None]

    def _compile(self, sources: list[str]) -> None:
        """Compile likely files in parallel; `find` then reads them from the cache."""
        before, total = self.done, self.done + len(sources)

        def done(number: int) -> None:
            self.done = before + number
            if self.progress:
                self.progress(source_name(Path(sources[number - 1])), self.done, total)

        in_threads(libc_module, sources, done)

    def _take(self, module: LibcModule) -> None:
        if module.name in self.taken:
            return
        if clash := sorted(module.symbols.strong & self.program):
            raise LinkError(f"the program and libc's {module.name} both define {', '.join(clash)}")
        self.taken[module.name] = module
        for name in module.defined:
            if name not in self.owner or name in module.symbols.strong:
                self.owner[name] = module


def find(symbol: str) -> LibcModule | None:
    """The file of libc that defines a symbol, compiled; None when libc does not have it."""
    weak: LibcModule | None = None
    for source in index().get(symbol, ()):
        module = libc_module(source)
        if symbol in module.symbols.strong:
            return module
        if symbol in module.defined and weak is None:
            weak = module
    return weak


@remember
def libc_module(source: str) -> LibcModule:
    """Compile one file of libc, or take it from the cache."""
    path = Path(source)
    flags = flags_for(path)
    key = [toolchain.version(), *flags, path, *_override_headers()]
    bitcode = cache.get_or_make("libc", key, ".bc", lambda output: _compile(path, flags, output))
    table = cache.get_or_make("libc-symbols", [bitcode.name], ".json", lambda output: _write_symbols(bitcode, output))
    return LibcModule(bitcode, source_name(path), Symbols.from_json(table.read_text()))


def source_name(path: Path) -> str:
    """A short name that does not depend on where the wheel is installed."""
    return f"{'cinquefoil' if path.parent == OWN_SOURCES else path.parent.name}/{path.name}"


def flags_for(source: Path) -> list[str]:
    """Flags for one file, without machine-dependent paths (those are in `_compile`)."""
    flags = list(FLAGS)
    if b"__may_alias__" in source.read_bytes():
        # The variants for GNU C read a word at a time, past the end of strings: harmless, but it looks like an error.
        flags.append("-U__GNUC__")
    if source.parent.name == "math":
        flags.append("-Dfetestexcept=__quiet_fetestexcept")  # the public one reports that it is asked
    return flags


def include_folders() -> list[Path]:
    """Header directories for libc's own sources, in order."""
    root = toolchain.musl_root()
    internal = ("arch/x86_64", "arch/generic", "src/include", "src/internal", "include")
    return [OWN_SOURCES, *(root / name for name in internal), *toolchain.libc_headers()[:2]]


def _compile(source: Path, flags: list[str], output: Path) -> None:
    includes = [f"-I{folder}" for folder in include_folders()]
    # Line tables show names like stdio/printf.c, and equal content gives equal bitcode everywhere.
    maps = [
        f"-ffile-prefix-map={toolchain.musl_root()}/src/=musl/",
        f"-ffile-prefix-map={OWN_SOURCES}/=cinquefoil/",
        f"-ffile-prefix-map={toolchain.musl_root()}=musl",
    ]
    work = toolchain.musl_root()
    toolchain.clang([*flags, *maps, *includes, str(source), "-o", str(output)], source.name, cwd=work)


def _write_symbols(bitcode: Path, output: Path) -> None:
    output.write_text(read_symbols(bitcode).to_json())


@remember
def _override_headers() -> tuple[Path, ...]:
    return tuple(sorted(OWN_SOURCES.glob("*.h")))


@remember
def index() -> Index:
    """The candidate index, made once per wheel version."""
    sources = libc_sources()
    key = [toolchain.version(), str(toolchain.wheel()), str(OWN_SOURCES), Path(__file__).with_name("libc_index.py")]
    key += [source for source in sources if source.parent == OWN_SOURCES]
    path = cache.get_or_make("libc-index", key, ".json", lambda output: _write_index(sources, output))
    return json.loads(path.read_text())


def _write_index(sources: list[Path], output: Path) -> None:
    output.write_text(json.dumps(build_index(sources)))
