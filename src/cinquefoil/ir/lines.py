"""Which source line a block and a branch belong to, so that covered lines are those of code that ran.

clang locates what joins the parts of `a && b` at the operator.  In

    if (a
        && b)

the branch on `a` and the phi node that follows would thus make the second line covered, though only the first was run.
So phi nodes do not count, nor do conversions of their results, and a branch stands where its condition is computed, as
gcov has it.  A jump counts only where there is nothing else: its location is often that of a closing brace.
"""

from __future__ import annotations

from collections.abc import Callable, Set

from cinquefoil.ir.debug import DebugInfo
from cinquefoil.ir.model import Alloca, Block, Branch, Call, Cast, GlobalRef, Instruction, Local, Phi, Unreachable


def block_location(block: Block, is_mark: Callable[[Instruction], bool] = lambda i: False) -> int | None:
    """Where a block's code begins; marks are no code of the program's."""
    joined = {i.result for i in block.instructions if isinstance(i, Phi)}
    code = (i for i in block.instructions if not _joins(i, joined) and not is_mark(i))
    return next((i.dbg for i in code if i.dbg is not None), None)


def line_locations(block: Block, decided: int | None, is_mark: Callable[[Instruction], bool]) -> dict[int, int]:
    """The locations of the instructions (by identity) whose lines a block holds code of; `decided` is its branch's."""
    joined = {i.result for i in block.instructions if isinstance(i, Phi)}
    code = [i for i in block.instructions[:-1] if not (_joins(i, joined) or is_mark(i) or _is_declaration(i))]
    found = {id(i): i.dbg for i in code if i.dbg is not None}
    end = block.terminator
    at = decided if isinstance(end, Branch) else end.dbg
    jumps = isinstance(end, Branch | Unreachable) and not end.operands
    if at is not None and not (jumps and found):
        found[id(end)] = at
    return found


def _is_declaration(i: Instruction) -> bool:
    if isinstance(i, Call) and isinstance(i.callee, GlobalRef):
        return i.callee.name.startswith(("llvm.lifetime.", "llvm.dbg."))
    return isinstance(i, Alloca)


def _joins(i: Instruction, joined: Set[str | None]) -> bool:
    if isinstance(i, Cast):
        return any(isinstance(value, Local) and value.name in joined for value in i.operands)
    return isinstance(i, Phi)


def branch_location(block: Block, debug: DebugInfo) -> int | None:
    """Where a block's last decision is made.  Its own location tells whose it is: one that melding made is nobody's."""
    end = block.terminator
    at = debug.location(end.dbg)
    if at is not None and isinstance(end, Branch) and end.operands and isinstance(condition := end.operands[0], Local):
        for i in block.instructions:
            if i.result == condition.name and not isinstance(i, Phi) and _file(i, debug) == at.file:
                return i.dbg
    return end.dbg


def _file(i: Instruction, debug: DebugInfo) -> str | None:
    at = debug.location(i.dbg)
    return None if at is None else at.file
