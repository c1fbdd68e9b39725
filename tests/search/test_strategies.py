"""What each strategy prefers."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from cinquefoil.errors import UserError
from cinquefoil.search import Context, Frontier, Searcher, State, Witness, make, make_all, names, register_searcher
from cinquefoil.search.weighted import WeightedGroups
from cinquefoil.states.groups import GroupedStates
from cinquefoil.states.state import decision_key

KLEE = {"dfs", "bfs", "random-state", "random-path"} | {
    f"nurs:{weight}" for weight in ("covnew", "md2u", "depth", "rp", "icnt", "cpicnt", "qc")
}


class Known:
    """Knowledge made up for a test: block n is n instructions away and was entered n times."""

    version = 0

    def distances(self) -> NDArray[np.float64]:
        return np.where(np.arange(100) == 99, np.inf, np.arange(100, dtype=np.float64))

    def uncovered(self, sites: NDArray[np.integer], directions: NDArray[np.integer]) -> NDArray[np.bool_]:
        return (sites == 50) & (directions >= 2)

    def executions(self) -> NDArray[np.int64]:
        return np.arange(100)

    def call_path(self, state: State) -> int:
        return state.target

    def call_paths(self, traces: NDArray[np.uint32]) -> NDArray[np.int64]:
        return traces.astype(np.int64)

    def call_path_executions(self) -> NDArray[np.int64]:
        return np.arange(100)


def context(seed: int = 0) -> Context:
    return Context(random.Random(seed), Known())


@cache
def witness(cost: int = 0) -> Witness:
    """The run that left a test's states, which are one batch."""
    made = Witness(1, b"", None, 0, np.zeros(1, np.uint64), np.zeros(0, np.uint64), 0)
    made.cost = cost
    return made


def state(id: int, depth: int = 1, target: int = 1, fresh: int = -1, cost: int = 0, parent: int = 0) -> State:
    return State(id, parent, witness(cost), id, 1, 50, 1, target, depth, 0, 0, fresh)


def shares(name: str, states: Sequence[State], rounds: int = 4000) -> list[float]:
    """How often each state is the first choice."""
    found: Counter[int] = Counter()
    for seed in range(rounds):
        searcher = make(name, context(seed))
        searcher.add(states)
        found[searcher.select().id] += 1
    return [found[s.id] / rounds for s in states]


def test_all_of_klees_strategies_are_there() -> None:
    assert set(names()) >= KLEE


@pytest.mark.parametrize(
    ("name", "states", "weights"),
    [
        ("random-state", [state(1), state(2), state(3)], [1, 1, 1]),
        ("nurs:depth", [state(1, depth=1), state(2, depth=3)], [1, 3]),
        ("nurs:rp", [state(1, depth=5000), state(2, depth=5001), state(3, depth=5002)], [4, 2, 1]),
        ("nurs:md2u", [state(1, target=1), state(2, target=3), state(3, target=99)], [1, 1 / 9, 1e-8]),
        ("nurs:icnt", [state(1, target=1), state(2, target=2)], [1, 1 / 4]),
        ("nurs:cpicnt", [state(1, target=1), state(2, target=2)], [1, 1 / 2]),
        ("nurs:qc", [state(1, cost=1), state(2, cost=4_000_000)], [1, 1 / 4]),
        ("nurs:covnew", [state(1, target=2, fresh=0), state(2, target=2)], [1 + 1 / 4, 1 / 4]),
        (
            "nurs:covnew",
            [state(1, target=99, fresh=3), state(2, target=99, fresh=2)],
            [(1049 / 2073) ** 2, 1],
        ),
        ("random-path", [state(1), state(2), state(3)], [2, 1, 1]),
    ],
)
def test_weights_are_klees(name: str, states: list[State], weights: list[float]) -> None:
    expected = np.array(weights) / sum(weights)
    assert np.abs(np.array(shares(name, states)) - expected).max() < 0.035


