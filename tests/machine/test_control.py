"""Control flow that a program chooses itself stays within functions: no jump or call leads anywhere else."""

from __future__ import annotations

from pathlib import Path

import pytest

from cinquefoil.build.program import load_program
from cinquefoil.errors import BitcodeError
from cinquefoil.machine.environment import parse_arguments
from cinquefoil.machine.image import build_image
from cinquefoil.machine.worker import Worker

HEAD = 'target triple = "x86_64-unknown-linux-gnu"\n'
CALLS = {
    "a number": "define i32 @main() { call void inttoptr (i64 4198400 to ptr)()\n ret i32 0 }",
    "the middle of a function": "define i32 @main() { call void getelementptr (i8, ptr @main, i64 9)()\n ret i32 0 }",
    "an alias of such": "@f = alias void (), getelementptr (i8, ptr @main, i64 7)\n"
    "define i32 @main() { call void @f()\n ret i32 0 }",
    "data": '@d = global [4 x i8] c"\\90\\90\\C3\\C3"\ndefine i32 @main() { call void @d()\n ret i32 0 }',
    "an alias of data": '@d = global [4 x i8] c"\\90\\90\\C3\\C3"\n@f = alias void (), ptr @d\n'
    "define i32 @main() { call void @f()\n ret i32 0 }",
    "no label": "define i32 @main() {\n indirectbr ptr inttoptr (i64 4198401 to ptr), [label %a]\na:\n ret i32 0 }",
    "the run-time's section": '@x = global i64 4198401, section "cinq_functions"\n'
    "define i32 @main() { call void inttoptr (i64 4198401 to ptr)()\n ret i32 0 }",
}
JUMPS = """
#include <setjmp.h>
#include <string.h>
static jmp_buf buffer, other;
static void fill(void) { if (setjmp(other)) return; }
static int deep(int n) {
    jmp_buf own;
    int came = setjmp(own);
    if (came) return came + n;
    if (!n) longjmp(own, 5);
    return deep(n - 1);
}
int main(int argc, char **argv) {
    unsigned long *words = (unsigned long *)buffer;
    volatile int rounds = 0;
    jmp_buf copy;
    switch (argv[1][0]) {
    case 'r': if (setjmp(buffer) < 9) if (++rounds < 20) longjmp(buffer, rounds); return rounds;
    case 'd': return deep(30);
    case 'l': for (int i = 0; i < 100000; i++) if (!setjmp(buffer) && i % 3) longjmp(buffer, 1); return 3;
    case 'c': if (!setjmp(buffer)) { memcpy(copy, buffer, sizeof copy); longjmp(copy, 2); } return 4;
    case 'w': if (!setjmp(buffer)) { words[WORD] = 0x41414140; longjmp(buffer, 1); } return 0;
    case 'n': if (!setjmp(buffer)) { words[1] ^= 1; longjmp(buffer, 1); } return 0;
    case 'z': longjmp(buffer, 1);
    case 'b': fill(); longjmp(other, 1);
    }
    return 0;
}
"""


def run_of(source: Path, *arguments: str, flags: tuple[str, ...] = ()) -> tuple[str, int, str]:
    image = build_image(load_program(source, flags))
    with Worker(image, parse_arguments(arguments, "prog")) as worker:
        run = worker.run(b"")
        return run.end, run.code if run.end == "exit" else 0, run.error.kind if run.error else ""


@pytest.mark.parametrize("target", CALLS)
def test_calls_go_to_functions_only(target: str, tmp_path: Path) -> None:
    source = tmp_path / "p.ll"
    source.write_text(HEAD + CALLS[target])
    assert run_of(source) == ("error", 0, "out-of-bounds")


def test_a_constructor_is_a_function(tmp_path: Path) -> None:
    source = tmp_path / "p.ll"
    row = "{ i32, ptr, ptr } { i32 1, ptr inttoptr (i64 4198401 to ptr), ptr null }"
    listed = f"@llvm.global_ctors = appending global [1 x {{ i32, ptr, ptr }}] [{row}]\n"
    source.write_text(HEAD + listed + "define i32 @main() { ret i32 0 }")
    with pytest.raises(BitcodeError, match="not a function"):
        run_of(source)


@pytest.mark.parametrize(("case", "status"), [("r", 9), ("d", 5), ("l", 3), ("c", 4)])
def test_jumps_come_back_to_where_they_should(case: str, status: int, tmp_path: Path) -> None:
    source = tmp_path / "p.c"
    source.write_text(JUMPS)
    assert run_of(source, case, flags=("-DWORD=0",)) == ("exit", status, "")


@pytest.mark.parametrize("word", range(13))
def test_a_buffer_that_was_changed_is_not_followed(word: int, tmp_path: Path) -> None:
    source = tmp_path / "p.c"
    source.write_text(JUMPS)
    assert run_of(source, "w", flags=(f"-DWORD={word}",)) == ("error", 0, "out-of-bounds")


@pytest.mark.parametrize(("case", "kind"), [("n", "out-of-bounds"), ("z", "out-of-bounds"), ("b", "use-after-return")])
def test_other_buffers_that_lead_nowhere(case: str, kind: str, tmp_path: Path) -> None:
    source = tmp_path / "p.c"
    source.write_text(JUMPS)
    assert run_of(source, case, flags=("-DWORD=0",)) == ("error", 0, kind)
