"""The native walk, which skips what it knows, against one that goes block by block."""

# pyright: reportPrivateUsage=false

from __future__ import annotations

import random
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from cinquefoil.analysis.covertrees import build_trees
from cinquefoil.analysis.icfg import ICFG, build_icfg
from cinquefoil.analysis.subgraphs import Decomposition, decompose
from cinquefoil.search.empc.covers import CoverGroups
from cinquefoil.search.empc.walk import START, Walker
from cinquefoil.search.empc.wanted import Wanted
from cinquefoil.states.batch import Batch, RowStore
from cinquefoil.states.index import NOBODY, StateIndex
from cinquefoil.states.state import Witness

WITNESS = Witness(1, b"", None, 0, np.zeros(1, np.uint64), np.zeros(0, np.uint64), 0)
LIBRARY, NONE = 900, 0  # blocks that are none of the program's

Where = tuple["Where", int, int, int] | None


class WalkedProgram(NamedTuple):
    cfg: dict[int, tuple[int, ...]]
    calls: dict[int, tuple[int, ...]]
    entries: list[int]

    def analysed(self) -> tuple[ICFG, Decomposition]:
        icfg = build_icfg(self.cfg, self.calls, self.entries)
        return icfg, decompose(icfg)

    def trace(self, decisions: list[float], length: int) -> list[int]:
        """The blocks of one run: nested calls, loops, and what the library does between."""
        left = iter(decisions)
        blocks, stack = [self.entries[0]], list[int]()
        while len(blocks) < length:
            here = blocks[-1] if blocks[-1] in self.cfg else blocks[-2]
            callees = self.calls.get(here, ())
            if callees and len(stack) < 6 and (len(stack) == 0 or next(left, 0.5) < 0.6):
                stack.append(here)
                blocks.append(callees[int(next(left, 0.0) * len(callees))])
                continue
            targets = self.cfg[here]
            while not targets and stack:
                targets = self.cfg[stack.pop()]
            if not targets:
                break
            chance = next(left, 0.0)
            if chance > 0.9:
                blocks.append(LIBRARY if chance > 0.95 else NONE)
            blocks.append(targets[int(chance * len(targets))])
        return blocks


def random_program(chance: random.Random) -> WalkedProgram:
    cfg: dict[int, tuple[int, ...]] = {}
    calls: dict[int, tuple[int, ...]] = {}
    entries = [1, 101, 201]
    for entry in entries:
        last = entry + chance.randrange(3, 12)
        for block in range(entry, last):
            targets = {block + 1, chance.randrange(block + 1, last + 1)}
            if chance.random() < 0.3 and block > entry + 1:
                targets.add(chance.randrange(entry + 1, block + 1))
            cfg[block] = tuple(sorted(targets))
            if chance.random() < 0.4:
                calls[block] = tuple(chance.sample(entries[1:], chance.randrange(1, 3)))
        cfg[last] = ()
    return WalkedProgram(cfg, calls, entries)


def drawn(seed: int) -> tuple[random.Random, WalkedProgram, ICFG, Decomposition]:
    chance = random.Random(seed)
    program = random_program(chance)
    return chance, program, *program.analysed()


class Slow:
    """Keeps a stack, and asks the walker's own rules at every block."""

    def __init__(self, icfg: ICFG, decomposition: Decomposition) -> None:
        self.icfg = icfg
        self.walker = walker_of(icfg, decomposition)

    def follow(self, trace: list[int]) -> list[Where]:
        walker, owner, edges = self.walker, self.icfg.owner, self.walker._edges
        context, stack = START, list[int]()
        found = [where(walker, context)]
        for block in trace:
            if block in walker._functions:
                stack.append(context)
                context = walker._enter(START, block)
            elif block in owner:
                if block not in edges[walker.block(context)]:
                    while owner[walker.block(context)] != owner[block] or block not in edges[walker.block(context)]:
                        context = stack.pop()
                context = walker._step(walker._contexts[context], block)
            found.append(where(walker, context))
        return found


def where(walker: Walker, context: int) -> Where:
    """A context by what it means, not by its number."""
    if context == START:
        return None
    at = walker._contexts[context]
    return where(walker, at.outer), at.subgraph, at.node, at.block


def walker_of(icfg: ICFG, decomposition: Decomposition) -> Walker:
    return Walker(icfg, decomposition, CoverGroups(build_trees(decomposition), spare=False))


