"""Empc's states: what is sifted out was never wanted, and dependence leads to those that wait at the nearest block."""

# pyright: reportPrivateUsage=false

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from cinquefoil.analysis.covertrees import build_trees
from cinquefoil.analysis.icfg import build_icfg
from cinquefoil.analysis.subgraphs import decompose
from cinquefoil.exploration import Coverage
from cinquefoil.layout import EVENT, EventKind
from cinquefoil.machine.graph import ProgramGraph
from cinquefoil.machine.run import Run
from cinquefoil.native import core
from cinquefoil.search.api import Context
from cinquefoil.search.empc.by_block import StatesByBlock
from cinquefoil.search.empc.covers import CoverGroups
from cinquefoil.search.empc.goals import Goals
from cinquefoil.search.empc.prepared import Prepared
from cinquefoil.search.empc.searcher import Empc
from cinquefoil.search.empc.walk import Walker
from cinquefoil.search.empc.wanted import Wanted
from cinquefoil.states.batch import Batch, RowStore
from cinquefoil.states.index import NOBODY, StateIndex
from cinquefoil.states.pending import in_rows
from cinquefoil.states.state import State, Witness

BRANCH, CHECK, PIN = int(EventKind.BRANCH), int(EventKind.CHECK), int(EventKind.PIN)
# 1 branches to 2 and 3, both go to 4, which branches to 5 and 6
CFG = {1: (2, 3), 2: (4,), 3: (4,), 4: (5, 6), 5: (), 6: ()}
WITNESS = Witness(1, b"", None, 0, np.zeros(1, np.uint64), np.zeros(0, np.uint64), 0)


def state(id: int, target: int, stop: int, kind: int = BRANCH, site: int = 50) -> State:
    return State(id, 0, WITNESS, id, kind, site, 1, target, 1, 0, stop, -1)


def wanted_of(newest: bool) -> tuple[Wanted, CoverGroups]:
    icfg = build_icfg(CFG, {}, [1])
    groups = CoverGroups(build_trees(decompose(icfg)), spare=not newest, shrink=newest)
    return Wanted(groups, Walker(icfg, decompose(icfg), groups), newest), groups


class Plain(Wanted):
    """Looks at every state."""

    def see(self, origin: int, states: Sequence[State], batch: Batch, trace: NDArray[np.uint32]) -> None:
        contexts, maybe = self.room_for(batch.size)
        self._sift(origin, (batch.chunk.columns_address, batch.row, batch.size, batch.first), trace)
        for at, (kind, target, site) in enumerate(zip(batch.kinds, batch.targets, batch.sites, strict=True)):
            maybe[at] = (at, contexts[at], kind, target if kind == BRANCH else 0, site)
        self._weigh(states, batch.size, trace)


def group_states(waiting: StatesByBlock, batch: Batch, trace: list[int]) -> None:
    """As the native part of `Wanted.see` does it."""
    rows = (batch.chunk.columns_address, batch.row, batch.size, batch.first)
    at, to, *visited = waiting.kept_at
    core.cinq_group_states(at, to, *rows, np.array(trace, np.uint32), len(trace), *visited)


def first(waiting: StatesByBlock, blocks: list[int], standing: bool = True) -> int:
    """The id of one that stands at, or leads to, the first of the blocks that has one."""
    at, to = waiting.groupings
    keys, seed = np.array(blocks, np.uint64), np.zeros(1, np.uint64)
    return core.cinq_first_waiting(at if standing else 0, to, waiting.state_index.handle, keys, len(keys), seed)


runs = st.lists(
    st.tuples(
        st.sampled_from([(1, 2, 4, 5), (1, 2, 4, 6), (1, 3, 4, 5), (1, 3, 4, 6)]),
        st.lists(
            st.tuples(st.sampled_from([0, 2, 3, 5, 6]), st.integers(0, 4), st.sampled_from([BRANCH, CHECK, PIN])),
            max_size=12,
        ),
    ),
    max_size=8,
)


@pytest.mark.parametrize("newest", [False, True])
@settings(max_examples=60, deadline=None)
@given(runs)
def test_what_is_sifted_out_is_what_a_look_at_each_would_refuse(
    newest: bool, runs: list[tuple[tuple[int, ...], list[tuple[int, int, int]]]]
) -> None:
    """The same states come in the same order, with and without the sieve."""
    sifting, groups = wanted_of(newest)
    plain, plain_groups = wanted_of(newest)
    plain.__class__ = Plain
    id = 0
    for blocks, left in runs:
        trace = np.array(blocks, np.uint32)
        states: list[State] = []
        for target, stop, kind in sorted(left, key=lambda each: each[1]):
            id += 1
            states.append(state(id, target, stop, kind, 50 + target))
        for searcher, group in ((sifting, groups), (plain, plain_groups)):
            group.visit([block for block in blocks if group.misses(block)] or [999])
            for batch, rows in in_rows(states):
                searcher.see(NOBODY, rows, batch, trace)
        first, second = sifting.pop(), plain.pop()
        assert (first and first.id) == (second and second.id)
        for popped in (first,) if first is not None else ():
            sifting.settle(popped, feasible=popped.id % 3 > 0)
            plain.settle(popped, feasible=popped.id % 3 > 0)
            popped.pending = False


