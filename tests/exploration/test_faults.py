"""A fault of the engine itself costs one query or run; the rest is explored, and the faults are told."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from cinquefoil.cli.main import run as cinq
from cinquefoil.errors import EngineError, UserError
from cinquefoil.exploration import Exploration, Outcome
from cinquefoil.exploration.runs.integrator import Integrator
from cinquefoil.solver.chain import Chain
from cinquefoil.states.state import State
from cinquefoil.testing.toymachine import BruteForce, toy

pytestmark = pytest.mark.faults


class Boom(Exception):
    """Nobody expects it."""


def on_call(numbers: Sequence[int], function: Callable[..., Any], error: Exception) -> Callable[..., Any]:
    """The function, raising instead when it is called for the n-th time."""
    calls = 0

    def call(*given: Any, **named: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls in numbers:
            raise error
        return function(*given, **named)

    return call


def explored(prepare: Callable[[Exploration, pytest.MonkeyPatch], None]) -> Outcome:
    machine = toy("nested")
    exploration = Exploration(machine, BruteForce(machine))
    with pytest.MonkeyPatch.context() as patch:
        prepare(exploration, patch)
        return exploration.run()


def test_a_solver_that_raises_costs_one_query() -> None:
    whole = explored(lambda exploration, patch: None)

    def prepare(exploration: Exploration, patch: pytest.MonkeyPatch) -> None:
        patch.setattr(exploration.solver, "solve", on_call([3], exploration.solver.solve, Boom("in a layer")))

    outcome = explored(prepare)
    assert (outcome.exhausted, outcome.reason, outcome.statistics.faults) == (False, "done", 1)
    assert 0 < outcome.statistics.paths < whole.statistics.paths
    (fault,) = outcome.faults
    assert fault.what == "Boom: in a layer"
    assert "test_faults.py" in fault.where
    assert "Boom" in fault.traceback


@pytest.mark.parametrize("call", [1, 2, 4])
def test_a_run_whose_integration_raises_costs_that_run(call: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Integrator, "add", on_call([call], Integrator.add, Boom("while adding")))
    outcome = explored(lambda exploration, patch: None)
    assert not outcome.exhausted
    assert outcome.statistics.faults == 1
    assert outcome.statistics.paths or call == 1


@pytest.mark.parametrize("method", ["select", "add", "update"])
def test_a_strategy_that_fails_is_replaced(method: str) -> None:
    whole = explored(lambda exploration, patch: None)

    def prepare(exploration: Exploration, patch: pytest.MonkeyPatch) -> None:
        searcher = exploration.frontier.searcher
        patch.setattr(searcher, method, on_call(range(3, 10**6), getattr(searcher, method), Boom("in a strategy")))

    outcome = explored(prepare)
    assert outcome.statistics.faults
    assert outcome.pending == 0
    assert not outcome.exhausted
    if method == "select":  # nothing but the order is lost
        assert outcome.statistics.paths == whole.statistics.paths


@pytest.mark.parametrize("error", [UserError("wrong"), EngineError("no worker"), OSError(28, "full"), MemoryError()])
def test_what_makes_going_on_impossible_ends_the_exploration(error: Exception) -> None:
    def prepare(exploration: Exploration, patch: pytest.MonkeyPatch) -> None:
        patch.setattr(exploration.solver, "solve", on_call([2], exploration.solver.solve, error))

    with pytest.raises(type(error)):
        explored(prepare)


def test_faults_without_end_end_the_exploration() -> None:
    def always(*given: object) -> State:
        raise Boom("again")

    def prepare(exploration: Exploration, patch: pytest.MonkeyPatch) -> None:
        patch.setattr(exploration.integrator, "ask_again", always)
        patch.setattr(exploration, "stop_reason", lambda: None)

    with pytest.raises(EngineError, match="internal faults"):
        explored(prepare)


def test_results_are_written_and_the_fault_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / "program.c"
    program.write_text(
        '#include <klee/klee.h>\nint main(void) { char c, d; klee_make_symbolic(&c, 1, "c");'
        'klee_make_symbolic(&d, 1, "d"); if (c == 1) return 1; if (d == 2) return 2; return 0; }\n'
    )
    monkeypatch.setattr(Chain, "solve", on_call([1], Chain.solve, Boom("in a layer")))
    folder = tmp_path / "out"
    assert cinq(["run", "-o", str(folder), str(program)]) == 3
    shown = capsys.readouterr().out
    assert "internal fault (1 time): Boom: in a layer" in shown
    assert "please report it" in shown
    summary = json.loads((folder / "summary.json").read_text())
    assert summary["faults"]["count"] == 1
    assert "Boom" in summary["faults"]["found"][0]["traceback"]
    assert not summary["exhausted"]
    assert list((folder / "tests").glob("*.ktest"))
