"""Output folders for the tests: one that a real exploration left, and one that an enemy wrote."""

from __future__ import annotations

import json
from pathlib import Path

import cinquefoil
from cinquefoil.testcase.ktest import KTest

BUGGY = """#include <klee/klee.h>
#include <stdio.h>

static int pick(int *table, int which) {
    switch (which) {
    case 1: return table[0];
    case 7: return table[which]; /* the bug */
    default: return 0;
    }
}

int main(int argc, char **argv) {
    int table[4] = {3, 1, 4, 1}, which;
    unsigned char kind;
    klee_make_symbolic(&which, sizeof which, "which");
    klee_make_symbolic(&kind, sizeof kind, "kind");
    printf("looking for <%d>\\n", argc);
    if (kind > 200 && kind < 100) return 9;
    if (kind == 'k' || kind == 'x') return pick(table, which);
    return 0;
}
"""
EVIL = "<img src=x onerror=alert(1)>\"'&\u202e\x07"


def explored(folder: Path, **options: object) -> Path:
    """Results of a small program with one error."""
    program = folder / "buggy.c"
    program.write_text(BUGGY)
    cinquefoil.explore(program, output=folder / "out", **options)  # type: ignore[arg-type]
    return folder / "out"


def hostile(folder: Path) -> Path:
    """Results whose every text is an attack on the page."""
    (folder / "tests").mkdir(parents=True)
    KTest((EVIL, EVIL), ((EVIL, b"<script>alert(2)</script>\0\xff"),)).write(folder / "tests/000001.ktest")
    where = {"function": EVIL, "file": EVIL, "line": 1, "column": 1, "library": False}
    concerned = {"region": EVIL, "size": 8, "offset": 8, "name": EVIL, "made": where, "freed": where}
    failure = {"where": where, "called_from": [where], "concerned": concerned}
    error = {**where, "kind": EVIL, "summary": EVIL, "message": EVIL, "test": 1, "failure": failure}
    summary = {
        "program": EVIL,
        "options": {"search": [EVIL]},
        "seconds": 2.5,
        "reason": EVIL,
        "paths": {"completed": 2, "error": 1, "pending": 3},
        "errors": [{**error, "test": "tests/000001.ktest"}],
        "unsupported": [{"reason": EVIL, "file": EVIL, "line": 1}],
        "coverage": {"lines": [1, 2]},
        "solver": {"layers": {EVIL: {"queries": 1, "nanoseconds": 10}}},
        "phases": {EVIL: 1.5},
    }
    row = {"path": 1, "parent": 0, "start": 0, "length": 3, "end": EVIL, "test": 1, "file": EVIL, "line": 1}
    details = {
        "format": 1,
        "command": {"folder": EVIL, "program": EVIL, "arguments": [EVIL], "flags": [EVIL]},
        "moments": [[0.5, 1, 1, 2, 1000, 1], [1.5, 2, 1, 2, 1000, 1]],
        "tests": [{"number": 1, "why": EVIL, "end": EVIL, "seconds": 1.0, "gained": 3}],
        "errors": [{**error, "output": b"<b>bold</b>\x1b[31m".hex()}],
        "stuck": [{**where, "turn": EVIL, "infeasible": 3, "reached": 1}],
        "tree": {"paths": 2, "rows": [row, {**row, "path": 2, "parent": 1, "start": 1}]},
        "files": [
            {
                "name": EVIL,
                "text": f"int {EVIL};\n</code></script><script>alert(3)</script>\n",
                "lines": [[1, 1, 2, 1]],
                "branches": [{"line": 1, "column": 1, "kind": EVIL, "ways": [[1, 1], [2, 0]], "reached": 1}],
                "functions": [[EVIL, True]],
            }
        ],
    }
    (folder / "summary.json").write_text(json.dumps(summary))
    (folder / "report.json").write_text(json.dumps(details))
    (folder / "stats.csv").write_text(f"seconds,states,{EVIL}\n1.0,5,6\n{EVIL},1,2\n2.0")
    return folder
