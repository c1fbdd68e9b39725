"""Shadows of pure instructions: the slow-path recipe of each.

Vectors are handled lane by lane, aggregates leaf by leaf; the concrete instruction is always written unchanged (but
for flags that could make poison, and shift amounts, which are masked so that over-long shifts mean one thing).
"""

from __future__ import annotations

from collections.abc import Callable
from math import gcd

from cinquefoil.ir.model import (
    Binary,
    Cast,
    Compare,
    ConstInt,
    ExtractElement,
    ExtractValue,
    GetElementPtr,
    InsertElement,
    InsertValue,
    Instruction,
    Local,
    Select,
    ShuffleVector,
    Unary,
    Value,
)
from cinquefoil.ir.sites import SiteKind
from cinquefoil.ir.types import (
    ArrayType,
    FloatType,
    IntType,
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
from cinquefoil.layout import Intrinsic, Op, Reason
from cinquefoil.transform.instrument.emitter import Shadows
from cinquefoil.transform.instrument.tracer import Tracer

_BINARY = {
    "add": Op.ADD,
    "sub": Op.SUB,
    "mul": Op.MUL,
    "udiv": Op.UDIV,
    "sdiv": Op.SDIV,
    "urem": Op.UREM,
    "srem": Op.SREM,
    "shl": Op.SHL,
    "lshr": Op.LSHR,
    "ashr": Op.ASHR,
    "and": Op.AND,
    "or": Op.OR,
    "xor": Op.XOR,
    "fadd": Op.FADD,
    "fsub": Op.FSUB,
    "fmul": Op.FMUL,
    "fdiv": Op.FDIV,
}
_COMPARE = {
    "eq": Op.EQ,
    "ne": Op.NE,
    "ult": Op.ULT,
    "ule": Op.ULE,
    "ugt": Op.UGT,
    "uge": Op.UGE,
    "slt": Op.SLT,
    "sle": Op.SLE,
    "sgt": Op.SGT,
    "sge": Op.SGE,
}
_FCMP = (
    *("false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord"),
    *("uno", "ueq", "ugt", "uge", "ult", "ule", "une", "true"),
)
_FMOD = {
    "float": ("declare float @fmodf(float, float)", "fmodf"),
    "double": ("declare double @fmod(double, double)", "fmod"),
    "x86_fp80": ("declare x86_fp80 @fmodl(x86_fp80, x86_fp80)", "fmodl"),
}
_DIVISIONS = ("udiv", "sdiv", "urem", "srem")
_SHIFTS = ("shl", "lshr", "ashr")
MODELLED_BITS = 128  # wider integers have no expressions
FLOATS = ("float", "double", "x86_fp80")


def lanes(type_: Type) -> list[int | None]:
    """Lane numbers of a vector, [None] for a scalar."""
    return list(range(type_.count)) if isinstance(type_, VectorType) else [None]


def element(type_: Type) -> Type:
    return type_.element if isinstance(type_, VectorType) else type_


def is_modelled(type_: Type) -> bool:
    scalar = element(type_)
    if isinstance(scalar, FloatType):
        return scalar.name in FLOATS
    return scalar_bits(scalar) <= MODELLED_BITS


def pick(shadows: Shadows, lane: int | None) -> str:
    return shadows[lane or 0]


def operand(t: Tracer, value: Value, lane: int | None) -> tuple[str, str]:
    """(shadow, concrete word) of one lane; constants of more than 64 bits become expressions."""
    shadow = pick(t.shadow(value), lane)
    if scalar_bits(element(value.type)) <= 64:
        return f"i32 {shadow}", t.word(value, lane)
    return f"i32 {t.wide(value, shadow)}", "i64 0"


def binary(t: Tracer, i: Binary) -> None:
    assert i.result is not None
    if i.opcode == "frem":
        _remainder(t, i)
        return
    if i.opcode in _DIVISIONS:
        _division_checks(t, i)
    amount: Value = i.operands[1]
    text = t.value(amount)
    if i.opcode in _SHIFTS:
        text = _masked_amount(t, i)
    t.emit(f"{t.name(i.result)} = {i.opcode} {t.typed(i.operands[0])}, {text}")
    if not is_modelled(i.type):
        t.forget(i, Reason.WIDTH if isinstance(element(i.type), IntType) else Reason.FLOAT)
        return
    t.defer(Local(i.result, i.type), i.operands, lambda: _binary_nodes(t, i))


def _remainder(t: Tracer, i: Binary) -> None:
    """LLVM calls fmod itself, without shadows: the operands are fixed to their values first."""
    assert i.result is not None
    t.forget(i, Reason.OPERATION)
    t.clear_arguments(2)
    t.context.need(*_FMOD[str(i.type)])
    t.emit(f"{t.name(i.result)} = frem {t.typed(i.operands[0])}, {t.value(i.operands[1])}")


def _masked_amount(t: Tracer, i: Binary) -> str:
    """LLVM leaves shifts by the width or more undefined; here the amount is taken modulo the width."""
    bits, amount = scalar_bits(element(i.type)), i.operands[1]
    if isinstance(amount, ConstInt) and 0 <= amount.value < bits:
        return t.value(amount)
    operation = "and" if bits & (bits - 1) == 0 else "urem"
    limit = bits - 1 if operation == "and" else bits
    if isinstance(i.type, VectorType):
        splat = f"<{', '.join([f'{i.type.element} {limit}'] * i.type.count)}>"
        return t.let(f"{operation} {t.typed(amount)}, {splat}")
    return t.let(f"{operation} {t.typed(amount)}, {limit}")


def _binary_nodes(t: Tracer, i: Binary) -> Shadows:
    bits = scalar_bits(element(i.type))
    opw = _BINARY[i.opcode] | bits << 8
    found: Shadows = []
    for lane in lanes(i.type):
        sa, va = operand(t, i.operands[0], lane)
        sb, vb = operand(t, i.operands[1], lane)
        if i.opcode in _SHIFTS and not _safe_amount(i.operands[1], bits):
            sb, vb = _masked_amount_node(t, i.operands[1], sb, vb, bits)
        found.append(t.call("cinq_binary", f"i32 {opw}", sa, sb, va, vb))
    return found


def _safe_amount(amount: Value, bits: int) -> bool:
    return isinstance(amount, ConstInt) and 0 <= amount.value < bits


def _masked_amount_node(t: Tracer, amount: Value, shadow: str, word: str, bits: int) -> tuple[str, str]:
    op, kind, limit = (Op.AND, "and", bits - 1) if bits & (bits - 1) == 0 else (Op.UREM, "urem", bits)
    opw = f"i32 {op | bits << 8}"
    if bits <= 64:
        masked = t.call("cinq_binary", opw, shadow, "i32 0", word, f"i64 {limit}")
        return f"i32 {masked}", f"i64 {t.let(f'{kind} {word}, {limit}')}"
    constant = t.call("cinq_const", f"i32 {bits}", f"i64 {limit}", "i64 0")
    masked = t.call("cinq_binary", opw, shadow, f"i32 {constant}", "i64 0", "i64 0")
    concrete = t.let(f"{kind} {t.typed(amount)}, {limit}")
    return f"i32 {t.known(masked, bits, concrete, bits)}", "i64 0"


def _division_checks(t: Tracer, i: Binary) -> None:
    divisor = i.operands[1]
    if isinstance(divisor, ConstInt) and divisor.value not in (0, -1):
        return
    bits = scalar_bits(element(i.type))
    site = t.site(SiteKind.CHECK, i.dbg)
    for lane in lanes(i.type):
        t.shadow(i.operands[0])  # settled first: the check's action needs it
        divisor_shadow = pick(t.shadow(divisor), lane)
        part = t.value(divisor)
        if lane is not None:
            part = t.let(f"extractelement {t.typed(divisor)}, i32 {lane}")
        zero = t.let(f"icmp eq i{bits} {part}, 0")
        extra = [divisor_shadow, t.let(f"zext i1 {zero} to i32")]
        if i.opcode in ("sdiv", "srem"):
            minus = t.let(f"icmp eq i{bits} {part}, -1")
            extra.append(t.let(f"zext i1 {minus} to i32"))

        def check(lane: int | None = lane) -> Shadows:
            sa, va = operand(t, i.operands[0], lane)
            sb, vb = operand(t, divisor, lane)
            t.run("cinq_division", site, f"i32 {_BINARY[i.opcode] | bits << 8}", sa, sb, va, vb)
            return []

        t.settle(extra, check)


def unary(t: Tracer, i: Unary) -> None:
    assert i.result is not None
    (value,) = i.operands
    if i.opcode == "freeze":
        t.alias(i, value)
        return
    t.emit(f"{t.name(i.result)} = fneg {t.typed(value)}")
    if not is_modelled(i.type):
        t.forget(i, Reason.FLOAT)
        return
    codew = f"i32 {Intrinsic.FNEG | scalar_bits(element(i.type)) << 8}"

    def nodes() -> Shadows:
        zero = ("i32 0", "i32 0")
        return [
            t.call("cinq_intrinsic", codew, s, *zero, v, "i64 0", "i64 0")
            for s, v in (operand(t, value, lane) for lane in lanes(i.type))
        ]

    t.defer(Local(i.result, i.type), i.operands, nodes)


def compare(t: Tracer, i: Compare) -> None:
    assert i.result is not None
    left, right = i.operands
    t.emit(f"{t.name(i.result)} = {i.opcode} {i.predicate} {t.typed(left)}, {t.value(right)}")
    if not is_modelled(left.type):
        t.forget(i, Reason.WIDTH)
        return
    bits = scalar_bits(element(left.type))

    def node(lane: int | None) -> str:
        sa, va = operand(t, left, lane)
        sb, vb = operand(t, right, lane)
        if i.opcode == "icmp":
            return t.call("cinq_binary", f"i32 {_COMPARE[i.predicate] | bits << 8}", sa, sb, va, vb)
        return t.call("cinq_fcmp", f"i32 {_FCMP.index(i.predicate)}", f"i32 {bits}", sa, sb, va, vb)

    t.defer(Local(i.result, i.type), i.operands, lambda: [node(lane) for lane in lanes(left.type)])


def cast(t: Tracer, i: Cast) -> None:
    assert i.result is not None
    (value,) = i.operands
    if i.opcode in ("fptosi", "fptoui"):
        _float_to_int(t, i)
        return
    t.emit(f"{t.name(i.result)} = {i.opcode} {t.typed(value)} to {i.type}")
    if not (is_modelled(value.type) and is_modelled(i.type)):
        t.forget(i, Reason.WIDTH)
    elif i.opcode == "bitcast":
        t.defer(Local(i.result, i.type), i.operands, lambda: _reinterpret(t, value, i.type))
    else:
        t.defer(Local(i.result, i.type), i.operands, lambda: [_cast_node(t, i, n) for n in lanes(i.type)])


def _cast_op(i: Cast, source: int, target: int) -> Op:
    if i.opcode in ("sitofp", "uitofp"):
        return Op.SI2F if i.opcode == "sitofp" else Op.UI2F
    if i.opcode in ("fpext", "fptrunc"):
        return Op.FCVT
    if i.opcode == "sext":
        return Op.SEXT
    return Op.ZEXT if target > source else Op.EXTRACT  # zext, trunc, pointer casts


def _cast_node(t: Tracer, i: Cast, lane: int | None) -> str:
    source, target = scalar_bits(element(i.operands[0].type)), scalar_bits(element(i.type))
    shadow = pick(t.shadow(i.operands[0]), lane)
    if i.opcode in ("ptrtoint", "ptrtoaddr", "inttoptr") and source == target:
        return shadow
    op = _cast_op(i, source, target)
    return t.call("cinq_cast", f"i32 {op.value}", f"i32 {source}", f"i32 {target}", f"i32 {shadow}")


def _float_to_int(t: Tracer, i: Cast) -> None:
    """Out of range, the result is whatever the processor gives; the path condition says that it is in range."""
    assert i.result is not None
    (value,) = i.operands
    t.emit(f"{t.name(i.result)} = {i.opcode} {t.typed(value)} to {i.type}")
    if not (is_modelled(value.type) and is_modelled(i.type)):
        t.forget(i, Reason.FLOAT)
        return
    site = t.site(SiteKind.CHECK, i.dbg)
    op = Op.F2SI if i.opcode == "fptosi" else Op.F2UI
    source, target = scalar_bits(element(value.type)), scalar_bits(element(i.type))

    def node(lane: int | None) -> str:
        shadow = pick(t.shadow(value), lane)
        widths = (f"i32 {op.value}", f"i32 {source}", f"i32 {target}")
        return t.call("cinq_f2i", site, *widths, f"i32 {shadow}", t.word(value, lane))

    t.defer(Local(i.result, i.type), i.operands, lambda: [node(lane) for lane in lanes(i.type)])


def _reinterpret(t: Tracer, value: Value, target: Type) -> Shadows:
    """bitcast: between scalars of one width nothing happens; lanes are cut into, or glued from, one another."""
    shadows = t.shadow(value)
    source_bits, target_bits = scalar_bits(element(value.type)), scalar_bits(element(target))
    if source_bits == target_bits:
        return shadows
    # The common measure of both, so that odd ratios (three lanes of 32 bits to two of 48) work too.
    unit = gcd(source_bits, target_bits)
    pieces = [piece for lane, shadow in enumerate(shadows) for piece in _cut(t, value, lane, shadow, unit)]
    count = target_bits // unit
    return [_glue(t, pieces[n : n + count], unit) for n in range(0, len(pieces), count)]


def _cut(t: Tracer, value: Value, lane: int, shadow: str, unit: int) -> list[tuple[str, str]]:
    """One lane as pieces of `unit` bits, lowest first: (shadow, text of its bits)."""
    type_ = element(value.type)
    bits = scalar_bits(type_)
    text = t.leaf_text(value, lane)
    if isinstance(type_, FloatType):
        text = t.let(f"bitcast {type_} {text} to i{bits}")
    if isinstance(type_, PointerType):
        text = t.let(f"ptrtoint ptr {text} to i64")
    if bits == unit:
        return [(shadow, text)]
    found: list[tuple[str, str]] = []
    for low in range(0, bits, unit):
        part = t.let(f"trunc i{bits} {t.let(f'lshr i{bits} {text}, {low}')} to i{unit}")
        found.append((t.call("cinq_extract", f"i32 {shadow}", f"i32 {low}", f"i32 {unit}"), part))
    return found


def _glue(t: Tracer, pieces: list[tuple[str, str]], unit: int) -> str:
    """The shadow of pieces side by side, lowest first."""
    whole, text = pieces[0]
    width = unit
    for shadow, part in pieces[1:]:
        low = t.known(whole, width, text, width)
        word = f"i64 {part if unit == 64 else t.let(f'zext i{unit} {part} to i64')}"
        widths = (f"i32 {unit}", f"i32 {width}")
        whole = t.call("cinq_concat", *widths, f"i32 {shadow}", f"i32 {low}", word, "i64 0")
        total = width + unit
        high = t.let(f"shl i{total} {t.let(f'zext i{unit} {part} to i{total}')}, {width}")
        text = t.let(f"or i{total} {high}, {t.let(f'zext i{width} {text} to i{total}')}")
        width = total
    return whole


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


# ---- addresses -------------------------------------------------------------------------------------------------


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
        return t.call(
            "cinq_gep", base, f"i32 {shadow}", "i64 0", "i32 0", "i32 64", "i64 0", f"i64 {constant}"
        )
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


# ---- aggregates and vectors --------------------------------------------------------------------------------------


def _slice(type_: Type, indices: tuple[int, ...]) -> slice:
    """Which leaves of a value an extractvalue with these indices takes."""
    paths = [leaf.path[: len(indices)] for leaf in leaves(type_)]
    first = paths.index(indices) if indices in paths else 0
    return slice(first, first + paths.count(indices))


def extract_value(t: Tracer, i: ExtractValue) -> None:
    assert i.result is not None
    numbers = ", ".join(map(str, i.indices))
    t.emit(f"{t.name(i.result)} = extractvalue {t.typed(i.operands[0])}, {numbers}")
    if t.may_be_symbolic(i.operands[0]):
        t.set_shadow(i.result, t.shadow(i.operands[0])[_slice(i.operands[0].type, i.indices)])


def insert_value(t: Tracer, i: InsertValue) -> None:
    assert i.result is not None
    whole, part = i.operands
    numbers = ", ".join(map(str, i.indices))
    t.emit(f"{t.name(i.result)} = insertvalue {t.typed(whole)}, {t.typed(part)}, {numbers}")
    shadows = list(t.shadow(whole))
    inner = t.shadow(part)
    shadows = list(t.shadow(whole))  # settling for `part` may have joined it
    shadows[_slice(whole.type, i.indices)] = inner
    t.set_shadow(i.result, shadows)


def extract_element(t: Tracer, i: ExtractElement) -> None:
    assert i.result is not None
    vector, index = i.operands
    if isinstance(index, ConstInt):
        t.emit(f"{t.name(i.result)} = extractelement {t.typed(vector)}, {t.typed(index)}")
        if t.may_be_symbolic(vector):
            t.set_shadow(i.result, [t.shadow(vector)[index.value]])
        return
    lane = _lane_number(t, i, vector, index)
    t.emit(f"{t.name(i.result)} = extractelement {t.typed(vector)}, i64 {lane}")
    chosen, *others = t.shadow(vector)
    for number, shadow in enumerate(others, 1):
        chosen = _if_lane(t, lane, number, shadow, chosen)
    t.set_shadow(i.result, [chosen])


def insert_element(t: Tracer, i: InsertElement) -> None:
    assert i.result is not None
    vector, part, index = i.operands
    if isinstance(index, ConstInt):
        t.emit(f"{t.name(i.result)} = insertelement {t.typed(vector)}, {t.typed(part)}, {t.typed(index)}")
        inner = t.shadow1(part)
        shadows = list(t.shadow(vector))
        shadows[index.value] = inner
        t.set_shadow(i.result, shadows)
        return
    lane = _lane_number(t, i, vector, index)
    t.emit(f"{t.name(i.result)} = insertelement {t.typed(vector)}, {t.typed(part)}, i64 {lane}")
    inner = t.shadow1(part)
    t.set_shadow(i.result, [_if_lane(t, lane, n, inner, old) for n, old in enumerate(t.shadow(vector))])


def _lane_number(t: Tracer, i: Instruction, vector: Value, index: Value) -> str:
    """A variable lane as i64 text: fixed to its value, and inside the vector (LLVM would give poison)."""
    assert isinstance(vector.type, VectorType)
    bits = scalar_bits(index.type)
    wide = t.value(index) if bits == 64 else t.let(f"zext {t.typed(index)} to i64")
    site, shadow = t.site(SiteKind.CHECK, i.dbg), t.shadow1(index)

    def fix() -> Shadows:
        t.run("cinq_concretize", site, f"i32 {shadow}", f"i64 {wide}", f"i32 {Reason.VECTOR.value}")
        return []

    t.settle([shadow], fix)
    return t.let(f"urem i64 {wide}, {vector.type.count}")


def _if_lane(t: Tracer, lane: str, number: int, yes: str, no: str) -> str:
    if yes == no:
        return no
    return t.let(f"select i1 {t.let(f'icmp eq i64 {lane}, {number}')}, i32 {yes}, i32 {no}", "s")


def shuffle_vector(t: Tracer, i: ShuffleVector) -> None:
    assert i.result is not None
    one, two = i.operands
    mask = ", ".join("i32 0" if m is None else f"i32 {m}" for m in i.mask)
    t.emit(f"{t.name(i.result)} = shufflevector {t.typed(one)}, {t.typed(two)}, <{len(i.mask)} x i32> <{mask}>")
    second = t.shadow(two)
    both = t.shadow(one) + second
    t.set_shadow(i.result, [both[m or 0] for m in i.mask])


PURE: dict[type[Instruction], Callable[..., None]] = {
    Binary: binary,
    Unary: unary,
    Compare: compare,
    Cast: cast,
    Select: select,
    GetElementPtr: get_element_ptr,
    ExtractValue: extract_value,
    InsertValue: insert_value,
    ExtractElement: extract_element,
    InsertElement: insert_element,
    ShuffleVector: shuffle_vector,
}
