"""A native static libc and start file, so that `cinq cc` also gives executables that run.

musl is built whole from the wheel's sources, once (some 20 s on two cores), into one cached archive.
Linking against an archive leaves every question of need and precedence to lld, and makes configure's tests
for missing functions fail as they must.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from cinquefoil.build import cache, toolchain
from cinquefoil.build.compile import include_flags
from cinquefoil.build.jobs import in_threads
from cinquefoil.build.libc import Progress, source_name
from cinquefoil.build.libc_index import OWN_SOURCES
from cinquefoil.build.scratch import scratch_folder
from cinquefoil.errors import EngineError

NATIVE_SOURCES = Path(__file__).parent / "native"
_HELPERS = ("atomic.c", "complex.c", "half.c", "int128.c")
_ARCH = "x86_64"
_COMMON = (
    "-c",
    f"--target={toolchain.TARGET}",
    "-O2",
    "-w",
    "-fno-pic",
    "-fno-stack-protector",
    "-fno-unwind-tables",
    "-fno-asynchronous-unwind-tables",
    "-ffunction-sections",
    "-fdata-sections",
)
_MUSL = (
    *_COMMON,
    "-nostdinc",
    "-std=c99",
    "-ffreestanding",
    "-frounding-math",
    "-fno-strict-aliasing",
    "-D_XOPEN_SOURCE=700",
    "-DBROKEN_READ_SYMLINK=0",
)


def libc_archive(progress: Progress | None = None) -> Path:
    """`libc.a`: all of musl, the compiler's helpers, and the engine's functions as no-ops."""
    return cache.get_or_make("native", [*_key(), "libc"], ".a", lambda output: _make_libc(output, progress))


def start_object() -> Path:
    """`crt1.o`, which calls `__libc_start_main`."""
    source = toolchain.musl_root() / "crt" / "crt1.c"
    return cache.get_or_make("native", [*_key(), "crt1"], ".o", lambda output: _compile(source, output))


def _key() -> list[cache.KeyPart]:
    own = sorted(NATIVE_SOURCES.glob("*.c")) + [OWN_SOURCES / name for name in _HELPERS]
    return [toolchain.version(), *_MUSL, *own]


def musl_sources() -> list[Path]:
    """All of musl for the architecture: its own variant of a file replaces the generic one."""
    root = toolchain.musl_root() / "src"
    chosen = {(path.parent.name, path.stem): path for path in sorted(root.glob("*/*.c"))}
    chosen |= {("mallocng", path.stem): path for path in sorted(root.glob("malloc/mallocng/*.c"))}
    for path in sorted(root.glob(f"*/{_ARCH}/*.[csS]")):
        chosen[path.parent.parent.name, path.stem] = path
    return list(chosen.values())


def _make_libc(output: Path, progress: Progress | None) -> None:
    helpers = [OWN_SOURCES / name for name in _HELPERS]
    sources = [*musl_sources(), *helpers, *sorted(NATIVE_SOURCES.glob("*.c"))]
    with scratch_folder("libc") as folder:
        objects = [folder / f"{number}-{source.stem}.o" for number, source in enumerate(sources)]

        def done(number: int) -> None:
            if progress:
                progress(source_name(sources[number - 1]), number, len(sources))

        in_threads(lambda pair: _compile(*pair), list(zip(sources, objects, strict=True)), done)
        make_archive(output, objects)


def make_archive(output: Path, members: Iterable[Path]) -> None:
    """A fresh archive with a symbol table; members may be bitcode or native."""
    output.unlink(missing_ok=True)
    with tempfile.NamedTemporaryFile("w", suffix=".rsp") as response:
        response.write("\n".join(str(member) for member in members))
        response.flush()
        result = toolchain.run_tool("ar", ["rcs", str(output), f"@{response.name}"])
    if result.returncode != 0:
        raise EngineError(f"cannot make {output.name}: {result.stderr.strip()}")


def _compile(source: Path, output: Path) -> None:
    flags = [*_COMMON, *include_flags(), "-fno-builtin"] if source.parent == NATIVE_SOURCES else _musl_flags()
    toolchain.clang([*flags, str(source), "-o", str(output)], source.name)


def _musl_flags() -> list[str]:
    root = toolchain.musl_root()
    names = (f"arch/{_ARCH}", "arch/generic", "src/include", "src/internal", "include")
    folders = [*(root / name for name in names), *toolchain.libc_headers()[:2]]
    return [*_MUSL, *(f"-I{folder}" for folder in folders)]


def link_executable(output: Path, arguments: Sequence[str], bare: bool = False) -> tuple[int, str]:
    """Link natively with lld; its exit status and what it says.  `bare`: without start file and libc."""
    start = [] if bare else [str(start_object())]
    libraries = [] if bare else [str(libc_archive(_show_progress))]
    # Objects are bitcode: lld's own optimiser stays off, so that the executable behaves as written.
    fixed = ["-m", "elf_x86_64", "-static", "--gc-sections", "--lto-O0", "--eh-frame-hdr", "-o", str(output)]
    result = toolchain.run_tool("ld.lld", [*fixed, *start, *arguments, *libraries])
    return result.returncode, result.stderr


def _show_progress(_name: str, done: int, total: int) -> None:
    # Only to people: configure reads what compilers say, and takes it for warnings.
    if os.isatty(2) and (done % 100 == 0 or done == total):
        end = "\n" if done == total else "\r"
        os.write(2, f"cinq: building libc, once: {done}/{total}{end}".encode())
