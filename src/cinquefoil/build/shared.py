"""Parts of the engine that are written in C: compiled at first use, loaded into the Python process.

The wheel's plain clang and lld make a shared object without a libc of its own: the few C functions it needs come from
the process that loads it.  Sources may include the run-time's headers, which say what nodes and events look like and
what operations mean; the result is cached by the content of all of them.

With `CINQ_NATIVE=debug` in the environment they are compiled without optimisation, with assertions and the sanitizers
for addresses and undefined behaviour.  Python itself is not, so gcc's run-time libraries of both must be preloaded into
it (`tests/build/test_sanitizers.py` has the command)."""

from __future__ import annotations

import ctypes
import os
import tempfile
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from types import BuiltinFunctionType
from typing import Any, Final

from cinquefoil import layout
from cinquefoil.build import toolchain
from cinquefoil.build.cache import get_or_make
from cinquefoil.build.calls import Quick, quick, slow
from cinquefoil.errors import EngineError, UserError

RUNTIME: Final = Path(layout.__file__).parent / "machine" / "runtime"
HEADERS: Final = (RUNTIME / "layout.h", RUNTIME / "eval.h")
COMMON: Final = ("-fPIC", "-ffp-contract=off", "-fno-stack-protector")
QUICK: Final = ("-O2", "-DNDEBUG")
# Functions are called through a pointer of one type for all (quick.c), which the sanitizer for calls would report.
CHECKED: Final = ("-O0", "-g", "-fsanitize=address,undefined", "-fno-sanitize=function", "-fno-sanitize-recover=all")
Signatures = Mapping[str, tuple[Any, Sequence[Any]]]
"""By a function's name: the types of its result and its arguments."""


def build_options() -> tuple[str, ...]:
    """What all libraries are compiled with, by the switch CINQ_NATIVE."""
    chosen = os.environ.get("CINQ_NATIVE", "")
    if chosen not in ("", "debug"):
        raise UserError(f"CINQ_NATIVE={chosen}: must be debug, or not set")
    return (*COMMON, *(CHECKED if chosen else QUICK))


def library_path(what: str, folder: Path, flags: Sequence[str] = ()) -> Path:
    """The library made of a folder's C files, from the cache if it is there."""
    sources = sorted(folder.glob("*.[ch]"))
    flags = (*build_options(), *flags)
    parts = [toolchain.version(), " ".join(flags), *HEADERS, *sources]

    def build(target: Path) -> None:
        _build(what, [path for path in sources if path.suffix == ".c"], flags, target)

    return get_or_make(what, parts, ".so", build)


def load_library(
    what: str, folder: Path, signatures: Signatures, flags: Sequence[str] = (), long: Collection[str] = ()
) -> ctypes.CDLL:
    """The same, loaded, with its functions' types.

    Functions of integers and pointers are called without ctypes (`calls.py`), unless they are among those that may take
    `long`."""
    library = ctypes.CDLL(str(library_path(what, folder, flags)))
    quickly = quick_calls()
    for name, (result, arguments) in signatures.items():
        native = getattr(library, name)
        made = quickly.function(native, name, result, arguments) if quickly is not None and name not in long else None
        setattr(library, name, made if made is not None else slow(native, result, arguments))
    return library


def quick_calls() -> Quick | None:
    """None where there is nothing but ctypes."""
    return _quick_calls(build_options())


@cache
def _quick_calls(options: tuple[str, ...]) -> Quick | None:
    """Found once by the options that all libraries are compiled with: its files are hashed to find it."""
    return quick(library_path("quick", Path(__file__).parent / "quick", ("-Wall", "-Wextra")))


def bound(function: Callable[..., Any], *words: int) -> Callable[..., Any]:
    """A function of a library whose first arguments, one or two, are always the same."""
    quickly = quick_calls()
    if quickly is not None and isinstance(function, BuiltinFunctionType):
        return quickly.bound(function, *words)
    return partial(function, *words)


def text_reader() -> Callable[[int, int], bytes]:
    """`ctypes.string_at`, quicker if possible."""
    quickly = quick_calls()
    return quickly.text_at if quickly is not None else ctypes.string_at


def _build(what: str, sources: Sequence[Path], flags: Sequence[str], target: Path) -> None:
    options = ["-c", f"--target={toolchain.TARGET}", "-nostdinc", "-I", str(RUNTIME), *flags]
    for folder in (toolchain.clang_headers(), *toolchain.libc_headers()):
        options += ["-isystem", str(folder)]
    with tempfile.TemporaryDirectory() as folder:
        units = [Path(folder) / f"{source.stem}.o" for source in sources]
        for source, unit in zip(sources, units, strict=True):
            toolchain.clang([*options, str(source), "-o", str(unit)], source.name)
        linked = toolchain.run_tool("ld.lld", ["-shared", *map(str, units), "-o", str(target)])
        if linked.returncode != 0:
            raise EngineError(f"the native part of {what} does not link: {linked.stderr.strip()}")
