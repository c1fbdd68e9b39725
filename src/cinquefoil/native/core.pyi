"""Made by stub.py from the public headers: do not edit."""

from collections.abc import Callable
from typing import Any

import numpy as np
from typing_extensions import Buffer

Memory = Buffer | np.ndarray[Any, Any]
Array = Memory | int | None
"""A contiguous array, or the address of one."""
Handle = int | None
"""The address of what only native code sees into."""

def address(array: Memory, /) -> int: ...
def text_at(address: Handle, size: int, /) -> bytes: ...
def bound(function: Callable[..., Any], /, *arguments: Any) -> Callable[..., Any]: ...
def cinq_row(c: Array, row: int, /) -> tuple[int, ...] | None:
    """One row's numbers, in the order in which State.of_row (states/state.py) takes them."""
def cinq_groups_new(levelled: int, newest: int, /) -> int: ...
def cinq_groups_free(c: Handle, /) -> None: ...
def cinq_groups_add(c: Handle, keys: Array, ids: Array, n: int, /) -> None: ...
def cinq_groups_drop(c: Handle, keys: Array, n: int, /) -> None:
    """States of these keys no longer wait."""
def cinq_groups_find(c: Handle, key: int, /) -> int:
    """The number of a key's group, ~0 if there is none."""
def cinq_groups_count(c: Handle, /) -> int: ...
def cinq_groups_size(c: Handle, number: int, /) -> int: ...
def cinq_groups_frequency(c: Handle, number: int, /) -> int: ...
def cinq_groups_keys(c: Handle, out: Array, /) -> None: ...
def cinq_groups_counts(c: Handle, out: Array, /) -> None: ...
def cinq_groups_take(c: Handle, number: int, at: int, /) -> int:
    """Takes the id at an index out of the vector; whether it still waits is the caller's to know."""
def cinq_groups_gone(c: Handle, number: int, /) -> None:
    """One that was taken did wait."""
def cinq_groups_members(c: Handle, number: int, out: Array, /) -> None: ...
def cinq_groups_keep(c: Handle, number: int, ids: Array, n: int, /) -> None:
    """Replaces a group's ids by some of them."""
def cinq_groups_lowest(c: Handle, /) -> int:
    """How many ids the lowest level with any holds."""
def cinq_groups_at(c: Handle, rank: int, /) -> int:
    """The group of the lowest level's id of this rank; after cinq_groups_lowest."""
def cinq_groups_newest(c: Handle, /) -> int:
    """The group with the newest id of the lowest level; after cinq_groups_lowest. Its last id is that one."""
def cinq_groups_travel(c: Handle, number: int, /) -> None:
    """Its subpath was chosen: travelled once more."""
def cinq_groups_untidy(c: Handle, number: int, /) -> int:
    """Is most of a group dead, and it large enough to matter?"""
def cinq_groups_look_up(c: Handle, index: Handle, most: int, /) -> None:
    """Its ids are looked up in this index from now on, and groups hold that many at most (0: all); before the
    first is added."""
def cinq_index_new() -> int: ...
def cinq_index_free(b: Handle, /) -> None: ...
def cinq_index_add(
    b: Handle,
    first: int,
    size: int,
    parent: int,
    columns: Array,
    row: int,
    waiting: Array,
    unsettled: Array,
    decisions: Array,
    decided: int,
    /,
) -> int:
    """Gives the number of the new entry."""
def cinq_index_row(b: Handle, id: int, /) -> tuple[int, ...] | None:
    """The row of a state, after the number of its entry; none if the index does not know it (any more)."""
def cinq_index_pending(b: Handle, id: int, /) -> int:
    """Does the state still wait?"""
def cinq_index_sweep(b: Handle, kept: Array, /) -> int:
    """Forgets entries of which nothing waits. `kept` gets the numbers of the others; how many there are."""
def cinq_paths_new(index: Handle, /) -> int: ...
def cinq_paths_free(p: Handle, /) -> None: ...
def cinq_paths_catch_up(p: Handle, /) -> None:
    """Takes in what came since it last did."""
def cinq_paths_settle(p: Handle, id: int, /) -> None:
    """A state has its answer, and what its run left is in the index: no other run grows there."""
