"""LLVM's intrinsic functions."""

from __future__ import annotations

from collections.abc import Callable

from cinquefoil.errors import BitcodeError
from cinquefoil.ir.model import Binary, Call, Cast, Compare, ConstInt, GlobalRef, Local, MetadataValue, Value
from cinquefoil.ir.sites import SiteKind
from cinquefoil.ir.types import PTR, PointerType, StructType, VectorType, leaves, scalar_bits
from cinquefoil.layout import ErrorKind, Intrinsic, Op, Reason
from cinquefoil.transform.instrument import memory, variadic
from cinquefoil.transform.instrument.assembly import read_clock
from cinquefoil.transform.instrument.emitter import CONCRETE, Shadows
from cinquefoil.transform.instrument.lanes import element, is_modelled, lanes, operand
from cinquefoil.transform.instrument.tracer import Tracer

_VALUE = {
    "abs": Intrinsic.ABS,
    "smin": Intrinsic.SMIN,
    "smax": Intrinsic.SMAX,
    "umin": Intrinsic.UMIN,
    "umax": Intrinsic.UMAX,
    "bswap": Intrinsic.BSWAP,
    "bitreverse": Intrinsic.BITREVERSE,
    "ctpop": Intrinsic.CTPOP,
    "ctlz": Intrinsic.CTLZ,
    "cttz": Intrinsic.CTTZ,
    "fshl": Intrinsic.FSHL,
    "fshr": Intrinsic.FSHR,
    "sadd.sat": Intrinsic.SADD_SAT,
    "uadd.sat": Intrinsic.UADD_SAT,
    "ssub.sat": Intrinsic.SSUB_SAT,
    "usub.sat": Intrinsic.USUB_SAT,
    "sshl.sat": Intrinsic.SSHL_SAT,
    "ushl.sat": Intrinsic.USHL_SAT,
    "fabs": Intrinsic.FABS,
    "copysign": Intrinsic.COPYSIGN,
    "minnum": Intrinsic.MINNUM,
    "maxnum": Intrinsic.MAXNUM,
    "sqrt": Intrinsic.FSQRT,
    "fma": Intrinsic.FMA,
    "floor": Intrinsic.FLOOR,
    "ceil": Intrinsic.CEIL,
    "trunc": Intrinsic.TRUNC,
    "rint": Intrinsic.RINT,
    "nearbyint": Intrinsic.RINT,
    "round": Intrinsic.ROUND,
    "roundeven": Intrinsic.ROUNDEVEN,
}
_OVERFLOW = {
    "sadd": (Op.ADD, Intrinsic.SADD_OVER),
    "uadd": (Op.ADD, Intrinsic.UADD_OVER),
    "ssub": (Op.SUB, Intrinsic.SSUB_OVER),
    "usub": (Op.SUB, Intrinsic.USUB_OVER),
    "smul": (Op.MUL, Intrinsic.SMUL_OVER),
    "umul": (Op.MUL, Intrinsic.UMUL_OVER),
}
_IGNORED = (
    "llvm.dbg.",
    "llvm.assume",
    "llvm.prefetch",
    "llvm.var.annotation",
    "llvm.donothing",
    "llvm.experimental.noalias.scope.decl",
    "llvm.va_end",
    "llvm.invariant.",
    "llvm.pseudoprobe",
    "llvm.x86.sse2.pause",
    "llvm.x86.sse2.mfence",
    "llvm.x86.sse2.lfence",
    "llvm.x86.sse.sfence",
)
_IDENTITY = (
    "llvm.expect",
    "llvm.ptr.annotation",
    "llvm.annotation",
    "llvm.launder.invariant.group",
    "llvm.strip.invariant.group",
    "llvm.threadlocal.address",
    "llvm.ssa.copy",
    "llvm.arithmetic.fence",
)
# Values in, values out: right on concrete ones, without an expression.
_CONCRETE = (
    *("llvm.vector.reduce", "llvm.get.rounding", "llvm.scmp", "llvm.ucmp", "llvm.fptosi.sat", "llvm.fptoui.sat"),
    *("llvm.minimum", "llvm.maximum"),
)
# Families of x86's instructions that compute on vectors and words, and those of them that do more.
_X86_COMPUTING = tuple(
    f"llvm.x86.{name}"
    for name in (
        *("sse.", "sse2.", "sse3.", "ssse3.", "sse41.", "sse42.", "avx.", "avx2.", "avx512.", "bmi.", "pclmulqdq"),
        *("aesni.", "sha", "fma", "vcvtps2ph", "addcarry", "subborrow"),
    )
)
_X86_STATE = (
    "llvm.x86.sse.ldmxcsr",
    "llvm.x86.sse.stmxcsr",
    "llvm.x86.sse3.m",
    "llvm.x86.avx.vzero",
    "llvm.x86.avx512.gather",
)
# Lowered by LLVM to calls into libm when the processor has no instruction for them.
_LIBM_FP80 = ("floor", "ceil", "trunc", "rint", "nearbyint", "round", "roundeven", "fma", "minnum", "maxnum")
_LIBM = (
    *("pow", "exp", "exp2", "exp10", "log", "log2", "log10", "sin", "cos", "tan", "ldexp", "fma", "round"),
    *("acos", "asin", "atan", "atan2", "sinh", "cosh", "tanh", "lrint", "llrint", "lround", "llround"),
)
_LIBM_NAMES = {"minnum": "fmin", "maxnum": "fmax", "roundeven": "rint"}  # where libm's name is another
_SUFFIX = {"float": "f", "double": "", "x86_fp80": "l"}


