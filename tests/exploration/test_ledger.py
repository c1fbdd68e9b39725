"""No state is lost or doubled by any sequence of gifts, reports and deaths: the books of parallel exploration alone."""

from __future__ import annotations

import os
import signal
import struct
import time
from collections.abc import Container, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cinquefoil.exploration.parallel import pool as pools
from cinquefoil.exploration.parallel.balance import LONGEST, Balance, is_dry
from cinquefoil.exploration.parallel.messages import Beat, Frames, Orders, RoundReport, frame
from cinquefoil.exploration.parallel.parcels import Parcel, choose, giveable
from cinquefoil.exploration.parallel.pool import Ledger, Process, ProcessPool
from cinquefoil.states.batch import COLUMNS, Chunk
from cinquefoil.states.state import OTHER

ROW = np.dtype([(name, getattr(Chunk(1), name).dtype) for name in COLUMNS])
UntakenBranch = tuple[int, int]


def parcel(branches: Sequence[UntakenBranch]) -> Parcel:
    """States that are told apart by the hash of the path before them; index i lies behind hash i."""
    rows = np.zeros(len(branches), ROW)
    rows["index"] = np.arange(len(branches))
    rows["alternative"] = [direction for _, direction in branches]
    hashes = np.array([before for before, _ in branches], np.uint64)
    return Parcel(((b"x", 1, b"1"),), 0, hashes.tobytes(), b"", 0, 0, rows.tobytes(), None)


def report(round: int = 1, **values: object) -> RoundReport:
    usual: dict[str, object] = {
        "pending": 0, "giveable": True, "open": 0, "paths": 0, "finished": "", "processor": 0.0, "waited": 0.0,
        "created": 0, "numbers": {"completed": 0, "errors": 0}, "layers": {}, "tests": [],
        "covered": np.zeros(0, np.int64), "gifts": [], "passed": np.zeros(0, np.int64),
    }  # fmt: skip
    return RoundReport(round, **{**usual, **values})  # pyright: ignore[reportArgumentType]


def branches_of(parcels: Sequence[Parcel]) -> list[UntakenBranch]:
    return [branch for each in parcels for branch in each.branches()]


# ---- parcels ----

TURNS = st.lists(st.tuples(st.integers(0, 2**64 - 1), st.integers(-1, 3)), max_size=20, unique=True)


@given(TURNS, st.data())
def test_a_parcel_without_some_of_its_states(branches: list[UntakenBranch], data: st.DataObject) -> None:
    gone = set(data.draw(st.lists(st.sampled_from(branches)))) if branches else set[UntakenBranch]()
    left = parcel(branches).without(gone | {(77, 77)})
    assert left.branches() == [branch for branch in branches if branch not in gone]
    assert len(left) == len(left.branches())


class Rows:
    """As much of a batch as `choose` looks at."""

    def __init__(self, pending: list[bool], ways: list[int]) -> None:
        self.pending = np.array(pending, np.bool_)
        self.alternatives = np.array(ways, np.int32)


BATCHES = st.lists(st.lists(st.tuples(st.booleans(), st.sampled_from([OTHER, 0, 1, 2])), min_size=1, max_size=40))


@given(BATCHES, st.integers(1, 100))
def test_only_what_waits_and_may_go_is_chosen(shapes: list[list[tuple[bool, int]]], count: int) -> None:
    batches = [Rows([waits for waits, _ in rows], [direction for _, direction in rows]) for rows in shapes]
    chosen = list(choose(batches, count))  # pyright: ignore[reportArgumentType]
    assert len({id(batch) for batch, _ in chosen}) == len(chosen)
    for batch, rows in chosen:
        assert rows.any()
        assert not (rows & ~giveable(batch)).any()
    could = sum(int(giveable(batch).sum()) for batch in batches)  # pyright: ignore[reportArgumentType]
    assert bool(chosen) == (could > 0), "whoever has something gives something"


# ---- the ledger ----


