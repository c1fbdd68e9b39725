"""Output that does not explode: what is only printed leaves no states; what is data does."""

from __future__ import annotations

from dataclasses import replace

import pytest
from kernel import LIMITS, environment, worker_of

from cinquefoil.machine.run import Run

LOUD = replace(LIMITS, mute_output=False)


def _run(case: str, witness: bytes = b"\xff\xff\xff\xffabc\0", loud: bool = False) -> Run:
    with worker_of("printing", environment(case), LOUD if loud else LIMITS) as worker:
        worker.run(witness)  # the objects are known after this
        return worker.run(witness)


def _states(run: Run) -> int:
    return int((run.events["muted"] == 0).sum())


@pytest.mark.parametrize("case", "pfcnwde")
def test_output_leaves_no_states(case: str) -> None:
    run = _run(case)
    assert run.end == "exit" and _states(run) == 0
    loud = _run(case, loud=True)
    assert _states(loud) > 0 or case == "c"
    assert loud.output == run.output


@pytest.mark.parametrize("case", "samk")
def test_data_leaves_states(case: str) -> None:
    run = _run(case)
    assert run.end == "exit" and _states(run) > 0


def test_results_of_output_functions_say_nothing_new() -> None:
    run = _run("r")
    assert (run.end, _states(run)) == ("exit", 0)


def test_what_output_asked_is_asked_again_by_the_program() -> None:
    run = _run("t")
    assert _states(run) == 1 and run.output == b"-1\nnegative\n"


def test_leaving_output_by_a_jump_ends_the_muting() -> None:
    run = _run("j")
    assert (run.end, run.output) == ("exit", b"negative\n")
    assert _states(run) == 1