def intrinsic(t: Tracer, i: Call) -> None:
    assert isinstance(i.callee, GlobalRef)
    name = i.callee.name
    if name.startswith(_IGNORED):
        return
    if name.startswith(_IDENTITY):
        t.alias(i, i.operands[0])
        return
    for prefix, handler in _HANDLERS.items():
        if name.startswith(prefix):
            handler(t, i)
            return
    kind = name.removeprefix("llvm.").split(".")
    if kind[0] in _LIBM or (kind[0] in _LIBM_FP80 and "x86_fp80" in str(i.type)):
        _libm(t, i, kind[0])
        return
    code = _VALUE.get(kind[0]) or _VALUE.get(".".join(kind[:2]))
    if code is None:
        t.give_up(i, Reason.OPERATION, name)
    else:
        _value(t, i, code)


def _native(t: Tracer, i: Call) -> None:
    """The same intrinsic, on the concrete values."""
    result = f"{t.name(i.result)} = " if i.result is not None else ""
    arguments = ", ".join(t.typed(o) for o in i.operands)
    assert isinstance(i.callee, GlobalRef)
    t.emit(f"{result}call {i.type} @{i.callee.name}({arguments})")
    types = ", ".join(str(o.type) for o in i.operands)
    t.context.need(f"declare {i.type} @{i.callee.name}({types})", i.callee.name)


def _value(t: Tracer, i: Call, code: Intrinsic) -> None:
    assert i.result is not None
    flag = code in (Intrinsic.ABS, Intrinsic.CTLZ, Intrinsic.CTTZ)  # "is poison": always asked for as false
    operands = i.operands[:1] if flag else i.operands
    if flag:
        i.operands[1] = ConstInt(0, i.operands[1].type)
    _native(t, i)
    if not is_modelled(i.type):
        t.forget(i, Reason.WIDTH)
        return
    codew = f"i32 {code.value | scalar_bits(element(i.type)) << 8}"

    def node(lane: int | None) -> str:
        pairs = [operand(t, o, lane) for o in operands] + [("i32 0", "i64 0")] * 3
        shadows, words = [s for s, _ in pairs[:3]], [w for _, w in pairs[:3]]
        return t.call("cinq_intrinsic", codew, *shadows, *words)

    t.defer(Local(i.result, i.type), operands, lambda: [node(lane) for lane in lanes(i.type)])


def _with_overflow(t: Tracer, i: Call) -> None:
    assert i.result is not None and isinstance(i.callee, GlobalRef) and isinstance(i.type, StructType)
    _native(t, i)
    if isinstance(i.operands[0].type, VectorType) or not is_modelled(i.operands[0].type):
        t.forget(i, Reason.WIDTH)
        return
    op, code = _OVERFLOW[i.callee.name.split(".")[1]]
    bits = scalar_bits(i.operands[0].type)

    def nodes() -> Shadows:
        (sa, va), (sb, vb) = (operand(t, o, None) for o in i.operands)
        value = t.call("cinq_binary", f"i32 {op | bits << 8}", sa, sb, va, vb)
        flags = (f"i32 {code.value | bits << 8}", sa, sb, "i32 0", va, vb, "i64 0")
        return [value, t.call("cinq_intrinsic", *flags)]

    t.defer(Local(i.result, i.type), i.operands, nodes)


