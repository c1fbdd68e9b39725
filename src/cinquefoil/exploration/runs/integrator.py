"""The integrator: what a run adds to all that an exploration knows.

A run goes to coverage and tree; the directions it did not take become states in the frontier; it may become a test or
an error; then the observers are told.  The state it was made for is settled here, and so is every other one that is
answered, given up or forgotten."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cinquefoil.exploration.runs.coverage import NO_GAIN
from cinquefoil.exploration.runs.events import false_assumption
from cinquefoil.exploration.runs.explored import Explored
from cinquefoil.exploration.runs.journal_keeper import note_gain
from cinquefoil.exploration.runs.observer import Observer, listening
from cinquefoil.exploration.runs.tree import Growth
from cinquefoil.layout import EventKind
from cinquefoil.machine.failure import UNSUPPORTED
from cinquefoil.machine.run import Run
from cinquefoil.states.batch import Batch
from cinquefoil.states.state import State

_FINISHED = ("exit", "silent")


class Integrator:
    """Adds runs to `explored`, settles states there, and tells the observers of every run."""

    def __init__(self, explored: Explored) -> None:
        self._explored = explored
        self.observers: list[Observer] = []
        self._after_run = listening(())
        phases = explored.statistics.phases
        self._tree_phase, self._search_phase, self._loop_phase = phases["tree"], phases["search"], phases["loop"]

    def subscribe(self, observer: Observer) -> None:
        """Tells the observer of every run from now on."""
        self.observers.append(observer)
        self._after_run = listening(self.observers)

    def add(self, run: Run, state: State | None, cost: int = 0) -> Growth | None:
        """Adds what a run shows; `state` is the one it was solved for.  None if the process died of it."""
        if run.lost:
            self.lost(run, state)
            return None
        explored = self._explored
        self._tree_phase.begin()
        if run.remarks:
            explored.remarks.note(run)
        gain = explored.coverage.add(run)
        growth = explored.tree.add(run, state, gain.marks)
        if growth.witness is not None:
            explored.doubts.note(run.witness)
        if not run.modelled:
            explored.statistics.unmodelled += explored.unsupported.note(run)
        new = explored.ended is None or explored.is_new(gain, growth)
        if run.end == "exit" and new and growth.witness is not None:
            explored.statistics.completed += 1
        else:
            self._count(run, growth, new)
        self._add_states(run, growth, state, cost)
        tests = ()
        if new and (gain is not NO_GAIN or run.end == "error" or explored.findings.wants(run)):
            with explored.statistics.phases["output"]:
                tests = explored.findings.consider(run, bool(gain), growth.witness is not None)
        for tell in self._after_run:
            tell(run, gain, growth, tests)
        return growth

    def cover(self, run: Run) -> None:
        """Adds what a run covers, and makes it a test if that is new, but leaves its path unknown: for inputs that no
        state asked for, on paths too long to be explored."""
        explored = self._explored
        gain = explored.coverage.add(run)
        explored.statistics.unmodelled += explored.unsupported.note(run)
        tests = explored.findings.consider(run, bool(gain), False)
        if gain:
            note_gain(explored, gain, tests)

    def _count(self, run: Run, growth: Growth, new: bool) -> None:
        counts = self._explored.statistics
        if growth.witness is None or not new:
            counts.known += 1
        elif run.end in _FINISHED:
            counts.completed += 1
        elif run.end == "error":
            counts.errors += 1
        elif run.end == "assume":
            counts.assumed += 1
        elif run.end == UNSUPPORTED:
            counts.unsupported += 1
        else:
            counts.cut_by[run.end] += 1

    def _add_states(self, run: Run, growth: Growth, state: State | None, cost: int) -> None:
        """Tells searchers what the run left and which state it settled."""
        witness, batches, settled, diverged = growth
        explored = self._explored
        if witness is not None:
            witness.cost = cost
            explored.runs.remember(witness, run)
        self._search_phase.begin()
        counts, frontier = explored.statistics, explored.frontier
        for batch in batches:
            frontier.add(batch)
        frontier.settle(settled, run, batches[0] if len(batches) == 1 else growth.states)
        if run.end == "assume" and witness is not None:
            self._hold_assumption(batches[-1][-1] if batches else None, run)
        self._loop_phase.begin()
        counts.limited, counts.refuted = explored.tree.limited, explored.refuting.refuted
        if settled is not None:
            explored.undecided.close(settled)
        if diverged and state is not None and state != settled:
            counts.diverged += 1
            self.settle(state)

    def _hold_assumption(self, last: State | None, run: Run) -> None:
        """Behind an assumption that failed lies what the program is about: that state comes next.  If there is none,
        it was refuted without a query."""
        if last is not None and last.kind == EventKind.ASSUME and last.index == len(run.events) - 1:
            self._explored.assumption = last
        else:
            self.note_false_assumption(run)

    def note_false_assumption(self, run: Run) -> None:
        """No input satisfies the assumption at which the run ended, after the same path: an error, if it is one of
        KLEE's."""
        error = false_assumption(run)
        if error is not None:
            explored = self._explored
            explored.journal.noted(run, explored.findings.false_assumption(run, error), explored.stopwatch.seconds)

    def next_state(self) -> State:
        """Takes out the state to be solved next; there must be a pending one."""
        explored = self._explored
        state, explored.assumption = explored.assumption, None
        return state if state is not None and explored.frontier.take(state) else explored.frontier.select()

    # ---- states without a run ----

    def settle(self, state: State) -> None:
        """Nothing is left to explore there."""
        explored = self._explored
        explored.tree.settle(state)
        explored.undecided.close(state)
        explored.frontier.settle(state)

    def lost(self, run: Run, state: State | None) -> None:
        """The program's process died of the state's solution, twice, or was cut off: what it covered counts."""
        if run.partial:
            self._explored.statistics.cut_by[run.end] += 1
            self.cover(run)
        else:
            self._explored.statistics.died += 1
        if state is not None:
            self.settle(state)

    def diverged(self, state: State) -> None:
        """The state's witness does not take the state's path any more."""
        self._explored.statistics.diverged += 1
        self.settle(state)

    def refuted(self, state: State) -> None:
        """There is no input for the state."""
        self._explored.statistics.infeasible += 1
        self._explored.journal.refuted(state)
        self.settle(state)

    def leave_undecided(self, state: State) -> None:
        """The solver could not decide: it is asked again when nothing else is left."""
        explored = self._explored
        explored.statistics.unknown += 1
        explored.journal.left_undecided(state)
        explored.undecided.leave(state)
        explored.frontier.settle(state)

    def put_back(self, state: State) -> None:
        """The solver was stopped, not defeated: the state is pending again."""
        again = self._explored.tree.again(state)
        self._explored.frontier.settle(state)
        self._explored.frontier.add(again)

    def ask_again(self) -> None:
        """Nothing else is left: undecided queries get more time."""
        explored = self._explored
        for state in explored.undecided.begin_again():
            again = explored.tree.again(state)
            explored.undecided.grant(again.first)
            explored.frontier.add(again)

    def forget(self, state: State) -> None:
        """Prunes a pending state."""
        if state.pending:
            self._explored.statistics.pruned += 1
            self.settle(state)

    def forget_many(self, batch: Batch, chosen: NDArray[np.bool_]) -> int:
        """Prunes all pending states of a batch (of `frontier.batches()`) for which `chosen` holds; how many."""
        rows = np.flatnonzero(batch.pending & chosen)
        self._explored.tree.settle_many(batch, rows)
        self._explored.statistics.pruned += len(rows)
        return self._explored.frontier.discard(batch, chosen)
