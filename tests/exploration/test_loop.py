"""The loop finds exactly the paths there are, whatever happens on the way."""

from __future__ import annotations

import pytest

from cinquefoil.exploration import Exploration, Options
from cinquefoil.machine.run import Run
from cinquefoil.testing.toymachine import PROGRAMS, BruteForce, ToyMachine, Trace, nested, toy


class Recorder(ToyMachine):
    """Remembers the paths it ran."""

    def run(self, witness: bytes) -> Run:
        run = super().run(witness)
        if run.end not in ("table", "died", "assume"):
            self.seen = getattr(self, "seen", set()) | {self.path(run)}
        return run


def recorder(name: str, table: int = 10**9) -> Recorder:
    program, length = PROGRAMS[name]
    machine = Recorder(program, length, table=table)
    machine.seen = set()
    return machine


@pytest.mark.parametrize("name", PROGRAMS)
def test_explores_exactly_the_paths_there_are(name: str) -> None:
    machine = recorder(name)
    outcome = Exploration(machine, BruteForce(machine)).run()
    assert outcome.exhausted
    assert machine.seen == machine.truth
    counts = outcome.statistics
    assert counts.paths == len(machine.truth)
    assert counts.diverged == counts.known == counts.died == 0
    assert outcome.pending == outcome.unknown == 0


def test_every_path_runs_once() -> None:
    machine = recorder("nested")
    outcome = Exploration(machine, BruteForce(machine), Options(every_path=True)).run()
    errors = len(outcome.errors)
    assert outcome.statistics.runs == len(machine.truth) + errors  # each error is run once more to confirm it
    assert len(outcome.tests) == len(machine.truth)


@pytest.mark.parametrize(("name", "table"), [("switches", 9), ("switches", 10), ("nested", 5), ("nested", 6)])
def test_new_epochs_lose_nothing(name: str, table: int) -> None:
    machine = recorder(name, table)
    outcome = Exploration(machine, BruteForce(machine)).run()
    assert outcome.statistics.epochs > 0
    assert machine.seen == machine.truth
    assert outcome.exhausted


def test_a_table_too_small_for_one_run_is_not_exhausted() -> None:
    machine = recorder("loops", 3)
    outcome = Exploration(machine, BruteForce(machine), Options(max_paths=50)).run()
    assert outcome.statistics.cut > 0
    assert not outcome.exhausted


def test_forgotten_runs_are_run_again() -> None:
    machine = recorder("loops")
    outcome = Exploration(machine, BruteForce(machine), Options(path_memory=1, search=("bfs",))).run()
    assert outcome.statistics.reruns > 0
    assert machine.seen == machine.truth


def test_open_questions_are_asked_again_with_more_time() -> None:
    machine = recorder("nested")
    asked: list[float | None] = []

    def hard(query: object) -> bool:
        seconds = getattr(query, "seconds")  # noqa: B009
        asked.append(seconds)
        return seconds is None or seconds < 8  # at first, the solver decides for itself

    outcome = Exploration(machine, BruteForce(machine, hard)).run()
    assert outcome.exhausted
    assert machine.seen == machine.truth
    assert {2.0, 8.0} <= set(asked)


def test_what_stays_open_is_counted_and_not_called_exhausted() -> None:
    machine = recorder("nested")
    outcome = Exploration(machine, BruteForce(machine, lambda query: True)).run()
    assert outcome.reason == "done"
    assert not outcome.exhausted
    assert outcome.unknown > 0


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("hints", [1, 5, 100])
def test_partial_solutions_settle_states_without_a_query(name: str, hints: int) -> None:
    plain, eager = recorder(name), recorder(name)
    without = Exploration(plain, BruteForce(plain)).run()
    with_hints = Exploration(eager, BruteForce(eager, hints=hints)).run()
    assert with_hints.exhausted
    assert eager.seen == eager.truth
    assert with_hints.statistics.paths == without.statistics.paths
    assert with_hints.statistics.queries <= without.statistics.queries
    assert with_hints.statistics.diverged == 0


def test_a_worker_that_dies_once_costs_a_repetition() -> None:
    machine = recorder("nested")
    machine.dies_on = dict.fromkeys(machine.inputs(), 1)
    outcome = Exploration(machine, BruteForce(machine)).run()
    assert machine.seen == machine.truth
    assert outcome.exhausted