def _muladd(t: Tracer, i: Call) -> None:
    """llvm.fmuladd may or may not fuse; here it never does."""
    assert i.result is not None
    a, b, c = i.operands
    product = t.let(f"fmul {t.typed(a)}, {t.value(b)}")
    t.emit(f"{t.name(i.result)} = fadd {i.type} {product}, {t.value(c)}")
    bits = scalar_bits(element(i.type))

    def node(lane: int | None) -> str:
        (sa, va), (sb, vb), (sc, vc) = (operand(t, o, lane) for o in i.operands)
        times = t.call("cinq_binary", f"i32 {Op.FMUL | bits << 8}", sa, sb, va, vb)
        part = product if lane is None else t.let(f"extractelement {i.type} {product}, i32 {lane}")
        word = t.bits_of(element(i.type), part)
        if bits > 64:
            times, word = t.known(times, bits, t.let(f"bitcast {element(i.type)} {part} to i{bits}"), bits), "i64 0"
        return t.call("cinq_binary", f"i32 {Op.FADD | bits << 8}", f"i32 {times}", sc, word, vc)

    t.defer(Local(i.result, i.type), i.operands, lambda: [node(lane) for lane in lanes(i.type)])


def _ptrmask(t: Tracer, i: Call) -> None:
    assert i.result is not None
    _native(t, i)

    def node() -> Shadows:
        (sa, va), (sb, vb) = (operand(t, o, None) for o in i.operands)
        return [t.call("cinq_binary", f"i32 {Op.AND | 64 << 8}", sa, sb, va, vb)]

    t.defer(Local(i.result, i.type), i.operands, node)


def _libm(t: Tracer, i: Call, name: str) -> None:
    """A call of the library function, traced like any other."""
    kind = str(i.operands[0].type)
    symbol = _LIBM_NAMES.get(name, name) + _SUFFIX[kind] if kind in _SUFFIX else ""
    if not symbol:
        raise BitcodeError(f"intrinsic llvm.{name} on {kind} in {t.function.name} is not supported")
    types = ", ".join(str(o.type) for o in i.operands)
    t.context.need(f"declare {i.type} @{symbol}({types})", symbol)
    i.callee = GlobalRef(symbol, PTR)
    t.dispatch(i)


_CONSTRAINED_BINARY = ("fadd", "fsub", "fmul", "fdiv", "frem")
_CONSTRAINED_CASTS = ("fptosi", "fptoui", "sitofp", "uitofp", "fpext", "fptrunc")


def _constrained(t: Tracer, i: Call) -> None:
    """Strict floating point: the same operation in the default environment (rounding to nearest)."""
    assert isinstance(i.callee, GlobalRef)
    kind = i.callee.name.split(".")[3]
    values: list[Value] = [o for o in i.operands if not isinstance(o, MetadataValue)]
    if kind in _CONSTRAINED_BINARY:
        t.dispatch(Binary(opcode=kind, result=i.result, type=i.type, operands=values, dbg=i.dbg))
    elif kind in _CONSTRAINED_CASTS:
        t.dispatch(Cast(opcode=kind, result=i.result, type=i.type, operands=values, dbg=i.dbg))
    elif kind in ("fcmp", "fcmps"):
        word = next(o.text for o in i.operands if isinstance(o, MetadataValue)).strip('!"')
        t.dispatch(Compare(opcode="fcmp", predicate=word, result=i.result, type=i.type, operands=values, dbg=i.dbg))
    else:
        i.callee = GlobalRef(".".join(["llvm", kind, *i.callee.name.split(".")[4:]]), PTR)
        i.operands, i.argument_attributes = values, [""] * len(values)
        t.dispatch(i)


# ---- memory ------------------------------------------------------------------------------------------------------


def _copy(t: Tracer, i: Call) -> None:
    to, source, size = i.operands[:3]
    overlap = 1 if ".memmove." in str(i.callee) else 0
    shadows = _settled(t, [to, source, size])
    site = t.site(SiteKind.CHECK, i.dbg)
    words = (t.word(to), t.word(source), t.word(size))
    t.run("cinq_copy", *words, *(f"i32 {s}" for s in shadows), site, f"i32 {overlap}")


def _fill(t: Tracer, i: Call) -> None:
    to, byte, size = i.operands[:3]
    shadows = _settled(t, [to, byte, size])
    site = t.site(SiteKind.CHECK, i.dbg)
    words = (t.word(to), t.word(byte), t.word(size))
    t.run("cinq_fill", *words, *(f"i32 {s}" for s in shadows), site)


def _settled(t: Tracer, values: list[Value]) -> Shadows:
    t.settle()
    return [t.shadow1(v) for v in values]


