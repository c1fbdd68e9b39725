"""Further steps of generated programs: C's types and operations, and functions of libc."""

from __future__ import annotations

import struct
from collections.abc import Callable
from functools import cmp_to_key

from oracle_draft import MASK, Draft, Drafted, both

_M64, _M128 = (1 << 64) - 1, (1 << 128) - 1


def _signed(value: int, bits: int) -> int:
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def _quotient(a: int, b: int) -> int:
    """As C rounds."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def _f32(value: float) -> float:
    return float(struct.unpack("f", struct.pack("f", value))[0])


# ---- integers ----------------------------------------------------------------------------------------------


def signed_numbers(d: Draft) -> None:
    x, y, k, name = d.any(), d.any(), d.choose.choice((-3, 5, 7, -16)), d.name("i")
    bits, kind = d.choose.choice(((8, "signed char"), (16, "short"), (32, "int")))
    d.lines.append(f"{kind} {name} = ({kind}){x.text}; int {name}y = (signed char){y.text};")
    pairs = [(_signed(a, bits), _signed(b, 8)) for a, b in zip(x.values, y.values, strict=True)]
    forms: list[tuple[str, Callable[[int, int], int]]] = [
        (f"{name} / {k}", lambda a, b: _quotient(a, k)),
        (f"{name} % {k}", lambda a, b: a - _quotient(a, k) * k),
        (f"{name} >> 3", lambda a, b: a >> 3),
        (f"({name} < {name}y) + 2 * ({name} <= -5)", lambda a, b: (a < b) + 2 * (a <= -5)),
        (f"(long long){name} * {name}y >> 2", lambda a, b: a * b >> 2),
        (f"(unsigned){name} > (unsigned){name}y", lambda a, b: int(a & MASK > b & MASK)),
    ]
    text, function = d.choose.choice(forms)
    d.keep(Drafted(f"(unsigned)({text})", tuple(function(a, b) & MASK for a, b in pairs)))


def wide_numbers(d: Draft) -> None:
    x, y, name, k = d.any(), d.any(), d.name("w"), d.choose.choice((3, 1000003, 0x100000001))
    kind, mask = d.choose.choice((("unsigned long long", _M64), ("unsigned __int128", _M128)))
    shift = d.choose.choice((5, 31, 33, 60))
    d.lines.append(f"{kind} {name} = (({kind}){x.text} << {shift}) + ({kind}){y.text} * {k}ull;")
    wide = [((a << shift) + b * k) & mask for a, b in zip(x.values, y.values, strict=True)]
    divisor = d.choose.choice((7, 0x10001, 0x300000000))
    forms: list[tuple[str, Callable[[int], int]]] = [
        (f"{name} >> 32", lambda v: v >> 32),
        (f"{name} / {divisor}ull", lambda v: v // divisor),
        (f"{name} % {divisor}ull", lambda v: v % divisor),
        (f"({name} > {divisor}ull) * 3", lambda v: 3 * (v > divisor)),
        (f"({name} * {name}) >> 40", lambda v: (v * v & mask) >> 40),
    ]
    text, function = d.choose.choice(forms)
    d.keep(Drafted(f"(unsigned)({text})", tuple(function(v) & MASK for v in wide)))


def counted_bits(d: Draft) -> None:
    x, k = d.any(), d.choose.randrange(1, 32)
    forms: list[tuple[str, Callable[[int], int]]] = [
        ("(unsigned)__builtin_popcount({})", lambda a: a.bit_count()),
        ("(unsigned)__builtin_clz({} | 1)", lambda a: 32 - (a | 1).bit_length()),
        ("(unsigned)__builtin_ctz({} | 256)", lambda a: ((a | 256) & -(a | 256)).bit_length() - 1),
        ("__builtin_bswap32({})", lambda a: int.from_bytes(a.to_bytes(4, "little"), "big")),
        (f"({{0}} << {k} | {{0}} >> {32 - k})", lambda a: a << k | a >> (32 - k)),
        ("(unsigned)__builtin_parity({})", lambda a: a.bit_count() & 1),
    ]
    text, function = d.choose.choice(forms)
    d.keep(x.map(text, function))


def overflowing(d: Draft) -> None:
    x, y, name = d.any(), d.any(), d.name("o")
    d.lines.append(f"short {name};")
    d.lines.append(f"unsigned {name}o = __builtin_mul_overflow((signed char){x.text}, (int){y.text}, &{name});")
    exact = [_signed(a, 8) * _signed(b, 32) for a, b in zip(x.values, y.values, strict=True)]
    over = [int(not -32768 <= v < 32768) for v in exact]
    values = [(v & 0xFFFF) + o for v, o in zip(exact, over, strict=True)]
    d.keep(Drafted(f"((u16){name} + {name}o)", tuple(values)))


def overshift(d: Draft) -> None:
    x, y, mask = d.any(), d.any(), d.choose.choice((31, 63))
    right = d.choose.random() < 0.5
    macro = "SHR" if right else "SHL"
    pairs = [(a, b & mask) for a, b in zip(x.values, y.values, strict=True)]
    values = [0 if b > 31 else a >> b if right else a << b for a, b in pairs]
    d.keep(Drafted(f"{macro}({d.failure()}, {x.text}, ({y.text} & {mask}))", tuple(v & MASK for v in values)))


# ---- objects -----------------------------------------------------------------------------------------------


def bit_fields(d: Draft) -> None:
    x, y, name, width = d.any(), d.any(), d.name("b"), d.choose.choice((3, 5, 11))
    d.lines.append(f"struct {{ unsigned a : {width}; int b : 7; unsigned long long c : 37; }} {name} = {{0}};")
    d.lines.append(f"{name}.a = {x.text}; {name}.b = (int){y.text}; {name}.c = (unsigned long long){x.text} << 9;")
    values = [
        (a & ((1 << width) - 1)) + _signed(b, 7) + ((a << 9 & ((1 << 37) - 1)) >> 5)
        for a, b in zip(x.values, y.values, strict=True)
    ]
    d.keep(Drafted(f"(unsigned)({name}.a + {name}.b + ({name}.c >> 5))", tuple(v & MASK for v in values)))


def unions(d: Draft) -> None:
    x, y, name, at = d.any(), d.any(), d.name("u"), d.choose.randrange(4)
    d.lines.append(f"union {{ unsigned whole; u8 bytes[4]; u16 halves[2]; }} {name};")
    d.lines.append(f"{name}.whole = {x.text}; {name}.bytes[{at}] = (u8){y.text};")
    values: list[int] = []
    for a, b in zip(x.values, y.values, strict=True):
        content = bytearray(a.to_bytes(4, "little"))
        content[at] = b & 255
        values.append(int.from_bytes(content[1:3], "little") ^ int.from_bytes(content[2:], "little"))
    d.lines.append(f"u16 {name}m; memcpy(&{name}m, {name}.bytes + 1, 2);")
    d.keep(Drafted(f"(unsigned)({name}m ^ {name}.halves[1])", tuple(values)))


def two_dimensions(d: Draft) -> None:
    x, y, z, name = d.any(), d.any(), d.any(), d.name("m")
    d.lines.append(f"u16 {name}[3][4];")
    d.lines.append(f"for (int i = 0; i < 12; i++) {name}[i / 4][i % 4] = i * 21;")
    d.lines.append(f"{name}[{x.text} & 1][{y.text} & 3] = (u16){z.text};")
    values: list[int] = []
    for a, b, c in zip(x.values, y.values, z.values, strict=True):
        content = [i * 21 for i in range(12)]
        content[(a & 1) * 4 + (b & 3)] = c & 0xFFFF
        values.append(content[(c & 1) * 4 + 4 + (a & 3)])
    d.keep(Drafted(f"(unsigned){name}[({z.text} & 1) + 1][{x.text} & 3]", tuple(values)))


def null_pointer(d: Draft) -> None:
    x, name, value = d.any(), d.name("n"), d.choose.randrange(1, 99)
    kept = d.choose.choice(x.values)
    d.lines.append(f"unsigned {name} = {value}, *{name}p = {x.text} == {kept}u ? 0 : &{name};")
    d.lines.append(f"unsigned {name}v = *(unsigned *)POINTER({d.failure()}, {name}p);")
    d.know(f"{name}v", [0 if a == kept else value for a in x.values])


def growing(d: Draft) -> None:
    x, y, name = d.any(), d.any(), d.name("r")
    d.lines.append(f"u8 *{name} = malloc(4); for (int i = 0; i < 4; i++) {name}[i] = (u8)({x.text} + i);")
    d.lines.append(f"{name} = realloc({name}, ({y.text} & 3) + 8); {name}[7] = (u8){y.text};")
    d.lines.append(f"unsigned {name}v = {name}[{y.text} & 3] + {name}[7]; free({name});")
    pairs = zip(x.values, y.values, strict=True)
    d.know(f"{name}v", [((a + (b & 3)) & 255) + (b & 255) for a, b in pairs])


# ---- floating point ----------------------------------------------------------------------------------------


def short_fractions(d: Draft) -> None:
    x, k, name = d.any().map("{} & 255", lambda a: a & 255), d.choose.choice((0.1, 3.0, 1e30)), d.name("f")
    d.lines.append(f"float {name} = (float){x.text} * {k!r}f - 7.0f;")
    values = [_f32(_f32(_f32(a) * _f32(k)) - 7.0) for a in x.values]
    limit = d.choose.choice(values)
    relation = d.choose.choice(("==", "<", ">="))
    d.lines.append(f"if ({name} {relation} (float){limit!r}) {{ {d.label()} }}")
    d.lines.append(f"if (-{name} > 0.0f) {{ {d.label()} }}")


def no_number(d: Draft) -> None:
    x, y, name = d.any().map("{} & 3", lambda a: a & 3), d.any().map("{} & 3", lambda b: b & 3), d.name("f")
    d.lines.append(f"double {name} = (double)((int){x.text} - 1) / (double){y.text};")
    values: list[int] = []
    for a, b in zip(x.values, y.values, strict=True):
        top = float(a - 1)
        q = top / b if b else float("nan") if top == 0 else float("inf") * top
        values.append((q != q) + 2 * (q > 0.75) + 4 * (q < 0) + 8 * (q == 0))
    text = f"({name} != {name}) + 2 * ({name} > 0.75) + 4 * ({name} < 0) + 8 * ({name} == 0)"
    d.keep(Drafted(f"(unsigned)({text})", tuple(values)))


# ---- functions ---------------------------------------------------------------------------------------------


def sorting_by_function(d: Draft) -> None:
    x, y, name, k = d.any(), d.any(), d.name("q"), d.choose.randrange(64)
    d.top.append(
        f"static int {name}c(const void *a, const void *b) {{ u8 x = *(const u8 *)a & 63, y = *(const u8 *)b & 63; "
        f"return x < y ? -1 : x > y; }}"
    )
    d.lines.append(f"u8 {name}[3] = {{(u8)({x.text} & 63), (u8)({y.text} & 63), {k}}};")
    d.lines.append(f"qsort({name}, 3, 1, {name}c); u8 {name}k = {k};")
    d.lines.append(f"unsigned {name}v = (u8 *)bsearch(&{name}k, {name}, 3, 1, {name}c) != 0;")
    order = cmp_to_key(lambda a, b: a - b)
    rows = [sorted((a & 63, b & 63, k), key=order) for a, b in zip(x.values, y.values, strict=True)]
    d.keep(Drafted(f"(unsigned)({name}[1] + 64 * {name}v)", tuple(row[1] + 64 for row in rows)))


def variadic(d: Draft) -> None:
    x, y, name, count = d.any(), d.any(), d.name("a"), d.choose.randint(1, 3)
    d.top.append(
        f"static unsigned {name}(int n, ...) {{ va_list l; unsigned s = 0; va_start(l, n); "
        f"for (int i = 0; i < n; i++) "
        f"s = s * 3 + (i == 1 ? (unsigned)va_arg(l, unsigned long long) : va_arg(l, unsigned)); "
        f"va_end(l); return s; }}"
    )
    call = f"{name}({count}, {x.text}, (unsigned long long){y.text}, {x.text})"
    values: list[int] = []
    for a, b in zip(x.values, y.values, strict=True):
        total = 0
        for part in (a, b, a)[:count]:
            total = total * 3 + part
        values.append(total & MASK)
    d.keep(Drafted(call, tuple(values)))


def scanned_number(d: Draft) -> None:
    x, y, name = d.any(), d.any(), d.name("c")
    d.lines.append(f"char {name}[4] = {{(char)('0' + ({x.text} & 15)), (char)('0' + ({y.text} & 7)), 'x', 0}};")
    if d.choose.random() < 0.5:
        d.lines.append(
            f"char *{name}e; unsigned {name}v = (unsigned)strtol({name}, &{name}e, 10) + (unsigned)({name}e - {name});"
        )
        extra = 1
    else:
        d.lines.append(
            f'unsigned {name}v = 99; int {name}n = sscanf({name}, "%2u", &{name}v); {name}v += {name}n == 1;'
        )
        extra = 0
    values: list[int] = []
    for a, b in zip(x.values, y.values, strict=True):
        digits = a & 15 <= 9
        number = (a & 15) * 10 + (b & 7) if digits else 0 if extra else 99
        values.append(number + (2 if extra else 1) * digits)
    d.know(f"{name}v", values)


def found_byte(d: Draft) -> None:
    x, y, name = d.any(), d.any(), d.name("c")
    d.lines.append(f"u8 {name}[4] = {{(u8)({x.text} & 3), (u8)({y.text} & 3), 2, 3}};")
    d.lines.append(f"u8 *{name}p = memchr({name}, (int)({y.text} >> 2 & 3), ({x.text} & 1) + 3);")
    values: list[int] = []
    for a, b in zip(x.values, y.values, strict=True):
        content = bytes((a & 3, b & 3, 2, 3))[: (a & 1) + 3]
        values.append(content.find(b >> 2 & 3) & MASK if content.find(b >> 2 & 3) >= 0 else 9)
    d.keep(Drafted(f"({name}p ? (unsigned)({name}p - {name}) : 9)", tuple(values)))


def early_returns(d: Draft) -> None:
    x, y, name = d.any(), d.any(), d.name("g")
    limit = d.choose.choice(x.values)
    d.top.append(
        f"static unsigned {name}(unsigned x, unsigned y) {{ if (x == {limit}u) return 7; "
        f"for (unsigned i = 0; i < 4; i++) if ((y >> i & 1) != 0) return i * x; return y; }}"
    )

    def result(a: int, b: int) -> int:
        low = next((i for i in range(4) if b >> i & 1), None)
        return 7 if a == limit else b if low is None else low * a

    d.keep(both(f"{name}({{}}, {{}})", x, y, result))


def ranges(d: Draft) -> None:
    x, name = d.any(), d.name("v")
    low = d.choose.choice(x.values) & 0xFFFFFFF0
    d.lines.append(f"unsigned {name}; switch ({x.text} + 0ull) {{ case {low}ull ... {low + 9}ull: {name} = 1; break;")
    d.lines.append(f"case 0x100000000ull: {name} = 5; break; case {low + 12}ull: {d.label()} {name} = 2; break;")
    d.lines.append(f"default: {name} = 3; }}")
    d.know(name, [1 if low <= a <= low + 9 else 2 if a == low + 12 else 3 for a in x.values])


TYPED = (
    signed_numbers, signed_numbers, wide_numbers, wide_numbers, counted_bits, overflowing, overshift,
    bit_fields, unions, two_dimensions, null_pointer, growing, short_fractions, no_number,
    sorting_by_function, variadic, scanned_number, found_byte, early_returns, ranges,
)  # fmt: skip