class ExploredParts:
    """An explorer as the ledger sees it: a tree of branches in which each has up to two below it, down to some depth.

    What the process does (settle a state, find those below, give some away) the ledger learns only by reports."""

    def __init__(self) -> None:
        self.ledger = Ledger()
        self.waiting: set[UntakenBranch] = set()
        self.foreign: set[UntakenBranch] = set()
        self.gifts: list[tuple[int, list[Parcel]]] = []
        self.settled: set[UntakenBranch] = set()  # by this process
        self.based: set[UntakenBranch] = set()  # settled before its last base, by it and those before it
        self.paths = 0

    def get(self, branches: list[UntakenBranch]) -> None:
        self.waiting |= set(branches)
        self.ledger.gets([parcel(branches)])

    def settle(self, branch: UntakenBranch) -> None:
        self.waiting.remove(branch)
        self.settled.add(branch)
        self.paths += 1
        self.waiting |= {below for below in children(branch) if below not in self.foreign}

    def give(self, branches: list[UntakenBranch]) -> None:
        self.waiting -= set(branches)
        self.gifts.append((9, [parcel(branches)]))

    def tell(self, base: bool) -> list[set[UntakenBranch]]:
        """What others will settle who get the gifts, and know of foreign branches what this one knows."""
        gifts, self.gifts = self.gifts, []
        made = report(numbers={"completed": self.paths, "errors": 0}, gifts=gifts, pending=len(self.waiting))
        if base:
            made.base = [parcel(sorted(self.waiting))]
            self.based |= self.settled
            self.settled = set()
        self.ledger.note(made)
        return [below(branch, self.foreign) for _, gift in gifts for branch in branches_of(gift)]

    def die(self) -> None:
        """What it did after its last base is done again; gifts that it did not report were never given."""
        parcels, foreign = self.ledger.succeed()
        held = branches_of(parcels)
        assert len(held) == len(set(held))
        self.waiting, self.foreign = set(held), set(foreign)
        self.settled, self.gifts, self.paths = set(), [], 0


def children(branch: UntakenBranch) -> list[UntakenBranch]:
    return [(branch[0] * 2 + direction, direction) for direction in (0, 1)] if branch[0] < 16 else []


def below(branch: UntakenBranch, foreign: Container[UntakenBranch] = ()) -> set[UntakenBranch]:
    return {branch}.union(*(below(each, foreign) for each in children(branch) if each not in foreign))


@settings(max_examples=400)
@given(st.data())
def test_no_state_is_lost_or_doubled(data: st.DataObject) -> None:
    explorer, others = ExploredParts(), list[set[UntakenBranch]]()
    explorer.get([(1, 0)])
    everything = below((1, 0))
    acts = st.sampled_from(["settle", "settle", "settle", "give", "report", "base", "death", "gets"])
    fresh = iter([(100, 0), (101, 1), (102, 0)])
    for act in data.draw(st.lists(acts, max_size=40)):
        if act == "gets" and not explorer.gifts and (branch := next(fresh, None)):
            others += explorer.tell(False)  # bundles come after reports
            explorer.get([branch])
            everything.add(branch)
        elif act == "settle" and explorer.waiting:
            explorer.settle(data.draw(st.sampled_from(sorted(explorer.waiting))))
        elif act == "give" and explorer.waiting:
            explorer.give(data.draw(st.lists(st.sampled_from(sorted(explorer.waiting)), min_size=1, unique=True)))
        elif act in ("report", "base"):
            others += explorer.tell(act == "base")
        elif act == "death":
            explorer.die()
            assert explorer.ledger.offset == len(explorer.based)
    others += explorer.tell(False)
    while explorer.waiting:
        explorer.settle(min(explorer.waiting))
    parts = [explorer.based, explorer.settled, *others]
    assert set().union(*parts) == everything, "lost"
    assert sum(map(len, parts)) == len(everything), "doubled"
    assert explorer.ledger.offset + explorer.paths == len(explorer.based | explorer.settled)


def test_states_of_one_that_is_given_up_are_counted() -> None:
    ledger = Ledger()
    ledger.gets([parcel([(1, 0), (2, 1)]), parcel([(3, 0)])])
    for deaths in (1, 2):
        ledger.succeed()
        assert ledger.deaths == deaths
    assert ledger.give_up() == 3
    assert ledger.succeed() == ((), frozenset())


# ---- balance ----

STATES = st.lists(st.tuples(st.integers(0, 5000), st.integers(0, 50), st.booleans()), min_size=2, max_size=5)