def cinq_paths_select(p: Handle, seed: int, /) -> int:
    """The id of a state that waits, taken out of the tree; CINQ_NOBODY if there is none."""
def cinq_fewest_new(index: Handle, /) -> int: ...
def cinq_fewest_free(f: Handle, /) -> None: ...
def cinq_fewest_select(f: Handle, /) -> int:
    """The id of the state, which is given out once; CINQ_NOBODY if nobody waits."""
def cinq_subpaths(
    decisions: Array,
    decided: int,
    depth: Array,
    site: Array,
    kind: Array,
    alternative: Array,
    rows: int,
    length: int,
    out: Array,
    /,
) -> None:
    """The keys of rows, of whose decisions the run's own start at `decided`."""
def cinq_subpaths_draw(d: Array, which: int, seed: int, /) -> int:
    """A state of the least travelled subpaths, of length number `which`, once all that is new is known."""
def cinq_subpaths_pass(d: Array, events: Array, n: int, first: int, own: int, /) -> None:
    """All subpaths of a run that end at its event `first` or later are travelled once more; but the first of
    them not for grouping number `own`, whose choice it was."""
def cinq_walker_new(functions: Array, blocks: int, sources: Array, targets: Array, edges: int, /) -> int:
    """`functions`: of each block, -1 for none. Edges lead from sources[i] to targets[i], within functions."""
def cinq_walker_free(w: Handle, /) -> None: ...
def cinq_walker_context(w: Handle, block: int, /) -> None: ...
def cinq_walker_call(w: Handle, block: int, context: int, /) -> None: ...
def cinq_walker_step(w: Handle, context: int, block: int, next: int, /) -> None: ...
def cinq_walker_go(w: Handle, position: int, /) -> None:
    """Goes to a position, 0: before all blocks."""
def cinq_walk(
    w: Handle,
    trace: Array,
    n: int,
    start: int,
    stops: Array,
    count: int,
    contexts: Array,
    positions: Array,
    /,
) -> int:
    """Goes on from trace[start]. contexts[k] is the context after the first stops[k] blocks, -1 before all;
    positions[k] the walk's position there, if anybody asks. Stops ascend (one that does not gets any context of
    the trace); those before `start` are left out. Gives the index of the first block it could not follow, or n."""
def cinq_walker_at(w: Handle, /) -> int: ...
def cinq_walker_frame(w: Handle, /) -> int: ...
def cinq_sieve_new() -> int: ...
def cinq_sieve_free(s: Handle, /) -> None: ...
def cinq_sieve_drop(s: Handle, context: int, target: int, /) -> None:
    """Untaken branches from this context to this block (0: to none of the program's) are not wanted."""
def cinq_group_states(
    at: Handle,
    to: Handle,
    c: Array,
    row: int,
    n: int,
    first: int,
    trace: Array,
    size: int,
    visited: Array,
    touched: Array,
    blocks: int,
    most: int,
    /,
) -> None:
    """Puts states, their ids from `first` on, to the block they stand at; and, `most` of them, to the block
    they lead to if it was not visited. `touched` says of each block when that happened last, and what time it
    is now instead of block 0. A state may claim to stand beyond the trace's end: the program wrote both."""
def cinq_see(
    s: Array,
    id: int,
    c: Array,
    row: int,
    n: int,
    first: int,
    trace: Array,
    size: int,
    start: int,
    contexts: Array,
    out: Array,
    /,
) -> int:
    """All of it for a run that state number `id` led to, and the n > 0 states that it left: follows its trace,
    or goes on from `start` on, groups the states, and sifts out the rows that may be wanted. Gives how many; -1
    - i if block i could not be followed."""
def cinq_first_waiting(a: Handle, b: Handle, index: Handle, keys: Array, n: int, seed: Array, /) -> int:
    """One that waits of the first of n keys of which one of two groupings has one (the first may be 0);
    CINQ_NOBODY."""
def cinq_covers_visit(
    crossed: Array,
    crossing: Array,
    n: int,
    blocks: Array,
    count: int,
    unvisited: Array,
    wanted: Array,
    out: Array,
    /,
) -> int:
    """`count` blocks were entered for the first time: the paths through them, of which crossing[i] is one
    through block crossed[i], have one less to visit. Gives how many that are wanted have none left now; `out`
    gets their ends."""
