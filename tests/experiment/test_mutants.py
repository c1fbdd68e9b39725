"""Mutants: valid IR, the original's behaviour unless chosen, and suites that kill more when they see more."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import pytest

from cinquefoil.build import bitcode
from cinquefoil.build.program import LinkedProgram, load_program
from cinquefoil.cli.main import run as cinq
from cinquefoil.experiment import mutants
from cinquefoil.experiment.mutants import build_mutants, kill
from cinquefoil.experiment.mutate import NONE, mutate
from cinquefoil.replay.confinement import Confinement, Offer, offered
from cinquefoil.replay.native_run import NativeRun, run_natively
from cinquefoil.testcase.ktest import KTest

PROGRAM = """
#include <stdio.h>
static int total;
static void count(int n) { total += n; }
static int scale(int n) { return n * 3; }
int main(int argc, char **argv) {
    unsigned char d[2];
    if (fread(d, 1, 2, stdin) != 2) return 9;
    if (d[0] > 10) count(d[1]);
    if (d[1] == 7 && d[0] < 5) total = scale(total + 5) - 1;
    printf("%d\\n", total);
    return total & 15;
}
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> LinkedProgram:
    path = tmp_path_factory.mktemp("mutants") / "m.c"
    path.write_text(PROGRAM)
    return load_program(path)


def test_of_stdin(data: bytes) -> KTest:
    return KTest(("m", "--sym-stdin", "2"), (("stdin", data),))


test_of_stdin.__test__ = False  # type: ignore[attr-defined]

SUITE = [(str(n), test_of_stdin(bytes(data))) for n, data in enumerate([(0, 0), (11, 3), (4, 7), (10, 7), (5, 7)])]


def text_of(program: LinkedProgram) -> str:
    return str(bitcode.read(program.module_bitcode))


def test_every_single_mutant_is_valid_ir(program: LinkedProgram) -> None:
    text = text_of(program)
    everything = mutate(text)
    operators = Counter(mutant.operator for mutant in everything.mutants)
    assert set(operators) == {"relational", "arithmetic", "constant", "branch", "deletion"}
    for seed in range(12):
        mutated = mutate(text, seed=seed)
        llvm.parse_assembly(mutated.text, llvm.create_context()).verify()
        assert all(mutant.line > 0 and mutant.file.endswith("m.c") for mutant in mutated.mutants)
    assert "always" in {mutant.change for seed in range(9) for mutant in mutate(text, seed=seed).mutants}


def test_the_sample_is_determined_by_the_seed(program: LinkedProgram) -> None:
    text = text_of(program)
    assert mutate(text, limit=5, seed=3) == mutate(text, limit=5, seed=3)
    assert len(mutate(text, limit=5, seed=3).mutants) == 5
    assert mutate(text, limit=5, seed=3).mutants != mutate(text, limit=5, seed=4).mutants
    assert mutate(text, sources=["other.c"]).mutants == ()
    assert len(mutate(text, sources=["m.c"]).mutants) == len(mutate(text).mutants)


def test_better_suites_kill_more(program: LinkedProgram) -> None:
    built = build_mutants(program)
    nothing, one, all_ = (kill(built, SUITE[:n], "m") for n in (0, 1, len(SUITE)))
    assert nothing.dead == {} and nothing.reached == 0
    assert 0 < len(one.dead) < len(all_.dead) <= all_.reached <= len(built.mutants)
    assert set(one.dead) <= set(all_.dead)
    assert all_.tests == len(SUITE) and all_.dropped == 0
    alive = {(m.function, m.operator, m.change) for m in built.mutants if m.number not in all_.dead}
    assert len(all_.dead) > 0.6 * len(built.mutants), alive


def test_what_a_mutant_means(program: LinkedProgram) -> None:
    """Chosen by number in the text, each does what it says: only the test on the boundary sees `>` become `>=`."""
    for seed in range(40):
        built = build_mutants(program, seed=seed)
        wanted = [m for m in built.mutants if m.change in ("sgt to sge", "ugt to uge")]
        if wanted:
            killed = kill(built, [("far", SUITE[0][1]), ("edge", SUITE[3][1])], "m").dead
            assert killed[wanted[0].number] == "edge"
            return
    raise AssertionError("no such mutant in any sample")


REACHING_OUT = """
#include <stdio.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv) {
    if (argc < 3) return 1;
    if (!strcmp(argv[2], "now")) { unlink(argv[1]); fclose(fopen(argv[1], "w")); }
    puts("done");
    return 0;
}
"""


@pytest.mark.skipif(offered() != Offer("", ""), reason="the system allows no namespaces, or has no Landlock")
def test_mutants_cannot_reach_the_hosts_files(tmp_path: Path) -> None:
    """Only mutants remove and write the file that the test names; in the engine's world there is no such file."""
    source, precious = tmp_path / "m.c", tmp_path / "precious"
    source.write_text(REACHING_OUT)
    precious.write_text("kept")
    built = [build_mutants(load_program(source), seed=seed) for seed in range(4)]
    suite = [("never", KTest(("m", str(precious), "never")))]
    assert all(kill(each, suite, "m").dead for each in built)
    assert all(kill(each, suite, "m", Confinement.LANDLOCK).dead for each in built)
    assert precious.read_text() == "kept"
    assert any(kill(each, suite, "m", Confinement.NONE).dead for each in built)
    assert not precious.exists() or precious.read_text() == ""


def test_tests_that_make_no_difference_are_not_run(program: LinkedProgram, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same are dead as when each mutant runs every test that reaches its block, with fewer runs."""
    built = build_mutants(program)
    counted = Counter[str]()

    def counting(*arguments: Any, **named: Any) -> NativeRun:
        counted[name] += 1
        return run_natively(*arguments, **named)

    monkeypatch.setattr(mutants, "run_natively", counting)
    found: dict[str, set[int]] = {}
    for name, each in (("few", built), ("all", replace(built, telling=built.blocks))):
        found[name] = set(kill(each, SUITE, "m").dead)
    assert found["few"] == found["all"]
    assert counted["few"] < counted["all"]


def test_hanging_mutants_are_dead(tmp_path: Path) -> None:
    source = tmp_path / "m.c"
    source.write_text("int main(void) { volatile int n = 3; while (n) n--; return 0; }")
    built = build_mutants(load_program(source))
    dead = kill(built, [("only", KTest(("m",)))], "m").dead
    assert any(m.change in ("always", "sub to add", "add to sub", "-1 to 0") for m in built.mutants if m.number in dead)


def test_no_number_of_a_mutant_is_that_of_none(program: LinkedProgram) -> None:
    assert len(mutate(text_of(program)).mutants) * 100 < NONE


def test_the_command(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "m.c"
    source.write_text(PROGRAM)
    out = str(tmp_path / "out")
    assert cinq(["run", "--no-report", "-o", out, str(source), "--sym-stdin", "2"]) == 0
    capfd.readouterr()
    assert cinq(["mutants", out, "--limit", "25", "--json"]) == 0
    found = json.loads(capfd.readouterr().out)
    assert found["killed"][0] == len(found["dead"]) > 5 and found["killed"][1] <= 25
    assert cinq(["mutants", out, "--limit", "25", "--survivors"]) == 0
    text = capfd.readouterr().out
    assert f"{found['killed'][0]} of {found['killed'][1]} mutants killed" in text
    assert text.count("alive: ") == found["killed"][1] - found["killed"][0]
    assert cinq(["mutants", out, "--source", "x.c"]) == 2
    assert "nothing to change in x.c" in capfd.readouterr().err
