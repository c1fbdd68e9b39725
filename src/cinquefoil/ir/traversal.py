"""Uses of values, and the control-flow graph of a function.

Operand walks see everything an instruction reads: its operands, a call's callee and bundles; constants are
leaves of these walks.  Graph functions work on labels, look at blocks reachable from the entry only (save
`predecessors`), and are iterative, so that a function with very many blocks cannot overflow the stack.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from cinquefoil.ir.depth_first import depth_first
from cinquefoil.ir.model import (
    Block,
    BlockAddress,
    Call,
    ConstAggregate,
    ConstExpr,
    Function,
    GlobalRef,
    Instruction,
    Local,
    Value,
)

# ---- uses -------------------------------------------------------------------------------------------------


def operands_of(instruction: Instruction) -> Iterator[Value]:
    """Everything the instruction reads."""
    yield from instruction.operands
    if isinstance(instruction, Call):
        yield instruction.callee
        for bundle in instruction.bundles:
            yield from bundle.operands


def locals_of(instruction: Instruction) -> Iterator[Local]:
    """The SSA values and arguments the instruction reads."""
    return (operand for operand in operands_of(instruction) if isinstance(operand, Local))


def users(function: Function) -> dict[str, list[Instruction]]:
    """The instructions that read each local, by its name."""
    found: dict[str, list[Instruction]] = {}
    for instruction in function.walk():
        for local in locals_of(instruction):
            found.setdefault(local.name, []).append(instruction)
    return found


def definitions(function: Function) -> dict[str, Instruction]:
    """The instruction that makes each local, by its name (arguments have none)."""
    return {i.result: i for i in function.walk() if i.result is not None}


def replace_operands(instruction: Instruction, mapping: Mapping[str, Value]) -> None:
    """Replaces, in place, the locals named in `mapping`."""
    _replace(instruction.operands, mapping)
    if isinstance(instruction, Call):
        callee = instruction.callee
        if isinstance(callee, Local):
            instruction.callee = mapping.get(callee.name, callee)
        for bundle in instruction.bundles:
            _replace(bundle.operands, mapping)


def _replace(operands: list[Value], mapping: Mapping[str, Value]) -> None:
    for i, operand in enumerate(operands):
        if isinstance(operand, Local) and operand.name in mapping:
            operands[i] = mapping[operand.name]


def globals_in(value: Value) -> Iterator[str]:
    """The names of globals and functions that a value mentions, inside constants too."""
    pending = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, GlobalRef):
            yield item.name
        elif isinstance(item, BlockAddress):
            yield item.function
        elif isinstance(item, ConstAggregate):
            pending.extend(item.elements)
        elif isinstance(item, ConstExpr):
            pending.extend(item.operands)


# ---- control flow -----------------------------------------------------------------------------------------


def blocks_by_label(function: Function) -> dict[str, Block]:
    return {block.label: block for block in function.blocks}


def successors(function: Function) -> dict[str, list[str]]:
    """Successors of every block, each once, in the terminator's order."""
    return {block.label: list(dict.fromkeys(block.successors())) for block in function.blocks}


def predecessors(function: Function) -> dict[str, list[str]]:
    """Predecessors of every block, each once, in block order."""
    found: dict[str, list[str]] = {block.label: [] for block in function.blocks}
    for label, targets in successors(function).items():
        for target in targets:
            found[target].append(label)
    return found


def _depth_first(function: Function) -> tuple[list[str], list[tuple[str, str]]]:
    """Post order of a depth-first search from the entry, and its retreating edges."""
    return depth_first(successors(function), function.blocks[0].label)


def reverse_post_order(function: Function) -> list[str]:
    """Reachable blocks, each before its successors except along retreating edges."""
    return _depth_first(function)[0][::-1]


def retreating_edges(function: Function) -> set[tuple[str, str]]:
    """Edges to a block that is still open in the depth-first search; without them the graph is acyclic."""
    return set(_depth_first(function)[1])


def loop_headers(function: Function) -> set[str]:
    """Targets of retreating edges: headers of natural loops, and an entry of each irreducible cycle."""
    return {target for _, target in retreating_edges(function)}


def immediate_dominators(function: Function) -> dict[str, str | None]:
    """The immediate dominator of every reachable block; None for the entry.

    Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm".
    """
    order = reverse_post_order(function)
    number = {label: i for i, label in enumerate(order)}
    sources = predecessors(function)
    parents: list[int | None] = [0] + [None] * (len(order) - 1)
    changed = True
    while changed:
        changed = False
        for i in range(1, len(order)):
            known = [number[p] for p in sources[order[i]] if p in number]
            parent = _common_dominator(parents, [p for p in known if parents[p] is not None])
            if parents[i] != parent:
                parents[i] = parent
                changed = True
    named = {label: order[parents[i] or 0] for i, label in enumerate(order)}
    return {**named, order[0]: None}


def _common_dominator(parents: list[int | None], blocks: list[int]) -> int:
    common = blocks[0]
    for block in blocks[1:]:
        while common != block:
            if common > block:
                common = parents[common] or 0
            else:
                block = parents[block] or 0
    return common


def dominates(dominators: Mapping[str, str | None], above: str, below: str) -> bool:
    """Whether every path to `below` passes `above`, by the map of immediate dominators."""
    at: str | None = below
    while at is not None:
        if at == above:
            return True
        at = dominators[at]
    return False