def cinq_covers_best(c: Array, node: int, most: int, /) -> int:
    """Of the first `most` ends of wanted paths through a node, the one with the most blocks not visited; of
    paths that are not wanted the first, if none is."""
def cinq_goals_new(
    standing: Handle,
    leading: Handle,
    index: Handle,
    visited: Array,
    touched: Array,
    rotate: int,
    /,
) -> int: ...
def cinq_goals_free(g: Handle, /) -> None: ...
def cinq_goals_add(g: Handle, block: int, ancestors: Array, count: int, /) -> None: ...
def cinq_goals_wake(g: Handle, /) -> None:
    """Those that rest and may be in reach again are looked at again."""
def cinq_goals_select(g: Handle, seed: int, /) -> int:
    """A state for the first goal that finds one, CINQ_NOBODY if none does; the goal itself is out until
    `cinq_goals_again`."""
def cinq_goals_block(g: Handle, /) -> int: ...
def cinq_goals_again(g: Handle, cost: int, /) -> None:
    """The goal that found a state has had one more attempt, which counts for so many thousandths."""
def cinq_nearest(
    first: Array,
    targets: Array,
    start: int,
    wanted: Array,
    most: int,
    far: int,
    seen: Array,
    stamp: int,
    queue: Array,
    out: Array,
    /,
) -> int:
    """The wanted vertices in the order in which they are met from `start`, of which there are `most`, or as
    many as lie among the first `far` vertices. `seen` has the last search's stamp per vertex, `queue` room for
    `far`."""
def cinq_arms_new(count: int, seed: int, /) -> int: ...
def cinq_arms_free(a: Handle, /) -> None: ...
def cinq_arms_draw(a: Handle, order: Array, /) -> int:
    """Draws an arm; then, should that have nothing to offer, the others, the likelier ones first. Gives how
    many."""
def cinq_arms_note(a: Handle, arm: int, gain: int, cost: int, /) -> None:
    """What a selection by this arm brought and cost, in millionths."""
def cinq_arms_shares(a: Handle, out: Array, /) -> None:
    """Shares of time; room for as many as there are arms. When nothing has paid for so long that what did is
    forgotten, the shares are equal."""
def cinq_arms_chances(a: Handle, out: Array, /) -> None:
    """How the next selection is drawn: so that its expected cost is as the shares are."""
def cinq_selector_new(arms: Array, /) -> int: ...
def cinq_selector_free(s: Handle, /) -> None: ...
def cinq_selector_begin(s: Handle, id: int, /) -> None:
    """A wanted state was selected."""
def cinq_selector_select(s: Handle, wanted: int, /) -> tuple[int, ...] | None:
    """The row of a state (state_index.c), one number more if its goal is to be weighed; none if Python is to
    give out a wanted state. `wanted`: it may have one."""
def cinq_selector_settle(s: Handle, id: int, events: Array, n: int, first: int, gain: int, /) -> None:
    """State number `id` (CINQ_NOBODY: none) led to a run of n events (0: to none), new from `first` on; `gain`:
    what was covered first, in millionths."""
def cinq_selector_see(
    s: Handle,
    id: int,
    events: Array,
    n: int,
    first: int,
    c: Array,
    row: int,
    count: int,
    first_id: int,
    trace: Array,
    size: int,
    contexts: Array,
    out: Array,
    /,
) -> int:
    """The same for a run that covered nothing first, which is then seen (sift.c) with the `count` states that
    it left."""
def cinq_solver_new(nodes: Array, tables: Array, pool: Array, count: int, /) -> int:
    """For one epoch: `nodes` are `count` that may be asked about, and stay where they are."""
def cinq_solver_free(s: Handle, /) -> None: ...
def cinq_slice(
    s: Handle,
    nodes: Array,
    values: Array,
    length: int,
    goal: Array,
    goals: int,
    witness: Array,
    size: int,
    /,
) -> int:
    """Loads a query: nodes[i] == values[i] along the path (node 0: no constraint), and the goal. Gives the
    number of constraints in the slice, or -1 for a plain contradiction."""
def cinq_slice_constraints(s: Handle, /) -> int:
    """Where the loaded slice is: Python reads it through these."""