def _lifetime(t: Tracer, i: Call) -> None:
    pointer = i.operands[-1]
    if not isinstance(pointer, Local) or pointer.name not in t.locations:
        return
    object_ = t.locations[pointer.name]
    t.settle()
    if ".start" in str(i.callee):
        memory.new_object(t, memory.slot(t, object_), object_)
    else:
        memory.dead(t, memory.slot(t, object_), object_.size)


def _va_copy(t: Tracer, i: Call) -> None:
    to, source = i.operands
    shadows = _settled(t, [to, source])
    site = t.site(SiteKind.CHECK, i.dbg)
    sizes = ("i64 24", *(f"i32 {s}" for s in shadows), "i32 0", site, "i32 0")
    t.run("cinq_copy", t.word(to), t.word(source), *sizes)


def _stack_save(t: Tracer, i: Call) -> None:
    assert i.result is not None
    pointer = t.let("load i64, ptr @cinq_sp")
    t.emit(f"{t.name(i.result)} = inttoptr i64 {pointer} to ptr")


def _stack_restore(t: Tracer, i: Call) -> None:
    t.settle()
    t.run("cinq_restore", t.word(i.operands[0]))


def _jump(t: Tracer, i: Call) -> None:
    """__builtin_setjmp and __builtin_longjmp: as the functions, with a smaller buffer."""
    assert isinstance(i.callee, GlobalRef)
    symbol = f"cinq_builtin_{i.callee.name.rpartition('.')[2]}"
    t.context.need(f"declare {i.type} @{symbol}(ptr)", symbol)
    i.callee = GlobalRef(symbol, PTR)
    t.dispatch(i)


# ---- the rest ----------------------------------------------------------------------------------------------------


def _trap(t: Tracer, i: Call) -> None:
    t.settle()
    t.run("cinq_fail", t.site(SiteKind.CHECK, i.dbg, "trap"), f"i32 {ErrorKind.ABORT.value}")


def _constant(t: Tracer, i: Call) -> None:
    """objectsize: not known; is.constant: no."""
    assert i.result is not None
    value = "0"
    if "objectsize" in str(i.callee):
        smallest = isinstance(i.operands[1], ConstInt) and i.operands[1].value != 0
        value = "0" if smallest else "-1"
    if i.type == PTR:
        t.emit(f"{t.name(i.result)} = inttoptr i64 {value} to ptr")
    else:
        t.emit(f"{t.name(i.result)} = add {i.type} {value}, 0")
    t.set_shadow(i.result, [CONCRETE])


def _frame(t: Tracer, i: Call) -> None:
    """This function's own frame is on the program's stack; those of its callers are reported, and null."""
    assert i.result is not None and isinstance(i.callee, GlobalRef)
    (level,) = i.operands
    if not isinstance(level, ConstInt) or level.value != 0:
        site = t.site(SiteKind.CHECK, i.dbg, i.callee.name)
        t.settle()
        t.run("cinq_unsupported", site, f"i32 {Reason.OPERATION.value}")
        t.emit(f"{t.name(i.result)} = inttoptr i64 0 to ptr")
    elif "returnaddress" in i.callee.name:
        _native(t, i)
    else:
        t.emit(f"{t.name(i.result)} = inttoptr i64 {t.let('load i64, ptr @cinq_sp')} to ptr")
    t.set_shadow(i.result, [CONCRETE])


def _forgotten(t: Tracer, i: Call) -> None:
    """Right on concrete values, without an expression."""
    t.forget(i, Reason.OPERATION)
    _native(t, i)


def _is_fpclass(t: Tracer, i: Call) -> None:
    """isnan and friends: a test of the bits, which is what the node is made of."""
    assert i.result is not None
    _native(t, i)
    value, mask = i.operands
    if isinstance(value.type, VectorType) or not isinstance(mask, ConstInt) or str(value.type) == "x86_fp80":
        t.forget(i, Reason.FLOAT)
        return
    t.defer(Local(i.result, i.type), [value], lambda: [_class_node(t, value, mask.value)])


def _class_node(t: Tracer, value: Value, mask: int) -> str:
    bits = scalar_bits(value.type)
    exponent, fraction = (8, 23) if bits == 32 else (11, 52)
    inf = ((1 << exponent) - 1) << fraction
    quiet, one = inf | 1 << (fraction - 1), 1 << fraction
    top = 1 << (bits - 1)
    ranges = [  # the ten classes, by increasing mask bit, as inclusive ranges of the bit pattern
        [(inf + 1, quiet - 1), (top + inf + 1, top + quiet - 1)],
        [(quiet, top - 1), (top + quiet, 2 * top - 1)],
        [(top + inf, top + inf)],
        [(top + one, top + inf - 1)],
        [(top + 1, top + one - 1)],
        [(top, top)],
        [(0, 0)],
        [(1, one - 1)],
        [(one, inf - 1)],
        [(inf, inf)],
    ]
    shadow, word = operand(t, value, None)
    total = "0"
    for number, parts in enumerate(ranges):
        for low, high in parts if mask >> number & 1 else ():
            total = _or(t, total, _in_range(t, shadow, word, low, high, bits))
    return total


