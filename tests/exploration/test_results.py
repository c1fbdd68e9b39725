"""What an exploration leaves on disk."""

from __future__ import annotations

import csv
import json
import os
import signal
from pathlib import Path

import pytest

from cinquefoil.errors import UserError
from cinquefoil.exploration import Exploration, Options, Outcome, ResultFolder
from cinquefoil.exploration.output.result_folder import COLUMNS, write_atomically
from cinquefoil.solver.layer import LayerStatistics
from cinquefoil.testcase.ktest import KTest
from cinquefoil.testing.toymachine import BruteForce, ToyMachine, Trace, toy


def explore(folder: Path, options: Options) -> Outcome:
    machine = toy("nested")
    results = ResultFolder(folder, "toy.c", ("toy", "a"))
    exploration = Exploration(machine, BruteForce(machine), options, keep=results.keep, progress=results.progress)
    outcome = exploration.run()
    results.finish(outcome, options, exploration.coverage, {"cache": LayerStatistics(9, 3, 2, 4)})
    return outcome


def test_the_summary_has_what_is_promised(tmp_path: Path) -> None:
    outcome = explore(tmp_path, Options())
    summary = json.loads((tmp_path / "summary.json").read_text())
    assert summary["program"] == "toy.c"
    assert summary["exhausted"] is True
    assert summary["paths"]["completed"] + summary["paths"]["error"] == outcome.statistics.paths
    assert set(summary["paths"]) >= {"completed", "error", "infeasible", "unknown", "pending"}
    assert set(summary["coverage"]) == {"blocks", "branches", "lines", "functions"}
    assert set(summary["solver"]) >= {"queries", "sat", "unsat", "unknown", "cached", "seconds"}
    assert set(summary["machine"]) >= {"runs", "instructions", "seconds"}
    assert set(summary["states"]) == {"created", "peak", "pruned", "refuted"}
    assert summary["memory"]["peak_bytes"] > 0
    assert summary["solver"]["cached"] == 5
    (error,) = summary["errors"]
    assert error["kind"] == "out-of-bounds"
    assert (tmp_path / error["test"]).exists()


def test_tests_are_ktests_of_the_runs(tmp_path: Path) -> None:
    outcome = explore(tmp_path, Options(every_path=True))
    files = sorted((tmp_path / "tests").iterdir())
    assert [file.name for file in files] == [f"{n:06d}.ktest" for n in range(1, len(outcome.tests) + 1)]
    for file, test in zip(files, outcome.tests, strict=True):
        assert KTest.read(file) == KTest(("toy", "a"), (("x", test.witness),))


def test_same_seed_same_files(tmp_path: Path) -> None:
    contents = []
    for name in ("one", "two"):
        explore(tmp_path / name, Options(seed=4, every_path=True))
        files = sorted((tmp_path / name / "tests").iterdir())
        contents.append([(file.name, file.read_bytes()) for file in files])
    assert contents[0] == contents[1]


def test_the_time_series_has_the_final_figures(tmp_path: Path) -> None:
    outcome = explore(tmp_path, Options())
    with (tmp_path / "stats.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert tuple(rows[-1]) == COLUMNS
    assert int(rows[-1]["paths"]) == outcome.statistics.paths
    assert int(rows[-1]["blocks"]) == outcome.coverage.blocks[0]


def test_lcov_counts_agree_with_the_figures(tmp_path: Path) -> None:
    outcome = explore(tmp_path, Options(max_paths=2))
    text = (tmp_path / "coverage.info").read_text().splitlines()
    value = {line.partition(":")[0]: line.partition(":")[2] for line in text}
    assert value["SF"] == "toy.c"
    assert (int(value["LH"]), int(value["LF"])) == outcome.coverage.lines
    assert (int(value["BRH"]), int(value["BRF"])) == outcome.coverage.branches
    assert (int(value["FNH"]), int(value["FNF"])) == outcome.coverage.functions
    assert outcome.coverage.lines[0] < outcome.coverage.lines[1]
    assert sum(line.startswith("DA:") for line in text) == int(value["LF"])
    assert text[-1] == "end_of_record"


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_atomically(path, b"old")
    with pytest.raises(TypeError):
        write_atomically(path, None)  # type: ignore[arg-type]
    assert path.read_bytes() == b"old"


def test_a_folder_that_cannot_be_made_is_the_users_to_mend(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="output folder"):
        ResultFolder(tmp_path / "file" / "out", "toy.c")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_end_in_order_and_handlers_come_back(number: signal.Signals) -> None:
    countdown: list[int] = []  # runs that are left before the signal

    def endless(t: Trace) -> None:
        if countdown and countdown.pop() == 0:
            os.kill(os.getpid(), number)
        i = 0
        while i < 60 and t.branch("loop", lambda w, i=i: (w[0] * 7 + w[1]) % 61 > i, i):
            i += 1

    machine = ToyMachine(endless, 2, range(8))
    before = signal.getsignal(number)
    countdown += range(10)
    outcome = Exploration(machine, BruteForce(machine)).run()
    assert outcome.reason == "interrupted"
    assert outcome.tests
    assert signal.getsignal(number) is before
