"""What tracing costs: native against traced code, expression nodes, runs, and the way from source to worker.

    python benchmarks/tracing.py [--bc PATH]

Prints ratios; both sides of each ratio are measured in this very run, many times in turn, and the best of each is
taken: other work on the machine can only add to a figure, so the least is the one with the least of it.
`--bc` names a bitcode file of GNU bc (built with `cinq cc`).
"""

from __future__ import annotations

import argparse
import math
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from cinquefoil.build import static_libc
from cinquefoil.build.driver import cc_main
from cinquefoil.build.program import load_program
from cinquefoil.machine.environment import parse_arguments
from cinquefoil.machine.image import Image, build_image
from cinquefoil.machine.worker import Limits, Worker

HERE = Path(__file__).resolve().parent / "tracing"
LIMITS = Limits(seconds=120, instructions=10**11)
ROUNDS = 3
SHORT_ROUNDS = 15  # of a fraction of a second each: one of them finds the machine to itself
BATCHES, BATCH = 100, 20  # of runs


def image_of(source: Path) -> Image:
    return build_image(load_program(source))


def native_seconds(program: Path) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([str(program)], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def traced_seconds(worker: Worker) -> float:
    """Processor time of the worker, which other load on the machine does not change."""
    clock = ~worker.pid << 3 | 2  # the kernel's id of another process's CPU clock
    before = time.clock_gettime(clock)
    worker.run(b"")
    return time.clock_gettime(clock) - before


def build_native(source: Path, folder: Path) -> Path:
    """The same source at -O1, with the same musl."""
    output = folder / source.stem
    os.environ["CINQ_CC_OPT"] = "-O1"
    if cc_main([str(source), "-o", str(output)]) != 0:
        raise SystemExit(f"{source} does not build")
    return output


def compare(source: Path, folder: Path) -> tuple[float, float]:
    """Best native and best traced seconds."""
    program = build_native(source, folder)
    with Worker(image_of(source), limits=LIMITS) as worker:
        pairs = [(native_seconds(program), traced_seconds(worker)) for _ in range(SHORT_ROUNDS)]
    return min(p[0] for p in pairs), min(p[1] for p in pairs)


def tracing() -> None:
    print("traced concrete code against native -O1")
    ratios: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        for source in sorted((HERE / "cpu").glob("*.c")):
            plain, traced = compare(source, Path(folder))
            ratios.append(traced / plain)
            times = f"native {plain * 1000:7.1f} ms  traced {traced * 1000:7.1f} ms"
            print(f"  {source.stem:10} {times}  {ratios[-1]:5.2f}x")
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    print(f"  geometric mean {mean:.2f}x (target: at most 5x)")


def nodes() -> None:
    """nodes.c interns the same and then new expressions in a loop; a run without symbolic data is subtracted."""
    print("expression nodes")
    with Worker(image_of(HERE / "nodes.c"), parse_arguments(["hit"]), LIMITS) as worker:
        report_nodes("hit", worker, "interned", 60)
    with Worker(image_of(HERE / "nodes.c"), parse_arguments(["new"]), LIMITS) as worker:
        report_nodes("new", worker, "created", 150)


def report_nodes(name: str, worker: Worker, counter: str, target: int) -> None:
    best = math.inf
    for _ in range(ROUNDS):
        worker.new_epoch()
        clock = ~worker.pid << 3 | 2
        before = time.clock_gettime(clock)
        worker.run(b"\1" * 8)
        spent = (time.clock_gettime(clock) - before) * 1e9
        best = min(best, spent / int(worker.memory.control[0][counter]))
    print(f"  {name}: {best:.0f} ns per node, the program's own work included (target: at most {target})")


def runs(bc: Path | None) -> None:
    """For bc four inputs: zeros, a sum, a command, empty lines.  The target holds for each of them."""
    print("microseconds per run, seen from Python")
    programs = [("small", HERE / "small.c", list[str](), [b""], 100)]
    if bc is not None:
        inputs = [b"", b"1+2\n", b"quit\n", b"\n\n\n\n\n\n"]
        programs.append(("bc", bc, ["--sym-stdin", "6"], inputs, 250))
    for name, source, arguments, inputs, target in programs:
        with Worker(image_of(source), parse_arguments(arguments)) as worker:
            figures = [run_figures(worker, witness) for witness in inputs]
        for witness, (total, inside, work) in zip(inputs, figures, strict=True):
            parts = f"of it {inside:4.0f} us in the program; processor time of both sides {work:4.0f} us"
            print(f"  {name:6} {witness!r:28} {total:6.0f} us, {parts}")
        mean, worst = sum(f[0] for f in figures) / len(figures), max(f[0] for f in figures)
        print(f"  {name:6} mean {mean:.0f} us, slowest {worst:.0f} us (target: at most {target})")


def run_figures(worker: Worker, witness: bytes) -> tuple[float, float, float]:
    """Microseconds in all and in the program, of the best of many short batches; and of the processor, likewise."""
    worker.run(witness)
    clock = ~worker.pid << 3 | 2
    best, inside, work = math.inf, 0.0, math.inf
    for _ in range(BATCHES):
        start, used = time.perf_counter(), time.process_time() + time.clock_gettime(clock)
        spent = sum(worker.run(witness).nanoseconds for _ in range(BATCH))
        took = (time.perf_counter() - start) / BATCH
        work = min(work, (time.process_time() + time.clock_gettime(clock) - used) / BATCH)
        if took < best:
            best, inside = took, spent / BATCH / 1000
    return best * 1e6, inside, work * 1e6


def starts(bc: Path | None) -> None:
    """From source to the first run, cold (libc cached, nothing of the program) and warm."""
    print("seconds from source to a ready worker")
    programs = [("small", HERE / "small.c", 5.0, 0.5)]
    if bc is not None:
        programs.append(("bc", bc, 30.0, 1.0))
    for name, source, cold_target, warm_target in programs:
        image_of(source)  # libc is compiled and cached now
        with tempfile.TemporaryDirectory() as folder:
            fresh = Path(folder) / f"fresh{source.suffix}"
            shutil.copy(source, fresh)
            if source.suffix == ".c":
                fresh.write_text(fresh.read_text() + f"\nint fresh_{time.time_ns()};\n")
                cold = start_seconds(fresh)
            else:
                cold = cold_object_seconds(fresh)
            warm = min(start_seconds(fresh) for _ in range(ROUNDS))
        print(f"  {name:6} cold {cold:5.2f} s (at most {cold_target})  warm {warm:5.2f} s (at most {warm_target})")


def start_seconds(source: Path) -> float:
    """In a new process, as a user starts it."""
    code = (
        "import sys; from pathlib import Path; from cinquefoil.build.program import load_program;"
        "from cinquefoil.machine.image import build_image; from cinquefoil.machine.worker import Worker;"
        "w = Worker(build_image(load_program(Path(sys.argv[1])))); w.close()"
    )
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", code, str(source)], check=True)
    return time.perf_counter() - start


def cold_object_seconds(bitcode: Path) -> float:
    """Bitcode cannot be made new by a comment: the objects of the program itself are taken out of the cache."""
    from cinquefoil.build import cache
    from cinquefoil.machine.objects import ObjectRequest
    from cinquefoil.transform.instrument.instrument_options import InstrumentOptions

    request = ObjectRequest(load_program(bitcode).module_bitcode, InstrumentOptions())
    for kind, suffix in (("object", ".o"), ("sites", ".json")):
        cache.entry_path(kind, cache.key_of(request.key()), suffix).unlink(missing_ok=True)
    return start_seconds(bitcode)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--bc", type=Path)
    bc = parser.parse_args().bc
    static_libc.libc_archive()
    tracing()
    nodes()
    runs(bc)
    starts(bc)


if __name__ == "__main__":
    main()