def _in_range(t: Tracer, shadow: str, word: str, low: int, high: int, bits: int) -> str:
    moved = t.call("cinq_binary", f"i32 {Op.SUB | bits << 8}", shadow, "i32 0", word, f"i64 {_signed(low)}")
    difference = t.let(f"sub {word}, {_signed(low)}")
    kept = difference if bits == 64 else t.let(f"and i64 {difference}, {(1 << bits) - 1}")
    words = (f"i64 {kept}", f"i64 {_signed(high - low)}")
    return t.call("cinq_binary", f"i32 {Op.ULE | bits << 8}", f"i32 {moved}", "i32 0", *words)


def _or(t: Tracer, one: str, two: str) -> str:
    if one == CONCRETE:
        return two
    return t.call("cinq_binary", f"i32 {Op.OR | 1 << 8}", f"i32 {one}", f"i32 {two}", "i64 0", "i64 0")


def _signed(value: int) -> int:
    return value - (1 << 64) if value >= 1 << 63 else value


def _clock(t: Tracer, i: Call) -> None:
    assert i.result is not None
    now = read_clock(t)
    if str(i.type) == "i64":
        t.emit(f"{t.name(i.result)} = add i64 {now}, 0")
    else:  # rdtscp also tells the processor's number
        t.emit(f"{t.name(i.result)} = insertvalue {i.type} zeroinitializer, i64 {now}, 0")
    t.set_shadow(i.result, [CONCRETE] * len(leaves(i.type)))


def _processor(t: Tracer, i: Call) -> None:
    """An instruction of x86's own, on the concrete values, if it only computes."""
    assert isinstance(i.callee, GlobalRef)
    name = i.callee.name
    pointers = any(isinstance(o.type, PointerType) for o in i.operands) or isinstance(i.type, PointerType)
    if name.startswith(_X86_COMPUTING) and not pointers and not name.startswith(_X86_STATE):
        _forgotten(t, i)
    else:
        t.give_up(i, Reason.OPERATION, name)


def _register(t: Tracer, i: Call) -> None:
    """A named register: the stack pointer is that of the program's own stack."""
    assert i.result is not None
    stack = any(isinstance(o, MetadataValue) and '"rsp"' in _node(t, o) for o in i.operands)
    if not stack or str(i.type) != "i64":
        t.give_up(i, Reason.OPERATION, "a register by name")
        return
    t.emit(f"{t.name(i.result)} = load i64, ptr @cinq_sp")
    t.set_shadow(i.result, [CONCRETE])


def _node(t: Tracer, value: MetadataValue) -> str:
    """The text of a metadata operand, which may be a reference."""
    number = value.text.lstrip("!")
    return t.context.metadata(int(number)) if number.isdigit() else value.text


_HANDLERS: dict[str, Callable[[Tracer, Call], None]] = {
    "llvm.experimental.constrained.": _constrained,
    "llvm.memcpy.": _copy,
    "llvm.memmove.": _copy,
    "llvm.memset.": _fill,
    "llvm.lifetime.": _lifetime,
    "llvm.va_start": variadic.start,
    "llvm.va_copy": _va_copy,
    "llvm.stacksave": _stack_save,
    "llvm.stackrestore": _stack_restore,
    "llvm.eh.sjlj.setjmp": _jump,
    "llvm.eh.sjlj.longjmp": _jump,
    "llvm.trap": _trap,
    "llvm.debugtrap": _trap,
    "llvm.ubsantrap": _trap,
    "llvm.objectsize": _constant,
    "llvm.is.constant": _constant,
    "llvm.frameaddress": _frame,
    "llvm.returnaddress": _frame,
    **dict.fromkeys(("llvm.x86.rdtsc", "llvm.readcyclecounter", "llvm.readsteadycounter"), _clock),
    "llvm.x86.": _processor,
    "llvm.read_register": _register,
    "llvm.read_volatile_register": _register,
    "llvm.is.fpclass": _is_fpclass,
    "llvm.fmuladd": _muladd,
    "llvm.ptrmask": _ptrmask,
    **dict.fromkeys(_CONCRETE, _forgotten),
    **{f"llvm.{name}.with.overflow": _with_overflow for name in _OVERFLOW},
}