def cinq_slice_bytes(s: Handle, /) -> int: ...
def cinq_slice_byte_count(s: Handle, /) -> int: ...
def cinq_slice_model(s: Handle, /) -> int: ...
def cinq_work(s: Handle, /) -> int: ...
def cinq_domains(s: Handle, /) -> int:
    """Fills the slice's domains. SAT (with the model set) only if every constraint is over one byte."""
def cinq_bounds(s: Handle, /) -> int:
    """No choice made: ranges alone."""
def cinq_search(s: Handle, budget: int, /) -> int: ...
def cinq_pairs(s: Handle, /) -> int:
    """Needs the domains: constraints over one byte are not looked at again."""
def cinq_edits(s: Handle, /) -> int: ...
def cinq_try_model(s: Handle, /) -> int:
    """Whether the model satisfies the slice: SAT or UNSAT; UNKNOWN if it has no lane version."""
def cinq_check_solution(s: Handle, input: Array, size: int, /) -> int:
    """SAT if the loaded slice holds under an input, else UNSAT."""
def cinq_violated(s: Handle, input: Array, size: int, out: Array, /) -> int:
    """Which of the slice's constraints an input violates: their indices, and how many there are."""
def cinq_contains_core(s: Handle, /) -> int:
    """UNSAT if the loaded slice contains a known core."""
def cinq_learn_core(s: Handle, rows: Array, count: int, /) -> None:
    """These constraints of the loaded slice contradict each other."""
def cinq_find_core(s: Handle, /) -> None:
    """The loaded slice has no solution: looks for a core of it, and learns that."""
def cinq_refute(s: Handle, p: Array, at: Array, directions: Array, count: int, out: Array, /) -> int:
    """Branch i leaves the path at event at[i] (ascending), in the direction directions[i] (negative: to any
    other value). Sets out[i] to 1 if that is refuted, else 0, and gives the number of ones."""
def cinq_descend(
    s: Handle,
    constraints: Array,
    count: int,
    witness: Array,
    size: int,
    seed: int,
    budget: int,
    from_zero: int,
    /,
) -> int:
    """Looks for an input under which the constraints hold: SAT, and the last row has it, or UNKNOWN. Starts
    from all zeros with a part of the budget, then from the witness."""
def cinq_descent_inputs(s: Handle, out: Array, /) -> int:
    """What the last descent met: input indices of a row's bytes, rows, and counts."""
def cinq_descent_rows(s: Handle, /) -> int: ...
def cinq_descent_count(s: Handle, /) -> int: ...
def cinq_descent_work(s: Handle, /) -> int: ...
def cinq_descent_minima(s: Handle, /) -> int: ...
def cinq_objective(s: Handle, constraints: Array, count: int, input: Array, size: int, /) -> float:
    """The objective at one input, for tests."""
def cinq_sweep_load(s: Handle, nodes: Array, values: Array, length: int, asked: int, longest: int, /) -> int:
    """Loads a path to be swept or screened; `asked` is the index of the branch that a query is about, which
    counts as taken. Gives the number of its constraints."""
def cinq_screen(s: Handle, input: Array, size: int, /) -> int:
    """Where an input leaves the loaded path, twice, plus 1 if no other did there; then it is handed out. -1:
    nowhere."""
def cinq_sweep(s: Handle, witness: Array, size: int, budget: int, each: int, most: int, /) -> int:
    """Gives rows as a descent does; at most `most`, spending at most `each` instructions per branch of the
    loaded path."""
def cinq_distance(op: int, wanted: int, width: int, a_low: int, a_high: int, b_low: int, b_high: int, /) -> float:
    """Table 1, and its monotone image that is summed: zero exactly if the comparison is as wanted."""
def cinq_scaled(distance: float, /) -> float: ...
def cinq_read_path(
    events: Array,
    n: int,
    failed: int,
    factors: Array,
    hashes: Array,
    depths: Array,
    decisions: Array,
    /,
) -> int:
    """hashes[i] stands for the path before event i (n + 1 of them), depths[i] is the number of decisions up to
    event i if it is left there, decisions their keys. `failed` is the index of an assumption that ended the
    run, or beyond. Returns the number of decisions."""