def test_a_worker_that_always_dies_costs_one_path() -> None:
    machine = recorder("nested")
    machine.dies_on = {b"\x03\x03\x00": 10**9, b"\x03\x03\x01": 10**9}
    outcome = Exploration(machine, BruteForce(machine)).run()
    assert outcome.statistics.died > 0
    assert not outcome.exhausted
    assert len(machine.seen) == len(machine.truth) - 1


class Fickle(Recorder):
    """Every third solution is run as another input: predictions fail."""

    def run(self, witness: bytes) -> Run:
        if self.runs % 3 == 2:
            witness = bytes(3)
        return super().run(witness)


def test_divergence_is_counted_and_survived() -> None:
    machine = Fickle(nested, 3)
    machine.seen = set()
    outcome = Exploration(machine, BruteForce(machine)).run()
    assert outcome.statistics.diverged > 0
    assert not outcome.exhausted
    assert outcome.pending == 0


def test_errors_are_found_once_with_the_smallest_input_and_confirmed() -> None:
    machine = toy("nested")
    kept: dict[int, bytes] = {}
    exploration = Exploration(
        machine, BruteForce(machine), keep=lambda test: kept.__setitem__(test.number, test.witness)
    )
    outcome = exploration.run()
    (error,) = outcome.errors
    assert (error.kind, error.function, error.file) == ("out-of-bounds", "main", "toy.c")
    assert error.confirmed
    assert kept[error.test.number] == error.test.witness == b"\x03\x03\x00"


def test_the_smallest_input_wins() -> None:
    def program(t: Trace) -> None:
        t.branch("low", lambda w: w[0] < 2)
        t.check("zero", lambda w: w[0] == 0)

    machine = ToyMachine(program, 1)
    outcome = Exploration(machine, BruteForce(machine), Options(inputs=(b"\x03", b"\x02", b"\x01"))).run()
    (error,) = outcome.errors
    assert error.seen == 3
    assert error.test.witness == b"\x01"


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (Options(max_paths=2), "max-paths"),
        (Options(max_tests=1), "max-tests"),
        (Options(max_time=0.0), "max-time"),
        (Options(max_errors=1), "max-errors"),
        (Options(max_memory=1), "max-memory"),
    ],
)
def test_limits_end_in_order_and_say_why(options: Options, reason: str) -> None:
    machine = toy("nested")
    outcome = Exploration(machine, BruteForce(machine), options).run()
    assert outcome.reason == reason
    assert not outcome.exhausted
    assert outcome.statistics.runs > 0


def test_what_a_run_leaves_is_given_back_before_memory_is_short() -> None:
    class Heavy(ToyMachine):
        """A machine whose process holds a terabyte until it begins anew."""

        held = 0

        def memory_bytes(self) -> int:
            return self.held

        running_bytes = memory_bytes

        def new_epoch(self) -> None:
            super().new_epoch()
            self.held = 0

    machine = Heavy(*PROGRAMS["nested"])
    machine.held = 1 << 40
    outcome = Exploration(machine, BruteForce(machine), Options(max_memory=1 << 39)).run()
    assert outcome.reason == "exhausted"
    assert outcome.memory >= 1 << 40, "what was held is told"


def test_an_interrupt_keeps_what_was_found() -> None:
    machine = toy("nested")
    exploration = Exploration(machine, BruteForce(machine))
    exploration.start()
    exploration.step()
    exploration.interrupts.requested = True
    assert exploration.stop_reason() == "interrupted"
    assert exploration.outcome("interrupted").tests


def test_pruned_states_are_gone_and_counted() -> None:
    machine = recorder("nested")
    exploration = Exploration(machine, BruteForce(machine), Options(search=("dfs",)))
    exploration.start()
    state = exploration.frontier.searcher.select()
    exploration.integrator.forget(state)
    while exploration.stop_reason() is None:
        exploration.step()
    outcome = exploration.outcome(str(exploration.stop_reason()))
    assert outcome.statistics.pruned == 1
    assert not outcome.exhausted
    assert machine.seen < machine.truth


def test_same_seed_same_tests() -> None:
    def tests(seed: int) -> list[bytes]:
        machine = toy("loops")
        outcome = Exploration(machine, BruteForce(machine), Options(seed=seed, every_path=True)).run()
        return [test.witness for test in outcome.tests]

    assert tests(7) == tests(7)
    assert sorted(tests(7)) == sorted(tests(8))
    assert len({tuple(tests(seed)) for seed in range(8)}) > 1