def test_states_wait_where_they_stand_and_where_they_lead() -> None:
    visited = np.ones(7, np.bool_)
    visited[6] = False
    waiting = StatesByBlock(visited, state_index := StateIndex())
    states = [state(1, 2, 1), state(2, 6, 3), state(3, 5, 3), state(4, 0, 2, PIN)]
    state_index.add(states)
    for batch, _ in in_rows(states):
        group_states(waiting, batch, [1, 3, 4])
    assert first(waiting, [6], standing=False) == 2
    assert first(waiting, [5], standing=False) == NOBODY, "a block that was visited"
    nearest = [3, 4, 1]
    found = {first(waiting, nearest), first(waiting, nearest)}
    assert found == {2, 3}, "those at block 4, the first of the three where a fork stands"
    assert first(waiting, nearest) == 1
    assert first(waiting, nearest) == NOBODY


def test_states_that_are_gone_are_not_found() -> None:
    waiting = StatesByBlock(np.ones(7, np.bool_), state_index := StateIndex())
    states = [state(1, 2, 1), state(2, 3, 1)]
    state_index.add(states)
    for batch, _ in in_rows(states):
        group_states(waiting, batch, [1])
    states[0].pending = False
    assert first(waiting, [1]) == 2


def test_a_state_that_claims_to_stand_beyond_the_trace_stands_nowhere() -> None:
    waiting = StatesByBlock(np.ones(7, np.bool_), state_index := StateIndex())
    states = [state(1, 2, 2**32 - 1), state(2, 3, 2), state(3, 3, 1)]
    state_index.add(states)
    for batch, _ in in_rows(states):
        group_states(waiting, batch, [4])
    assert [first(waiting, [4]), first(waiting, [4])] == [3, NOBODY]


@pytest.mark.parametrize("rotate", [False, True])
def test_a_goal_out_of_reach_leads_to_the_states_at_the_nearest_block_it_depends_on(rotate: bool) -> None:
    icfg = build_icfg(CFG, {}, [1])
    decomposition = decompose(icfg)
    program = Prepared(icfg, decomposition, build_trees(decomposition), {4: (3, 1)})
    visited = np.zeros(7, np.bool_)
    waiting = StatesByBlock(visited, state_index := StateIndex())
    knowledge = Coverage([], ProgramGraph(CFG, entries=frozenset({1})))
    goals = Goals(Context(random.Random(0), knowledge), program, waiting, rotate)
    at_1 = state(1, 5, 1)
    state_index.add([at_1])
    visited[[1, 2, 3, 4, 5]] = True
    for batch, _ in in_rows([at_1]):
        group_states(waiting, batch, [1, 2, 4, 5])
    goals.visit([1, 2, 3, 4, 5])  # 6 is missing, its branch is 4, which depends on 3 and on 1
    found = goals.select()
    assert found is not None and found.id == 1
    at_1.pending = False
    assert goals.select() is None


def run_of(trace: list[int]) -> Run:
    blocks = np.array(trace, np.uint32)
    return Run(
        b"", "exit", 0, np.zeros(0, EVENT), np.unique(blocks).astype(np.int64), blocks, (), b"", 0, None, 0, 0, 0
    )


@pytest.mark.parametrize("paper", [False, True])
def test_a_goal_finds_what_the_run_left_that_woke_it(paper: bool) -> None:
    knowledge = Coverage([], ProgramGraph(CFG, entries=frozenset({1})))
    empc = Empc(Context(random.Random(0), knowledge), paper)
    assert empc.infeasible is not None
    knowledge._version += 1
    empc.update(None, run_of([1, 2, 4, 5]), [])  # 3 and 6 are goals now
    assert empc.infeasible.select() is None
    to_6 = state(1, 6, 3)
    empc.add([to_6])
    knowledge._version += 1
    empc.update(None, run_of([1, 3, 4, 5]), [to_6])
    found = empc.infeasible.select()
    assert found is not None and found.id == 1


def test_rows_of_single_states_have_their_values() -> None:
    states = [state(7, 2, 1), state(3, 0, 4, PIN)]
    for (batch, same), each in zip(in_rows(states), states, strict=True):
        assert list(same) == [each]
        assert (batch.first, *batch.targets, *batch.traces, *batch.kinds) == (
            each.id,
            each.target,
            each.trace,
            each.kind,
        )
    assert not in_rows(RowStore().take(0, 0, WITNESS)[0:0])


def test_a_long_run_of_blocks_never_seen_is_followed() -> None:
    """Longer than Python's calls may be deep."""
    chain = {1: (2, 2000), **{block: (block + 1,) for block in range(2, 1500)}, 1500: (), 2000: ()}
    icfg = build_icfg(chain, {}, [1])
    groups = CoverGroups(build_trees(decompose(icfg)), spare=True, shrink=False)
    wanted = Wanted(groups, Walker(icfg, decompose(icfg), groups), newest=False)
    trace = np.arange(1, 1501, dtype=np.uint32)
    groups.visit(trace.tolist())
    states = [state(1, 2000, 1)]
    for batch, rows in in_rows(states):
        wanted.see(NOBODY, rows, batch, trace)
    assert wanted.pop() is states[0]
