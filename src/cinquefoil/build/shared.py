"""Parts of the engine that are written in C: compiled at first use, loaded into the Python process.

The wheel's plain clang and lld make a shared object without a libc of its own: the few C functions it needs come from
the process that loads it.  Sources may include the run-time's headers, which say what nodes and events look like and
what operations mean; the result is cached by the content of all of them."""

from __future__ import annotations

import ctypes
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from cinquefoil import layout
from cinquefoil.build import toolchain
from cinquefoil.build.cache import get_or_make
from cinquefoil.errors import EngineError

RUNTIME: Final = Path(layout.__file__).parent / "machine" / "runtime"
HEADERS: Final = (RUNTIME / "layout.h", RUNTIME / "eval.h")
COMMON: Final = ("-O2", "-fPIC", "-ffp-contract=off", "-fno-stack-protector")
Signatures = Mapping[str, tuple[Any, Sequence[Any]]]
"""By a function's name: the types of its result and its arguments."""


def library_path(what: str, folder: Path, flags: Sequence[str] = ()) -> Path:
    """The library made of a folder's C files, from the cache if it is there."""
    sources = sorted(folder.glob("*.[ch]"))
    parts = [toolchain.version(), " ".join((*COMMON, *flags)), *HEADERS, *sources]

    def build(target: Path) -> None:
        _build(what, [path for path in sources if path.suffix == ".c"], flags, target)

    return get_or_make(what, parts, ".so", build)


def load_library(what: str, folder: Path, signatures: Signatures, flags: Sequence[str] = ()) -> ctypes.CDLL:
    """The same, loaded, with its functions' types."""
    library = ctypes.CDLL(str(library_path(what, folder, flags)))
    for name, (result, arguments) in signatures.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


def _build(what: str, sources: Sequence[Path], flags: Sequence[str], target: Path) -> None:
    options = ["-c", f"--target={toolchain.TARGET}", "-nostdinc", "-I", str(RUNTIME), *COMMON, *flags]
    for folder in (toolchain.clang_headers(), *toolchain.libc_headers()):
        options += ["-isystem", str(folder)]
    with tempfile.TemporaryDirectory() as folder:
        units = [Path(folder) / f"{source.stem}.o" for source in sources]
        for source, unit in zip(sources, units, strict=True):
            toolchain.clang([*options, str(source), "-o", str(unit)], source.name)
        linked = toolchain.run_tool("ld.lld", ["-shared", *map(str, units), "-o", str(target)])
        if linked.returncode != 0:
            raise EngineError(f"the native part of {what} does not link: {linked.stderr.strip()}")
