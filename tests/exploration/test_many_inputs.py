"""Programs that make tens of thousands of named inputs."""

from __future__ import annotations

from pathlib import Path

import pytest

import cinquefoil
from cinquefoil.cli.main import run
from cinquefoil.testcase.ktest import KTest

COUNT = 20_000
PROGRAM = f"""
#include <klee/klee.h>
extern int __VERIFIER_nondet_int(void);
int values[{COUNT}];
int main(void) {{
    unsigned char last;
    for (int i = 0; i < {COUNT}; i++) values[i] = __VERIFIER_nondet_int();
    klee_make_symbolic(&last, 1, "nondet_int_7");
    if (last == 9 && values[{COUNT - 1}] == 123456) klee_abort();
    return 0;
}}
"""


def test_the_last_of_many_inputs_decides(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("many.c").write_text(PROGRAM)
    outcome = cinquefoil.explore("many.c", output="out", report=False)
    assert outcome.exhausted and outcome.statistics.paths == 3
    (error,) = outcome.errors
    contents = dict(error.test.objects)
    assert len(contents) == COUNT + 1
    assert contents[f"nondet_int_{COUNT - 1}"] == (123456).to_bytes(4, "little")
    assert contents["nondet_int_7_1"] == b"\x09"
    assert run(["replay", "out"]) == 0
    assert "3 tests replayed, 0 diverging: 2 exit 0, 1 abort" in capfd.readouterr().out


def test_many_objects_of_one_name() -> None:
    """As KLEE writes them; the loop that makes them unique must not look at all numbers again for each."""
    test = KTest.of([("x", bytes([n % 256])) for n in range(COUNT)] + [("x_5", b"?")])
    contents = test.contents()
    assert len(contents) == COUNT + 1
    assert contents["x"] == b"\0" and contents["x_5"] == b"\x05" and contents["x_5_1"] == b"?"
