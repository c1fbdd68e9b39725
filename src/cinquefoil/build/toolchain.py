"""The compiler, linker and archiver inside the `ziglang` wheel, and where its headers and sources are.

`zig clang`, `zig ld.lld` and `zig ar` are plain LLVM tools: they neither use zig's cache nor build zig's own
libc.  They know nothing of the wheel's headers either, so callers name every include directory themselves.
"""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from cinquefoil.build.cache import cache_root
from cinquefoil.build.hints import header_hint
from cinquefoil.errors import CompileError, EngineError

TARGET = "x86_64-linux-musl"
_running: set[subprocess.Popen[str]] = set()  # tools that somebody waits for


@cache
def wheel() -> Path:
    """The directory of the `ziglang` package (found without importing it)."""
    spec = find_spec("ziglang")
    if spec is None or spec.origin is None:
        raise EngineError("the ziglang package is not installed; run: pip install ziglang==0.14.1")
    return Path(spec.origin).parent


@cache
def version() -> str:
    """Versions of the tools; part of every cache key, since they fix compiler, headers, musl and passes."""
    from importlib import metadata  # slow to import, and cinq cc -c has no need of it

    return " ".join(f"{name} {metadata.version(name)}" for name in ("ziglang", "llvmlite"))


@cache
def compiler_version() -> str:
    """The version of the compiler and its headers alone."""
    from importlib import metadata

    return f"ziglang {metadata.version('ziglang')}"


def zig() -> Path:
    """The zig executable."""
    return wheel() / "zig"


def musl_root() -> Path:
    """musl's source tree."""
    return wheel() / "lib" / "libc" / "musl"


def clang_headers() -> Path:
    """The compiler's own headers: stddef.h, stdarg.h, immintrin.h, ..."""
    return wheel() / "lib" / "include"


def libc_headers() -> list[Path]:
    """Installed musl headers for the target, then the kernel's."""
    base = wheel() / "lib" / "libc" / "include"
    names = ("x86_64-linux-musl", "generic-musl", "x86-linux-any", "any-linux-any")
    return [base / name for name in names]


def own_headers() -> Path:
    """Headers that Cinquefoil gives to programs (`klee/klee.h`)."""
    return Path(__file__).parent / "include"


def environment() -> dict[str, str]:
    """Ours, less what would change the compiler's behaviour, with zig's caches kept in our own."""
    # CPATH and friends would smuggle the host's headers into the target.
    unwanted = {"CPATH", "C_INCLUDE_PATH", "CCC_OVERRIDE_OPTIONS", "COMPILER_PATH", "ZIG_LIB_DIR"}
    env = {name: value for name, value in os.environ.items() if name not in unwanted}
    env["ZIG_GLOBAL_CACHE_DIR"] = env["ZIG_LOCAL_CACHE_DIR"] = str(cache_root() / "zig")
    return env


def run_tool(tool: str, arguments: Sequence[str], cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run one of the wheel's tools and capture what it says; never raises for its exit status."""
    command = [str(zig()), tool, *arguments]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, env=environment(), cwd=cwd, stdout=pipe, stderr=pipe, text=True, errors="replace"
    ) as process:
        _running.add(process)
        try:
            output, said = process.communicate()
        except BaseException:
            process.kill()
            raise
        finally:
            _running.discard(process)
    return subprocess.CompletedProcess(command, process.returncode, output, said or _end_of(tool, process.returncode))


def _end_of(tool: str, status: int) -> str:
    """What a tool could not say itself.  Linkers write by way of memory: a full disk is a SIGBUS for them."""
    if status >= 0:
        return ""
    name = signal.Signals(-status).name
    return f"{tool} was ended by {name}" + ("; is the disk full?" if status == -signal.SIGBUS else "")


def end_tools() -> None:
    """Ends the tools that other threads wait for."""
    for process in tuple(_running):
        process.kill()


def clang(arguments: Sequence[str], what: str, cwd: Path | None = None) -> str:
    """Run clang; its warnings, or `CompileError` with its diagnostics."""
    result = run_tool("clang", arguments, cwd)
    if result.returncode != 0:
        raise CompileError(complaint(result, what))
    return result.stderr


def complaint(result: subprocess.CompletedProcess[str], what: str) -> str:
    """The message for a source that clang rejected."""
    diagnostics = result.stderr.strip() or f"clang ended with status {result.returncode}"
    hint = header_hint(diagnostics)
    return f"{what} does not compile:\n{diagnostics}" + (f"\n{hint}" if hint else "")
