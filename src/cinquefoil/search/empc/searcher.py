"""The strategy: states on the paths of minimum path covers first (Yao and She: Empc, effective path
prioritization for symbolic execution with path cover, section 4).

A run is followed through the activations of the program's subgraphs.  Each turn it left is *wanted* if the
subpath it makes within its subgraph is on a path of a cover in the subgraph's group that was not taken yet; a
turn out of a loop is also wanted once the loop has no path left and the subgraph around it wants it.  Wanted
states are selected first: those with the fewest decisions (`paper`: the newest, but first those at which the
newest run left the wanted paths, the earliest on top).  When there is none, `infeasible.py` looks for a state that
can make a missing block reachable; when nothing is missing or no state can help, any state is taken.

`empc` asks only for paths on which a block is left to visit, asks the solver to stay on the wanted path also
after the turn where that is possible, and takes shallow states first where the paper takes any; `empc:paper`
does as the paper does.  `nodep`, alone or after `paper`, is the paper's ablation: without dependence, the
newest state instead.

A state's feasibility is not known before it is solved, where the paper's engine asks at every fork.  So a
direction that was infeasible yields to those with fewer failures, and after PATIENCE of them in a row is not
asked for any more until it was taken; nor is a subpath that was entered PATIENCE times and is still wanted.

Checks and values to choose are no forks in the paper's engine.  Checks (their error sides) take every fourth
turn while nothing is wanted.  Another value, or a turn inside the library, is wanted while the subpath it is
met on is.  Turns of the environment before the program's first block
(how many arguments there are) are wanted.

Risks: without a block trace nothing can be followed and this is dfs.  A run goes to its end by itself, where
the paper's engine would choose at each fork; the states it passes are chosen from afterwards.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from itertools import groupby
from operator import attrgetter

from cinquefoil.analysis.cover import LIMIT
from cinquefoil.analysis.icfg import build_icfg
from cinquefoil.analysis.subgraphs import decompose
from cinquefoil.layout import EventKind
from cinquefoil.machine.run import Run
from cinquefoil.search.api import Context, Searcher
from cinquefoil.search.empc.covers import CoverGroups
from cinquefoil.search.empc.infeasible import Infeasible
from cinquefoil.search.empc.waiting import PATIENCE, Held, Luck, Waiting
from cinquefoil.search.empc.walk import BEFORE_ALL, LEADS_NOWHERE, START, Position, Turn, Walker
from cinquefoil.search.state import State

_FORKS = frozenset((int(EventKind.BRANCH), int(EventKind.SWITCH)))
_CHECK = int(EventKind.CHECK)
_CHECK_EVERY = 4
_TIDY_AT = 10_000
_WISHES = 4
_LEVELS = PATIENCE.bit_length()
_Ranked = tuple[int, int, Held]


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
        self._luck = Luck()
        self.waiting = Waiting(context.rng, shallow=not paper)
        self._paper = paper
        self.infeasible = Infeasible(context, icfg, self.waiting, rotate=not paper) if dependence else None
        self._walker = Walker(icfg, decomposition, self.groups)
        self._added: list[State] = []
        self._wanted: list[list[_Ranked]] = [[] for _ in range(_LEVELS)]  # heaps, by failures in powers of two
        self._number = 0
        self._checks: list[State] = []
        self._exits: dict[int, list[Held]] = {}  # by loop: turns out of it, wanted once it is exhausted
        self._turning: dict[int, Held] = {}  # selected, not settled
        self._tried: dict[tuple[int, ...], int] = {}
        self._visited: set[int] = {0}  # block 0 is the library
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
            subpath = _subpath(held)
            self._tried[subpath] = self._tried.get(subpath, 0) + 1
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
        if held is not None:
            self._luck.note(held.state, run is not None)
        if run is None:
            if held is not None and held.matched and self.infeasible is not None:
                self._missed(held.turn)
            return
        self._follow(run, state, held, new)

    def wishes(self, state: State) -> Sequence[State]:
        """Turns onto the rest of the wanted path, as far as the state's own witness met them."""
        held = self._turning.get(state.id)
        if held is None or not held.matched or self._paper:
            return ()
        nodes = [node for node in held.turn.nodes if self.groups.open[node]]
        if not nodes:
            return ()
        path = self.groups.wanted_path(nodes[0])
        ahead = set(path[len(self.groups.path(nodes[0])) :]) - self._visited
        later = (each for each in state.witness.unsettled_after(state.index) if each.kind in _FORKS)
        return list({each.target: each for each in later if each.target in ahead}.values())[:_WISHES]

    # ---- following runs ----

    def _follow(self, run: Run, state: State | None, held: Held | None, new: Sequence[State]) -> None:
        position, start = START, 0
        if held is not None and state is not None and held.position is not START:
            position, start = held.position, state.trace
        blocks: list[int] = run.trace[start:].tolist()
        wanted: list[Held] = []
        at = 0
        self._checks += [each for each in new if each.kind == _CHECK]
        for stop, event in groupby([each for each in new if each.kind != _CHECK], key=attrgetter("trace")):
            if stop - start > at:
                position = self._walker.follow(position, blocks[at : stop - start])
                at = stop - start
            self._place(list(event), position, blocks[at] if at < len(blocks) else 0, wanted)
        self._walker.follow(position, blocks[at:])
        self._visit(blocks)
        self._added.clear()
        self._order(wanted)

    def _place(self, states: list[State], position: Position, taken: int, wanted: list[Held]) -> None:
        """States that a run left at one place, checks not among them."""
        rest: list[State] = []
        for state in states:
            if self._luck.hopeless(state) or not self._consider(state, position, taken, wanted):
                rest.append(state)
                if state.target not in self._visited:
                    self.waiting.add_leading(state, position)
        if rest:
            self.waiting.add(position, self._walker.block(position), rest)

    def _consider(self, state: State, position: Position, taken: int, wanted: list[Held]) -> bool:
        """Is it wanted now?  It is held where it may be later."""
        turn = self._walker.turn(position, state.target) if _leads_on(state) else self._walker.here(position)
        if turn is LEADS_NOWHERE:
            return False
        held = Held(state, position, turn)
        if self._level(held) >= _LEVELS:
            return False
        if turn.loop and any(self.groups.open[node] for node in turn.outer):
            self._exits.setdefault(turn.loop, []).append(held)
        if not self._wants(turn):
            return False
        held.left = not self._wants(self._walker.turn(position, taken))
        wanted.append(held)
        return True

    def _order(self, wanted: list[Held]) -> None:
        """The earliest correction on top, below it the other ones, newest first."""
        for held in [held for held in wanted if not held.left]:
            self._want(held)
        for held in [held for held in reversed(wanted) if held.left]:
            self._want(held)

    def _want(self, held: Held) -> None:
        level = self._level(held)
        if level < _LEVELS:
            self._number += 1
            depth = 0 if self._paper else held.state.depth
            heapq.heappush(self._wanted[level], (depth, -self._number, held))
        else:
            self._give_up(held)

    def _give_up(self, held: Held) -> None:
        self.waiting.add(held.position, self._walker.block(held.position), [held.state])
        if held.state.target not in self._visited:
            self.waiting.add_leading(held.state, held.position)

    def _level(self, held: Held) -> int:
        """By failures of its direction, and attempts on its subpath: some paths can be entered but not ended."""
        tried = self._tried.get(_subpath(held), 0)
        return (self._luck.failures(held.state) + tried).bit_length()

    def _visit(self, blocks: list[int]) -> None:
        for block in sorted(set(blocks) - self._visited):
            self._visited.add(block)
            self.groups.visit(block)
            if self.infeasible is not None:
                self.infeasible.visit(block)

    # ---- selecting ----

    def _wants(self, turn: Turn) -> bool:
        count = self.groups.open
        if turn is BEFORE_ALL:
            return True
        if any(count[node] for node in turn.nodes):
            return True
        return turn.loop != 0 and self.groups.exhausted(turn.loop) and any(count[node] for node in turn.outer)

    def _pop_wanted(self) -> Held | None:
        for level, heap in enumerate(self._wanted):
            while heap:
                held = heapq.heappop(heap)[2]
                if not held.state.pending:
                    continue
                if not self._wants(held.turn):
                    self._give_up(held)
                elif self._level(held) > level:
                    self._want(held)
                else:
                    return held
        return None

    def _pop_check(self) -> State | None:
        while self._checks:
            state = self._checks.pop()
            if state.pending:
                return state
        return None

    def _unwanted(self) -> Held | None:
        if self.infeasible is None:
            return self.waiting.newest()
        found = self.infeasible.select()
        return found if found is not None else self.waiting.any()

    def _taken(self, state: State) -> State:
        self._live -= 1
        return state

    def _release(self, loop: int) -> None:
        """Its exits may be wanted now."""
        for held in self._exits.pop(loop, ()):
            if held.state.pending:
                self._want(held)

    def _missed(self, turn: Turn) -> None:
        """What was wanted cannot be reached this way."""
        assert self.infeasible is not None
        nodes = [node for node in (*turn.nodes, *turn.outer) if node >= 0 and self.groups.open[node]]
        if nodes:
            self.infeasible.miss(self.groups.wanted_path(nodes[0]))

    # ---- housekeeping ----

    def _file(self) -> None:
        """States that came without a run wait like those nothing wants."""
        for state in self._added:
            if state.kind == _CHECK:
                self._checks.append(state)
            else:
                self.waiting.add(START, 0, [state])
        self._added.clear()

    def _tidy(self) -> None:
        self._peak = self._live
        self._wanted = [sorted(rank for rank in heap if rank[2].state.pending) for heap in self._wanted]
        self._checks = [state for state in self._checks if state.pending]
        self._exits = {loop: [h for h in held if h.state.pending] for loop, held in self._exits.items()}
        self.waiting.tidy()


def _leads_on(state: State) -> bool:
    """It turns to another block of the program: neither in the library nor to another value."""
    return state.target != 0 and state.kind in _FORKS


def _subpath(held: Held) -> tuple[int, ...]:
    """What attempts are counted by: where it leads; for turns that stay, their place too."""
    place = 0 if _leads_on(held.state) else held.state.site
    return (place, held.turn.loop, *held.turn.nodes)
