"""Asking: from a state to an answer of the solver.

A state's path condition is in its witness's run, which runs again if its events were forgotten.  A solution is sought
first for the state alone, then, if the strategy wishes for more turns of the same path, for all of them together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from cinquefoil.explore.clock import Stopwatch
from cinquefoil.explore.paths import Remembered, TracingMachine, goal_of
from cinquefoil.explore.placing import Placing
from cinquefoil.explore.running import Runner
from cinquefoil.machine.run import Run
from cinquefoil.search.state import State, Witness
from cinquefoil.solver.api import Answer, Query, Solver


class Asking:
    """`must_stop` tells whether it is too late to go on with a long question."""

    def __init__(
        self,
        machine: TracingMachine,
        solver: Solver,
        placing: Placing,
        runner: Runner,
        stopwatch: Stopwatch,
        must_stop: Callable[[], bool],
    ) -> None:
        self._machine = machine
        self._solver = solver
        self._placing = placing
        self._runner = runner
        self._left = stopwatch.left
        self._must_stop = must_stop
        self._statistics = placing.statistics
        phases = placing.statistics.phases
        self._query_phase, self._solver_phase = phases["query"], phases["solver"]
        self._search_phase, self._loop_phase = phases["search"], phases["loop"]

    def answer(self, state: State) -> Answer | None:
        """None if the state's path cannot be found again."""
        placing = self._placing
        self._query_phase.begin()
        kept = placing.paths.recall(state.witness)
        if kept is None:
            kept = self._found_again(state)
            if kept is None:
                return None
            self._query_phase.begin()
        seconds = placing.questions.seconds_for(state)
        query = placing.paths.query(state, kept, seconds, self._must_stop, self._left)
        self._solver_phase.begin()
        answer = self._solver.solve(query)
        wishes = self._wishes(state) if answer.status == "sat" and placing.frontier.searcher.wishful else ()
        self._loop_phase.begin()
        self._statistics.queries += 1
        return self._steered(wishes, kept, query, answer) if wishes else answer

    def answer_aside(self, state: State, seconds: float) -> Answer | None:
        """The answer for a state that is no longer pending; None if its path cannot be found again."""
        run = self.run_of(state.witness)
        kept = self._placing.paths.recall(state.witness)
        if run is None or kept is None or not self._placing.tree.same_prefix(run, state):
            return None
        with self._statistics.phases["solver"]:
            return self._solver.solve(self._placing.paths.query(state, kept, seconds))

    def run_of(self, witness: Witness) -> Run | None:
        """A witness's run in the current epoch; None if the program's process dies of it."""
        kept = self._placing.paths.recall(witness)
        if kept is not None:
            return kept.run
        self._statistics.reruns += 1
        run = self._runner.run(witness.data)
        return self._placing.paths.remember(witness, run).run if run.end != "died" else None

    def _wishes(self, state: State) -> Sequence[State]:
        self._search_phase.begin()
        return self._placing.frontier.searcher.wishes(state)

    def _steered(self, wishes: Sequence[State], kept: Remembered, query: Query, answer: Answer) -> Answer:
        """A solution that also takes the turns the strategy wishes for, if there is one."""
        goals = [goal for wish in wishes for goal in goal_of(wish, kept.run, self._machine.alts)]
        with self._statistics.phases["solver"]:
            better = self._solver.solve(replace(query, goal=(*query.goal, *goals)))
        self._statistics.queries += 1
        return better if better.status == "sat" else answer

    def _found_again(self, state: State) -> Remembered | None:
        """The state's path, of which nothing is remembered; None if it is not what it was."""
        placing = self._placing
        self._statistics.reruns += 1
        run = self._runner.run(state.witness.data)
        if run.end == "died":
            placing.died(state)
            return None
        if not placing.tree.same_prefix(run, state):
            self._statistics.diverged += 1
            placing.settle(state)
            return None
        return placing.paths.remember(state.witness, run)
