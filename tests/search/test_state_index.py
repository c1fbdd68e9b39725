"""An index finds every state that waits, however ids are spread and whatever was swept."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from cinquefoil.layout import EventKind
from cinquefoil.states.batch import Batch, Chunk
from cinquefoil.states.index import StateIndex
from cinquefoil.states.state import OTHER, State, Witness

WITNESS = Witness(1, b"", None, 0, np.zeros(1, np.uint64), np.zeros(0, np.uint64), 0)
MOST = 0xFFFFFFFFFFFFFFFF


def batch(first: int, size: int) -> Batch:
    chunk = Chunk(size)
    for at in range(size):
        kind, way = (EventKind.PIN, OTHER) if at % 2 else (EventKind.BRANCH, 1)
        seen = (MOST - at,) if at % 2 else ()
        chunk.put(State(first + at, 7, WITNESS, at, int(kind), 40, way, 3, at + 1, 5, 6, -1, seen))
    return Batch(chunk, 0, size, first, 7, WITNESS)


def check(state_index: StateIndex, known: dict[int, bool]) -> None:
    for id, pending in known.items():
        assert state_index.is_pending(id) == pending
        if pending:
            found = state_index[id]
            assert (found.id, found.parent, found.pending) == (id, 7, True)


steps = st.lists(
    st.tuples(st.one_of(st.integers(0, 40), st.just(2**33)), st.integers(1, 70), st.integers(0, 3)), max_size=150
)


@settings(max_examples=60, deadline=None)
@given(steps, st.booleans())
def test_all_that_wait_are_found_by_id(steps: list[tuple[int, int, int]], shuffled: bool) -> None:
    batches: list[Batch] = []
    first = 0
    for gap, size, _ in steps:
        first += gap
        batches.append(batch(first, size))
        first += size
    order = sorted(range(len(batches)), key=lambda at: (steps[at][2], at)) if shuffled else range(len(batches))
    state_index, known = StateIndex(), dict[int, bool]()
    for at in order:
        state_index.add(batches[at])
        for state in batches[at]:
            known[state.id] = state.pending = steps[at][2] == 0 or (steps[at][2] == 1 and state.id % 3 == 0)
    check(state_index, known)


def test_a_state_has_the_values_of_its_row() -> None:
    state_index, rows = StateIndex(), batch(40, 3)
    state_index.add(rows)
    for found, same in zip([state_index[40], state_index[41], state_index[42]], rows, strict=True):
        assert (found.index, found.kind, found.site, found.alternative, found.depth) == (
            same.index,
            same.kind,
            40,
            same.alternative,
            same.depth,
        )
        assert found.seen == same.seen
    assert state_index[41].seen == (MOST - 1,), "a value of all 64 bits"
    assert state_index[40].seen == ()


def test_a_state_may_be_in_several_indices() -> None:
    state = batch(40, 1)[0]
    single = State(7, 0, state.witness, 0, 1, 1, 1, 1, 1, 0, 0, -1)
    indices = [StateIndex() for _ in range(3)]
    for state_index in indices:
        state_index.add([single])
    for pending in (True, False):
        single.pending = pending
        assert [state_index.is_pending(7) for state_index in indices] == [pending] * 3
