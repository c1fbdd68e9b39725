"""Memory never written: what depends on it is an error, what only moves it is not."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import cinquefoil
from cinquefoil.build.program import load_program
from cinquefoil.cli.main import run as main
from cinquefoil.errors import UserError
from cinquefoil.exploration import Exploration, Options, Outcome
from cinquefoil.exploration.solving.worker_solver import WorkerSolver
from cinquefoil.machine.environment import parse_arguments
from cinquefoil.machine.failure import failure_of
from cinquefoil.machine.image import Image, build_image
from cinquefoil.machine.worker import Limits, Worker

PROGRAM = Path(__file__).parents[1] / "programs" / "checks" / "unwritten.c"
_CASE = re.compile(r"\s+case (\d+):.*// (uninitialized|fine)$")


def _lines(verdict: str) -> set[int]:
    lines = PROGRAM.read_text().splitlines()
    return {n for n, text in enumerate(lines, 1) if (m := _CASE.match(text)) and m[2] == verdict}


@pytest.fixture(scope="module")
def outcome() -> Outcome:
    return cinquefoil.explore(PROGRAM, check="uninitialized", max_paths=2000)


def test_every_use_is_found_and_nothing_else(outcome: Outcome) -> None:
    assert len(_lines("uninitialized")) > 10 and len(_lines("fine")) > 8
    assert {error.kind for error in outcome.errors} == {"uninitialized"}
    assert {error.line for error in outcome.errors} == _lines("uninitialized")
    assert outcome.exhausted
    assert all(error.confirmed for error in outcome.errors)


def test_without_the_check_it_is_zero_and_nothing_is_called_exhausted() -> None:
    outcome = cinquefoil.explore(PROGRAM, max_paths=2000)
    assert {error.kind for error in outcome.errors} == {"division-by-zero"}  # case 5
    assert outcome.reason == "done" and not outcome.exhausted
    (doubt,) = outcome.doubts
    assert "unwritten.c:" in doubt.place and "unwritten.c:" in doubt.made


DOUBTFUL = [
    ("int x; if (c > 3) x = 1; return x == 1;", "x"),
    ("int x; if (c > 3) x = 1; if (c > 3 && x) return 1;", None),
    ("int v[4]; if (c < 4) v[c] = 1; if (v[1]) return 1;", "v"),
    ("int v[4] = {0}; if (c < 4) v[c] = 1; if (v[1]) return 1;", None),
    ("int v[4]; v[0] = v[1] = v[2] = v[3] = 0; if (v[c & 3]) return 1;", None),
    ("int v[4]; v[0] = v[1] = v[2] = 0; if (v[c & 3]) return 1;", "v"),
    ("int *p = malloc(8); p[0] = c; if (p[0] > 3) return 1;", None),
    ("int *p = malloc(8); p[0] = c; if (p[1] > 3) return 1;", ""),
    ("int n = c & 7; char v[n + 1]; v[n] = 1; if (v[0]) return 1;", "vla"),
    ("for (int i = 0; i < 3; i++) { int v[2]; if (i == c) v[1] = 1; if (i == 2 && v[1]) return 1; }", "v"),
    ("double x; if (c) x = 1; return x > 0.5;", "x"),
    ("char *s; if (c) s = 0; if (s) return 1;", "s"),
    ("unsigned x; if (c < 9) x = 0; if ((x & c) == 0) return 1;", "x"),
    ("int x; char b[4]; memcpy(b, &x, 4); return b[2] == c;", "x"),
    ('char b[40]; snprintf(b, sizeof b, "%d", c); if (b[0] == 49) return 1; printf("%s", b);', None),
    ("struct { char a; int b; } s, t; s.a = c; s.b = 1; t = s; if (t.a == 3 && t.b) return 1;", None),
    (
        "struct { char a; int b; } s[4]; for (int i = 4; i--;) s[i].a = s[i].b = i; if (s[c & 3].b == 2) return 1;",
        None,
    ),
    ("struct { unsigned a : 3, b : 7; } s; s.a = c; s.b = 5; if (s.a == 3 && s.b) return 1;", None),
    (
        'FILE *f = fopen("f", "w+"); fprintf(f, "%d", c); rewind(f); int x = 0; fscanf(f, "%d", &x); return x == 7;',
        None,
    ),
]


HEAD = """#include <klee/klee.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
"""


@pytest.fixture(scope="module")
def doubtful(tmp_path_factory: pytest.TempPathFactory) -> Image:
    """All cases, of which the first argument chooses one."""
    functions = [f"int f{n}(unsigned char c) {{ {code} return 0; }}" for n, (code, _) in enumerate(DOUBTFUL)]
    names = ", ".join(f"f{n}" for n in range(len(DOUBTFUL)))
    body = 'unsigned char c; klee_make_symbolic(&c, 1, "c"); return all[atoi(v[1])](c);'
    main = f"int (*const all[])(unsigned char) = {{{names}}};\nint main(int n, char **v) {{ {body} }}\n"
    source = tmp_path_factory.mktemp("doubtful") / "cases.c"
    source.write_text(HEAD + "\n".join([*functions, main]))
    return build_image(load_program(source), blocks=True)


@pytest.mark.parametrize("table_bytes", [1 << 16, 16], ids=["whole", "windows"])
@pytest.mark.parametrize("number", range(len(DOUBTFUL)))
def test_exhausted_is_not_claimed_where_it_may_decide(doubtful: Image, number: int, table_bytes: int) -> None:
    """Also where a read looks at a small part of an object."""
    variable = DOUBTFUL[number][1]
    with Worker(doubtful, parse_arguments((str(number),), "cases"), Limits(table_bytes=table_bytes)) as worker:
        solver = WorkerSolver(worker)
        outcome = Exploration(worker, solver, Options(max_paths=2000), doubtful.graph).run()
        solver.close()
    assert outcome.exhausted == (variable is None)
    assert [doubt.variable for doubt in outcome.doubts] == ([] if variable is None else [variable])


def test_the_doubt_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, folder = tmp_path / "p.c", tmp_path / "out"
    source.write_text(
        "#include <klee/klee.h>\nint main(void) {\n  unsigned char c; int limit;\n"
        '  klee_make_symbolic(&c, 1, "c");\n  if (c) limit = 3;\n  if (limit == 3) return 1;\n  return 0;\n}\n'
    )
    for workers in ("1", "2"):
        out = f"{folder}{workers}"
        assert main(["run", "--no-report", "--workers", workers, "-o", out, str(source)]) == 0
        told = capsys.readouterr().out
        assert "all paths explored" not in told
        assert "not exhausted: memory never written decides a branch at" in told and "'limit'" in told
        summary = json.loads(Path(out, "summary.json").read_text())
        assert not summary["exhausted"] and summary["reason"] == "done"
        (doubt,) = summary["uninitialized"]
        assert doubt["variable"] == "limit" and doubt["made"].endswith("p.c:3 in main")


@pytest.mark.parametrize(
    ("case", "region", "name"), [(1, "stack", "x"), (2, "heap", ""), (7, "stack", "array"), (12, "stack", "")]
)
def test_the_allocation_is_named(outcome: Outcome, case: int, region: str, name: str) -> None:
    image = build_image(load_program(PROGRAM))
    with Worker(image, parse_arguments([]), Limits(uninitialized=True)) as worker:
        run = worker.run(bytes([case, 77]))
    assert run.error is not None and run.error.kind == "uninitialized"
    concerned = failure_of(run.error, "", image.sites).concerned
    assert concerned is not None and concerned.made is not None
    assert concerned.region == region and concerned.name.startswith(name)
    assert concerned.made.file.endswith("unwritten.c")


SMALL = """#include <klee/klee.h>
#include <string.h>
int main(void)
{
    struct { unsigned a : 7, b : 9, c : 16; } bits;
    unsigned char in[4], copy[4];
    klee_make_symbolic(in, 4, "in");
    bits.b = in[0]; bits.a = in[1]; bits.c = in[2];
    memcpy(copy, in, 3);
    if (bits.a == 5 && bits.b == 6 && (bits.c & 3) == 2) return 1;
    if (copy[in[3] % 3] == 9) return 2;
    return COPY;
}
"""


@pytest.mark.parametrize(("text", "errors"), [("3", 0), ("copy[3]", 1), ("copy[3] & 0", 0), ("copy[3] ^ copy[2]", 1)])
def test_symbolic_and_unwritten_bytes_side_by_side(tmp_path: Path, text: str, errors: int) -> None:
    source = tmp_path / "p.c"
    source.write_text(SMALL.replace("COPY", text))
    outcome = cinquefoil.explore(source, check="uninitialized", max_paths=2000)
    assert len(outcome.errors) == errors
    assert outcome.exhausted


def test_it_does_not_go_with_melding() -> None:
    with pytest.raises(UserError, match="do not go together"):
        cinquefoil.explore(PROGRAM, check="uninitialized", meld="auto")


def test_other_processes_look_for_it_too() -> None:
    outcome = cinquefoil.explore(PROGRAM, check="uninitialized", workers=2, max_paths=2000)
    assert {error.line for error in outcome.errors} == _lines("uninitialized")
