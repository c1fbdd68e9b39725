"""GCC's c-torture programs in the engine: each checks itself and calls abort() when something is wrong.

    python benchmarks/torture.py --results FILE [--sources FOLDER] [NAME ...]

The programs come from Debian's package `gcc-12-source` (`apt-get install gcc-12-source`); nothing of it is kept in this
repository.  A program counts if gcc's own build of it passes and the bundled clang accepts it; then it runs in the
engine without symbolic input, and has to end as gcc's build does.  Every result is one line of JSON, written as soon
as it is known, and a second start goes on where the first one ended.  With NAMEs only those run, again if need be.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import tarfile
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from cinquefoil.build import cache, toolchain
from cinquefoil.build.compile import TOLERANT, include_flags
from cinquefoil.build.program import load_program
from cinquefoil.errors import CompileError
from cinquefoil.machine.image import build_image
from cinquefoil.machine.run import Run
from cinquefoil.machine.worker import Limits, Worker
from outside import FAILED, PASSED, Outcome, apart, kept, read_results

PACKAGE = Path("/usr/src/gcc-12")
FOLDERS = ("execute", "execute/ieee")
LIMITS = Limits(seconds=60, instructions=5_000_000_000)
NATIVE_SECONDS = 60
REFUSED, NOT_NATIVE = "refused by clang", "fails natively"
_OPTIONS = re.compile(r'dg-(?:additional-)?options\s+\{?\s*"([^"]*)"\s*\}?\s*(\{[^\n]*)?\}')
# Options that change what a program means; the others only steer gcc's optimiser.
_MEANING = re.compile(r"-(?:std=|D|fgnu89-inline|fwrapv|fno-common|finstrument-functions|finput-charset|fno-builtin)")


def programs(sources: Path) -> list[tuple[str, Path]]:
    """All programs by their names (`ieee/inf-1` for those of the second folder), sorted."""
    found: list[tuple[str, Path]] = []
    for folder in FOLDERS:
        prefix = "" if folder == FOLDERS[0] else folder.removeprefix("execute/") + "/"
        found += [(prefix + path.stem, path) for path in sorted((sources / folder).glob("*.c"))]
    return found


def unpacked() -> Path:
    """The programs of the Debian package, unpacked once into the cache."""
    archives = sorted(PACKAGE.glob("gcc-*.tar.xz"))
    if not archives:
        raise SystemExit(f"{PACKAGE} has no sources: apt-get install gcc-12-source")
    target = cache.cache_root() / "torture" / archives[0].name.removesuffix(".tar.xz")
    if not target.is_dir():
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent) as folder:
            _unpack(archives[0], Path(folder))
            (Path(folder) / "gcc.c-torture").rename(target)
    return target


def _unpack(archive: Path, folder: Path) -> None:
    with tarfile.open(archive) as tar:
        for member in tar:
            _, found, rest = member.name.partition("/gcc.c-torture/execute/")
            if found and member.isfile():
                member.name = f"gcc.c-torture/execute/{rest}"
                tar.extract(member, folder, filter="data")


def options(source: Path) -> list[str]:
    """The options a program asks for on this target that change its meaning."""
    text = source.read_text(errors="replace")
    found = [given for given, target in _OPTIONS.findall(text) if not target or "x86_64" in target]
    return [word for given in found for word in given.split() if _MEANING.match(word)]


def examine(name: str, source: Path) -> Outcome:
    """Native build, plain clang, engine, in this order."""
    flags = ["-w", *options(source)]
    with tempfile.TemporaryDirectory() as folder:
        if why := _native_failure(source, flags, Path(folder)):
            return Outcome(name, NOT_NATIVE, why)
        if why := _refusal(source, flags, Path(folder)):
            return Outcome(name, REFUSED, why)
    why = apart(_engine_failure, source, flags)
    return Outcome(name, FAILED if why else PASSED, why)


def _native_failure(source: Path, flags: Sequence[str], folder: Path) -> str:
    program = folder / "program"
    command = ["gcc", *flags, "-O0", str(source), "-o", str(program), "-lm"]
    built = subprocess.run(command, capture_output=True, text=True, errors="replace")
    if built.returncode:
        return _first_line(built.stderr)
    try:
        ended = subprocess.run(
            [str(program)], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=NATIVE_SECONDS
        )
    except subprocess.TimeoutExpired:
        return "takes too long"
    return f"status {ended.returncode}" if ended.returncode else ""


def _refusal(source: Path, flags: Sequence[str], folder: Path) -> str:
    """Why clang does not compile a program, with what gcc 12 accepts made a warning."""
    command = ["-c", f"--target={toolchain.TARGET}", *TOLERANT, *flags, *include_flags(), str(source)]
    try:
        toolchain.clang([*command, "-o", str(folder / "object")], str(source))
    except CompileError as error:
        return _first_line(str(error))
    return ""


def _engine_failure(source: Path, flags: Sequence[str]) -> str:
    image = build_image(load_program(source, flags))
    with Worker(image, limits=LIMITS) as worker:
        return _complaint(worker.run(b""), worker)


def _complaint(run: Run, worker: Worker) -> str:
    if run.end == "exit" and run.code == 0:
        return ""
    if run.error is None:
        return f"{run.end} {run.code}"
    site = worker.sites[run.error.site]
    return f"{run.error.kind}: {run.error.message} {site.file}:{site.line}".strip()


def _first_line(text: str) -> str:
    wrong = [line for line in text.splitlines() if "error" in line or "undefined" in line]
    return (wrong or text.splitlines() or [""])[0]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--sources", type=Path, help="the folder that holds execute/; else that of the Debian package")
    parser.add_argument("--results", type=Path, required=True, help="a file of JSON lines")
    given = parser.parse_args()
    known = {} if given.names else read_results(given.results)
    found = programs(given.sources or unpacked())
    wanted = set(given.names) or {name for name, _ in found if name not in known}
    outcomes = (examine(name, source) for name, source in found if name in wanted)
    for outcome in kept(outcomes, given.results):
        if outcome.outcome == FAILED:
            print(f"{outcome.name}: {outcome.detail}", flush=True)
    print(dict(Counter(outcome.outcome for outcome in read_results(given.results).values())))


if __name__ == "__main__":
    main()
