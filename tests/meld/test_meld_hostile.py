"""Programs that melding could easily get wrong: whatever is found without it is found with it, and nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cinquefoil.build.program import load_program
from cinquefoil.exploration.loop.exploration import Outcome
from cinquefoil.exploration.options import Options
from cinquefoil.exploration.session.session import Task, session_for

HEAD = """#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>
static unsigned char in[4];
static int table[4] = {1, 2, 3, 4};
struct pair { int a, b; short c[3]; };
"""
MAIN = 'int main(void) { klee_make_symbolic(in, sizeof in, "in");\n'
PROGRAMS = {
    "volatile": """volatile int port; %s for (int i = 0; i < 3; i++) if (in[i] == 7) port = i;
      klee_assert(port != 2); return 0; }""",
    "division in both branches": """%s int x = 0;
      for (int i = 0; i < 2; i++)
        if (in[i] > 9) x += 100 / (in[2] - 3);
        else x += 50 / (in[3] - 200);
      return x & 1; }""",
    "remainder of the least number": """%s int x = -2147483647 - 1;
      for (int i = 0; i < 2; i++) if (in[i] == 3) x = x / (in[3] - 6);
      return x & 1; }""",
    "a call in a branch": """static int hits; static void hit(int n) { hits += n; klee_assert(hits < 5); }
      %s for (int i = 0; i < 3; i++) if (in[i] == i + 1) hit(i + 1); return 0; }""",
    "shifts": """%s unsigned x = 1; for (int i = 0; i < 2; i++) if (in[i] < 32) x <<= in[i] & 31; else x ^= x >> 3;
      klee_assert(x != 64); return 0; }""",
    "an overlong shift that is guarded": """%s unsigned x = 1;
      for (int i = 0; i < 2; i++) if (in[i] < 32 && (x << in[i]) > 1000) x += 2;
      klee_assert(x != 5); return 0; }""",
    "floating point": """%s double d = 1;
      for (int i = 0; i < 2; i++) if (in[i] > 100) d = d * 2.5 / (in[i] - 101); else d -= 0.5;
      if (d == 0) klee_assert(in[0] == in[1]);
      return 0; }""",
    "conversion out of range": """%s int n = 0; double d = in[0] * 1e9;
      for (int i = 0; i < 2; i++) if (in[0] < 2) n += (int)d;
      klee_assert(n != 2000000000); return 0; }""",
    "pointers chosen": """%s int *p = 0; for (int i = 0; i < 2; i++) if (in[i] == 5) p = &table[i];
      if (in[2] == 9) return *p; return 0; }""",
    "null pointer guarded by input": """%s int *p = 0, s = 0; if (in[3] == 1) p = table;
      for (int i = 0; i < 2; i++) if (in[3] == 1 && in[i] == 4) s += *p;
      klee_assert(s != 2); return 0; }""",
    "copies of structures": """%s struct pair p = {1, 2, {3}}, q = {9, 9, {9}};
      for (int i = 0; i < 3; i++) if (in[i] == i) { q = p; p.c[i] += 1; }
      klee_assert(!(q.a == 1 && q.c[1] == 1)); return 0; }""",
    "errors in both branches": """%s int k = 4;
      for (int i = 0; i < 2; i++)
        if (in[i] == 10)
          table[k] = 1;
        else if (in[i] == 20)
          table[k + 1] = 2;
      klee_assert(in[2] != 6); return 0; }""",
    "an error behind a true one": """%s for (int i = 0; i < 5; i++) if (in[0] == i) table[i] = 7;
      if (table[1] == 7) klee_assert(in[1] != 3); return 0; }""",
    "use after free in a branch": """%s int *p = malloc(8), x = 0; p[0] = p[1] = 2;
      if (in[0] == 1) free(p);
      for (int i = 0; i < 2; i++) if (in[i + 1] == 8) x += p[i];
      return x & 1; }""",
    "early returns": """static int f(int c) {
        if (c < 10) return 1; if (c == 50) return table[c - 46]; if (c < 90) return 2; return 3; }
      %s int s = 0; for (int i = 0; i < 2; i++) s += f(in[i]); klee_assert(s != 5); return 0; }""",
    "loops left early": """%s int s = 0;
      for (int i = 0; i < 3; i++) { if (in[i] == 0) break; if (in[i] == 9) continue; s += i; }
      klee_assert(s != 2); return 0; }""",
    "a store that the other branch reads": """%s int a = 1, b[2] = {0};
      for (int i = 0; i < 2; i++) if (in[i] > 3) { b[0] = a; a = b[1] + 2; } else { b[1] = a; a = b[0] + 1; }
      klee_assert(a != 3 || b[1] != 1); return 0; }""",
    "nested merges": """%s int x = 0; klee_open_merge();
      if (in[0] > 3) { klee_open_merge(); if (in[1] > 3) x = 1; else x = 2; klee_close_merge(); x *= 3; }
      klee_close_merge(); klee_assert(x != 6); return 0; }""",
    "switch": """%s int x = 0; for (int i = 0; i < 2; i++) switch (in[i]) {
        case 1: x += 1; case 2: x += 10; break; case 9: x = table[in[2] & 7]; break; default: x -= 1; }
      klee_assert(x != 21); return 0; }""",
    "constant memory": """static const int fixed[2] = {5, 6};
      %s for (int i = 0; i < 2; i++) if (in[i] == 8 && in[3] == 1) *(int *)&fixed[i] = 0;
      klee_assert(in[2] != 9); return 0; }""",
}
ENDLESS = """%s int n = 1;
      if (in[0] == 77) while (n) n = (n + 2) | 1;
      klee_assert(in[1] != 4); return 0; }"""
ErrorLine = tuple[str, int]


def explored(path: Path, mode: str, **options: Any) -> tuple[Outcome, set[ErrorLine]]:
    given = Options(meld=mode, max_time=60, clock="cpu", **options)
    outcome = session_for(Task(path, run_seconds=1.0), given, load_program(path, ("-w",))).run()
    return outcome, {(error.kind, error.line) for error in outcome.errors}


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_same_is_found_with_and_without(name: str, tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(HEAD + PROGRAMS[name].replace("%s", MAIN))
    plain, expected = explored(path, "")
    melded, found = explored(path, "all")
    assert plain.exhausted and expected, "the program must have an error that can be found"
    assert melded.exhausted and found == expected


def test_an_endless_loop_in_a_branch_hides_nothing(tmp_path: Path) -> None:
    """Executed whether chosen or not, it would keep every run from ending."""
    path = tmp_path / "program.c"
    path.write_text(HEAD + ENDLESS.replace("%s", MAIN))
    plain, expected = explored(path, "", mutations=False)
    melded, found = explored(path, "all", mutations=False)
    assert {kind for kind, _ in expected} == {"assertion"} and found == expected
    assert plain.statistics.cut == melded.statistics.cut == 1 and not melded.exhausted
