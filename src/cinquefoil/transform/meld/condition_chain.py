"""Chained conditions: `a && b`, `a || b` become one branch.

A branch one of whose directions leads to a second branch, both of which can lead to the same block, is one branch on a
combination of their conditions; what stands before the second condition runs as dead instructions where the first one
decides alone.  The branch that is left can then be melded like any other.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from cinquefoil.ir.model import Branch, Phi, Value
from cinquefoil.ir.types import VOID
from cinquefoil.transform.meld.body import Body
from cinquefoil.transform.meld.diamonds import Diamond, Shape, is_conditional
from cinquefoil.transform.meld.meld_report import MeldFigures
from cinquefoil.transform.meld.rules import IsSymbolic, is_ignored, why_not_chosen, why_not_speculated

Chooser = Callable[[Value, Value, Value, int | None], Value]


@dataclass(frozen=True, slots=True)
class ConditionChain:
    """`head` leads to `shared` or to `second`, which leads to `shared` or to `rest`."""

    head: str
    second: str
    shared: str
    rest: str


def find_chain(shape: Shape, head: str, is_symbolic: IsSymbolic) -> ConditionChain | str:
    """The chain that begins at a branch, or why there is none."""
    reason = "its directions are entered or left elsewhere too"
    first = shape.blocks[head].successors()
    for second, shared in (first, first[::-1]):
        block = shape.blocks[second]
        if shape.sources[second] != [head] or not is_conditional(block) or shared not in block.successors():
            continue
        (rest,) = [target for target in block.successors() if target != shared]
        chain = ConditionChain(head, second, shared, rest)
        objection = _objection(shape, chain, is_symbolic) if len({head, second, shared, rest}) == 4 else reason
        if objection is None:
            return chain
        reason = objection
    return reason


def _objection(shape: Shape, chain: ConditionChain, is_symbolic: IsSymbolic) -> str | None:
    block = shape.blocks[chain.second]
    if not is_symbolic(block.terminator.operands[0]):
        return "a condition chained with it does not depend on input"
    for i in block.instructions[:-1]:
        reason = "it chooses in a chain" if isinstance(i, Phi) else why_not_speculated(i, is_symbolic)
        if reason is not None:
            return reason
    for i in shape.blocks[chain.shared].instructions:
        if isinstance(i, Phi) and _from(i, chain.head) != _from(i, chain.second):
            reason = why_not_chosen(i.type)
            if reason is not None:
                return reason
    return None


def meld_chain(body: Body, chain: ConditionChain, region: int) -> MeldFigures:
    """Makes one branch of two."""
    head, second = body.block(chain.head), body.block(chain.second)
    first, last = head.terminator, second.terminator
    assert isinstance(first, Branch) and isinstance(last, Branch)
    body.marks.keep_location(head)
    out = body.writer(Diamond(chain.head, (chain.second,), (), chain.shared), region)
    straight = first.operands[0] if first.labels[0] == chain.shared else out.negated(first.operands[0])
    onward = out.negated(straight)
    for each in body.marks.block(second, onward):
        out.add(each)
    sides = [chain.second if at == chain.second else None for at in first.labels]
    out.add(body.marks.branch(body.home(head), first, sides[0], sides[1]))
    for i in second.instructions[:-1]:
        if not is_ignored(i):
            out.guarded(i, onward)
    out.add(body.marks.branch(body.home(second), last, None, None, onward))
    later = last.operands[0] if last.labels[0] == chain.shared else out.negated(last.operands[0])
    _rejoin(body, chain, out.choose, straight)
    condition = out.either(straight, later)
    final = Branch(opcode="br", result=None, type=VOID, operands=[condition], labels=[chain.shared, chain.rest])
    final.dbg = body.located(region)(last.dbg, None)
    body.adopt(final, second)
    head.instructions[-1:] = [*out.lines, final]
    body.note_new(out.lines)
    body.remove((chain.second,))
    body.changed()
    return MeldFigures(0, out.dead, out.selects)


def _rejoin(body: Body, chain: ConditionChain, choose: Chooser, straight: Value) -> None:
    """Has what came from the second block come from the head, in the blocks behind."""
    body.relabel([chain.rest], chain.second, chain.head)
    for phi in [i for i in body.block(chain.shared).instructions if isinstance(i, Phi)]:
        chosen = choose(straight, _from(phi, chain.head), _from(phi, chain.second), phi.dbg)
        pairs = [
            (at, v) for at, v in zip(phi.labels, phi.operands, strict=True) if at not in (chain.head, chain.second)
        ]
        phi.labels = [*(at for at, _ in pairs), chain.head]
        phi.operands = [*(value for _, value in pairs), chosen]


def _from(phi: Phi, label: str) -> Value:
    return phi.operands[phi.labels.index(label)]
