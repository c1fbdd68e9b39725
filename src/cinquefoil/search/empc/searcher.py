"""The strategy: states on the paths of minimum path covers first (Yao and She: Empc, effective path
prioritization for symbolic execution with path cover, section 4).

A run is followed through the activations of the program's subgraphs.  Each turn it left is *wanted* if the
subpath it makes within its subgraph is on a path of a cover in the subgraph's group that was not taken yet; a
turn out of a loop is also wanted once the loop has no path left and the subgraph around it wants it.  Wanted
states are selected first: those at which a run left the wanted paths, the earliest of the newest run first;
then the newest.  When there is none, or what was wanted turned out infeasible, `infeasible.py` looks for a
state that can make a missing block reachable.

`empc` asks only for paths on which a block is left to visit; `empc:paper` asks for all paths of the covers.
`nodep`, alone or after `paper`, is the paper's ablation: without dependence, the newest state instead.

Checks and values to choose are no forks in the paper's engine.  Checks (their error sides) take every fourth
turn while nothing is wanted; other values wait with the states that nothing wants.

Risks: without a block trace nothing can be followed and this is dfs.  A run goes to its end by itself, where
the paper's engine would choose at each fork; the states it passes are chosen from afterwards.
"""

from __future__ import annotations

from collections.abc import Sequence

from cinquefoil.analysis.cover import LIMIT
from cinquefoil.analysis.icfg import build_icfg
from cinquefoil.analysis.subgraphs import decompose
from cinquefoil.layout import EventKind
from cinquefoil.machine.run import Run
from cinquefoil.search.api import Context, Searcher
from cinquefoil.search.empc.covers import CoverGroups
from cinquefoil.search.empc.infeasible import Infeasible
from cinquefoil.search.empc.waiting import Held, Waiting
from cinquefoil.search.empc.walk import Activation, Turn, Walker
from cinquefoil.search.state import State

_FORKS = frozenset((int(EventKind.BRANCH), int(EventKind.SWITCH)))
_CHECK_EVERY = 4
_TIDY_AT = 10_000


def empc(context: Context, *options: str) -> Searcher:
    """`empc`, `empc:paper`, `empc:nodep`, `empc:paper:nodep`."""
    unknown = set(options) - {"paper", "nodep"}
    if unknown:
        raise ValueError(f"there is no variant '{min(unknown)}', only 'paper' and 'nodep'")
    return Empc(context, paper="paper" in options, dependence="nodep" not in options)


