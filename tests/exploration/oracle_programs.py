"""Generates small C programs whose complete set of results is found by running them on every input.

A program reads two or three bytes and computes variables from them in a few steps, each of which uses one thing that
the engine treats in a way of its own: table look-ups, output, switches, symbolic writes, jumps and so on.  Between the
steps are numbered labels and failures behind conditions on the variables.  So that these can be met, and rarely by
chance, the generator computes each variable for a few sample inputs along with the text, and compares it with such
values.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from oracle_draft import MASK, SAMPLES, Draft, Drafted, both
from oracle_types import TYPED

Step = Callable[[Draft], None]


# ---- arithmetic --------------------------------------------------------------------------------------------


def arithmetic(d: Draft) -> None:
    x, y = d.any(), d.any()
    texts: list[tuple[str, Callable[[int, int], int]]] = [
        ("{} + {}", lambda a, b: a + b),
        ("{} - {}", lambda a, b: a - b),
        ("{} * {}", lambda a, b: a * b),
        ("{} ^ {}", lambda a, b: a ^ b),
        ("{} | {}", lambda a, b: a | b),
        ("{} & {}", lambda a, b: a & b),
        ("{} << ({} & 7)", lambda a, b: a << (b & 7)),
        ("{} >> ({} & 7)", lambda a, b: a >> (b & 7)),
        ("{} * 31u + {}", lambda a, b: a * 31 + b),
    ]
    d.keep(both(*_second(d.choose.choice(texts), x, y)))


def _second(
    form: tuple[str, Callable[[int, int], int]], x: Drafted, y: Drafted
) -> tuple[str, Drafted, Drafted, Callable[[int, int], int]]:
    return form[0], x, y, form[1]


def narrowing(d: Draft) -> None:
    x, k = d.any(), d.choose.randrange(1, 256)
    forms: list[tuple[str, Callable[[int], int]]] = [
        ("(unsigned)(signed char){}", lambda a: ((a & 255) ^ 128) - 128),
        (f"(u8)({{}} * {k}u)", lambda a: a * k & 255),
        (f"(u16)({{}} + {k * 250}u)", lambda a: a + k * 250 & 0xFFFF),
        ("{} ^ 0x55", lambda a: a ^ 0x55),
        (f"~{{}} % {k}u", lambda a: (~a & MASK) % k),
    ]
    text, function = d.choose.choice(forms)
    d.keep(x.map(text, function))


def division(d: Draft) -> None:
    x, y, mask = d.any(), d.any(), d.choose.choice((3, 7, 31))
    macro, symbol = d.choose.choice((("DIV", 0), ("MOD", 1)))
    divisor = y.map(f"{{}} & {mask}", lambda b: b & mask)
    if d.choose.random() < 0.5:
        divisor = divisor.map("{} + 1", lambda b: b + 1)
    result = [(a % b if symbol else a // b) if b else 0 for a, b in zip(x.values, divisor.values, strict=True)]
    name = d.name("v")
    d.lines.append(f"unsigned {name} = {macro}({d.failure()}, {x.text}, {divisor.text});")
    d.know(name, result)


def floating(d: Draft) -> None:
    x, y = d.any(), d.any()
    x, y = x.map("{} & 255", lambda a: a & 255), y.map("{} & 15", lambda b: b & 15)
    k = d.choose.choice((0.5, 0.25, 1.5, 3.0, -2.0))
    name = d.name("f")
    values = [a * k + b / 4.0 for a, b in zip(x.values, y.values, strict=True)]
    d.lines.append(f"double {name} = {x.text} * {k} + {y.text} / 4.0;")
    limit = d.choose.choice(values)
    relation = d.choose.choice(("==", ">", "<=", "!="))
    d.lines.append(f"if ({name} {relation} {limit!r}) {{ {d.label()} }}")
    if d.choose.random() < 0.5:
        d.keep(Drafted(f"(unsigned)(int){name}", tuple(int(value) & MASK for value in values)))


# ---- tables ------------------------------------------------------------------------------------------------


def look_up(d: Draft) -> None:
    x, count = d.any(), d.choose.choice((8, 16, 64))
    name, values = d.table(count, d.choose.choice((10, 300, 70000)))
    read = x.map(f"{name}[{{}} & {count - 1}]", lambda a: values[a & count - 1])
    y = d.any()
    d.keep(both("{} + {}", read, y, lambda a, b: a + b) if d.choose.random() < 0.5 else read)


def look_up_twice(d: Draft) -> None:
    x, y = d.any(), d.any()
    first, firsts = d.table(16, 16, "u8")
    second, seconds = d.table(16, 70000)
    inner = both(f"({first}[{{}} & 15] ^ {{}}) & 15", x, y, lambda a, b: (firsts[a & 15] ^ b) & 15)
    d.keep(inner.map(f"{second}[{{}}]", lambda a: seconds[a]))


def look_up_by_two_bytes(d: Draft) -> None:
    x, y = d.byte(), d.any()
    name, values = d.table(64, 1000, "u16")
    d.keep(both(f"{name}[({{}} & 7) * 8 + ({{}} & 7)]", x, y, lambda a, b: values[(a & 7) * 8 + (b & 7)]))


def automaton(d: Draft) -> None:
    """The state after all bytes, by a table of transitions."""
    name, values = d.table(16, 4, "u8")
    shift, state = d.choose.choice((0, 2, 6)), d.name("v")
    d.lines.append(f"unsigned {state} = 0;")
    d.lines.append(f"for (int i = 0; i < {d.size}; i++) {state} = {name}[{state} * 4 + (in[i] >> {shift} & 3)];")
    result = [0] * SAMPLES
    for byte in d.variables[: d.size]:
        result = [values[s * 4 + (b >> shift & 3)] for s, b in zip(result, byte.values, strict=True)]
    d.know(state, result)


def out_of_bounds(d: Draft) -> None:
    x, size = d.any(), d.choose.choice((5, 12))
    mask, name = (7 if size == 5 else 15), d.name("h")
    d.lines.append(f"u8 *{name} = malloc({size});")
    d.lines.append(f"for (int i = 0; i < {size}; i++) {name}[i] = i * 7;")
    kept = d.name("v")
    d.lines.append(f"unsigned {kept} = {name}[AT({d.failure()}, ({x.text} & {mask}), {size})];")
    d.lines.append(f"free({name});")
    d.know(kept, [(a & mask) * 7 if a & mask < size else 0 for a in x.values])


def written_table(d: Draft) -> None:
    """Written through a symbolic index, then read through another."""
    x, y, z, name = d.any(), d.any(), d.any(), d.name("w")
    kind, bits = d.choose.choice((("u8", 0xFF), ("u16", 0xFFFF), ("unsigned", MASK)))
    d.lines.append(f"{kind} {name}[8];")
    d.lines.append(f"for (int i = 0; i < 8; i++) {name}[i] = ({kind})(i * 19 + 3);")
    d.lines.append(f"{name}[{x.text} & 7] = ({kind}){y.text};")
    values: list[int] = []
    for a, b, c in zip(x.values, y.values, z.values, strict=True):
        content = [(i * 19 + 3) & bits for i in range(8)]
        content[a & 7] = b & bits
        values.append(content[c & 7])
    d.keep(Drafted(f"{name}[{z.text} & 7]", tuple(values)))


def structures(d: Draft) -> None:
    x, y, z, name = d.any(), d.any(), d.any(), d.name("s")
    d.lines.append(f"struct {{ u8 key; u16 small; unsigned wide; }} {name}[4];")
    d.lines.append(
        f"for (int i = 0; i < 4; i++) {{ {name}[i].key = i; {name}[i].small = i * 5; {name}[i].wide = i * 9; }}"
    )
    d.lines.append(f"{name}[{x.text} & 3].wide = {y.text};")
    d.lines.append(f"{name}[{y.text} & 3].small += {x.text};")
    values: list[int] = []
    for a, b, c in zip(x.values, y.values, z.values, strict=True):
        wide, small = [i * 9 for i in range(4)], [i * 5 for i in range(4)]
        wide[a & 3] = b
        small[b & 3] = small[b & 3] + a & 0xFFFF
        values.append(wide[c & 3] + small[c & 3])
    d.keep(Drafted(f"({name}[{z.text} & 3].wide + {name}[{z.text} & 3].small)", tuple(v & MASK for v in values)))


# ---- output ------------------------------------------------------------------------------------------------

_FORMATS = ("%x", "%u", "%5d", "%-4o|", "%d,%d", "<%c>", "%08x")


def output(d: Draft) -> None:
    """Printed and forgotten; what follows must not depend on that."""
    form = d.choose.choice(_FORMATS)
    arguments = ", ".join(d.any().text for _ in range(form.count("%")))
    d.lines.append(f'SHOW("{form}\\n", {arguments});')


def output_result(d: Draft) -> None:
    """How much was printed is data."""
    x = d.any()
    form = d.choose.choice(("%u", "%x", "%o"))
    values = tuple(len(form % value) for value in x.values)
    d.keep(Drafted(f'OUT("{form}", {x.text})', values))


def output_of_text(d: Draft) -> None:
    x = d.any()
    name = d.name("p")
    d.top.append(f'static const char *const {name}[4] = {{"one", "three", "", "seventeen"}};')
    d.lines.append(f'SHOW("%s\\n", {name}[{x.text} & 3]);')


def output_of_fraction(d: Draft) -> None:
    """Programs with this are never explored with their output: its paths are too long."""
    d.lines.append(f'SHOW("%.2f\\n", {d.any().text} / 8.0);')


# ---- control -----------------------------------------------------------------------------------------------


def switching(d: Draft) -> None:
    x, name = d.any(), d.name("v")
    mask = d.choose.choice((7, 15, 255, MASK))
    keys = sorted({value & mask for value in d.choose.sample(x.values, 4)} | {0, 1})
    results = {key: d.choose.randrange(100) for key in keys}
    d.lines.append(f"unsigned {name};")
    d.lines.append(f"switch ({x.text} & {mask}u) {{")
    for key in keys:
        label = d.label() if d.choose.random() < 0.3 else ""
        d.lines.append(f"case {key}u: {name} = {results[key]}; {label} break;")
    d.lines.append(f"default: {name} = 200; }}")
    d.know(name, [results.get(value & mask, 200) for value in x.values])


def counting(d: Draft) -> None:
    x, name = d.any(), d.name("v")
    d.lines.append(f"unsigned {name} = 1;")
    d.lines.append(f"for (unsigned i = 0; i < ({x.text} & 7); i++) {name} = {name} * 3 + i;")
    values: list[int] = []
    for a in x.values:
        total = 1
        for i in range(a & 7):
            total = total * 3 + i
        values.append(total)
    d.know(name, values)


def shifting(d: Draft) -> None:
    x, name = d.any(), d.name("v")
    d.lines.append(f"unsigned {name} = 0;")
    d.lines.append(f"for (unsigned rest = {x.text} & 255; rest; rest >>= 1) {name} += rest & 1;")
    d.know(name, [(a & 255).bit_count() for a in x.values])


def choosing(d: Draft) -> None:
    """Two assignments, which melding makes one."""
    x, y, z, name = d.any(), d.any(), d.any(), d.name("v")
    limit = d.choose.choice(x.values)
    d.lines.append(f"unsigned {name};")
    d.lines.append(f"if ({x.text} > {limit}u) {name} = {y.text} * 2 + 1; else {name} = {z.text} * 2 + 7;")
    triples = zip(x.values, y.values, z.values, strict=True)
    d.know(name, [b * 2 + 1 if a > limit else c * 2 + 7 for a, b, c in triples])


def selecting(d: Draft) -> None:
    x, y, z = d.any(), d.any(), d.any()
    limit = d.choose.choice(x.values)
    triples = zip(x.values, y.values, z.values, strict=True)
    values = tuple(b if a == limit else c for a, b, c in triples)
    d.keep(Drafted(f"({x.text} == {limit}u ? {y.text} : {z.text})", values))


def functions(d: Draft) -> None:
    x, y, name = d.any(), d.any(), d.name("g")
    d.top.append(f"static unsigned {name}a(unsigned x) {{ return x + 5; }}")
    d.top.append(f"static unsigned {name}b(unsigned x) {{ return x > 100 ? x - 100 : 1; }}")
    d.top.append(f"static unsigned {name}c(unsigned x) {{ return (x & 3) ? {name}b(x >> 2) : x; }}")
    d.top.append(f"static unsigned (*const {name}[4])(unsigned) = {{{name}a, {name}b, {name}c, {name}a}};")
    calls: list[Callable[[int], int]] = [
        lambda a: a + 5,
        lambda a: a - 100 if a > 100 else 1,
        lambda a: ((a >> 2) - 100 if a >> 2 > 100 else 1) if a & 3 else a,
        lambda a: a + 5,
    ]
    d.keep(both(f"{name}[{{}} & 3]({{}})", x, y, lambda a, b: calls[a & 3](b)))


def recursing(d: Draft) -> None:
    x, name = d.any(), d.name("g")
    d.top.append(f"static unsigned {name}(unsigned x) {{ return x < 2 ? x : {name}(x - 1) + {name}(x - 2); }}")
    numbers = [0, 1, 1, 2, 3, 5, 8, 13]
    d.keep(x.map(f"{name}({{}} & 7)", lambda a: numbers[a & 7]))


def jumping(d: Draft) -> None:
    x, name = d.any(), d.name("j")
    limit = d.choose.choice(x.values)
    d.lines.append(f"jmp_buf {name};")
    d.lines.append(f"volatile unsigned {name}v = 0;")
    d.lines.append(f"switch (setjmp({name})) {{")
    d.lines.append(f"case 0: {name}v = 3; if ({x.text} > {limit}u) longjmp({name}, 1 + ({x.text} & 1)); break;")
    d.lines.append(f"case 1: {name}v += 10; {d.label()} break;")
    d.lines.append(f"default: {name}v += 20; }}")
    d.keep(Drafted(f"{name}v", tuple((13 + 10 * (a & 1)) if a > limit else 3 for a in x.values)))


def assuming(d: Draft) -> None:
    x = d.any()
    value = d.choose.choice(x.values)
    relation = d.choose.choice(("!=", "<=", ">="))
    d.lines.append(f"ASSUME({x.text} {relation} {value}u);")


# ---- strings and memory ------------------------------------------------------------------------------------


def comparing_texts(d: Draft) -> None:
    x, y, name = d.any(), d.any(), d.name("c")
    d.lines.append(f"char {name}[3] = {{(char)('a' + ({x.text} & 3)), (char)('a' + ({y.text} & 3)), 0}};")
    word = "".join(d.choose.choice("abcd") for _ in range(2))
    texts = [chr(97 + (a & 3)) + chr(97 + (b & 3)) for a, b in zip(x.values, y.values, strict=True)]
    forms: list[tuple[str, list[int]]] = [
        (f'(strcmp({name}, "{word}") < 0)', [int(text < word) for text in texts]),
        (f'(strcmp({name}, "{word}") == 0)', [int(text == word) for text in texts]),
        (f"(strchr({name}, '{word[0]}') != 0)", [int(word[0] in text) for text in texts]),
        (f'(memcmp({name}, "{word}", 2) > 0)', [int(text > word) for text in texts]),
        (f'(unsigned)strspn({name}, "{word}")', [len(text) - len(text.lstrip(word)) for text in texts]),
    ]
    text, values = d.choose.choice(forms)
    d.keep(Drafted(text, tuple(values)))


def measuring_text(d: Draft) -> None:
    x, y, name = d.any(), d.any(), d.name("c")
    d.lines.append(f"char {name}[4] = {{(char)({x.text} & 3), (char)({y.text} & 1), 'z', 0}};")
    pairs = zip(x.values, y.values, strict=True)
    d.keep(Drafted(f"(unsigned)strlen({name})", tuple(0 if not a & 3 else 1 if not b & 1 else 3 for a, b in pairs)))


def reading_number(d: Draft) -> None:
    x, y, name = d.any(), d.any(), d.name("c")
    d.lines.append(f"char {name}[3] = {{(char)('0' + ({x.text} & 15)), (char)('0' + ({y.text} & 7)), 0}};")
    pairs = zip(x.values, y.values, strict=True)
    d.keep(Drafted(f"(unsigned)atoi({name})", tuple(0 if a & 15 > 9 else (a & 15) * 10 + (b & 7) for a, b in pairs)))


def formatting(d: Draft) -> None:
    """Into memory: that is data, not output."""
    x, name = d.any(), d.name("c")
    form = d.choose.choice(("%u", "%x"))
    d.lines.append(f"char {name}[8];")
    d.lines.append(f'snprintf({name}, sizeof {name}, "{form}", {x.text} & 63);')
    texts = [form % (a & 63) for a in x.values]
    d.keep(Drafted(f"(unsigned)(u8){name}[1]", tuple(ord((text + "\0")[1]) for text in texts)))


def copying(d: Draft) -> None:
    x, y, name = d.any(), d.byte(), d.name("c")
    d.lines.append(f"u8 {name}[8] = {{1, 2, 3, 4, 5, 6, 7, (u8){y.text}}}, {name}d[8] = {{0}};")
    d.lines.append(f"memcpy({name}d, {name}, {x.text} & 7);")
    d.keep(
        Drafted(f"(unsigned)({name}d[2] + {name}d[5])", tuple(3 * ((a & 7) > 2) + 6 * ((a & 7) > 5) for a in x.values))
    )


def walking(d: Draft) -> None:
    x, name = d.any(), d.name("c")
    d.lines.append(f'const char *{name} = "abcdefgcab" + ({x.text} & 7);')
    d.lines.append(f"while (*{name} && *{name} != 'c') {name}++;")
    d.keep(Drafted(f"(unsigned)(u8){name}[1]", tuple(ord("d" if a & 7 <= 2 else "a") for a in x.values)))


def joining(d: Draft) -> None:
    """Two bytes as one number, the way memory has them."""
    name, x, y = d.name("c"), d.variables[0], d.variables[1]
    d.lines.append(f"u16 {name};")
    d.lines.append(f"memcpy(&{name}, in, 2);")
    shift = d.choose.choice((0, 3, 5))
    pairs = zip(x.values, y.values, strict=True)
    d.keep(Drafted(f"(unsigned)({name} >> {shift})", tuple((a | b << 8) >> shift for a, b in pairs)))


def sorting(d: Draft) -> None:
    name, x, y, k = d.name("c"), d.any(), d.any(), d.choose.randrange(256)
    d.lines.append(f"u8 {name}[3] = {{(u8){x.text}, (u8){y.text}, {k}}};")
    swap = f"{{ u8 t = {name}[j]; {name}[j] = {name}[j + 1]; {name}[j + 1] = t; }}"
    d.lines.append(f"for (int i = 0; i < 2; i++) for (int j = 0; j < 2 - i; j++) if ({name}[j] > {name}[j + 1]) {swap}")
    pairs = zip(x.values, y.values, strict=True)
    d.keep(Drafted(f"(unsigned){name}[1]", tuple(sorted((a & 255, b & 255, k))[1] for a, b in pairs)))


STEPS: tuple[Step, ...] = (
    arithmetic, arithmetic, narrowing, division, floating,
    look_up, look_up, look_up_twice, look_up_by_two_bytes, automaton, out_of_bounds, written_table, structures,
    output, output, output_result, output_of_text, output_of_fraction,
    switching, switching, counting, shifting, choosing, choosing, selecting, functions, recursing, jumping, assuming,
    *TYPED, comparing_texts, measuring_text, reading_number, formatting, copying, walking, joining, sorting,
)  # fmt: skip


def _draft(seed: int, number: int) -> tuple[Draft, list[str]]:
    """A program, and the names of its steps."""
    choose = random.Random(f"oracle {seed}")
    d = Draft(number, choose, 3 if choose.random() < 0.2 else 2)
    names: list[str] = []
    for _ in range(choose.randint(3, 5)):
        before, step = len(d.variables), choose.choice(STEPS)
        step(d)
        names.append(step.__name__)
        new = d.variables[before:]
        if choose.random() < 0.75:
            d.check(new[-1] if new and choose.random() < 0.7 else None)
    d.check(d.variables[-1])
    d.lines.append(f"if ({d.condition()}) {{ {d.label()} }}")
    d.lines.append(f"return {d.variables[-1].text};")
    return d, names


def steps_of(seed: int) -> list[str]:
    return _draft(seed, 0)[1]


def program(seed: int, number: int) -> tuple[str, int]:
    """The text of a program, as function `p<number>`, and how many bytes it reads."""
    d, _ = _draft(seed, number)
    body = "\n".join(f"    {line}" for line in d.lines)
    top = "".join(f"{line}\n" for line in d.top)
    return f"{top}static unsigned p{number}(const u8 *in) {{\n{body}\n}}\n", d.size


def bundle(seeds: Sequence[int]) -> str:
    """One source file with the programs of these seeds."""
    texts = [program(seed, number) for number, seed in enumerate(seeds)]
    names = ", ".join(f"p{number}" for number in range(len(texts)))
    sizes = ", ".join(str(size) for _, size in texts)
    tables = f"program *const programs[] = {{{names}}};\nconst int sizes[] = {{{sizes}}};\n"
    return '#include "oracle.h"\n\n' + "\n".join(text for text, _ in texts) + "\n" + tables
