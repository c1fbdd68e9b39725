"""The symbolic-variable analysis: from the sources through data, memory, calls and choices."""

from __future__ import annotations

from pathlib import Path

import pytest

from cinquefoil.analysis.symbolic_flow import SymbolicFlow, Sync
from cinquefoil.build import bitcode
from cinquefoil.build.compile import compile_c
from cinquefoil.build.program import prepare_program
from cinquefoil.ir.debug import DebugInfo
from cinquefoil.ir.model import Branch, Call, Function, Module, Phi, Value
from cinquefoil.ir.parser import parse_module

HEAD = """#include <klee/klee.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
"""


def parsed(source: str, folder: Path) -> Module:
    path = folder / "program.c"
    path.write_text(HEAD + source)
    compile_c(path, folder / "program.bc", ("-w",))
    return parse_module(str(bitcode.read(prepare_program([folder / "program.bc"])[0])))


def symbolic_lines(source: str, folder: Path) -> set[int]:
    """Lines (of the source without HEAD) with a branch that may depend on input."""
    module = parsed(source, folder)
    spread, debug = SymbolicFlow(module).spread(), DebugInfo(module)
    found: set[int] = set()
    for function in module.functions.values():
        for block in function.blocks:
            last = block.terminator
            if isinstance(last, Branch) and last.operands:
                at = debug.location(last.dbg)
                if getattr(last.operands[0], "name", "") in spread[function.name] and at is not None:
                    found.add(at.line - HEAD.count("\n"))
    return found


def test_arguments_make_callees_symbolic(tmp_path: Path) -> None:
    """The paper's figure 5: one call with each argument."""
    source = """int foo(int x, int y) {
      if (x > y) return x;
      if (y > 0) return y;
      return x + y; }
    int bar(int x) { if (x) return 1; return 2; }
    int main(void) { int a; klee_make_symbolic(&a, sizeof a, "a");
      int p = foo(a, 10), q = foo(-5, a);
      if (p) bar(3);
      return q; }"""
    assert symbolic_lines(source, tmp_path) == {2, 3, 8}


def test_through_memory_and_the_heap(tmp_path: Path) -> None:
    source = """struct node { struct node *next; int value; };
    int main(void) { int a, other[2] = {1, 2}; klee_make_symbolic(&a, sizeof a, "a");
      struct node *n = malloc(sizeof *n), *m = malloc(sizeof *m);
      n->next = 0; m->next = n; n->value = a;
      if (m->next->value) return 1;
      if (other[1]) return 2;
      int copy; memcpy(&copy, &n->value, sizeof copy);
      if (copy) return 3;
      return 0; }"""
    assert symbolic_lines(source, tmp_path) == {5, 8}


def test_pointers_beside_input_stay_concrete(tmp_path: Path) -> None:
    source = """struct node { struct node *next; char text[8]; };
    int main(int argc, char **argv) { struct node a = {0}, b = {0}; klee_make_symbolic(a.text, 8, "text");
      a.next = &b;
      if (a.next) return 1;
      if (argv[1] == 0) return 2;
      struct node c; memcpy(&c, &a, sizeof c);
      if (c.next) return 3;
      if (c.text[1]) return 4;
      return 0; }"""
    assert symbolic_lines(source, tmp_path) == {8}


def test_all_extra_arguments_at_once(tmp_path: Path) -> None:
    source = """int sum(int n, ...) { va_list ap; int s = 0; va_start(ap, n);
      for (int i = 0; i < n; i++)
        if (va_arg(ap, int)) s++;
      va_end(ap); return s; }
    int main(void) { int a; klee_make_symbolic(&a, sizeof a, "a"); return sum(2, 1, a); }"""
    lines = symbolic_lines(source, tmp_path)
    assert 3 in lines and 2 not in lines


