"""Empc: figure 1 of the paper, cover groups, and runs followed through loops and calls."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cinquefoil.analysis.covertrees import build_trees
from cinquefoil.analysis.icfg import build_icfg
from cinquefoil.analysis.path_cover import minimum_path_covers
from cinquefoil.analysis.subgraphs import decompose
from cinquefoil.errors import UserError
from cinquefoil.exploration import Coverage, Exploration, Options
from cinquefoil.layout import EventKind
from cinquefoil.machine.graph import ProgramGraph
from cinquefoil.machine.run import Run
from cinquefoil.search import Context, make
from cinquefoil.search.empc import Empc
from cinquefoil.search.empc.covers import CoverGroups
from cinquefoil.search.empc.walk import LEADS_NOWHERE, START, Walker
from cinquefoil.search.empc.wanted import Wanted
from cinquefoil.testing.toymachine import PROGRAMS, BruteForce, ToyMachine, Trace, toy

BRANCH = int(EventKind.BRANCH)
VARIANTS = ["empc", "empc:paper", "empc:nodep", "empc:paper:nodep"]


def figure_1(t: Trace) -> None:
    if not t.branch("a", lambda w: w[0]):
        t.branch("b", lambda w: w[1])
    t.branch("c", lambda w: w[2])


def graph_1(machine: ToyMachine) -> ProgramGraph:
    branches = {site.detail: site for site in machine.sites if site.detail}
    a, b, c = (branches[label] for label in "abc")
    cfg = {
        a.block: a.targets,
        a.targets[0]: (b.block,),
        a.targets[1]: (c.block,),
        b.block: b.targets,
        **dict.fromkeys(b.targets, (c.block,)),
        c.block: c.targets,
        **dict.fromkeys(c.targets, ()),
    }
    return ProgramGraph(cfg, entries=frozenset({a.block}))


def test_figure_1_is_covered_by_three_runs() -> None:
    machine = ToyMachine(figure_1, 3, range(2))
    graph = graph_1(machine)
    (subgraph,) = decompose(build_icfg(graph.cfg, {}, graph.entries)).subgraphs.values()
    assert len(machine.truth) == 6
    assert {len(cover) for cover in minimum_path_covers(subgraph.edges, subgraph.entry)} == {3}
    for seed in range(10):
        options = Options(search=("empc",), seed=seed, max_paths=3)
        outcome = Exploration(machine, BruteForce(machine), options, graph).run()
        assert outcome.coverage.blocks == (9, 9)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("program", PROGRAMS)
def test_all_variants_exhaust_small_programs(variant: str, program: str) -> None:
    machine = toy(program)
    outcome = Exploration(machine, BruteForce(machine), Options(search=(variant,))).run()
    assert outcome.exhausted
    assert outcome.statistics.paths == len(machine.truth)


class Untraced(ToyMachine):
    """Without a trace of blocks."""

    def _result(self, trace: Trace) -> Run:
        return replace(super()._result(trace), trace=np.empty(0, np.uint32))


def test_without_a_trace_nothing_is_wanted() -> None:
    machine = toy("loops")
    machine.__class__ = Untraced
    exploration = Exploration(machine, BruteForce(machine), Options(search=("empc",)))
    assert isinstance(exploration.frontier.searcher, Empc)
    exploration.start()
    while exploration.frontier:
        assert not exploration.frontier.searcher.wanted.any
        exploration.step()
    assert exploration.statistics.paths == len(machine.truth)


def test_unknown_variants_are_refused() -> None:
    machine = toy("loops")
    with pytest.raises(UserError, match="papre"):
        make("empc:papre", Context(random.Random(0), Coverage(machine.sites)))


# ---- groups ----

DIAMONDS = {1: (2, 3), 2: (4,), 3: (4,), 4: (5, 6), 5: (7,), 6: (7,), 7: (8, 9), 8: (), 9: ()}


def groups_of(cfg: dict[int, tuple[int, ...]], spare: bool = False) -> CoverGroups:
    return CoverGroups(build_trees(decompose(build_icfg(cfg, {}, [1]))), spare)


def follow(walker: Walker, blocks: Sequence[int]) -> int:
    """The context at the end."""
    trace = np.array(blocks, np.uint32)
    return int(walker.follow(trace, np.array([len(trace)], np.uint32))[0])


@given(st.lists(st.lists(st.integers(0, 1), min_size=3, max_size=3), max_size=6), st.booleans())
def test_groups_shrink_to_what_runs_did_but_not_to_nothing(runs: list[list[int]], spare: bool) -> None:
    groups = groups_of(DIAMONDS, spare)
    walker = Walker(build_icfg(DIAMONDS, {}, [1]), decompose(build_icfg(DIAMONDS, {}, [1])), groups)
    covers = minimum_path_covers(decompose(build_icfg(DIAMONDS, {}, [1])).subgraphs[1].edges, 1, 16)
    root = groups.root(1)
    taken: set[tuple[int, ...]] = set()
    for choices in runs:
        path = (1, 2 + choices[0], 4, 5 + choices[1], 7, 8 + choices[2])
        before = groups.group(1)
        follow(walker, path)
        taken.add(path)
        alive = [cover for number, cover in enumerate(covers) if groups.group(1) >> number & 1]
        assert alive
        assert groups.group(1) & before == groups.group(1)
        if not spare:
            wanted = {tuple(v for v in p if v > 0) for cover in alive for p in cover} - taken
            assert groups.open[root] == len(wanted)


def test_two_runs_that_fit_one_cover_leave_only_covers_with_both() -> None:
    groups = groups_of(DIAMONDS)
    walker = Walker(build_icfg(DIAMONDS, {}, [1]), decompose(build_icfg(DIAMONDS, {}, [1])), groups)
    follow(walker, (1, 2, 4, 5, 7, 8))
    assert not groups.exhausted(1)
    follow(walker, (1, 3, 4, 6, 7, 9))
    assert groups.exhausted(1)


def test_spare_groups_want_nothing_that_was_seen() -> None:
    groups = groups_of(DIAMONDS, spare=True)
    groups.root(1)
    groups.visit([1, 2, 4, 5, 7])
    assert not groups.exhausted(1)
    groups.visit([3, 6, 8, 9])
    assert groups.exhausted(1)
    assert not groups_of(DIAMONDS).exhausted(1)


# ---- walking ----

# main: 1 -> loop 2 { 3 | 4 -> 5 } -> 6; 3 calls f; f: 11 -> 12 | 13, 12 calls f again
CFG = {1: (2,), 2: (3, 6), 3: (5,), 4: (5,), 5: (2,), 6: (), 11: (12, 13), 12: (14,), 13: (14,), 14: ()}
CFG[2] = (3, 4, 6)
CALLS = {3: (11,), 12: (11,)}


def walker_of() -> tuple[Walker, CoverGroups]:
    icfg = build_icfg(CFG, CALLS, [1, 11])
    decomposition = decompose(icfg)
    groups = CoverGroups(build_trees(decomposition), False)
    return Walker(icfg, decomposition, groups), groups


def test_returns_are_found_through_recursion() -> None:
    walker, _ = walker_of()
    calls = [1, 2, 3, 11, 12, 11, 13, 14]
    assert walker.block(follow(walker, calls)) == 14
    outer = follow(walker, [*calls, 14])  # the inner call's return: block 14 again, in the outer one
    assert outer == follow(walker, [1, 2, 3, 11, 12, 14])
    assert follow(walker, [*calls, 14, 5]) == follow(walker, [1, 2, 3, 11, 13, 14, 5])
    assert follow(walker, []) == START


def test_a_walk_tells_where_it_was_on_the_way() -> None:
    walker, _ = walker_of()
    trace = np.array([1, 2, 3, 11, 13, 14, 5, 2, 6], np.uint32)
    stops = np.array([0, 1, 3, 3, 5, 9, 9], np.uint32)
    first = walker.follow(trace, stops).tolist()  # learns on the way
    assert [walker.block(context) for context in first] == [0, 1, 3, 3, 13, 6, 6]
    assert walker.follow(trace, stops).tolist() == first


def test_a_trace_is_followed_the_same_whatever_was_followed_before() -> None:
    """Long traces that share much or nothing: the walk goes on from where they part, and must be where it would be."""
    chance = random.Random(3)
    rounds = ([2, 4, 5], [2, 3, 11, 13, 14, 5], [2, 3, 11, 12, 11, 13, 14, 14, 5])
    traces = [[1, *(block for _ in range(99) for block in chance.choice(rounds))] for _ in range(4)]
    traces += [[*trace[:cut], *traces[0][1:]] for trace in traces for cut in (1, 64, 65, 200)]
    stops = np.arange(0, 150, 7, dtype=np.uint32)
    walker, _ = walker_of()
    first: dict[int, list[int]] = {}
    for _ in range(60):
        number, skipped = chance.randrange(len(traces)), chance.randrange(len(stops))
        follow(walker, [] if chance.random() < 0.3 else traces[chance.randrange(len(traces))])
        found = walker.follow(np.array(traces[number], np.uint32), stops[skipped:].copy()).tolist()
        if number not in first:
            follow(walker, [])  # nothing is shared with that
            first[number] = walker.follow(np.array(traces[number], np.uint32), stops).tolist()
        assert found == first[number][skipped:]


def test_each_iteration_takes_a_path_and_then_the_loop_is_left() -> None:
    walker, groups = walker_of()
    at_header = follow(walker, [1, 2])
    leave = walker.destination(at_header, 6)
    assert leave.loop == 2 and leave.nodes and leave.outer
    assert groups.open[leave.nodes[0]] == 1  # straight out is a path of the loop's cover too
    follow(walker, [1, 2, 4, 5, 2])
    assert not any(groups.open[node] for node in walker.destination(at_header, 4).nodes)
    assert any(groups.open[node] for node in walker.destination(at_header, 3).nodes)
    follow(walker, [1, 2, 3, 11, 13, 14, 5, 2, 6])
    assert groups.exhausted(2)
    assert groups.exhausted(1)


def test_a_trace_from_nowhere_is_survived() -> None:
    walker, _ = walker_of()
    context = follow(walker, [5, 999, 2, 6, 14, 13])
    assert walker.block(context) in CFG
    assert walker.destination(context, 1) is LEADS_NOWHERE


def test_groups_that_do_not_shrink_keep_all_covers() -> None:
    icfg = build_icfg(DIAMONDS, {}, [1])
    groups = CoverGroups(build_trees(decompose(icfg)), spare=False, shrink=False)
    walker = Walker(icfg, decompose(icfg), groups)
    groups.root(1)
    before = groups.group(1)
    follow(walker, (1, 2, 4, 5, 7, 8))
    assert groups.group(1) == before


def test_a_block_never_visited_is_wanted_where_no_cover_says_so() -> None:
    walker, groups = walker_of()
    lost = follow(walker, [2])  # in the middle of main, who knows how: no subpath matches
    assert Wanted(groups, walker, newest=True).destination(lost, BRANCH, 3) is LEADS_NOWHERE
    wanted = Wanted(groups, walker, newest=False)
    assert wanted.destination(lost, BRANCH, 3).block == 3
    groups.visit([3])
    assert wanted.destination(lost, BRANCH, 3) is LEADS_NOWHERE


# ---- the real engine ----

SOURCE = """
#include <unistd.h>
int main(void) {
    unsigned char in[3];
    int n = 0;
    if (read(0, in, 3) != 3) return 1;
    if (in[0] > 10) n = 1; else if (in[1] > 10) n = 2; else n = 3;
    if (in[2] > 10) n *= 7; else n *= 9;
    return n;
}
"""


def test_figure_1_on_the_real_engine(tmp_path: Path) -> None:
    from cinquefoil.build.program import load_program
    from cinquefoil.exploration.solving.worker_solver import WorkerSolver
    from cinquefoil.machine.environment import parse_arguments
    from cinquefoil.machine.image import build_image
    from cinquefoil.machine.worker import Worker

    source = tmp_path / "figure.c"
    source.write_text(SOURCE)
    image = build_image(load_program(source), blocks=True)
    with Worker(image, parse_arguments(["--sym-stdin", "3"], program="figure")) as worker:
        options = Options(search=("empc",), max_paths=3)
        exploration = Exploration(worker, WorkerSolver(worker), options, image.graph)
        outcome = exploration.run()
    assert isinstance(exploration.frontier.searcher, Empc)
    covered, total = outcome.coverage.blocks
    assert covered == total - 1  # a short read cannot happen
