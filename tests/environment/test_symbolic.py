"""Symbolic arguments, streams and files: everything that can happen is found, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from kernel import LIMITS, environment, image_of, worker_of

from cinquefoil.errors import UserError
from cinquefoil.exploration.loop.exploration import Exploration, Outcome
from cinquefoil.exploration.options import Options
from cinquefoil.exploration.runs.tree import MOST_VALUES
from cinquefoil.exploration.solving.worker_solver import WorkerSolver
from cinquefoil.layout import EventKind, Reason
from cinquefoil.machine.environment import Environment
from cinquefoil.machine.run import Run
from cinquefoil.machine.worker import Limits, Worker


class Watched(Worker):
    """Remembers what the program printed."""

    def __init__(self, name: str, given: Environment, limits: Limits = LIMITS) -> None:
        self.outputs: set[str] = set()
        self.objects: set[str] = set()
        super().__init__(image_of(Path(__file__).parent / "programs" / f"{name}.c"), given, limits)

    def run(self, witness: bytes) -> Run:
        run = super().run(witness)
        if run.end in ("exit", "error"):
            self.outputs.add(run.error.kind if run.error else run.output.decode("latin1"))
        self.objects |= {made.name for made in run.objects}
        return run


def explore(worker: Worker, most: int | None = None) -> Outcome:
    """At most so many paths: what must be found by then does not depend on how fast the machine is."""
    solver = WorkerSolver(worker)
    try:
        outcome = Exploration(worker, solver, Options(max_paths=most, max_time=600), worker.image.graph).run()
    finally:
        solver.close()
    assert outcome.statistics.diverged == 0
    return outcome


def results(name: str, *words: str) -> tuple[set[str], Outcome]:
    with Watched(name, environment(*words)) as worker:
        outcome = explore(worker)
        return worker.outputs, outcome


# ---- data ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", "dovmcwsb")
def test_bytes_of_a_file_keep_their_meaning(way: str) -> None:
    outputs, outcome = results("flows", way, "--sym-files", "1", "3")
    assert outputs == {"found\n", "no\n"}
    assert outcome.exhausted


def test_bytes_of_standard_input_keep_their_meaning() -> None:
    assert results("flows", "p", "--sym-stdin", "3")[0] == {"found\n", "no\n"}


def test_bytes_of_an_argument_keep_their_meaning() -> None:
    assert "found\n" in results("flows", "a", "--sym-arg", "3")[0]


def test_objects_have_klees_names() -> None:
    given = ["x", "--sym-args", "0", "2", "3", "--sym-stdin", "2", "--sym-files", "2", "2"]
    with Watched("flows", environment(*given, "--sym-stat", "--sym-stdout")) as worker:
        explore(worker, 500)
        expected = {"n_args", "arg00", "arg01", "stdin", "stdin-stat", "A-data", "A-data-stat", "B-data", "stdout-stat"}
        assert expected <= worker.objects


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--sym-args 0 101 1", "101 symbolic arguments: at most 100"),
        ("--sym-args 0 99 1 --sym-arg 1 --sym-arg 1", "101 symbolic arguments: at most 100"),
        ("--sym-args 0 0 1", "0 arguments cannot be symbolic"),
        ("--sym-args 0 2 0", "0 bytes cannot be symbolic"),
        ("--sym-arg 0", "0 bytes cannot be symbolic"),
        ("--sym-stdin 0", "0 bytes cannot be symbolic"),
        ("--sym-files 0 4", "0 files cannot be symbolic"),
        ("--sym-files 1 0", "0 bytes cannot be symbolic"),
        ("--sym-files 27 1", "at most 26 files"),
        ("--sym-stdin 1 --sym-stdin 1", "--sym-stdin is given twice"),
        ("--sym-files 1 2 -sym-files 2 2", "--sym-files is given twice"),
        ("--max-fail 1 --fd-fail", "--max-fail is given twice"),
        ("--sym-stdin \u00b2", "takes 1 number"),
    ],
)
def test_what_makes_no_sense_is_refused(words: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        environment(*words.split())


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (" ".join(["x"] * 1001), "arguments"),
        ("--sym-stdin 99999999", "symbolic bytes"),
    ],
)
def test_what_there_is_no_room_for_is_refused(words: str, what: str) -> None:
    with pytest.raises(UserError, match=f"{what}: .* at most"):
        environment(*words.split()).encode()


# ---- terminals -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("--sym-stdin 1", {"in 0 out 0"}),
        ("--sym-stdin 1 --sym-stat", {"in 0 out 0", "in 1 out 0"}),
        ("--sym-stdin 1 --sym-stdout", {"in 0 out 0", "in 0 out 1"}),
        ("--sym-stdin 1 --sym-stat --sym-stdout", {"in 0 out 0", "in 1 out 0", "in 0 out 1", "in 1 out 1"}),
    ],
)
def test_a_stream_of_symbolic_status_may_be_a_terminal(words: str, expected: set[str]) -> None:
    outputs, outcome = results("terminal", "ask", *words.split())
    assert outputs == {f"{each} agree 1\n" for each in expected}
    assert outcome.exhausted


def test_a_program_that_does_not_ask_has_no_paths_for_it() -> None:
    """The C library asks for the window's size before it writes: that must decide nothing."""
    outputs, outcome = results("terminal", "--sym-stdin", "1", "--sym-stat", "--sym-stdout")
    assert outputs == {"never asked\n"}
    assert outcome.exhausted and outcome.statistics.paths == 1


