"""Inline assembly: what may run, what may not, and what is said about it."""

from __future__ import annotations

from pathlib import Path

import pytest
from traced import worker_of

from cinquefoil.errors import BitcodeError
from cinquefoil.layout import EventKind, Reason
from cinquefoil.transform.instrument.assembly_rules import is_harmless

ALWAYS = ["~{dirflag}", "~{fpsr}", "~{flags}"]


@pytest.mark.parametrize(
    ("template", "constraints"),
    [
        ("movl $1, $0; addl $$1, $0", ["=r", "r"]),
        ("bswap ${0:q}", ["=r", "0"]),
        ("rep; nop", []),
        ("mull $2", ["={ax}", "={dx}", "r", "{ax}"]),
        ("lea -4($1,$1,2), $0", ["=r", "r"]),
        ("lock\n\tcmpxchgl $2, $1", ["={ax}", "=*m", "r", "{ax}", "*m"]),
        ("movl %ecx, $0", ["=r", "~{rcx}"]),
        ("paddd $1, $0", ["=x", "x", "0"]),
        ("fsqrt", ["={st}", "0"]),
        ("# nothing\n.p2align 4", []),
    ],
)
def test_harmless(template: str, constraints: list[str]) -> None:
    assert is_harmless(template, constraints + ALWAYS)


@pytest.mark.parametrize(
    ("template", "constraints"),
    [
        ("syscall", ["={ax}", "{ax}", "~{rcx}", "~{r11}"]),
        ("int $$0x80", ["={ax}", "{ax}"]),
        ("movl %ecx, $0", ["=r"]),  # not among the operands
        ("movl %esp, $0", ["=r", "~{esp}"]),
        ("movl $0, %ebp", ["r", "~{ebp}"]),
        ("movq $0, (%rdi)", ["r", "~{rdi}"]),
        ("movq $0, 8($1)", ["r", "r"]),
        ("movq %fs:0, $0", ["=r"]),
        ("movl $0, somewhere", ["r"]),
        ("movsb", ["{di}", "{si}"]),
        ("rep movsb", ["{di}", "{si}", "{cx}"]),
        ("mull $0", ["r"]),  # changes rax and rdx
        ("btsl $1, $0", ["=*m", "r"]),  # reaches beyond its operand
        ("jmp 1f\n1:", []),
        ("call *$0", ["r"]),
        ("push $0", ["r"]),
        ("popf", []),
        ("std", []),
        ("fsqrt", []),  # on a stack that the compiler does not know of
        ("fld1", ["={st}"]),
        ("ldmxcsr $0", ["*m"]),
        ("xor $0, $0 # a comment\n int $$3", ["r"]),
        ("nop // a comment", []),
        ("nop /* a comment */", []),
        (".byte 0x0f, 0x05", []),
        (".macro nop\nsyscall\n.endm\nnop", []),
        ("nop = 3", []),
        ("rdtsc", ["={ax}", "={dx}"]),
        ("maskmovdqu $0, $1", ["x", "x", "{di}"]),
        ("nop", ["=|r"]),
        ("hlt", []),
        ("rdrand $0", ["=r"]),
    ],
)
def test_not_harmless(template: str, constraints: list[str]) -> None:
    assert not is_harmless(template, constraints + ALWAYS)


def _program(tmp_path: Path, body: str) -> Path:
    program = tmp_path / "a.c"
    program.write_text(f"#include <klee/klee.h>\n#include <stdio.h>\n{body}\n")
    return program


@pytest.mark.parametrize(
    "template", ["syscall", "mov %%rsp, %0", "movq (%%rsp), %0", "nonsense %0", "movq %%xmm0, (%0)"]
)
def test_what_is_not_run_is_said(tmp_path: Path, template: str) -> None:
    program = _program(
        tmp_path, f'int main(void) {{ long x = 39; __asm__ volatile("{template}" : "+r"(x)); return 0; }}'
    )
    with worker_of(program) as worker:
        run = worker.run(b"")
    assert run.error is not None and run.error.kind == "unsupported"
    assert template.split()[0] in worker.sites[run.error.site].detail
    (event,) = [e for e in run.events if e["kind"] == EventKind.UNSUPPORTED]
    assert int(event["value"]) == Reason.ASSEMBLY


def test_symbolic_operands_are_fixed_and_recorded(tmp_path: Path) -> None:
    make = 'unsigned char c; klee_make_symbolic(&c, 1, "c"); int x = c;'
    body = f'int main(void) {{ {make} __asm__("notl %0" : "+r"(x)); return x == ~7; }}'
    with worker_of(_program(tmp_path, body)) as worker:
        run = worker.run(b"\x07")
    assert (run.end, run.code) == ("exit", 1)
    assert [(int(e["kind"]), int(e["taken"]), int(e["value"])) for e in run.events] == [
        (EventKind.CONCRETIZE, Reason.ASSEMBLY, 7)
    ]


def test_a_template_that_changes_its_input_changes_nothing_else(tmp_path: Path) -> None:
    """The compiler takes an input for unchanged, and an index that was checked must not change behind the check."""
    body = """
    int main(void) {
        int table[4] = {1, 2, 3, 4}; volatile int two = 2; int i = two, r;
        __asm__ volatile("movl $$0x7fffffff, %1\\n\\tmovl %1, %0" : "=&r"(r) : "r"(i));
        return table[i];
    }"""
    with worker_of(_program(tmp_path, body.replace("$$", "$"))) as worker:
        run = worker.run(b"")
    assert (run.end, run.code) == ("exit", 3)


def test_operands_in_memory_are_checked_like_any_access(tmp_path: Path) -> None:
    body = 'int main(void) { int *p = 0; __asm__ volatile("incl %0" : "+m"(*p)); return 0; }'
    with worker_of(_program(tmp_path, body)) as worker:
        run = worker.run(b"")
    assert run.error is not None and run.error.kind == "null-pointer"


def test_the_clock_is_the_same_in_every_run(tmp_path: Path) -> None:
    body = """
    #include <x86intrin.h>
    register long stack __asm__("rsp");
    int main(void) {
        unsigned low, high, who; __asm__ volatile("lfence\\n\\trdtsc" : "=a"(low), "=d"(high));
        unsigned long first = low | (unsigned long)high << 32, second = __rdtsc(), third = __rdtscp(&who);
        printf("%d %d %d %lu\\n", first < second, second < third, stack != 0, third);
    }"""
    with worker_of(_program(tmp_path, body)) as worker:
        runs = [worker.run(b"") for _ in range(3)]
    assert runs[0].output.startswith(b"1 1 1 ")
    assert len({run.output for run in runs}) == 1


def test_assembly_outside_of_functions_is_refused_with_its_text(tmp_path: Path) -> None:
    with pytest.raises(BitcodeError, match=r"\.globl other"):
        worker_of(_program(tmp_path, '__asm__(".globl other\\nother: ret\\n"); int main(void) { return 0; }'))
