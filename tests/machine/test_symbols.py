"""Names: a program's own functions and variables may have any name that C leaves to it."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from cinquefoil.build.program import load_program
from cinquefoil.machine.image import build_image, runtime_objects
from cinquefoil.machine.worker import Worker

RUNTIME = Path(__file__).parents[2] / "src/cinquefoil/machine/runtime"
STRONG = {"setjmp", "_setjmp", "__setjmp", "sigsetjmp", "__sigsetjmp", "longjmp", "_longjmp", "siglongjmp"}

OWN = """
#include <stdio.h>
#include <stdint.h>
#include <stdlib.h>
#include <klee/klee.h>
int __VERIFIER_nondet_int(void);
int __VERIFIER_nondet_short(void) { return 7; }
void klee_warning(const char *text) { puts(text); }
int pthread_create(void) { return 3; }
%s
int main(void) {
    int (*make)(void) = __VERIFIER_nondet_int;
    void (*require)(uintptr_t) = klee_assume;
    void *(*get)(size_t, size_t) = aligned_alloc;
    int x = make();
    require(x == 0);
    klee_check_memory_access(get(16, 32), 32);
    klee_warning("own");
    return __VERIFIER_nondet_short() + pthread_create() + %s;
}
"""


def symbols() -> list[tuple[str, str]]:
    """(type, name) of all that the run-time's objects define for others."""
    found = subprocess.run(
        ["nm", "-g", "--defined-only", *runtime_objects()], capture_output=True, text=True, check=True
    )
    return re.findall(r"^[0-9a-f]+ (\w) (\S+)$", found.stdout, re.MULTILINE)


def test_the_run_time_defines_nothing_that_a_program_cannot() -> None:
    strong = {name for kind, name in symbols() if kind not in "WV" and not name.startswith("cinq_")}
    assert strong == STRONG


def test_a_program_may_use_the_run_times_own_names(tmp_path: Path) -> None:
    names = re.findall(r"^#define (\w+) cinq_rt_", (RUNTIME / "private.h").read_text(), re.MULTILINE)
    assert len(names) > 100
    variables = "".join(f"int {name} = 1;\n" for name in names)
    source = tmp_path / "names.c"
    source.write_text(OWN % (variables, " + ".join(names)))
    with Worker(build_image(load_program(source))) as worker:
        run = worker.run(b"")
    assert (run.end, run.code, run.output) == ("exit", (10 + len(names)) % 256, b"own\n")
