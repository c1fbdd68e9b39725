"""Blocks that report themselves."""

from __future__ import annotations

import llvmlite.binding as llvm

from cinquefoil.replay.native_build import with_init_array
from cinquefoil.transform.block_coverage import cover_blocks

MODULE = """\
@llvm.global_ctors = appending global [2 x { i32, ptr, ptr }] \
[{ i32, ptr, ptr } { i32 65535, ptr @f, ptr null }, { i32, ptr, ptr } { i32 7, ptr @"odd name", ptr null }]
define void @f() {
  br label %1
1:
  ret void
}
define i32 @g(i32 %x) {
start:
  switch i32 %x, label %end [
    i32 1, label %one
    i32 2, label %one
  ]
one:
  br label %end
end:
  %a = phi i32 [ 0, %start ], [ 1, %one ]
  %b = phi i32 [ 2, %start ], [ 3, %one ]
  %c = add i32 %a, %b
  ret i32 %c
}
define internal void @"odd name"() {
  ret void
}
declare void @h()
"""


def printed(text: str) -> str:
    """LLVM's own print; as when linking, types that it knows already get a number."""
    module = llvm.parse_assembly(text)
    module.verify()
    return str(module)


def test_every_block_reports_once_behind_its_phis() -> None:
    covered = cover_blocks(printed(MODULE))
    assert covered.positions == [("f", 0), ("f", 1), ("g", 0), ("g", 1), ("g", 2), ("odd name", 0)]
    again = printed(covered.text)
    assert again.count("call void @cinq_block(") == 6
    block = again[again.index("\nend:") :].splitlines()
    assert [line.split("=")[-1].split()[0] for line in block[2:6]] == ["phi", "phi", "call", "add"]


def test_constructors_go_where_libc_looks_for_them() -> None:
    text = with_init_array(printed(MODULE))
    assert "llvm.global_ctors" not in text
    assert 'ptr @f, section ".init_array",' in text
    assert 'ptr @"odd name", section ".init_array.00007",' in text
    printed(text)
