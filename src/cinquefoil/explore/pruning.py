"""Pruning at work: between a pruner, which sees arrays, and an exploration, which has states.

The pruning clock counts effort, not seconds, so that the same seed prunes the same states at the same time on every
machine: queries, runs, instructions and states count what they take on an ordinary one.  A restart forgets all pending
states and begins again from the first run with a new tree and searcher; tests, coverage, findings, the solver's caches
and the answers to states (`replays`) stay.  What is pruned leaves a test if it is worth one (`aside`)."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from cinquefoil.explore.aside import Reserve, least_tried
from cinquefoil.explore.conditions import PathConditions
from cinquefoil.explore.coverage import Gain
from cinquefoil.explore.replays import Replays
from cinquefoil.explore.statistics import Statistics
from cinquefoil.explore.tree import Growth
from cinquefoil.expr.naming import object_names
from cinquefoil.layout import EventKind
from cinquefoil.machine.run import InputObject, Run
from cinquefoil.prune.api import NO_CONDITIONS, Conditions, Covering, Due, Pending, Pruner
from cinquefoil.search.batch import Batch
from cinquefoil.search.state import State

if TYPE_CHECKING:
    from cinquefoil.explore.loop import Exploration

ASIDE: Final = 16  # forgotten states answered per pruning, at most
_NO_ROWS = np.zeros(0, np.int64)

# Seconds of effort, measured on bc and coreutils (docs/techniques/homi.md).
_PER_QUERY: Final = 200e-6
_PER_RUN: Final = 300e-6
_PER_INSTRUCTION: Final = 8e-9
_PER_STATE: Final = 8e-6
_PER_COST: Final = 0.2e-6  # of Answer.cost
_PER_RECALL: Final = 150e-6


def effort(counts: Statistics, created: int, workers: int = 1) -> float:
    """About how many seconds this took, from what was done alone."""
    total = counts.queries * _PER_QUERY + counts.runs * _PER_RUN + counts.instructions * _PER_INSTRUCTION
    total += created * _PER_STATE + counts.cost * _PER_COST + counts.recalled * _PER_RECALL
    return total / workers


class Pruning:
    """One pruner over one exploration."""

    def __init__(self, exploration: Exploration, pruner: Pruner) -> None:
        self.pruner = pruner
        self.dropped = 0  # in this round
        self.replays = Replays()
        self.reserve = Reserve()
        self.conditions = PathConditions(exploration.machine)
        self._exploration = exploration
        self._paths: dict[int, Conditions] = {}  # by witness number
        self._turns: dict[int, NDArray[np.int32]] = {}  # by first state of the batch
        self._round_seen = np.zeros(0, np.bool_)
        self._ended: set[int] = set()  # paths, by their last hash
        self._tries: Counter[tuple[int, int]] = Counter()
        self._objects: dict[str, InputObject] = {}

    @property
    def clock(self) -> float:
        here = self._exploration
        return effort(here.statistics, here.frontier.created, here.options.workers)

    @property
    def incomplete(self) -> bool:
        """Is something of this round forgotten?"""
        return bool(self.dropped or len(self.reserve))

    # ---- what happens ----

    def observe(self, run: Run, gain: Gain, growth: Growth) -> bool:
        """A run was added.  False if its path is known from an earlier round."""
        self._note_coverage(run)
        if growth.witness is None:
            return True
        last = int(growth.witness.hashes[-1])
        new = last not in self._ended
        self._ended.add(last)
        return new or bool(gain)

    def replay(self, state: State) -> bool:
        """Settles a state whose answer an earlier round found."""
        known = self.replays.recall(state)
        if known is None:
            return False
        status, witness = known
        self._exploration.statistics.recalled += 1
        self._exploration.settle_known(state, status, witness)
        return True

    def after_step(self) -> None:
        clock = self.clock
        due = self.pruner.due(clock)
        if due is Due.PRUNE:
            with self._exploration.statistics.phases["prune"]:
                forgotten = self._prune(clock)
            self._answer_some(forgotten)
        elif due is Due.RESTART:
            self._restart(dry=False)

    def run_dry(self) -> None:
        """Nothing is pending, but something was forgotten: error states first, then another round."""
        if len(self.reserve):
            site = min(self.reserve.sites())
            self._exploration.answer_aside(self.reserve.take(site), self._exploration.options.solver_seconds)
        else:
            self._restart(dry=True)

    # ---- pruning ----

    def _prune(self, clock: float) -> list[State]:
        """Forgets what the pruner chooses; those that would cover something new."""
        batches = self._exploration.frontier.batches()
        masks = [batch.pending.copy() for batch in batches]
        pending = self._pending(batches, masks)
        chosen = self.pruner.choose(pending, clock)
        self.dropped += int(chosen.sum())
        worth: list[tuple[Batch, int]] = []
        end = 0
        for batch, mask in zip(batches, masks, strict=True):
            begin, end = end, end + int(mask.sum())
            if chosen[begin:end].any():
                mask[mask] = chosen[begin:end]
                worth += self._forget(batch, mask)
        return self._best_of(worth)

    def _pending(self, batches: list[Batch], masks: list[NDArray[np.bool_]]) -> Pending:
        counts = [int(mask.sum()) for mask in masks]
        row = np.repeat(np.arange(len(batches)), counts)
        index = [batch.index[mask] for batch, mask in zip(batches, masks, strict=True)]
        if not self.pruner.wants_conditions:
            flips, paths = [np.zeros(count, np.int32) for count in counts], []
        else:
            paths = [self._read(batch) for batch in batches]
            flips = [self._turns[batch.first][mask] for batch, mask in zip(batches, masks, strict=True)]
        joined = np.concatenate([_NO_ROWS, *index]).astype(np.int64)
        return Pending(row, joined, np.concatenate([_NO_ROWS, *flips]).astype(np.int32), paths)

    def _read(self, batch: Batch) -> Conditions:
        """The path condition of some states, read once."""
        witness = batch.witness
        if batch.first not in self._turns:
            run = self._exploration.run_of(witness)
            if run is None or len(run.events) < witness.start + len(witness.hashes) - 1:  # died, or went elsewhere
                self._paths[witness.number] = NO_CONDITIONS
                self._turns[batch.first] = np.zeros(len(batch), np.int32)
            else:
                self._paths[witness.number] = self.conditions.of(run)
                self._turns[batch.first] = self.conditions.turns(batch, run)
        return self._paths[witness.number]

    def _forget(self, batch: Batch, mask: NDArray[np.bool_]) -> list[tuple[Batch, int]]:
        """Forgets the states of a mask, but for error states; which of them cover something new."""
        self._keep_errors(batch, mask)
        self._exploration.forget_many(batch, mask)
        new = np.flatnonzero(
            mask & self._exploration.coverage.uncovered(batch.target) & (batch.kind != EventKind.CHECK)
        )
        return [(batch, at) for at in new.tolist()]

    def _keep_errors(self, batch: Batch, mask: NDArray[np.bool_]) -> None:
        errors = np.flatnonzero(mask & (batch.kind == EventKind.CHECK))
        if len(errors):
            found = self._exploration.findings.error_sites
            self.reserve.put(
                batch, np.array([at for at in errors.tolist() if int(batch.site[at]) not in found], np.intp)
            )

    def _best_of(self, worth: list[tuple[Batch, int]]) -> list[State]:
        wanted = [(int(batch.site[at]), int(batch.alternative[at])) for batch, at in worth]
        chosen = least_tried(wanted, self._tries, ASIDE // 2)
        self._tries.update(wanted[at] for at in chosen)
        return [worth[at][0][worth[at][1]] for at in chosen]

    def _answer_some(self, states: list[State]) -> None:
        """Forgotten states and error states get an answer, if that is cheap."""
        for state in states:
            self._exploration.answer_aside(state, 0.0)
        self.reserve.drop(self._exploration.findings.error_sites)
        sites = [(site, 0) for site in self.reserve.sites()]
        for at in least_tried(sites, self._tries, ASIDE - len(states)):
            self._tries[sites[at]] += 1
            self._exploration.answer_aside(self.reserve.take(sites[at][0]), 0.0)

    # ---- restarting ----

    def _restart(self, dry: bool) -> None:
        for batch in self._exploration.frontier.batches():
            self._keep_errors(batch, batch.pending)
        self.pruner.restart(self.clock, dry)
        self._paths.clear()
        self._turns.clear()
        self._round_seen[:] = False
        self.dropped = 0
        self._exploration.statistics.restarts += 1
        self._exploration.restart()

    # ---- learning and telling ----

    def _note_coverage(self, run: Run) -> None:
        """Tells the pruner of runs that cover what this round had not."""
        taken = self._exploration.coverage.directions(run)
        if len(self._round_seen) != len(taken):
            self._round_seen = np.zeros(len(taken), np.bool_)
        if not (taken & ~self._round_seen).any():
            return
        self._round_seen |= taken
        self._objects.update({each.name: each for each in run.objects})
        codes = self._conditions(run).codes if self.pruner.wants_conditions else NO_CONDITIONS.codes
        bits = int.from_bytes(np.packbits(taken, bitorder="little").tobytes(), "little")
        self.pruner.observe(Covering(tuple(codes.tolist()), bits))

    def _conditions(self, run: Run) -> Conditions:
        own = self._exploration.own_run(run)
        return self.conditions.of(own) if own is not None else NO_CONDITIONS

    def report(self) -> dict[str, object]:
        """For summary.json; features by their text."""
        names = object_names((each.name, each.first, each.size) for each in self._objects.values())
        report = self.pruner.report()
        for each in report.get("rounds", ()):  # type: ignore[union-attr]
            each["weights"] = {
                self.conditions.vocabulary[int(code)].text(names): weight for code, weight in each["weights"].items()
            }
        return {**report, "reserved": len(self.reserve), "recalled": self._exploration.statistics.recalled}