# ---- names ---------------------------------------------------------------------------------------------------------


def test_a_symbolic_name_finds_each_file() -> None:
    outputs, outcome = results("paths", "--sym-arg", "1", "--sym-files", "1", "3")
    assert outputs == {"file of three\n", "absent\n", "directory\n"}  # A, nothing, "." or "/"
    assert outcome.exhausted and outcome.statistics.paths <= 10


def test_a_symbolic_path_finds_each_file() -> None:
    outputs, outcome = results("paths", "--sym-arg", "4", "--sym-files", "1", "3")
    assert outputs == {"file of three\n", "absent\n", "directory\n", "not a directory\n"}
    assert outcome.exhausted and outcome.statistics.paths <= 400


# ---- properties ----------------------------------------------------------------------------------------------------


def test_symbolic_properties() -> None:
    outputs, outcome = results("paths", "A", "--sym-files", "1", "3", "--sym-stat", "--sym-size")
    files = {"file of three\n", "file\n", "empty file\n"}
    assert outputs == files | {"directory\n", "pipe\n", "device\n", "denied\n"}
    assert outcome.exhausted


def test_a_fixed_size_leaves_no_states() -> None:
    outputs, outcome = results("paths", "A", "--sym-files", "1", "3")
    assert outputs == {"file of three\n"} and outcome.statistics.paths == 1


# ---- failures ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("most", "expected"), [("0", {"0"}), ("1", {"0", "1"}), ("2", {"0", "1", "2"})])
def test_as_many_calls_fail_as_allowed(most: str, expected: set[str]) -> None:
    outputs, outcome = results("failing", "--sym-files", "1", "4", "--max-fail", most)
    assert {text.strip() for text in outputs} - {""} == expected  # nothing is printed if that fails
    assert outcome.exhausted


_DENIED, _FULL, _BROKEN = "Permission denied", "No space left on device", "I/O error"


