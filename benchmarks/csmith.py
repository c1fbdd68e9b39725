"""Random programs by csmith in the engine, against gcc's builds of them.

    python benchmarks/csmith.py --results FILE [--count 500] [--first 1]

Needs Debian's packages `csmith` and `libcsmith-dev`.  Each program prints a checksum of its variables.  It runs as
csmith wrote it, without symbolic input; then with symbolic bytes mixed into some of its variables, once with zeros,
which change nothing, and once with random bytes, while every expression is compared with the program's own value.  The
results are lines of JSON, as those of torture.py.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import subprocess
import tempfile
from collections import Counter
from pathlib import Path

from cinquefoil.build import toolchain
from cinquefoil.build.program import load_program
from cinquefoil.machine.image import build_image
from cinquefoil.machine.run import Run
from cinquefoil.machine.worker import Limits, Worker
from outside import FAILED, PASSED, Outcome, apart, kept, read_results

LIMITS = Limits(seconds=20, instructions=200_000_000, events=20_000)
UNFINISHED = ("budget", "time", "events", "table")
NATIVE_SECONDS = 2
BYTES = 64
SIZES = {
    "max-funcs": 4,
    "max-block-depth": 3,
    "max-block-size": 3,
    "max-expr-complexity": 6,
    "max-array-dim": 2,
    "max-array-len-per-dim": 6,
}
TOO_LONG = "runs too long"
_GLOBAL = re.compile(r"^static (?:volatile )?(u?int(?:8|16|32|64)_t) (g_\d+) = ", re.MULTILINE)
_MAIN = re.compile(r"^int main \([^)]*\)\n\{\n", re.MULTILINE)
_INPUT = """#include <klee/klee.h>
static unsigned char in_bytes[%d];
static unsigned long in_next;
static unsigned long in_take(void) {
    unsigned long value = 0;
    for (int i = 0; i < 8; i++) value |= (unsigned long)in_bytes[in_next++ %% sizeof in_bytes] << 8 * i;
    return value;
}
"""
_STUB = """#include <stdio.h>
#include <stdlib.h>
void klee_make_symbolic(void *address, unsigned long size, const char *name) {
    FILE *file = fopen(getenv("INPUT"), "rb");
    if (fread(address, 1, size, file) != size) abort();
}
"""


def include_flags() -> list[str]:
    folders = sorted(Path("/usr/include").glob("csmith*"))
    if not folders:
        raise SystemExit("csmith's headers are missing: apt-get install csmith libcsmith-dev")
    return ["-w", f"-I{folders[-1]}"]


def generate(seed: int) -> str:
    command = ["csmith", "--seed", str(seed), "--no-argc"]
    if seed % 20:  # every twentieth has csmith's usual size
        command += [word for name, size in SIZES.items() for word in (f"--{name}", str(size))]
    return subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True, timeout=60).stdout


def with_input(text: str, most: int = 6) -> str:
    """The program with input mixed into its first global variables."""
    names = [name for _, name in _GLOBAL.findall(text)][:most]
    changes = "".join(f"    {name} ^= in_take();\n" for name in names)
    start = '    klee_make_symbolic(in_bytes, sizeof in_bytes, "in");\n'
    return _INPUT % BYTES + _MAIN.sub(lambda found: found[0] + start + changes, text, count=1)


def native_output(source: Path, folder: Path, given: bytes) -> bytes | None:
    """What gcc's build prints; None if it does not end in time."""
    (folder / "stub.c").write_text(_STUB)
    (folder / "input").write_bytes(given)
    program = folder / f"{source.stem}.out"
    files = [str(source), str(folder / "stub.c")]
    subprocess.run(["gcc", *include_flags(), f"-I{toolchain.own_headers()}", *files, "-o", str(program)], check=True)
    try:
        variables = {**os.environ, "INPUT": str(folder / "input")}
        return subprocess.run([str(program)], stdout=subprocess.PIPE, env=variables, timeout=NATIVE_SECONDS).stdout
    except subprocess.TimeoutExpired:
        return None


def examine(seed: int) -> Outcome:
    """One program: as it is, and with input."""
    with tempfile.TemporaryDirectory() as name:
        folder, text = Path(name), generate(seed)
        (folder / "plain.c").write_text(text)
        (folder / "mixed.c").write_text(with_input(text))
        plain = native_output(folder / "plain.c", folder, b"")
        if plain is None:
            return Outcome(str(seed), TOO_LONG, "natively")
        witnesses = [bytes(BYTES), random.Random(seed).randbytes(BYTES)]
        expected = [native_output(folder / "mixed.c", folder, witness) for witness in witnesses]
        why = apart(concrete_difference, folder / "plain.c", plain)
        why = why or apart(symbolic_difference, folder / "mixed.c", witnesses, expected)
    if why.startswith(TOO_LONG):
        return Outcome(str(seed), TOO_LONG, why)
    return Outcome(str(seed), FAILED if why else PASSED, why)


def concrete_difference(source: Path, expected: bytes) -> str:
    with Worker(build_image(load_program(source, include_flags())), limits=LIMITS) as worker:
        return _difference(worker.run(b""), expected)


def symbolic_difference(source: Path, witnesses: list[bytes], expected: list[bytes | None]) -> str:
    with Worker(build_image(load_program(source, include_flags()), check=True), limits=LIMITS) as worker:
        for witness, printed in zip(witnesses, expected, strict=True):
            why = _difference(worker.run(witness), printed) if printed is not None else ""
            differed = int(worker.memory.control[0]["check_failures"])
            if why or differed:
                return why or f"{differed} expressions differ from the program's values"
    return ""


def _difference(run: Run, expected: bytes) -> str:
    if run.end in UNFINISHED:
        return f"{TOO_LONG}: {run.end}"
    if run.error is not None:
        return f"{run.error.kind} {run.error.message}"
    return "" if (run.end, run.output) == ("exit", expected) else f"{run.end}: {run.output!r}, not {expected!r}"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--results", type=Path, required=True, help="a file of JSON lines")
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("--count", type=int, default=500, help="how many programs are to run to their end")
    given = parser.parse_args()
    known = read_results(given.results)
    finished = sum(outcome.outcome != TOO_LONG for outcome in known.values())
    seed = given.first
    while finished < given.count:
        if str(seed) not in known:
            (outcome,) = kept([examine(seed)], given.results)
            finished += outcome.outcome != TOO_LONG
            if outcome.outcome == FAILED:
                print(f"{outcome.name}: {outcome.detail}", flush=True)
        seed += 1
    print(dict(Counter(outcome.outcome for outcome in read_results(given.results).values())))


if __name__ == "__main__":
    main()