@pytest.mark.parametrize(
    "reading",
    [
        "int c = getchar();",
        "char b[4]; int n = fread(b, 1, 4, stdin); int c = b[1];",
        "int c = argv[1][0];",
        "int c = __VERIFIER_nondet_int();",
        'int c = klee_range(0, 9, "c");',
    ],
)
def test_sources(reading: str, tmp_path: Path) -> None:
    head = "int __VERIFIER_nondet_int(void);\nint main(int argc, char **argv) { "
    source = f"{head}{reading}\n if (c) return 1;\n return 0; }}"
    assert symbolic_lines(source, tmp_path) == {3}


def test_calls_through_pointers(tmp_path: Path) -> None:
    source = """static int one(int x) { if (x) return 1; return 0; }
    static int two(int x) { if (x) return 2; return 0; }
    int main(void) { int a; int (*f)(int) = one; klee_make_symbolic(&a, sizeof a, "a");
      two(3);
      return f(a); }"""
    assert symbolic_lines(source, tmp_path) == {1}


def test_what_control_flow_alone_decides_is_concrete_on_each_path(tmp_path: Path) -> None:
    source = """int main(void) { char s[4]; klee_make_symbolic(s, sizeof s, "s"); s[3] = 0;
      int n = 0;
      while (s[n]) n++;
      if (n > 2) return 1;
      if (strlen(s) > 1) return 2;
      return 0; }"""
    assert symbolic_lines(source, tmp_path) == {3}


def test_a_melded_branch_makes_its_choice_symbolic(tmp_path: Path) -> None:
    module = parsed(
        'int main(void) { int a, x = 1; klee_make_symbolic(&a, 4, "a"); if (a) x = 2; return x; }', tmp_path
    )
    main = module.functions["main"]
    phi = next(i for i in main.walk() if isinstance(i, Phi))
    flow = SymbolicFlow(module)
    assert phi.result not in flow.spread()["main"]
    sync = Sync("main", _condition(main), (str(phi.result),), ())
    assert phi.result in flow.spread([sync])["main"]


def _condition(function: Function) -> Value:
    return next(i for i in function.walk() if isinstance(i, Branch) and i.operands).operands[0]


def test_calls_are_resolved_once(tmp_path: Path) -> None:
    module = parsed("int f(int x) { return x; }\nint main(void) { return f(1) + f(2); }", tmp_path)
    calls = [i for i in module.functions["main"].walk() if isinstance(i, Call)]
    assert len(calls) == 2 and SymbolicFlow(module).spread()["f"] == set()


FIELDS = """struct pair { int a, b; char text[4]; } known = {1, 2};
    static int read_b(struct pair *p) { if (p->b) return 1; return 0; }
    int main(int argc, char **argv) { int x; klee_make_symbolic(&x, sizeof x, "x");
      known.a = x;
      WRITE
      if (known.a) return 1;
      if (known.b) return 2;
      return read_b(&known) + (argc > 2 ? known.text[x & 3] : 0); }"""


@pytest.mark.parametrize(
    ("write", "lines"),
    [
        ("known.b = 4;", {6}),
        ("known.b = x;", {2, 6, 7}),
        ("known.text[1] = x;", {6}),
        ("memset(&known, x, sizeof known);", {2, 6, 7}),
        ("int *any = argv[1] ? &known.b : &x; *any = x;", {2, 6, 7}),
    ],
)
def test_fields_of_structures_are_told_apart_where_accesses_name_them(
    write: str, lines: set[int], tmp_path: Path
) -> None:
    assert symbolic_lines(FIELDS.replace("WRITE", write), tmp_path) == lines


def test_memory_seen_as_two_structures_is_not_divided(tmp_path: Path) -> None:
    source = """struct in { int a, b; }; struct out { int first; struct in second; } known;
    static int read_b(struct in *p) { if (p->b) return 1; return 0; }
    int main(void) { int x; klee_make_symbolic(&x, sizeof x, "x");
      known.second.b = x;
      return read_b(&known.second); }"""
    assert symbolic_lines(source, tmp_path) == {2}


def test_how_many_arguments_there_are_is_concrete_on_each_path(tmp_path: Path) -> None:
    source = """int main(int argc, char **argv) {
      if (argc > 1) return 1;
      if (argv[0][0]) return 2;
      return 0; }"""
    assert symbolic_lines(source, tmp_path) == {3}
