"""From a state to an answer of the solver.

A state's path condition is in its witness's run, which runs again if its events were forgotten.  A solution is sought
first for the state alone, then, if the strategy prefers further branches of the same path, for all of them together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from cinquefoil.exploration.runs.explored import Explored
from cinquefoil.exploration.runs.remembered_runs import RememberedRun, TracingMachine, goal_of
from cinquefoil.exploration.runs.runner import Runner
from cinquefoil.machine.run import Run
from cinquefoil.solver.api import Answer, Query, Solver
from cinquefoil.states.state import State, Witness


class Lost(NamedTuple):
    """A state's path cannot be found again: its witness's run was lost, or took another path (None)."""

    run: Run | None


class QueryBuilder:
    """Builds queries from what is `explored` and has them solved; `stop` tells whether it is too late to go on with a
    long query."""

    def __init__(
        self, machine: TracingMachine, solver: Solver, explored: Explored, runner: Runner, stop: Callable[[], bool]
    ) -> None:
        self._machine = machine
        self._solver = solver
        self._explored = explored
        self._runner = runner
        self._left = explored.stopwatch.left
        self._stop = stop
        self._statistics = explored.statistics
        phases = explored.statistics.phases
        self._query_phase, self._solver_phase = phases["query"], phases["solver"]
        self._search_phase, self._loop_phase = phases["search"], phases["loop"]

    def answer(self, state: State) -> Answer | Lost:
        """The solver's answer, or why the state's path cannot be found again."""
        explored = self._explored
        self._query_phase.begin()
        kept = explored.runs.recall(state.witness)
        if kept is None:
            kept = self._found_again(state)
            if isinstance(kept, Lost):
                return kept
            self._query_phase.begin()
        elif state.index >= len(kept.run.events):
            return Lost(
                None
            )  # a state of the same input that branches off earlier had it run again, and it went elsewhere
        seconds = explored.undecided.seconds_for(state)
        query = explored.runs.query(state, kept, seconds, self._stop, self._left)
        self._solver_phase.begin()
        answer = self._solver.solve(query)
        preferred_branches = (
            self._preferred_branches(state)
            if answer.status == "sat" and explored.frontier.searcher.prefers_branches
            else ()
        )
        self._loop_phase.begin()
        self._statistics.queries += 1
        return self._steered(preferred_branches, kept, query, answer) if preferred_branches else answer

    def answer_forgotten(self, state: State, seconds: float) -> Answer | None:
        """The answer for a state that is no longer pending; None if its path cannot be found again."""
        run, explored = self.run_of(state.witness), self._explored
        kept = explored.runs.recall(state.witness)
        if run is None or kept is None or not explored.tree.same_prefix(run, state):
            return None
        with self._statistics.phases["solver"]:
            return self._solver.solve(explored.runs.query(state, kept, seconds))

    def run_of(self, witness: Witness) -> Run | None:
        """A witness's run in the current epoch; None if the program's process dies of it."""
        kept = self._explored.runs.recall(witness)
        if kept is not None:
            return kept.run
        self._statistics.reruns += 1
        run = self._runner.run(witness.data)
        return self._explored.runs.remember(witness, run).run if not run.lost else None

    def _preferred_branches(self, state: State) -> Sequence[State]:
        self._search_phase.begin()
        return self._explored.frontier.searcher.preferred_branches(state)

    def _steered(
        self, preferred_branches: Sequence[State], kept: RememberedRun, query: Query, answer: Answer
    ) -> Answer:
        """A solution that also takes the branches the strategy prefers, if there is one."""
        goals = [goal for branch in preferred_branches for goal in goal_of(branch, kept.run, self._machine.alts)]
        with self._statistics.phases["solver"]:
            better = self._solver.solve(replace(query, goal=(*query.goal, *goals)))
        self._statistics.queries += 1
        return better if better.status == "sat" else answer

    def _found_again(self, state: State) -> RememberedRun | Lost:
        """The state's path, of which nothing is remembered."""
        self._statistics.reruns += 1
        run = self._runner.run(state.witness.data)
        if run.lost:
            return Lost(run)
        if not self._explored.tree.same_prefix(run, state):
            return Lost(None)
        return self._explored.runs.remember(state.witness, run)
