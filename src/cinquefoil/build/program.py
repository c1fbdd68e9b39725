"""From whatever the user names to a program ready for instrumentation: the door to this layer.

A program is a `.c` file, bitcode (`.bc`, or `.ll` text) of clang 13 to 19, or an executable that `cinq cc`
made (its bitcode lies beside it). The result is one cleaned module plus the files of libc it needs. Cleaning
is cached by the content of the linked inputs, so a second start costs one run of the compiler.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from cinquefoil.build import cache, libc, toolchain
from cinquefoil.build.child import in_child
from cinquefoil.build.compile import compile_c
from cinquefoil.build.libc import LibcModule, Progress
from cinquefoil.build.scratch import scratch_folder
from cinquefoil.build.symbols import Symbols
from cinquefoil.errors import BitcodeError, LinkError, UserError

BITCODE_SUFFIX = ".bc"
_SOURCE_SUFFIXES = (".c", ".i")
_BITCODE_SUFFIXES = (BITCODE_SUFFIX, ".ll", ".a")
_ELF = b"\x7fELF"
_BITCODE_STARTS = (b"BC\xc0\xde", b"\xde\xc0\x17\x0b", b"!<ar")  # plain, wrapped, an archive of them
_ASSEMBLY = re.compile(r'^module asm "([^"\n]*)"\n', re.MULTILINE)
_HARMLESS = re.compile(r"\s*(?:\.symver\b|\.ident\b|\.section\s+\.note|#|(?:\\09)*$)")


@dataclass(frozen=True, slots=True)
class LinkedProgram:
    """A whole program: its own code, and the part of libc it needs."""

    module_bitcode: Path  # cleaned, in the cache
    symbols: Symbols
    libc: list[LibcModule]
    undefined: frozenset[str] = frozenset()  # functions that the program calls and nobody defines


def load_program(
    path: Path,
    flags: Sequence[str] = (),
    progress: Progress | None = None,
    warn: Callable[[str], None] | None = None,
) -> LinkedProgram:
    """The program behind a path; `UserError` kinds say what is wrong with it."""
    return load_programs([path], flags, progress, warn)


def load_programs(
    paths: Sequence[Path],
    flags: Sequence[str] = (),
    progress: Progress | None = None,
    warn: Callable[[str], None] | None = None,
) -> LinkedProgram:
    """Several sources or bitcode files (and bitcode archives) as one program.

    `flags` go to the compiler, `warn` gets what it says about sources that do compile.
    """
    with scratch_folder("program") as folder:
        inputs: list[Path] = []
        for number, path in enumerate(paths):
            found, said = _as_bitcode(path, flags, folder / f"{number}.bc")
            inputs.append(found)
            if said and warn:
                warn(said)
        module, symbols = prepare_program(inputs)
    modules = libc.resolve(symbols.undefined, symbols.defined, progress)
    return LinkedProgram(module, symbols, modules, _undefined_functions(module, symbols, modules))


def prepare_program(inputs: Sequence[Path]) -> tuple[Path, Symbols]:
    """Link and clean bitcode files; the cached result and its symbol table."""
    key = [toolchain.version(), _passes_version(), *inputs]
    names = ", ".join(map(str, inputs))

    def make(output: Path) -> None:
        in_child(lambda: _prepare(inputs, output), names)

    module = cache.get_or_make("program", key, ".bc", make)
    table = cache.get_or_make("program-symbols", [module.name], ".json", lambda output: _write_symbols(module, output))
    return module, Symbols.from_json(table.read_text())


def link_to_file(inputs: Sequence[Path], output: Path, need_main: bool = True) -> None:
    """Whole-program bitcode as it is linked, not cleaned: what lies beside an executable."""
    names = ", ".join(map(str, inputs))
    linked = in_child(lambda: _linked(inputs, need_main), names)

    def write(temporary: Path) -> None:
        temporary.write_bytes(linked)

    cache.write_atomically(output, write)


def _linked(inputs: Sequence[Path], need_main: bool) -> bytes:
    from cinquefoil.build import link

    data: bytes = link.link(inputs, need_main=need_main).module.as_bitcode()
    return data


def _as_bitcode(path: Path, flags: Sequence[str], compiled: Path) -> tuple[Path, str]:
    """The file that holds this input's bitcode, and the compiler's warnings."""
    check_input(path)
    if path.suffix in _SOURCE_SUFFIXES:
        return compiled, compile_c(path.absolute(), compiled, flags)
    if _start(path) != _ELF:
        return path, ""
    beside = path.with_name(path.name + BITCODE_SUFFIX)
    if not beside.is_file():
        raise UserError(f"{path} is native code and {beside} does not exist; build the program with cinq cc")
    return beside, ""


def check_input(path: Path) -> None:
    """`UserError` unless this is a file of a kind that a program can be made of."""
    if not path.is_file():
        found = "is a directory" if path.is_dir() else "is no ordinary file" if path.exists() else "no such file"
        raise UserError(f"{path}: {found}")
    if path.suffix not in (*_SOURCE_SUFFIXES, *_BITCODE_SUFFIXES) and _start(path) not in (_ELF, *_BITCODE_STARTS):
        raise UserError(
            f"{path}: only C (.c, .i), LLVM bitcode (.bc, .ll) and executables made by cinq cc can be explored"
        )


def _start(path: Path) -> bytes:
    with path.open("rb") as handle:
        return handle.read(4)


def _prepare(inputs: Sequence[Path], output: Path) -> None:
    """Runs in a child.  What is written is read once here: if LLVM can do that, it can do it in the main process
    too."""
    from cinquefoil.build import admission, bitcode, cleanup, destructors, link, ubsan

    linked = link.link(inputs)
    admission.check_module(str(linked.module))
    text = destructors.register_destructors(_without_assembly(str(linked.module)))
    bitcode.write(cleanup.cleanup(ubsan.plain_checks(text), "program"), output)
    str(bitcode.read(output))


def _without_assembly(text: str) -> str:
    """The module without assembly of its own that only concerns symbols' versions; any other defines code or data."""
    for line in _ASSEMBLY.findall(text):
        if not _HARMLESS.match(line):
            raise BitcodeError(f"assembly outside of functions is not supported: {line.strip()!r}")
    return _ASSEMBLY.sub("", text)


def _write_symbols(module: Path, output: Path) -> None:
    from cinquefoil.build.symbols import read_symbols

    output.write_text(read_symbols(module).to_json())


def _undefined_functions(module: Path, symbols: Symbols, modules: list[LibcModule]) -> frozenset[str]:
    """What nobody defines; `LinkError` if variables are among it, or what libc itself needs."""
    missing = libc.unresolved(symbols.undefined, symbols.defined, modules)
    if not missing:
        return frozenset()
    from cinquefoil.build.symbols import read_undefined_variables

    variables = missing & read_undefined_variables(module)
    if variables:
        raise LinkError(
            f"undefined variables (functions may be, until they are called): {', '.join(sorted(variables))}"
        )
    needed_by = {name: item.name for item in modules for name in item.undefined}
    if inner := sorted(missing - symbols.undefined):
        raise LinkError("undefined: " + ", ".join(f"{name} (needed by {needed_by[name]})" for name in inner))
    return frozenset(missing)


def _passes_version() -> bytes:
    """Changes with the code that cleans, so that cached modules of older code are not used."""
    folder = Path(__file__).parent
    names = ("admission", "cleanup", "destructors", "link", "program", "symbols", "ubsan", "unevaluated")
    return b"".join((folder / f"{name}.py").read_bytes() for name in names)
