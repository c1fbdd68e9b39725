"""States as rows: what columns say, objects say."""

from __future__ import annotations

import pytest

from cinquefoil.exploration import Exploration, Options, Tree
from cinquefoil.search import Batch, State
from cinquefoil.states.batch import RowStore
from cinquefoil.states.groups import subpaths
from cinquefoil.states.index import StateIndex
from cinquefoil.states.pending import PendingStates, column
from cinquefoil.states.state import subpath_key
from cinquefoil.testing.toymachine import PROGRAMS, BruteForce, toy

ATTRIBUTES = ("id", "index", "kind", "site", "alternative", "target", "depth", "steps", "trace", "fresh")


def left_by(program: str) -> list[Batch]:
    machine = toy(program)
    tree = Tree(machine.sites, lambda: machine.alts)
    return [batch for data in machine.inputs() for batch in tree.add(machine.run(data)).batches]


@pytest.mark.parametrize("program", PROGRAMS)
def test_rows_and_objects_say_the_same(program: str) -> None:
    for batch in left_by(program):
        for name in ATTRIBUTES:
            assert column(batch, name).tolist() == [getattr(state, name) for state in batch]
            assert column(list(batch), name).tolist() == column(batch, name).tolist()
        assert [batch[n] for n in range(len(batch))] == list(batch) == batch[:]
        for n in (1, 2, 4, 8):
            assert subpaths(batch, n).tolist() == [subpath_key(state.subpath(n)) for state in batch]
            assert subpaths(batch, n).tolist() == subpaths(list(batch), n).tolist()


def test_batches_one_after_the_other_are_one_sequence() -> None:
    batches = left_by("loops")[:3]
    joined, states = PendingStates(batches), [state for batch in batches for state in batch]
    assert list(joined) == states == joined[:]
    assert [joined[n] for n in range(len(joined))] == states
    assert [joined[-n - 1] for n in range(len(joined))] == states[::-1]
    for beyond in (len(states), -len(states) - 1):
        with pytest.raises(IndexError):
            joined[beyond]


def test_all_objects_of_a_row_share_its_pending() -> None:
    batch = max(left_by("loops"), key=len)
    one, two = batch[0], batch[0]
    assert one == two and one is not two
    assert one.pending and batch.pending[0]
    one.pending = False
    assert not two.pending
    assert not batch.pending[0]
    assert batch.live == len(batch) - 1
    assert (batch.next_pending(0), batch.last_pending(len(batch))) == (1, len(batch) - 1)


def test_a_book_finds_what_waits_and_forgets_the_rest() -> None:
    batches = left_by("loops")
    state_index = StateIndex()
    for batch in batches:
        state_index.add(batch)
    loose = State(10_000, 0, batches[0].witness, 0, 1, 1, 1, 1, 1, 0, 0, -1)
    state_index.add([loose])
    states = [state for batch in batches for state in batch]
    assert [state_index[state.id] for state in states] == states
    assert state_index[10_000] is loose
    assert [state_index.batch(state.id) for state in states] == [batch for batch in batches for _ in batch]
    for state in states[::2]:
        state.pending = False
    assert [state_index.is_pending(state.id) for state in states] == [state.pending for state in states]
    for state in [*states, loose]:
        state.pending = False
    assert state_index.batches() == []
    assert not any(state_index.is_pending(state.id) for state in [*states, loose])


def test_a_run_that_leaves_more_than_a_chunk_holds_gets_its_own() -> None:
    store = RowStore()
    store.chunk.used = store.chunk.size - 3
    first = store.chunk
    assert store.make_room(3) is first
    assert store.make_room(4) is not first
    assert store.make_room(1_000_000).size == 1_000_000


def test_what_is_pruned_is_counted_and_stays_away() -> None:
    machine = toy("nested")
    exploration = Exploration(machine, BruteForce(machine), Options(search=("dfs",)))
    exploration.start()
    pruned = 0
    for batch in exploration.frontier.batches():
        pruned += exploration.integrator.forget_many(batch, batch.indices > 0)
        assert not batch.pending[batch.indices > 0].any()
        assert not batch.witness.unsettled_after(0, set(batch.targets.tolist()))
    assert exploration.statistics.pruned == pruned > 0
    while exploration.frontier:
        exploration.step()
    assert exploration.outcome("done").created > pruned
    assert exploration.stop_reason() == "done"  # not "exhausted"
