"""Builds by gcc and the host's C library: independent of everything the engine uses.

The replay library and the engine's functions as no-ops are compiled along, without the instrumentation asked for.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from cinquefoil.build import cache, static_libc, toolchain
from cinquefoil.build.runtime_symbols import WRAPPED
from cinquefoil.build.sanitizers import without_sanitizers
from cinquefoil.errors import CompileError, UserError
from cinquefoil.replay.native_build import LIBRARY, library_sources

_FLUSH = static_libc.NATIVE_SOURCES / "flush" / "flush.c"
_ANSWERS = ("facts.c", "identity.c", "status.c")
_WEAK = static_libc.NATIVE_SOURCES / "klee.c"
_WRAPPED = tuple(f"-Wl,{flag}" for flag in WRAPPED)
_QUIET = ("-w", "-D_GNU_SOURCE")


def require(tool: str) -> str:
    """The path of a tool of the host; `UserError` if it is not installed."""
    found = shutil.which(tool)
    if found is None:
        raise UserError(f"{tool} is needed for this and is not installed")
    return found


def build(source: Path, folder: Path, flags: Sequence[str], instrument: Sequence[str]) -> Path:
    """An executable of one C file in a folder, that replays tests."""
    if source.suffix not in (".c", ".i"):
        raise UserError(f"{source} is not C source; build it yourself with gcc {' '.join(instrument)} and use --native")
    if not source.is_file():
        raise UserError(f"{source}: no such file")
    executable, program = folder / "program", folder / "program.o"
    headers = f"-I{toolchain.own_headers()}"
    _gcc(
        [
            "-c",
            "-O0",
            "-g",
            *_QUIET,
            *instrument,
            headers,
            *without_sanitizers(flags),
            str(source.absolute()),
            "-o",
            str(program),
        ],
        source,
    )
    library = [str(_object(path)) for path in (*library_sources(), _WEAK)]
    _gcc([*instrument, *_WRAPPED, str(program), *library, "-lm", "-o", str(executable)], source)
    return executable


def flush_library() -> Path:
    """A library to be preloaded: it writes gcov's counters however a program ends, and answers as the engine's world
    does."""
    sources = (_FLUSH, *(LIBRARY / name for name in _ANSWERS))

    def make(output: Path) -> None:
        _gcc(["-shared", "-fPIC", "-O1", "-fvisibility=hidden", *map(str, sources), "-o", str(output)], _FLUSH)

    return cache.get_or_make("gcc", [_version(), *sources, *sorted(LIBRARY.glob("*.h"))], ".so", make)


def _object(source: Path) -> Path:
    def make(output: Path) -> None:
        _gcc(["-c", "-O1", "-g", *_QUIET, f"-I{toolchain.own_headers()}", str(source), "-o", str(output)], source)

    return cache.get_or_make("gcc", [_version(), source, *sorted(LIBRARY.glob("*.h"))], ".o", make)


def _version() -> str:
    return subprocess.run([require("gcc"), "--version"], capture_output=True, text=True, check=False).stdout


def _gcc(arguments: Sequence[str], source: Path) -> None:
    done = subprocess.run([require("gcc"), *arguments], capture_output=True, text=True, errors="replace", check=False)
    if done.returncode != 0:
        raise CompileError(f"gcc does not compile {source}:\n{done.stderr.strip()}")
