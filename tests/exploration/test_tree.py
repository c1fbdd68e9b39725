"""The execution tree: where runs go and what they leave."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cinquefoil.exploration import Coverage, Tree
from cinquefoil.exploration.runs.events import Reader, outcome_at, path_factors, unmuted
from cinquefoil.exploration.runs.tree import Growth
from cinquefoil.ir.sites import Site, SiteKind
from cinquefoil.layout import EVENT, EventKind
from cinquefoil.machine.resident import own_bytes
from cinquefoil.machine.run import Run
from cinquefoil.search import OTHER, Context, Frontier, State, make_all
from cinquefoil.states import batch
from cinquefoil.states.state import decision_key
from cinquefoil.testing.toymachine import PROGRAMS, ToyMachine, Trace, toy


def branches_of(states: Sequence[State]) -> list[tuple[int, int]]:
    return [(state.index, state.alternative) for state in states]


def test_every_kind_of_event_leaves_its_states() -> None:
    def program(t: Trace) -> None:
        t.branch("branch", lambda w: 0)
        t.switch("switch", lambda w: w[0], [{1}, {0, 2}, {3}])
        t.check("check", lambda w: 1)
        t.pin("pin", lambda w: 7)
        t.assume("assume", lambda w: 1)
        t.branch("last", lambda w: 1)

    machine = ToyMachine(program, 1)
    growth = Tree(machine.sites).add(machine.run(b""))
    assert branches_of(growth.states) == [(0, 1), (1, 0), (1, 1), (1, 3), (2, 0), (3, OTHER), (5, 0)]
    branch, default, *_ = growth.states
    assert machine.sites[branch.site].targets[1] == branch.target
    assert machine.sites[default.site].targets[0] == default.target
    check, pin = growth.states[4:6]
    assert check.target == machine.sites[check.site].block
    assert pin.seen == (7,)
    assert [state.depth for state in growth.states] == [1, 2, 2, 2, 3, 3, 4]
    assert [state.id for state in growth.states] == list(range(1, 8))


def test_states_in_the_library_lead_to_the_own_block_they_were_called_from() -> None:
    machine = toy("library")
    run = machine.run(b"\x00\x02\x00")
    own, *library = Tree(machine.sites, lambda: machine.alts).add(run).states
    assert branches_of(library) == [(1, 0), (1, 1), (2, 1), (3, OTHER)]
    assert {state.target for state in library} == {machine.sites[own.site].targets[0]}


def test_a_failed_assumption_asks_for_a_true_one() -> None:
    machine = toy("assumes")
    growth = Tree(machine.sites).add(machine.run(b""))
    assert branches_of(growth.states) == [(0, 1)]


def test_a_failed_check_leaves_the_good_side() -> None:
    machine = toy("nested")
    growth = Tree(machine.sites).add(machine.run(b"\x03\x03\x00"))
    assert branches_of(growth.states) == [(0, 1), (1, 0), (2, 1)]


def test_a_predicted_run_extends_its_witness_at_the_turn() -> None:
    machine = toy("nested")
    tree = Tree(machine.sites)
    first = tree.add(machine.run(b"\x00\x00\x00")).states
    turn = next(state for state in first if state.index == 1)  # a != b
    growth = tree.add(machine.run(b"\x01\x00\x00"), turn)
    assert growth.settled == turn
    assert not growth.diverged
    assert branches_of(growth.states) == [(2, 1)]
    assert growth.states[0].parent == turn.id


def test_a_pin_is_asked_again_until_all_values_are_known() -> None:
    machine = toy("switches")
    tree = Tree(machine.sites)
    states = tree.add(machine.run(b"\x00\x00\x00")).states
    pin = next(state for state in states if state.alternative == OTHER)
    again = tree.add(machine.run(b"\x00\x01\x00"), pin).states[0]
    assert (again.index, again.seen, again.parent) == (pin.index, (0, 1), pin.id)
    assert tree.add(machine.run(b"\x00\x02\x00"), again).states[0].seen == (0, 1, 2)


def test_a_run_that_goes_elsewhere_diverges_and_settles_what_it_meets() -> None:
    machine = toy("nested")
    tree = Tree(machine.sites)
    first = tree.add(machine.run(b"\x00\x00\x00")).states
    wanted = next(state for state in first if state.index == 3)
    met = next(state for state in first if state.index == 0)
    growth = tree.add(machine.run(b"\x00\x01\x00"), wanted)
    assert growth.diverged
    assert growth.settled == met
    assert tree.add(machine.run(b"\x00\x01\x00")).witness is None


@settings(max_examples=200)
@given(st.sampled_from(sorted(PROGRAMS)), st.randoms(use_true_random=False))
def test_runs_in_any_order_leave_what_no_run_took(name: str, chance: random.Random) -> None:
    """Whatever inputs run in whatever order, a state is left exactly for each sibling of a path not yet
    seen."""
    machine = toy(name)
    tree = Tree(machine.sites, lambda: machine.alts)
    left: dict[int, State] = {}
    runs: list[Run] = []
    for data in chance.choices(list(machine.inputs()), k=12):
        run = machine.run(data)
        growth = tree.add(run)
        if growth.settled is not None:
            del left[growth.settled.id]
        left.update({state.id: state for state in growth.states})
        runs.append(run)
    assert _asked(machine, left.values()) == _siblings(machine, runs)
    assert tree.witnesses == len({(*_decisions(run), run.end == "assume") for run in runs})


@pytest.mark.parametrize("rows", [3, batch.ROWS])
@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(name=st.sampled_from(sorted(PROGRAMS)), chance=st.randoms(use_true_random=False))
def test_a_predicted_run_leaves_what_it_leaves_if_it_comes_unasked(
    monkeypatch: pytest.MonkeyPatch, rows: int, name: str, chance: random.Random
) -> None:
    """A run is followed natively if it was made for a state, located by search otherwise: two ways to the same tree,
    whether or not its states fit into what is left of a chunk."""
    monkeypatch.setattr(batch, "ROWS", rows)
    monkeypatch.setattr(batch.Chunk.__init__, "__defaults__", (rows,))
    machine = toy(name)
    unasked, asked = (Tree(machine.sites, lambda: machine.alts) for _ in range(2))
    left: dict[int, State] = {}
    for data in chance.choices(list(machine.inputs()), k=12):
        located = unasked.add(machine.run(data))
        followed = asked.add(machine.run(data), left[located.settled.id] if located.settled is not None else None)
        assert _shown(located) == _shown(followed)
        left.update({state.id: state for state in followed.states})


def _shown(growth: Growth) -> tuple[object, ...]:
    """All that a run left."""
    hidden = ("witness", "_waiting", "_row")
    names = [name for name in State.__slots__ if name not in hidden]
    states = [(*[getattr(state, name) for name in names], state.witness.number) for state in growth.states]
    if growth.witness is None:
        return (states, growth.settled, growth.diverged)
    kept = growth.witness
    return (
        states,
        growth.settled,
        growth.diverged,
        kept.start,
        kept.decided,
        *map(list, (kept.hashes, kept.decisions)),
    )


def _decisions(run: Run) -> list[tuple[int, int]]:
    return [(int(e["site"]), int(e["value"] if e["kind"] == EventKind.PIN else e["taken"])) for e in run.events]


def _asked(machine: ToyMachine, states: object) -> set[tuple[object, ...]]:
    asked: set[tuple[object, ...]] = set()
    for state in states:  # type: ignore[attr-defined]
        path = _decisions(machine.run(state.witness.data))[: state.index]
        what = frozenset(state.seen) if state.alternative == OTHER else state.alternative
        asked.add((*path, (state.site, what)))
    return asked


def _siblings(machine: ToyMachine, runs: list[Run]) -> set[tuple[object, ...]]:
    """The definition, by brute force over all prefixes."""
    seen: dict[tuple[tuple[int, int], ...], dict[int, set[int]]] = {}
    kinds: dict[int, int] = {}
    for run in runs:
        path = _decisions(run)
        for i, (site, outcome) in enumerate(path):
            kinds[site] = int(run.events["kind"][i])
            seen.setdefault(tuple(path[:i]), {}).setdefault(site, set()).add(outcome)
    result: set[tuple[object, ...]] = set()
    for prefix, sites in seen.items():
        for site, outcomes in sites.items():
            kind = kinds[site]
            if kind == EventKind.PIN:
                result.add((*prefix, (site, frozenset(outcomes))))
            elif kind == EventKind.ASSUME:
                if 1 not in outcomes:
                    result.add((*prefix, (site, 1)))
            else:
                ways = 3 if kind == EventKind.SWITCH else 2
                result |= {(*prefix, (site, way)) for way in range(ways) if way not in outcomes}
    return result


def test_one_decision_has_one_key() -> None:
    """Native code and the turns of states agree, or subpaths would never meet."""
    machine = toy("switches")
    path = Reader(machine.sites).read(unmuted(machine.run(b"\x03\x02\x01")))
    events = path.run.events
    expected = [decision_key(int(e["site"]), int(e["kind"]), outcome_at(path.run, i)) for i, e in enumerate(events)]
    assert path.decisions.tolist() == expected
    assert path.depths.tolist() == list(range(1, len(events) + 1))
    sums = np.cumsum(np.array(expected, np.uint64) * path_factors(len(events)), dtype=np.uint64)
    assert path.hashes.tolist() == [0, *sums.tolist()]


def test_longer_paths_have_the_same_factors() -> None:
    assert (path_factors(100) == path_factors(5000)[:100]).all()


def test_a_switch_with_very_many_groups_fits() -> None:
    def program(t: Trace) -> None:
        for i in range(4):
            t.switch(f"wide {i}", lambda w: w[0], [{n} for n in range(3000)])

    machine = ToyMachine(program, 1, range(1))
    assert len(Tree(machine.sites).add(machine.run(b"")).states) == 12000


def _forks(count: int, length: int) -> tuple[list[Site], list[Run]]:
    """Runs of a program with 1,000 branches that share only their first decision."""
    blocks = [Site(SiteKind.BLOCK, f"f{n // 20}", "big.c", n, 0) for n in range(1001)]
    branches = [Site(SiteKind.BRANCH, "f", "big.c", n, 0, n + 1, (n + 1, n + 2), (n + 1, n + 2)) for n in range(1000)]
    sites = [Site(SiteKind.FUNCTION, "", "", 0, 0), *blocks, *branches]
    numbers = np.random.default_rng(1)
    runs: list[Run] = []
    for _ in range(count):
        events = np.zeros(length, EVENT)
        events["kind"] = EventKind.BRANCH
        events["site"] = 1002 + numbers.integers(0, 1000, length)
        events["taken"] = numbers.integers(0, 2, length)
        events["site"][0], events["taken"][0] = 1002, 1
        events["steps"] = events["trace"] = np.arange(length)
        covered = np.unique(events["site"][:50] - 1001).astype(np.uint32)
        none = np.zeros(0, np.uint32)
        runs.append(Run(b"", "exit", 0, events, covered, none, (), b"", 0, None, 1, 1, 1))
    return sites, runs


def _measured_strategy(strategy: str) -> tuple[int, float, float, float]:
    """Number of pending states; bytes, seconds to add and seconds to select for each."""
    sites, runs = _forks(1000, 1001)
    coverage, tree = Coverage(sites), Tree(sites)
    held = Frontier(make_all(strategy.split("+"), Context(random.Random(1), coverage)))
    before, start = own_bytes(), time.process_time()
    for run in runs:
        growth = tree.add(run, None, coverage.add(run).marks)
        held.add(growth.states)
        held.settle(None, run, growth.states)
    count, adding = len(held), time.process_time() - start
    size, start = own_bytes() - before, time.process_time()
    for _ in range(2000):
        held.settle(held.select())
    return count, size / count, adding / count, (time.process_time() - start) / 2000


@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["dfs", "bfs", "random-path+nurs:covnew", "nurs:cpicnt", "sgs:4"])
def test_a_million_pending_states_are_an_ordinary_day(strategy: str) -> None:
    """In a process of its own, so that its memory is its own.  sgs also remembers the subpath of every decision that a
    run passed, as many as there are states here."""
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        count, size, adding, choosing = pool.submit(_measured_strategy, strategy).result()
    print(f"{strategy}: {count} states of {size:.0f} bytes, {adding * 1e6:.2f} us to add, ", end="")
    print(f"{choosing * 1e6:.1f} us to select")
    assert count > 900_000
    assert size < (200 if strategy.startswith("sgs") else 160)
    assert adding < 5e-6
    assert choosing < 1e-3


def test_adding_states_takes_microseconds() -> None:
    sites, runs = _forks(100, 1001)
    tree = Tree(sites)
    start = time.process_time()
    made = sum(len(tree.add(run).states) for run in runs)
    each = (time.process_time() - start) / made
    print(f"{made} states, {each * 1e6:.2f} us each")
    assert made > 90_000
    assert each < 20e-6