def cinq_constraints(
    events: Array,
    n: int,
    failed: int,
    alts: Array,
    alt_count: int,
    nodes: Array,
    values: Array,
    /,
) -> None:
    """nodes[i] equals values[i] under the run's input; node 0 says nothing."""
def cinq_turns(
    events: Array,
    start: int,
    n: int,
    failed: int,
    d: Array,
    r: Array,
    w: Array,
    depths: Array,
    out: Array,
    /,
) -> int:
    """The directions not taken at events start .. n-1, as rows. Returns how many there are; if there is no room
    for all, the caller makes some and asks again."""
def cinq_drop(c: Array, refuted: Array, count: int, gone: Array, /) -> int:
    """Of the `count` rows from `used` on, those not refuted move to the front; the others' branches are put
    into `gone`, each as one number: site, kind, direction. Returns how many stay."""
def cinq_follow(
    r: Array,
    events: Array,
    count: int,
    assumed: int,
    trace: Array,
    trace_count: int,
    index: int,
    site: int,
    kind: int,
    direction: int,
    left_at: int,
    inherited: int,
    hashes: Array,
    start: int,
    marks: Array,
    mark_count: int,
    used: int,
    /,
) -> tuple[int, ...] | None:
    """A run that was made for a state, in one go. Gives how many untaken branches are left, of which as many as
    there is room for, from row `used` on, are in the reader's columns; where the hashes and the decisions that
    the witness keeps end; and the number of the first of these. None if the run went elsewhere, nothing if
    there is no room for it. The branch itself is its witness's to explore further. Whether a branch to any
    other value led to one that was not seen is for the caller to see."""
def cinq_scan(events: Array, count: int, /) -> int:
    """Bit 0: an event inside output formatting; bit 1: something that is not modelled."""
def cinq_any_new(seen: Array, size: int, sites: Array, width: int, count: int, /) -> int:
    """Is any of these sites, numbers of `width` bytes, not among the `size` ones of which some were seen?"""
def cinq_watch_now(w: Array, /) -> float: ...
def cinq_watch_begin(w: Array, phase: int, /) -> None: ...
def cinq_watch_start(w: Array, clock: int, /) -> None: ...
def cinq_compile(s: Array, p: Array, roots: Array, count: int, /) -> int:
    """Makes p from the roots; 0, or which array was too small. root_slots[i]: where root i's value will be."""
def cinq_evaluate(s: Array, p: Array, v: Array, /) -> None: ...
def cinq_collect(p: Array, v: Array, roots: int, lo: Array, hi: Array, /) -> None:
    """The roots' values, [root][lane], after a run."""
def cinq_first_violated(s: Array, p: Array, v: Array, wanted: Array, equal: Array, count: int, /) -> int:
    """One lane: the first constraint that does not hold, or -1. Later ones are not computed."""
def cinq_truth_table(s: Array, p: Array, v: Array, wanted: Array, equal: Array, count: int, bits: Array, /) -> None:
    """All constraints under all values of the inner byte, and of the outer one if there is one: bit outer * 256
    + inner of `bits`, which is zero before."""
def cinq_dependencies(s: Array, p: Array, sets: Array, words: int, /) -> None:
    """One bit set of `words` words per slot: the input indices that it depends on."""
def cinq_intake_knows(op: int, /) -> int:
    """Is there such an operation?"""
def cinq_intake_forget(in_: Array, /) -> None: ...
def cinq_intake_cover(in_: Array, /) -> None:
    """Every byte of the coverage as 0 or 1, which numpy relies on."""
def cinq_intake_reaches(in_: Array, wanted: Array, count: int, /) -> int:
    """Is one of the wanted sites (0 or 1 each) covered?"""
def cinq_intake_take(in_: Array, /) -> tuple[int, ...] | None:
    """Takes in the coverage and expressions of a run; the run's counts as one look at the shared memory showed
    them. None: the worker cannot be trusted."""
def cinq_intake_check(in_: Array, events: Array, count: int, trace: Array, length: int, /) -> int:
    """Are a run's events and block trace, copied from the shared memory, what the run-time writes?"""
def cinq_intake_check_remarks(in_: Array, remarks: Array, count: int, /) -> int:
    """The same of its remarks."""