def test_random_path_gives_a_turns_successors_its_share() -> None:
    """After the first state is settled by a run that leaves two more, they share the half it had."""
    counts: Counter[int] = Counter()
    for seed in range(4000):
        held = Frontier(make("random-path", context(seed)))
        first, second = state(1), state(2)
        held.add([first, second])
        held.add([state(3, parent=1), state(4, parent=1)])
        held.settle(first)
        counts[held.select().id] += 1
    assert abs(counts[2] - 2000) < 140
    assert abs(counts[3] - 1000) < 120


def test_random_path_passes_over_what_others_have_in_hand() -> None:
    """Sixty states on their way, of which the first had all the chance but 2^-60: the last four are found at once."""
    held = Frontier(make("random-path", context()))
    states = [state(n) for n in range(1, 65)]
    held.add(states)
    for each in states[:60]:
        held.remove(each)
    assert {held.select().id for _ in range(4)} == {61, 62, 63, 64}


def test_random_path_comes_back_to_where_a_run_grows() -> None:
    """All is taken, then one run comes back: its states are there, and where the other grows later too."""
    held = Frontier(make("random-path", context()))
    first, second = state(1), state(2)
    held.add([first, second])
    taken = [held.select(), held.select()]
    held.add([state(3, parent=1), state(4, parent=1)])
    held.settle(taken[0])
    assert {held.select().id, held.select().id} == {3, 4}
    held.add([state(5, parent=3)])
    held.add([state(6, parent=2)])
    assert {held.select().id, held.select().id} == {5, 6}
    assert not held


def test_random_path_finds_the_last_state_behind_many_that_are_being_answered() -> None:
    frontier = Frontier(make("random-path", context()))
    frontier.add([State(n, 0, witness(), n, 1, 1, 1, 1, n, 0, 0, -1) for n in range(1, 101)])
    taken = [frontier.select() for _ in range(100)]  # none of them is settled: a walk ends in a hole nearly always
    assert {each.id for each in taken} == set(range(1, 101))


def test_depth_first_takes_the_newest_and_breadth_first_the_shallowest() -> None:
    states = [state(1, depth=3), state(2, depth=1), state(3, depth=2), state(4, depth=1)]
    for name, order in (("dfs", [4, 3, 2, 1]), ("bfs", [2, 4, 3, 1])):
        searcher = make(name, context())
        searcher.add(states)
        assert [searcher.select().id for _ in states] == order


def test_a_strategy_is_fifteen_lines() -> None:
    @register_searcher("widest-first")
    class Widest(Searcher):
        """The largest target number first."""

        def __init__(self, context: Context) -> None:
            self.states: list[State] = []

        def add(self, states: Sequence[State]) -> None:
            self.states = sorted([*self.states, *states], key=lambda s: s.target)

        def select(self) -> State:
            return self.states.pop()

    assert "widest-first" in names()
    held = Frontier(make_all(["widest-first"], context()))
    held.add([state(1, target=5), state(2, target=9), state(3, target=7)])
    held.remove(state(9))
    assert held.select().id == 2
    assert Widest.__doc__


@pytest.mark.parametrize("name", ["dsf", "sgs:0", "sgs:x", "sgs:1:never", "bfs:3", "nurs:covnwe", ""])
def test_wrong_names_are_the_users_to_mend(name: str) -> None:
    with pytest.raises(UserError):
        make(name, context())


def test_a_near_miss_gets_a_hint() -> None:
    with pytest.raises(UserError, match="did you mean 'nurs:covnew'"):
        make("nurs:covnwe", context())


