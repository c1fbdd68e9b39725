"""Compiles the native core: one module for all areas, made by the wheel's plain clang and lld.

It has no libc of its own: the few C functions it needs come from the process that loads it.  A wheel for this platform
brings it along (`hatch_build.py`); elsewhere it is compiled at first use and cached by the content of all that it is
made of, which is also part of its name, so one that does not belong to these sources is never loaded.

With `CINQ_NATIVE=debug` in the environment it is compiled without optimisation, with assertions and the sanitizers for
addresses and undefined behaviour.  Python itself is not, so gcc's run-time libraries of both must be preloaded into it
(docs/architecture/native.md has the command)."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Final

from cinquefoil.build import toolchain
from cinquefoil.build.cache import get_or_make, key_of
from cinquefoil.build.scratch import scratch_folder
from cinquefoil.errors import EngineError, UserError
from cinquefoil.native.extension import source
from cinquefoil.native.headers import AREAS, FOLDER, RUNTIME

COMMON: Final = (
    "-std=gnu2x", "-fPIC", "-fvisibility=hidden", "-ffp-contract=off", "-fno-stack-protector",
    "-Wall", "-Wextra", "-Wmissing-prototypes", "-Werror",
)  # fmt: skip
QUICK: Final = ("-O2", "-DNDEBUG")
CHECKED: Final = ("-O0", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
AREA_FLAGS: Final = {
    "solver": ("-march=x86-64-v2",),  # lanes are vectors
    "expr": ("-fno-builtin", "-fno-strict-aliasing"),
}
BROUGHT: Final = FOLDER / "built"
"""Where a wheel has the compiled core."""


def build_options() -> tuple[str, ...]:
    """What everything is compiled with, by the switch CINQ_NATIVE."""
    chosen = os.environ.get("CINQ_NATIVE", "")
    if chosen not in ("", "debug"):
        raise UserError(f"CINQ_NATIVE={chosen}: must be debug, or not set")
    return (*COMMON, *(CHECKED if chosen else QUICK))


def core_path() -> Path:
    """The compiled core: what the wheel brought if it belongs to these sources, else from the cache."""
    parts = _parts()
    brought = BROUGHT / f"{key_of(parts)}.so"
    return brought if brought.exists() else get_or_make("core", parts, ".so", build_core)


def brought_name() -> str:
    """The name of the file that `core_path` looks for in a wheel."""
    return f"{key_of(_parts())}.so"


def build_core(target: Path) -> None:
    """Compiles and links everything."""
    with scratch_folder("core") as folder:
        bindings = folder / "bindings.c"
        bindings.write_text(source(), encoding="utf-8")
        link([*_sources(), bindings], target)


def link(sources: Sequence[Path], target: Path) -> None:
    """A shared object of some C files, compiled as the areas they are in are."""
    with scratch_folder("objects") as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        units = [folder / f"{number}.o" for number in range(len(sources))]
        list(pool.map(_compile, sources, units))
        linked = toolchain.run_tool("ld.lld", ["-shared", *map(str, units), "-o", str(target)])
        if linked.returncode != 0:
            raise EngineError(f"the native core does not link: {linked.stderr.strip()}")


def include_options() -> list[str]:
    """Where headers are, for all of it."""
    options = [f"--target={toolchain.TARGET}", "-nostdinc", "-I", str(FOLDER), "-I", str(RUNTIME)]
    for folder in (toolchain.clang_headers(), *toolchain.libc_headers()):
        options += ["-isystem", str(folder)]
    return options


def _compile(path: Path, unit: Path) -> None:
    flags = (*build_options(), *AREA_FLAGS.get(path.parent.name, ()))
    toolchain.clang(["-c", *include_options(), *flags, str(path), "-o", str(unit)], path.name)


@cache
def _files() -> tuple[Path, ...]:
    """All that the core is made of."""
    own = (path for area in ("common", *AREAS) for path in sorted((FOLDER / area).glob("*.[ch]")))
    generator = (FOLDER / name for name in ("headers.py", "structures.py", "extension.py", "building.py"))
    return (*own, RUNTIME / "layout.h", RUNTIME / "eval.h", *generator)


def _sources() -> list[Path]:
    return [path for path in _files() if path.suffix == ".c"]


def _parts() -> list[str | Path]:
    return [toolchain.compiler_version(), " ".join(build_options()), *_files()]
