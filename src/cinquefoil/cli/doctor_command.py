"""`cinq doctor`: what this machine offers, one line each, and what to do about what is missing."""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

import click

from cinquefoil import __version__
from cinquefoil.build.cache import cache_root
from cinquefoil.cli.say import say
from cinquefoil.replay.confinement import filter_problem, offered

_HUGE_PAGES: Final = Path("/sys/kernel/mm/transparent_hugepage/enabled")
_PACKAGES: Final = ("ziglang", "llvmlite", "bitwuzla", "z3-solver", "numpy")
_LITTLE: Final = 4 << 30  # bytes of memory
_NARROW: Final = 1 << 30  # bytes on disk
_GIB: Final = 1 << 30


@dataclass(frozen=True, slots=True)
class Finding:
    """`advice` is what to do, empty if all is well."""

    what: str
    found: str
    advice: str = ""


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def doctor(as_json: bool) -> int:
    """Tell what this machine offers: how programs can be confined, tools, memory, cache, versions.

    Exit status: 0, or 1 if programs cannot be confined here, so that replaying needs --unconfined.
    """
    findings = list(examine())
    if as_json:
        say(json.dumps({"findings": [asdict(each) for each in findings]}, indent=2))
    else:
        say("\n".join(map(_line, findings)))
    found = offered()
    return 1 if found.namespaces and found.landlock else 0


def _line(finding: Finding) -> str:
    mark, advice = ("note", f"; {finding.advice}") if finding.advice else ("ok", "")
    return f"{mark:<5}{finding.what}: {finding.found}{advice}"


def examine() -> Iterator[Finding]:
    yield _namespaces()
    yield _landlock()
    yield _filter()
    yield _huge_pages()
    yield _tool("gcc", "--sanitize, --coverage and exported C tests need it")
    yield _tool("gcov", "--coverage needs it")
    yield _memory()
    yield _cache()
    yield _versions()


def _namespaces() -> Finding:
    problem = offered().namespaces
    if not problem:
        return Finding("namespaces", "programs are replayed in a world of their own")
    allow = "let users make them (sysctl user.max_user_namespaces, kernel.unprivileged_userns_clone, AppArmor's "
    allow += "restriction), or allow them to the container"
    return Finding("namespaces", f"refused ({problem})", allow)


def _landlock() -> Finding:
    problem = offered().landlock
    if not problem:
        return Finding("Landlock", "holds programs where namespaces are refused")
    return Finding(
        "Landlock", f"not to be had ({problem})", "it needs Linux 6.2 and landlock in the kernel's list lsm="
    )


def _filter() -> Finding:
    problem = filter_problem()
    if not problem:
        return Finding("seccomp", "system calls are filtered")
    return Finding("seccomp", f"not to be had ({problem})", "it needs a kernel with CONFIG_SECCOMP_FILTER")


def _huge_pages() -> Finding:
    try:
        chosen = _HUGE_PAGES.read_text().split("[")[-1].split("]")[0]
    except OSError:
        chosen = "unknown"
    if chosen in ("always", "madvise"):
        return Finding("huge pages", chosen)
    return Finding("huge pages", chosen, f"exploring is faster with them: echo madvise > {_HUGE_PAGES}")


def _tool(name: str, need: str) -> Finding:
    path = shutil.which(name)
    if path is None:
        return Finding(name, "not installed", need)
    said = subprocess.run([path, "--version"], capture_output=True, text=True, errors="replace", check=False)
    return Finding(name, said.stdout.partition("\n")[0] or path)


def _memory() -> Finding:
    total = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGESIZE")
    found = f"{total / _GIB:.1f} GiB, {os.cpu_count()} processors"
    return Finding("memory", found, "give less to exploring with --max-memory" if total < _LITTLE else "")


def _cache() -> Finding:
    root = cache_root()
    try:
        root.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=root):
            free = shutil.disk_usage(root).free
    except OSError as error:
        return Finding("cache", f"{root}: {error.strerror}", "name a folder of your own with CINQUEFOIL_CACHE")
    narrow = "make room, or name another folder with CINQUEFOIL_CACHE" if free < _NARROW else ""
    return Finding("cache", f"{root}, {free / _GIB:.1f} GiB free", narrow)


def _versions() -> Finding:
    missing = [name for name in _PACKAGES if not _version(name)]
    known = ", ".join(f"{name} {_version(name)}" for name in _PACKAGES if name not in missing)
    own = f"cinquefoil {__version__}, Python {platform.python_version()}, Linux {platform.release()}"
    advice = f"install {', '.join(missing)}" if missing else ""
    return Finding("versions", f"{own}, {known}", advice)


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
