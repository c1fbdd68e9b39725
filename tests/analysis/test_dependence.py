"""Data and potential dependence of branches (Empc, Definitions 3 and 4), on IR written for it."""

from __future__ import annotations

from cinquefoil.analysis.dependence import Dependence, block_sites, load_dependence
from cinquefoil.ir.model import Module
from cinquefoil.ir.parser import parse_module

HEAD = 'target triple = "x86_64-unknown-linux-musl"\n'
MEMORY = """
@g = global i32 0
define i32 @main(i1 %a, i1 %b) {
entry:
  br i1 %a, label %def, label %skip
def:
  store i32 1, ptr @g
  br label %join
skip:
  br label %join
join:
  br i1 %b, label %other, label %use
other:
  br label %use
use:
  %v = load i32, ptr @g
  %c = icmp eq i32 %v, 1
  br i1 %c, label %yes, label %no
yes:
  ret i32 1
no:
  ret i32 0
}
"""
CALLS = """
declare i32 @getchar()
define i32 @read() {
entry:
  %c = call i32 @getchar()
  %e = icmp eq i32 %c, 10
  br i1 %e, label %end, label %more
end:
  ret i32 -1
more:
  ret i32 %c
}
define void @put(ptr %p, i32 %v) {
entry:
  store i32 %v, ptr %p
  ret void
}
define i32 @judge(i32 %x) {
entry:
  %c = icmp sgt i32 %x, 5
  br i1 %c, label %high, label %low
high:
  ret i32 1
low:
  ret i32 0
}
define i32 @main() {
entry:
  %slot = alloca i32
  %r = call i32 @read()
  br label %give
give:
  %j = call i32 @judge(i32 %r)
  call void @put(ptr %slot, i32 %j)
  br label %test
test:
  %s = load i32, ptr %slot
  %c = icmp eq i32 %s, 1
  br i1 %c, label %yes, label %no
yes:
  ret i32 1
no:
  ret i32 0
}
"""
PHI = """
define i32 @main(i1 %a, i1 %b) {
entry:
  br i1 %a, label %one, label %two
one:
  br label %join
two:
  br label %join
join:
  %flag = phi i32 [ 1, %one ], [ 0, %two ]
  br i1 %b, label %mid, label %last
mid:
  br label %last
last:
  %c = icmp eq i32 %flag, 1
  br i1 %c, label %yes, label %no
yes:
  ret i32 1
no:
  ret i32 0
}
"""


def names(text: str, function: str, label: str) -> tuple[set[str], set[str]]:
    """(data, potential) dependence of a block's branch, as function.label."""
    module = parse_module(HEAD + text)
    entries = {name: 1000 * n for n, name in enumerate((f for f, d in module.functions.items() if d.blocks), 1)}
    sites = {
        site: f"{name}.{block}"
        for name, entry in entries.items()
        for block, site in block_sites(module.functions[name], entry).items()
    }
    branch = next(site for site, text in sites.items() if text == f"{function}.{label}")
    data, potential = Dependence(module, entries).parts(branch)
    return {sites[site] for site in data}, {sites[site] for site in potential}


def test_memory_depends_on_the_store_and_the_branch_around_it() -> None:
    data, potential = names(MEMORY, "main", "use")
    assert data == {"main.def", "main.use"}
    assert potential == {"main.entry"}  # not join: behind it the store cannot be passed any more


def test_a_choice_depends_on_where_its_inputs_come_from() -> None:
    data, potential = names(PHI, "main", "last")
    assert {"main.one", "main.two", "main.join"} <= data
    assert potential == {"main.entry"}


def test_parameters_lead_to_callers_and_results_into_callees() -> None:
    data, _ = names(CALLS, "judge", "entry")
    assert {"main.give", "main.entry", "read.end", "read.more"} <= data


def test_memory_written_through_a_pointer_argument() -> None:
    data, _ = names(CALLS, "main", "test")
    assert "main.give" in data


def test_blocks_without_a_condition_depend_on_nothing() -> None:
    assert names(MEMORY, "main", "def") == (set(), set())


def test_without_a_module_nothing_is_known() -> None:
    assert load_dependence(None, {}).of(1) == frozenset()
    assert Dependence(Module(), {}).of(7) == frozenset()