@pytest.mark.parametrize(
    ("call", "errors"),
    [
        ("pread", {_BROKEN, "Interrupted system call"}),
        ("pwrite", {_FULL, _BROKEN}),
        ("preadv", {_BROKEN, "Interrupted system call"}),
        ("pwritev", {_FULL, _BROKEN}),
        ("lseek", {"Invalid seek"}),
        ("access", {_DENIED, _BROKEN}),
        ("mkdirat", {_DENIED, _FULL}),
        ("unlinkat", {_DENIED}),
        ("renameat", {_DENIED, "Cross-device link"}),
        ("link", {_DENIED, "Cross-device link"}),
        ("symlink", {_DENIED, _FULL}),
        ("readlink", {_DENIED, _BROKEN}),
        ("fchmod", {"Operation not permitted"}),
        ("chown", {"Operation not permitted"}),
        ("mkfifo", {_DENIED, _FULL}),
        ("utimensat", {_DENIED, "Operation not permitted"}),
        ("fsync", {_BROKEN, _FULL}),
        ("pipe", {"No file descriptors available", "Too many open files in system"}),
        ("F_DUPFD", {"No file descriptors available"}),
        ("F_GETFL", set[str]()),
    ],
)
def test_calls_fail_as_their_manuals_say(call: str, errors: set[str]) -> None:
    outputs, outcome = results("faults", call, "--sym-files", "1", "4", "--max-fail", "1")
    assert outputs - {""} == {"ok"} | errors  # nothing is printed if open or the output itself fails
    assert outcome.exhausted


@pytest.mark.parametrize(("calls", "told"), [(64, 0), (65, 1), (200, 1)])
def test_calls_whose_failure_is_not_considered_are_told(calls: int, told: int) -> None:
    with worker_of("busy", environment(str(calls), "--max-fail", "1")) as worker:
        events = worker.run(b"").events
    reasons = [int(event["value"]) for event in events if event["kind"] == EventKind.UNSUPPORTED]
    assert reasons == [Reason.FAILURE] * told


def test_output_that_cannot_be_written_is_a_state() -> None:
    outputs, outcome = results("full", "--max-fail", "1")
    assert outputs == {"42\n", "abort"}
    assert outcome.exhausted


# ---- sizes ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        ("m", {"none\n", "empty\n", "seven\n", "some\n"}),
        ("c", {"none\n", "some\n"}),
        ("f", {"one\n", "two\n", "three\n"}),
        ("a", {"", "last\n"}),
        ("s", {"done\n", "out-of-bounds"}),
        ("v", {"done\n", "stack-overflow", "out-of-bounds"}),
    ],
)
def test_sizes_and_pointers(case: str, expected: set[str]) -> None:
    with Watched("sizes", environment(case)) as worker:
        explore(worker, 2000)
        assert worker.outputs == expected


def test_values_that_are_given_up_are_told() -> None:
    outputs, outcome = results("sizes", "l")
    counts = outcome.statistics
    assert outputs == {"some\n"}
    assert (outcome.reason, counts.limited, counts.paths) == ("done", 1, MOST_VALUES + 1)


# ---- the user's own files ------------------------------------------------------------------------------------------


def test_files_and_variables_of_the_user(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "A").write_bytes(b"Kx9")
    inside = environment("in").with_files([tmp_path / "in"])
    with worker_of("paths", inside) as worker:
        assert worker.run(b"").output == b"directory\n"
    with worker_of("paths", environment("in/A").with_files([tmp_path / "in"])) as worker:
        assert worker.run(b"").output == b"file of three\n"
    with worker_of("flows", environment("w").with_files([tmp_path / "in" / "A"])) as worker:
        assert [worker.run(b"").output for _ in range(2)] == [b"found\n"] * 2
    assert (tmp_path / "in" / "A").read_bytes() == b"Kx9"


def test_variables() -> None:
    changed = Environment().with_variables(["LANG=de", "NEW=1", "HOME"])
    assert "LANG=de" in changed.variables and "LANG=C" not in changed.variables
    assert "NEW=1" in changed.variables and not any(v.startswith("HOME") for v in changed.variables)
    with pytest.raises(UserError):
        Environment().with_variables(["=1"])
    with pytest.raises(UserError):
        Environment().with_files([Path("does-not-exist")])