@given(st.lists(st.tuples(st.integers(0, 3), st.sampled_from("aaasr")), min_size=1, max_size=60))
def test_levels_hold_what_a_plain_table_holds(steps: list[tuple[int, str]]) -> None:
    """Adding, travelling and removing, against dictionaries: the lowest level, its size, its groups by rank."""
    grouped = GroupedStates(levelled=True, newest=True)
    held: dict[int, list[State]] = {}
    frequency: Counter[int] = Counter()
    for id, (key, step) in enumerate(steps, 1):
        waiting = [each for each in held.get(key, ()) if each.pending]
        if step == "a":
            held.setdefault(key, []).append(state(id))
            grouped.add(np.array([key]), held[key][-1:])
        elif step == "r" and waiting:
            waiting[0].pending = False
            grouped.remove(key)
        elif step == "s" and waiting:
            grouped.travel(grouped.find(key))
            frequency[key] += 1
        counts = {key: sum(each.pending for each in members) for key, members in held.items()}
        assert [grouped.frequency(key) for key in held] == [frequency[key] for key in held]
        assert dict(zip(grouped.keys().tolist(), grouped.counts().tolist(), strict=True)) == counts
        least = min((frequency[key] for key in held if counts[key]), default=-1)
        level = {key: counts[key] for key in held if counts[key] and frequency[key] == least}
        assert grouped.lowest() == sum(level.values())
        assert Counter(int(grouped.keys()[grouped.of_rank(rank)]) for rank in range(grouped.lowest())) == level


def test_groups_forget_the_dead() -> None:
    groups = WeightedGroups(random.Random(0))
    states = [state(n) for n in range(100)]
    groups.add(np.zeros(100, np.int64), states)
    for each in states[:90]:
        each.pending = False
        groups.remove(0)
    assert groups.counts.tolist() == [10]
    assert {groups.pick(np.ones(1)).id for _ in range(10)} == set(range(90, 100))


Figure = Callable[[], tuple[Searcher, list[State]]]


def path_state(id: int, *decisions: tuple[int, int]) -> State:
    """A state whose path is these (site, direction) decisions, the last being its turn."""
    keys = np.array([decision_key(site, 1, taken) for site, taken in decisions[:-1]], np.uint64)
    own = Witness(id, b"", None, 0, np.zeros(1, np.uint64), keys, 0)
    site, taken = decisions[-1]
    return State(id, 0, own, id, 1, site, taken, 1, len(decisions), 0, 0, -1)


def test_sgs_prefers_the_least_travelled_subpath() -> None:
    """Steps 8 and 9 of the paper's Tables 1 and 2: s5t is new to length 1, but s5f s8f is new to length 2."""
    s0t, s0f, s5t, s5f, s8t, s8f = ((site, taken) for site in (0, 5, 8) for taken in (1, 0))
    travelled = [path_state(1, s0f), path_state(2, s0f, s8f), path_state(3, s0f, s8t)]
    travelled += [path_state(4, s0t), path_state(5, s0t, s5f)]
    waiting = [path_state(6, s0t, s5t), path_state(7, s0t, s5f, s8t), path_state(8, s0t, s5f, s8f)]
    for n, choice in (("1", 6), ("2", 8)):
        searcher = make(f"sgs:{n}:latest", context())
        for each in travelled:
            searcher.add([each])
            assert searcher.select() is each
        searcher.add(waiting)
        assert searcher.select().id == choice


def test_sgs_does_not_starve_others_in_a_fork_bomb() -> None:
    """A loop that forks at one site for ever gets its turn, and so does everything else (section 2.3)."""
    searcher = make("sgs:1", context())
    searcher.add([path_state(n, (n, 1)) for n in range(10, 20)])
    bomb = [path_state(n, (1, 1)) for n in range(100, 200)]
    searcher.add(bomb)
    first = [searcher.select().id for _ in range(11)]
    assert sum(id >= 100 for id in first) == 1


def test_sgs_breaks_ties_evenly_among_states() -> None:
    """Three states on one subpath and one on another, none travelled: each is chosen a quarter of the
    time."""
    states = [path_state(n, (1, 1)) for n in range(3)] + [path_state(3, (2, 1))]
    assert np.abs(np.array(shares("sgs:1", states)) - 0.25).max() < 0.035


def test_a_strategy_that_is_named_twice_has_two_turns() -> None:
    searcher = make_all(["dfs", "bfs", "dfs"], context())
    searcher.add([state(id, depth=id) for id in range(1, 10)])
    chosen: list[int] = []
    for _ in range(6):
        found = searcher.select()
        found.pending = False
        chosen.append(found.id)
    assert chosen == [9, 1, 8, 7, 2, 6]