def batch_of(store: RowStore, stops: NDArray[np.uint32]) -> Batch:
    chunk = store.make_room(len(stops))
    rows = slice(chunk.used, chunk.used + len(stops))
    for column in (chunk.index, chunk.site, chunk.target, chunk.depth, chunk.steps, chunk.kind):
        column[rows] = 0
    chunk.trace[rows] = stops
    return store.take(len(stops), 0, WITNESS)


@pytest.mark.parametrize("seed", range(25))
def test_a_walk_that_skips_what_it_knows_is_where_a_slow_one_is(seed: int) -> None:
    chance, program, icfg, decomposition = drawn(seed)
    quick, slow = walker_of(icfg, decomposition), Slow(icfg, decomposition)
    parts = [[chance.random() for _ in range(40)] for _ in range(4)]
    for _ in range(25):
        decisions = [each for _ in range(12) for each in chance.choice(parts)]
        for _ in range(chance.randrange(3)):
            decisions[chance.randrange(len(decisions))] = chance.random()
        trace = program.trace(decisions, chance.choice((20, 300, 2000)))
        stops = np.array(sorted(chance.choices(range(len(trace) + 1), k=30)), np.uint32)
        expected = slow.follow(trace)
        found = quick.follow(np.array(trace, np.uint32), stops)
        assert [where(quick, context) for context in found.tolist()] == [expected[stop] for stop in stops.tolist()]


@pytest.mark.parametrize("seed", range(25))
def test_a_run_is_followed_from_the_turn_that_made_it(seed: int) -> None:
    """The states that it left are where they are when its trace is followed from the beginning."""
    chance, program, icfg, decomposition = drawn(seed)
    groups = CoverGroups(build_trees(decomposition), spare=True, shrink=False)
    walker, slow = Walker(icfg, decomposition, groups), Slow(icfg, decomposition)
    store, state_index = RowStore(), StateIndex()
    wanted = Wanted(groups, walker, newest=False, state_index=state_index)
    known = [(NOBODY, 0, [chance.random() for _ in range(400)], list[int]())]  # states: id, stop, decisions, trace
    for _ in range(30):
        id, stop, decisions, before = chance.choice(known)
        for cut in range(chance.randrange(400), 400):
            decisions = [*decisions[:cut], *(chance.random() for _ in range(400 - cut))]
            trace = program.trace(decisions, 500)
            if trace[:stop] == before[:stop]:
                break
        else:
            continue
        first = 0 if id == NOBODY else stop
        stops = np.array(sorted(chance.choices(range(first, len(trace) + 1), k=10)), np.uint32)
        batch = batch_of(store, stops)
        state_index.add(batch)
        wanted.see(id, batch, batch, np.array(trace, np.uint32))
        expected = slow.follow(trace)
        found = wanted._contexts[: len(stops)].tolist()
        assert [where(walker, context) for context in found] == [expected[each] for each in stops.tolist()]
        known += [(batch.first + at, int(each), decisions, trace) for at, each in enumerate(stops.tolist())]
    assert len(known) > 50


@pytest.mark.parametrize("seed", range(25))
def test_a_path_that_a_run_took_is_not_wanted_for_its_blocks_alone(seed: int) -> None:
    """Why, but for the paper's order, traces need not be followed to their end."""
    chance, program, icfg, decomposition = drawn(seed)
    groups = CoverGroups(build_trees(decomposition), spare=True, shrink=False)
    walker = Walker(icfg, decomposition, groups)
    for _ in range(20):
        trace = program.trace([chance.random() for _ in range(300)], 300)
        groups.visit([block for block in dict.fromkeys(trace) if block in icfg.owner and groups.misses(block)])
        before = groups.open.tolist()
        walker.follow(np.array(trace, np.uint32), np.empty(0, np.uint32))
        assert groups.open.tolist() == before


def best_end(groups: CoverGroups, node: int, most: int) -> int:
    """`cinq_covers_best`, slowly."""
    ends: list[int] = []
    stack = [node]
    while stack and len(ends) < most:
        at = stack.pop()
        children = list(groups._children[groups._first[at] : groups._first[at + 1]])
        stack.extend(reversed([child for child in children if groups.open[child]] or children[:1]))
        if not children or groups.wanted[at]:
            ends.append(at)
    return max(ends, key=groups._unvisited.item)


