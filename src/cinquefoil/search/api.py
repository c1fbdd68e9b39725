"""What a search strategy is, and what it may know.

A strategy is a class with two methods that matter: `add` takes states in, `select` gives one out.  About 15
lines are enough:

    @register_searcher("shallow")
    class Shallow(Searcher):
        \"\"\"The state with the fewest decisions, oldest first.\"\"\"

        def __init__(self, context: Context) -> None:
            self.heap: list[tuple[int, int, State]] = []

        def add(self, states: Sequence[State]) -> None:
            for state in states:
                heapq.heappush(self.heap, (state.depth, state.id, state))

        def select(self) -> State:
            return heapq.heappop(self.heap)[2]

Strategies import nothing from exploration: what they may know of its progress comes through `Knowledge`.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from cinquefoil.machine.graph import ProgramGraph
from cinquefoil.machine.run import Run
from cinquefoil.states.batch import Batch
from cinquefoil.states.state import State


class Knowledge(Protocol):
    """What exploration knows about the program by now.  Arrays are indexed by site id."""

    @property
    def graph(self) -> ProgramGraph:
        """The program's blocks."""
        ...

    @property
    def version(self) -> int:
        """Changes whenever something new was covered."""
        ...

    def distances(self) -> NDArray[np.float64]:
        """Instructions from each block to the nearest uncovered one (1: itself; infinity: none to reach)."""
        ...

    def uncovered(self, sites: NDArray[np.integer], directions: NDArray[np.integer]) -> NDArray[np.bool_]:
        """Tells of which branches and switches of the program's own no run has taken these directions."""
        ...

    def executions(self) -> NDArray[np.int64]:
        """How often each block was entered, over all runs."""
        ...

    def call_path(self, state: State) -> int:
        """A number for the chain of calls the state is in; ask while the state is being added."""
        ...

    def call_paths(self, traces: NDArray[np.uint32]) -> NDArray[np.int64]:
        """The same for all states of a batch, by its `traces`."""
        ...

    def call_path_executions(self) -> NDArray[np.int64]:
        """Indexed by `call_path` numbers: blocks entered directly under each chain of calls."""
        ...


@dataclass(frozen=True, slots=True)
class Context:
    """What a strategy is made with: its own source of randomness, and what is known."""

    rng: random.Random
    knowledge: Knowledge


class Searcher(ABC):
    """Holds the pending states and says which comes next.  Made as `Class(context, *parameters)`.

    A state is added once, in the order of creation, and after the states of its parent.  It leaves either by
    being selected or by `remove`.  A strategy may ignore `remove`: a state that is returned although its
    `pending` is False is skipped by the frontier, which asks again; but then its memory is held until
    then."""

    prefers_branches = False  # is it worth asking for preferred branches?

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.prefers_branches = cls.preferred_branches is not Searcher.preferred_branches

    @abstractmethod
    def add(self, states: Sequence[State]) -> None:
        """New states, all of one run, in path order; from exploration always as a `Batch`, whose columns spare
        those who use them an object per state."""

    @abstractmethod
    def select(self) -> State:
        """Gives out a state and forgets it.  Called only while a pending state is held."""

    def remove(self, state: State) -> None:  # noqa: B027
        """A state it holds is no longer pending (pruned, reached by chance, selected by another strategy)."""

    def discard(self, batch: Batch, rows: NDArray[np.intp]) -> None:
        """States of a batch it holds, no longer pending, were pruned all at once: `remove` and `update` for each."""
        numbers: list[int] = rows.tolist()
        for row in numbers:
            self.remove(batch[row])
            self.update(batch[row], None, ())

    def update(self, state: State | None, run: Run | None, new: Sequence[State]) -> None:  # noqa: B027
        """A state that was selected or removed is settled, once: `run` is what followed its branch (None: no
        solution, or pruned), `new` the states that run left, already added.  `state` is None for runs that
        leave the known paths where no state waited, like the first."""

    def preferred_branches(self, state: State) -> Sequence[State]:
        """Untaken branches of the same witness, after that of the state it just selected, that it would like the next
        run to take too.  They are tried together once the state has a solution; if that fails, they are dropped."""
        return ()
