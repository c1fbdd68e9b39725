"""select and getelementptr: values and addresses that depend on a condition or an index."""

from __future__ import annotations

from cinquefoil.ir.model import (
    ConstInt,
    GetElementPtr,
    Local,
    Select,
    Value,
)
from cinquefoil.ir.sites import SiteKind
from cinquefoil.ir.types import (
    ArrayType,
    PointerType,
    StructType,
    Type,
    VectorType,
    body_of,
    field_offset,
    leaves,
    scalar_bits,
    size_of,
)
from cinquefoil.transform.instrument.lanes import is_modelled, pick
from cinquefoil.transform.instrument.tracer import Tracer


def select(t: Tracer, i: Select) -> None:
    assert i.result is not None
    condition, yes, no = i.operands
    t.emit(f"{t.name(i.result)} = select {t.typed(condition)}, {t.typed(yes)}, {t.typed(no)}")
    per_lane = isinstance(condition.type, VectorType)
    site = t.site(SiteKind.SELECT, i.dbg)

    def leaf(number: int, type_: Type) -> str:
        lane = number if per_lane else None
        chosen = t.word(condition, lane)
        sc = pick(t.shadow(condition), lane)
        sa, sb = t.shadow(yes)[number], t.shadow(no)[number]
        if isinstance(type_, PointerType) or not is_modelled(type_):
            return _branch_select(t, site, sc, sa, sb, chosen)
        va, vb = t.leaf_word(yes, number), t.leaf_word(no, number)
        if scalar_bits(type_) > 64:
            sa, sb, va, vb = t.wide(yes, sa), t.wide(no, sb), "i64 0", "i64 0"
        bits = f"i32 {scalar_bits(type_)}"
        return t.call("cinq_ite", bits, f"i32 {sc}", f"i32 {sa}", f"i32 {sb}", chosen, va, vb)

    t.defer(
        Local(i.result, i.type),
        i.operands,
        lambda: [leaf(n, part.type) for n, part in enumerate(leaves(i.type))],
    )


def _branch_select(t: Tracer, site: str, sc: str, sa: str, sb: str, chosen: str) -> str:
    """Pointers never become symbolic through a select: the choice is a branch of its own."""
    taken = t.let(f"trunc {chosen} to i32")
    t.run("cinq_branch", site, f"i32 {sc}", f"i32 {taken}")
    flag = t.let(f"icmp ne i32 {taken}, 0")
    return t.let(f"select i1 {flag}, i32 {sa}, i32 {sb}", "s")


def get_element_ptr(t: Tracer, i: GetElementPtr) -> None:
    assert i.result is not None
    indices = ", ".join(t.typed(o) for o in i.operands[1:])
    t.emit(f"{t.name(i.result)} = getelementptr {i.source}, {t.typed(i.operands[0])}, {indices}")
    t.defer(Local(i.result, i.type), i.operands, lambda: [_gep_node(t, i)])


def _gep_node(t: Tracer, i: GetElementPtr) -> str:
    """One run-time call per index that may be symbolic; the constant part goes with the first."""
    constant, variable = split_indices(i.source, i.operands[1:])
    base, shadow = t.word(i.operands[0]), t.shadow1(i.operands[0])
    if not variable:
        if constant == 0:
            return shadow
        return t.call("cinq_gep", base, f"i32 {shadow}", "i64 0", "i32 0", "i32 64", "i64 0", f"i64 {constant}")
    for number, (index, scale) in enumerate(variable):
        bits = scalar_bits(index.type)
        signed = t.signed_word(index)
        arguments = (signed, f"i32 {t.shadow1(index)}", f"i32 {bits}", f"i64 {scale}", f"i64 {constant}")
        shadow = t.call("cinq_gep", base, f"i32 {shadow}", *arguments)
        if number + 1 < len(variable):
            step = t.let(f"mul {signed}, {scale}")
            moved = t.let(f"add {base}, {step}")
            base = f"i64 {t.let(f'add i64 {moved}, {constant}')}"
        constant = 0
    return shadow


def split_indices(source: Type, indices: list[Value]) -> tuple[int, list[tuple[Value, int]]]:
    """A getelementptr's offset: constant bytes, and (index, scale) for each variable index."""
    constant, variable, current = 0, list[tuple[Value, int]](), source
    for position, index in enumerate(indices):
        if position > 0:
            body = body_of(current)
            if isinstance(body, StructType):
                assert isinstance(index, ConstInt)
                constant += field_offset(body, index.value)
                current = body.fields[index.value]
                continue
            assert isinstance(body, ArrayType | VectorType)
            current = body.element
        if isinstance(index, ConstInt):
            constant += index.value * size_of(current)
        else:
            variable.append((index, size_of(current)))
    return constant, variable