@given(st.lists(STATES, min_size=1, max_size=6), st.integers(1, 400))
def test_orders_never_allow_a_path_too_many(rounds: list[list[tuple[int, int, bool]]], most: int) -> None:
    count = len(rounds[0])
    balance = Balance(most, [float(min(3, most))] + [0.0] * (count - 1))
    paths = [0] * count
    for round, states in enumerate(each for each in rounds if len(each) == count):
        for number, (_, found, _) in enumerate(states):
            paths[number] = int(min(paths[number] + found, balance.allowances[number]))
        reports = [
            report(round, pending=pending, giveable=gives and pending > 0, paths=paths[n])
            for n, (pending, _, gives) in enumerate(states)
        ]
        orders = balance.decide(reports, again=False)
        check(orders, reports)
        assert sum(order.allowance for order in orders) <= most
        assert all(order.allowance >= paths[n] for n, order in enumerate(orders))
        if sum(paths) < most and any(each.pending for each in reports):
            assert any(order.allowance > paths[n] for n, order in enumerate(orders)), "nobody may go on"


def check(orders: Sequence[Orders], reports: Sequence[RoundReport]) -> None:
    for number, order in enumerate(orders):
        assert 0 < order.length <= LONGEST
        assert len(order.give) <= 1
        for to, count in order.give:
            assert to != number
            assert reports[number].giveable
            assert 1 <= count < reports[number].pending + 1


def test_who_has_nothing_gets_half() -> None:
    orders = Balance(None, [float("inf")] * 2).decide([report(pending=100), report()], again=True)
    assert [order.give for order in orders] == [((1, 50),), ()]
    assert not any(order.again for order in orders)


def test_nobody_runs_out_of_states_while_another_has_plenty() -> None:
    """States that lead to no new ones, rounds that grow longer: what is ordered after one round is there two later."""
    balance, has, found, given = Balance(None, [float("inf")] * 2), [400, 150], [0, 0], [0, 0, 0]
    while sum(has) > 60:
        pace = round(150 * balance.length)
        settled = [min(pace, states) for states in has]
        assert min(settled) == pace or sum(has) < 4 * pace, f"one waits: {has}"
        found = [old + new for old, new in zip(found, settled, strict=True)]
        has = [old - new for old, new in zip(has, settled, strict=True)]
        has[1] += given.pop(0)
        reports = [report(pending=states, paths=done) for states, done in zip(has, found, strict=True)]
        orders = balance.decide(reports, again=False)
        given.append(sum(count for _, count in orders[0].give))
        has[0] -= given[-1]


def test_open_questions_are_asked_again_only_when_nothing_is_left_or_on_its_way() -> None:
    gift = [(0, [parcel([(1, 0)])])]
    for reports, again in (
        ([report(open=1), report()], True),
        ([report(open=1), report(pending=1)], False),
        ([report(open=1), report(gifts=gift)], False),
        ([report(), report()], False),
    ):
        assert is_dry(reports) == (not any(each.pending or each.gifts for each in reports))
        assert [order.again for order in Balance(None, [float("inf")] * 2).decide(reports, True)] == [again] * 2


# ---- messages ----


@given(st.lists(st.integers(1, 60), min_size=1))
def test_messages_arrive_whole_however_they_are_cut(cuts: list[int]) -> None:
    data, frames, got = frame(Beat()) + frame(report(3)) + frame(Beat()), Frames(), list[object]()
    at = 0
    for cut in [*cuts, len(data)]:
        frames.feed(data[at : at + cut])
        got += list(frames)
        at += cut
    assert [type(each) for each in got] == [Beat, RoundReport, Beat]


NONSENSE = [
    b"x" * 64,  # a length beyond all bounds
    struct.pack("<Q", 5) + b"12345",  # no pickle
    frame("hello"),  # pyright: ignore[reportArgumentType]  # no message
]


@pytest.mark.parametrize("data", NONSENSE, ids=["length", "bytes", "message"])
def test_a_process_that_talks_nonsense_is_lost(data: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    script = f"import os, time; os.write(0, {data!r}); time.sleep(600)"
    monkeypatch.setattr(pools, "_START", script)
    pool = ProcessPool([Beat()])
    try:
        deadline = time.monotonic() + 300
        while pool.processes[1].alive and time.monotonic() < deadline:
            assert list(pool.pump(0.05)) == []
        assert not pool.processes[1].alive
        assert pool.processes[1].failure
    finally:
        pool.close()


def test_a_process_that_is_ended_is_gone() -> None:
    process = Process(Beat())
    os.kill(process.pid, signal.SIGSTOP)
    process.end()
    with pytest.raises(ProcessLookupError):
        os.kill(process.pid, 0)
