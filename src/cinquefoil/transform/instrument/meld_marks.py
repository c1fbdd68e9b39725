"""Coverage of blocks and branches that melding removed (transform/meld).

A melded block is gone, but whether this run would have entered it is known: its condition has a value.  Marks are
calls that melding leaves in the code for each such block; here they become sites like those of ordinary blocks and
branches, whose coverage bytes are set where the condition holds.  So a run counts as covered exactly what it would
have covered before.  Marks look at concrete values only, and leave no events:

    cinq_meld_block(i1 entered, i32 K)                    the block numbered K; its location is the call's
    cinq_meld_line(i32 K)                                 a further source line of it; no code
    cinq_meld_branch(i1 reached, i1 condition, i32 home, i32 then, i32 else)
                                                          a branch in block `home`; blocks that are not melded
                                                          (or are entered by other ways too) are -1
"""

from __future__ import annotations

from cinquefoil.ir.model import Call, ConstInt, GlobalRef, Instruction, Value
from cinquefoil.ir.sites import SiteKind
from cinquefoil.transform.instrument.tracer import Tracer

PREFIX = "cinq_meld_"


def is_mark(i: Instruction) -> bool:
    return isinstance(i, Call) and isinstance(i.callee, GlobalRef) and i.callee.name.startswith(PREFIX)


def mark(t: Tracer, i: Call) -> None:
    assert isinstance(i.callee, GlobalRef)
    kind = i.callee.name.removeprefix(PREFIX)
    if kind == "block":
        _block(t, i)
    elif kind == "line":
        _line(t, i, _site(t, i.operands[0]))
    else:
        _branch(t, i)


def _block(t: Tracer, i: Call) -> None:
    entered, number = i.operands
    site = _site(t, number)
    t.context.sites.fill(site, SiteKind.BLOCK, _name(t), i.dbg)
    _line(t, i, site)
    _cover(t, site, t.value(entered))


def _line(t: Tracer, i: Call, site: int) -> None:
    t.context.sites.new(SiteKind.LINE, _name(t), i.dbg, block=site)


def _branch(t: Tracer, i: Call) -> None:
    reached, condition, home, then, other = i.operands
    block = _site(t, home) or t.block_site
    taken = t.let(f"and {t.typed(reached)}, {t.value(condition)}")
    turned = t.let(f"xor {t.typed(condition)}, true")
    missed = t.let(f"and {t.typed(reached)}, {turned}")
    targets = _site(t, other), _site(t, then)
    edges = tuple(target or _edge(t, i, block, passed) for target, passed in zip(targets, (missed, taken), strict=True))
    number = t.context.sites.reserve()
    t.context.sites.fill(number, SiteKind.BRANCH, _name(t), i.dbg, block=block, targets=targets, edges=edges)


def _edge(t: Tracer, i: Call, block: int, passed: str) -> int:
    number = t.context.sites.new(SiteKind.EDGE, _name(t), i.dbg, block=block)
    _cover(t, number, passed)
    return number


def _cover(t: Tracer, number: int, passed: str) -> None:
    """Without a branch: the byte or-ed with the condition."""
    byte = t.context.sites.coverage(number)
    before = t.let(f"load i8, ptr {byte}")
    now = t.let(f"or i8 {before}, {t.let(f'zext i1 {passed} to i8')}")
    t.emit(f"store i8 {now}, ptr {byte}")


def _site(t: Tracer, number: Value) -> int:
    """The site of a melded block, 0 for -1."""
    assert isinstance(number, ConstInt)
    if number.value < 0:
        return 0
    if number.value not in t.marked:
        t.marked[number.value] = t.context.sites.reserve()
    return t.marked[number.value]


def _name(t: Tracer) -> str:
    return t.function.name.strip('"')
