"""Limits of time and memory hold within a single run too; what they cut is counted and named."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cinquefoil.build.program import load_program
from cinquefoil.cli.main import run
from cinquefoil.exploration import Options, Outcome
from cinquefoil.exploration.limits import LIMITS
from cinquefoil.exploration.session.session import Task, session_for
from cinquefoil.layout import End
from cinquefoil.machine.resident import own_bytes

# Few blocks an hour, of which a run may enter only so many.
ENDLESS = """
#include <klee/klee.h>
#include <string.h>
static char much[16 << 20];
int main(void) {
    unsigned char c;
    klee_make_symbolic(&c, 1, "c");
    if (c == 5) for (;;) memset(much, c, sizeof much);
    return c > 7;
}
"""
EXPRESSIONS = """
#include <klee/klee.h>
int main(void) {
    unsigned n, s = 1;
    klee_make_symbolic(&n, sizeof n, "n");
    if (n > 7) return 2;
    for (unsigned i = 0; i < 500000000u; i++) { s = s * 1664525 + n; s ^= s >> 7; }
    return s == 7;
}
"""
HEAP = """
#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    unsigned char c;
    char *p;
    klee_make_symbolic(&c, 1, "c");
    if (c > 7) while ((p = malloc(1 << 20))) memset(p, c, 1 << 20);
    return 0;
}
"""
DECISIONS = """
#include <klee/klee.h>
int main(void) {
    unsigned char c[8];
    int sum = 0;
    klee_make_symbolic(c, sizeof c, "c");
    for (int i = 0; i < 8; i++) if (c[i] > 9) sum++;
    return sum;
}
"""
ROOM = 400 << 20


def explored(program: Path, source: str, options: Options, **limits: int | float) -> Outcome:
    program.write_text(source)
    task = Task(program, **limits)  # pyright: ignore[reportArgumentType]
    return session_for(task, options, load_program(program)).run()


def test_a_run_does_not_outlast_the_exploration(tmp_path: Path) -> None:
    """Its own limits would allow it an hour."""
    options = Options(max_time=2.0, clock="cpu", search=("bfs",))
    outcome = explored(tmp_path / "p.c", ENDLESS, options, run_seconds=3600.0, run_instructions=10**15)
    assert outcome.reason == "max-time"
    assert outcome.statistics.cut_by["stopped"] == outcome.statistics.cut == 1
    assert outcome.seconds < 30
    assert outcome.statistics.instructions < 10**12, "what it did, not what it might have done"
    assert [str(cut) for cut in outcome.cuts] == ["1 path was cut by the end of the exploration (--max-time)"]
    assert outcome.coverage.blocks[0] >= outcome.coverage.blocks[1] - 1, "what it covered counts"
    assert len(outcome.tests) >= 2


@pytest.mark.parametrize(("source", "limits"), [(EXPRESSIONS, ("table", "memory")), (HEAP, ("memory",))])
def test_one_run_takes_no_more_memory_than_it_may(tmp_path: Path, source: str, limits: tuple[str, ...]) -> None:
    """The share of the expressions, or all that is left: what is met first depends on what these tests hold."""
    most = own_bytes() + ROOM
    outcome = explored(tmp_path / "p.c", source, Options(max_memory=most, search=("bfs",)), run_seconds=3600.0)
    assert sum(outcome.statistics.cut_by[limit] for limit in limits) == outcome.statistics.cut >= 1
    assert outcome.statistics.completed >= 1, "the others are explored"
    assert not outcome.exhausted
    assert outcome.memory < most + ROOM // 4
    assert {cut.option for cut in outcome.cuts} == {"--max-memory"}


def test_what_cuts_paths_is_named_with_its_option(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program, folder = tmp_path / "p.c", tmp_path / "out"
    program.write_text(DECISIONS)
    assert run(["run", "--run-events", "4", "-o", str(folder), str(program)]) == 0
    said = capsys.readouterr().out
    assert "cut by the limit of decisions on symbolic data in a run (--run-events)" in said
    summary = json.loads((folder / "summary.json").read_text())
    assert [cut["option"] for cut in summary["cut"]] == ["--run-events"]
    assert summary["cut"][0]["paths"] == summary["paths"]["cut"] > 0
    assert "decisions on symbolic data in a run; --run-events sets it" in (folder / "report.html").read_text()


def test_instructions_and_time_are_told_apart(tmp_path: Path) -> None:
    few = explored(tmp_path / "p.c", DECISIONS, Options(), run_instructions=30)
    assert [cut.option for cut in few.cuts] == ["--run-instructions"]
    short = explored(tmp_path / "p.c", ENDLESS, Options(), run_instructions=10**15, run_seconds=0.2)
    assert [cut.option for cut in short.cuts] == ["--run-time"]


def test_every_end_by_a_limit_has_a_name() -> None:
    ends = {end.name.lower() for end in End} - {"exit", "error", "assume", "silent"}
    assert ends | {"trace", "memory", "stopped"} == set(LIMITS)


@pytest.mark.parametrize(("number", "workers"), [(signal.SIGINT, "1"), (signal.SIGTERM, "2")])
def test_a_signal_ends_a_long_run(number: signal.Signals, workers: str, tmp_path: Path) -> None:
    """The run would take an hour."""
    program, folder = tmp_path / "p.c", tmp_path / "out"
    program.write_text(ENDLESS.replace("c == 5", "c == 0"))
    limits = ["--run-time", "3600s", "--run-instructions", str(10**15), "--workers", workers]
    command = [sys.executable, "-c", "from cinquefoil.cli.main import main; main()", "run", *limits]
    process = subprocess.Popen([*command, "-o", str(folder), str(program)], stdout=subprocess.PIPE)
    while not (folder / "stats.csv").exists():
        time.sleep(0.05)
    time.sleep(1)
    process.send_signal(number)
    said = process.communicate(timeout=120)[0]
    assert process.returncode == 130, said
    assert b"1 path was cut by the end of the exploration\n" in said
    assert json.loads((folder / "summary.json").read_text())["reason"] == "interrupted"