class Empc(Searcher):
    """See the module's text."""

    def __init__(self, context: Context, paper: bool = False, dependence: bool = True, limit: int = LIMIT) -> None:
        graph = context.knowledge.graph
        icfg = build_icfg(graph.cfg, graph.calls, graph.entries)
        decomposition = decompose(icfg)
        self.groups = CoverGroups(decomposition, limit, spare=not paper)
        self.groups.on_exhausted = self._release
        self.irreducible = decomposition.irreducible
        self.waiting = Waiting(context.rng)
        self.infeasible = Infeasible(context, icfg, self.waiting) if dependence else None
        self._walker = Walker(icfg, decomposition, self.groups)
        self._added: list[State] = []
        self._wanted: list[Held] = []
        self._checks: list[State] = []
        self._exits: dict[int, list[Held]] = {}  # by loop: turns out of it, wanted once it is exhausted
        self._turning: dict[int, Held] = {}  # selected, not settled
        self._visited: set[int] = set()
        self._selections = 0
        self._live = 0
        self._peak = 0

    def add(self, states: Sequence[State]) -> None:
        self._added.extend(states)
        self._live += len(states)
        self._peak = max(self._peak, self._live)

    def remove(self, state: State) -> None:
        self._live -= 1
        if 2 * self._live + _TIDY_AT < self._peak:
            self._tidy()

    def select(self) -> State:
        self._file()
        held = self._pop_wanted()
        if held is not None:
            held.matched = True
        else:
            self._selections += 1
            check = self._pop_check() if self._selections % _CHECK_EVERY == 0 else None
            if check is not None:
                return self._taken(check)
            held = self._unwanted()
        if held is None:
            found = self._pop_check()
            assert found is not None, "a pending state is held"
            return self._taken(found)
        self._turning[held.state.id] = held
        return self._taken(held.state)

    def update(self, state: State | None, run: Run | None, new: Sequence[State]) -> None:
        held = None if state is None else self._turning.pop(state.id, None)
        if run is None:
            if held is not None and held.matched and self.infeasible is not None:
                self._missed(held.turn)
            return
        self._follow(run, state, held, new)

    # ---- following runs ----

    def _follow(self, run: Run, state: State | None, held: Held | None, new: Sequence[State]) -> None:
        activation, start = None, 0
        if held is not None and state is not None and held.activation is not None:
            activation, start = held.activation, state.trace
        blocks: list[int] = run.trace[start:].tolist()
        wanted: list[Held] = []
        at = 0
        for each in new:
            stop = each.trace - start
            if stop > at:
                activation = self._walker.follow(activation, blocks[at:stop])
                at = stop
            if each.kind == EventKind.CHECK:
                self._checks.append(each)
            else:
                self._place(each, activation, blocks[at] if at < len(blocks) else 0, wanted)
        self._walker.follow(activation, blocks[at:])
        self._visit(blocks)
        self._added.clear()
        self._order(wanted)

    def _place(self, state: State, activation: Activation | None, taken: int, wanted: list[Held]) -> None:
        source = activation.block if activation is not None else 0
        held = Held(state, activation, source)
        if activation is not None and state.kind in _FORKS and state.target != source:
            held.turn = self._walker.turn(activation, state.target)
            if held.turn.loop:
                self._exits.setdefault(held.turn.loop, []).append(held)
            if self._wants(held.turn):
                held.left = not self._wants(self._walker.turn(activation, taken))
                wanted.append(held)
                return
        self.waiting.add(held)

    def _order(self, wanted: list[Held]) -> None:
        """The earliest correction on top, below it the other ones, newest first."""
        self._wanted += [held for held in wanted if not held.left]
        self._wanted += [held for held in reversed(wanted) if held.left]

    def _visit(self, blocks: list[int]) -> None:
        for block in set(blocks) - self._visited:
            self._visited.add(block)
            self.groups.visit(block)
            if self.infeasible is not None:
                self.infeasible.visit(block)

    # ---- selecting ----

    def _wants(self, turn: Turn) -> bool:
        count = self.groups.open
        if any(count[node] for node in turn.nodes):
            return True
        return turn.loop != 0 and self.groups.exhausted(turn.loop) and any(count[node] for node in turn.outer)

    def _pop_wanted(self) -> Held | None:
        while self._wanted:
            held = self._wanted.pop()
            if held.state.pending:
                if self._wants(held.turn):
                    return held
                self.waiting.add(held)
        return None

    def _pop_check(self) -> State | None:
        while self._checks:
            state = self._checks.pop()
            if state.pending:
                return state
        return None

    def _unwanted(self) -> Held | None:
        found = self.infeasible.select() if self.infeasible is not None else None
        return found if found is not None else self.waiting.newest()

    def _taken(self, state: State) -> State:
        self._live -= 1
        return state

    def _release(self, loop: int) -> None:
        """Its exits may be wanted now."""
        self._wanted += [held for held in self._exits.pop(loop, ()) if held.state.pending]

    def _missed(self, turn: Turn) -> None:
        """What was wanted cannot be reached this way."""
        assert self.infeasible is not None
        nodes = [node for node in (*turn.nodes, *turn.outer) if self.groups.open[node]]
        if nodes:
            self.infeasible.miss(self.groups.wanted_path(nodes[0]))

    # ---- housekeeping ----

    def _file(self) -> None:
        """States that came without a run wait like those nothing wants."""
        for state in self._added:
            if state.kind == EventKind.CHECK:
                self._checks.append(state)
            else:
                self.waiting.add(Held(state, None, 0))
        self._added.clear()

    def _tidy(self) -> None:
        self._peak = self._live
        self._wanted = [held for held in self._wanted if held.state.pending]
        self._checks = [state for state in self._checks if state.pending]
        self._exits = {loop: [h for h in held if h.state.pending] for loop, held in self._exits.items()}
        self.waiting.tidy()