@pytest.mark.parametrize("spare", [False, True])
@pytest.mark.parametrize("seed", range(10))
def test_the_path_to_go_on_with_is_that_with_the_most_to_visit(seed: int, spare: bool) -> None:
    chance, _, icfg, decomposition = drawn(seed)
    groups = CoverGroups(build_trees(decomposition), spare=spare)
    blocks = list(icfg.owner)
    chance.shuffle(blocks)
    for _ in range(4):
        for node in range(len(groups._parents)):
            assert groups.wanted_path(node) == groups.path(best_end(groups, node, 32 if spare else 1))
        groups.visit([blocks.pop() for _ in range(min(5, len(blocks)))])


# main: 1 -> loop 2 { 3 | 4 -> 5 } -> 6; 3 calls f; f: 11 -> 12 | 13 -> 14, 12 calls f again
CALLING = WalkedProgram(
    {1: (2,), 2: (3, 4, 6), 3: (5,), 4: (5,), 5: (2,), 6: (), 11: (12, 13), 12: (14,), 13: (14,), 14: ()},
    {3: (11,), 12: (11,)},
    [1, 11],
)


def test_more_blocks_than_are_remembered_are_followed() -> None:
    chance = random.Random(5)
    walker = walker_of(*CALLING.analysed())
    rounds = ([2, 4, 5], [2, 3, 11, 13, 14, 5], [2, 3, 11, 12, 11, 13, 14, 14, 5])
    ends = [
        where(walker, walker.follow(np.array([1, *each], np.uint32), np.array([1 + len(each)], np.uint32))[0])
        for each in rounds
    ]
    taken = [chance.randrange(3) for _ in range(400_000)]
    trace = np.array([1, *(block for each in taken for block in rounds[each])], np.uint32)
    stops = 1 + np.cumsum([len(rounds[each]) for each in taken])
    assert len(trace) > 2_000_000
    found = walker.follow(trace, stops.astype(np.uint32)).tolist()
    known = {context: where(walker, context) for context in set(found)}
    assert [known[context] for context in found] == [ends[each] for each in taken]


def test_more_positions_than_are_kept_are_forgotten() -> None:
    """A deep recursion is at a position of its own at every depth."""
    groups = CoverGroups(build_trees(CALLING.analysed()[1]), spare=True, shrink=False)
    walker, store, state_index = Walker(*CALLING.analysed(), groups), RowStore(), StateIndex()
    wanted = Wanted(groups, walker, newest=False, state_index=state_index)
    depth = 600_000
    trace = np.array([1, 2, 3, *[11, 12] * depth, 11, 13, *[14] * depth, 14, 5, 2, 4, 5], np.uint32)
    stops = np.array([2, 4, len(trace) - 1], np.uint32)
    origin, found = NOBODY, list[list[int]]()
    for _ in range(3):  # full, begun anew, full again
        batch = batch_of(store, stops)
        state_index.add(batch)
        wanted.see(origin, batch, batch, trace)
        found.append(wanted._contexts[:3].tolist())
        origin = batch.first
    assert [walker.block(context) for context in found[0]] == [2, 11, 4]
    assert found[0] == found[1] == found[2]


def test_stops_that_do_not_ascend_are_survived() -> None:
    """The program writes them, and may be out of its mind."""
    chance = random.Random(6)
    walker = walker_of(*CALLING.analysed())
    blocks = [1] + [block for _ in range(40_000) for block in chance.choice(([2, 4, 5], [2, 3, 11, 13, 14, 5]))]
    plain = np.array([*blocks, 2, 6], np.uint32)
    known = set(walker.follow(plain, np.arange(len(plain) + 1, dtype=np.uint32)).tolist())
    most = 2**32 - 1
    for at in (10, len(plain) // 2, len(plain) - 10):
        trace = np.insert(plain, at, LIBRARY)  # here it is not as before
        stops = np.array([at + 5, 0, len(plain), 7, most, at, most, 1, len(plain)], np.uint32)
        assert known.issuperset(walker.follow(trace, stops).tolist())


def test_a_block_without_a_number_is_passed_over() -> None:
    walker = walker_of(*CALLING.analysed())
    trace, ends = np.array([1, 0, 2, 0, 0, 4, 5], np.uint32), np.array([1, 2, 3, 5, 7], np.uint32)
    for _ in range(2):
        first, again, second, third, last = walker.follow(trace, ends).tolist()
        assert (first, second) == (again, third)
        assert [walker.block(each) for each in (first, second, last)] == [1, 2, 5]
