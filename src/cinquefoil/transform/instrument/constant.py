"""Branches and switches on constants: decisions that were made before the program runs.

musl's `isalpha` is a macro that expands to `0 ? isalpha(a) : …`, and configuration macros leave `if (0)`: clang makes
such a decision a branch on a constant, of which one side can never run.  It becomes a jump here, so that the other side
counts neither as code nor as a direction that nothing takes.  Blocks stay where they are, since others know them by
their number; those that nothing leads to any more are not traced.
"""

from __future__ import annotations

from dataclasses import replace

from cinquefoil.ir.model import Block, Branch, ConstInt, Function, Instruction, Phi, Switch


def without_constant_branches(function: Function) -> Function:
    """The function with such terminators as jumps; itself if there are none."""
    kept = {block.label: target for block in function.blocks if (target := _decided(block.terminator)) is not None}
    if not kept:
        return function
    return replace(function, blocks=[_folded(block, kept) for block in function.blocks])


def _decided(end: Instruction) -> str | None:
    """Where a terminator leads that has a choice, but not in truth."""
    if not isinstance(end, Branch | Switch) or not end.operands or not isinstance(end.operands[0], ConstInt):
        return None
    value = end.operands[0].value
    if isinstance(end, Branch):
        return end.labels[0 if value else 1] if len(set(end.labels)) > 1 else None
    chosen = next((at for case, at in zip(end.cases, end.labels[1:], strict=True) if case == value), end.labels[0])
    return chosen if end.labels.count(chosen) == 1 else None


def _folded(block: Block, kept: dict[str, str]) -> Block:
    found = [_phi(i, block.label, kept) if isinstance(i, Phi) else i for i in block.instructions]
    if block.label in kept:
        end = found[-1]
        found[-1] = Branch(
            opcode="br", result=None, type=end.type, operands=[], dbg=end.dbg, labels=[kept[block.label]]
        )
    return Block(block.label, found)


def _phi(phi: Phi, here: str, kept: dict[str, str]) -> Phi:
    """Without what would come from blocks that lead elsewhere now."""
    arms = [n for n, origin in enumerate(phi.labels) if kept.get(origin, here) == here]
    if len(arms) == len(phi.labels):
        return phi
    return replace(phi, operands=[phi.operands[n] for n in arms], labels=[phi.labels[n] for n in arms])
