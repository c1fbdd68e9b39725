"""Random C programs without undefined behaviour: all integer types, floats, arrays at symbolic indices, structs,
unions, bit fields, pointers, function pointers, loops, switches and library calls, on 32 bytes of input.

Every value that a program computes ends in a hash that it prints, so a wrong one is seen, and many decide a branch.
"""

from __future__ import annotations

import random

INTEGERS = ("signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long", "unsigned long")
RARE = ("_Bool", "float", "double", "long double", "__int128", "unsigned __int128")
HEAD = """#include <klee/klee.h>
#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static unsigned char in[32];
static uint64_t hash = 14695981039346656037ull;
static void mix(uint64_t v) { hash = (hash ^ v) * 1099511628211ull; hash ^= hash >> 29; }
static void mixd(double d) { uint64_t v; if (d != d) d = 0; memcpy(&v, &d, 8); mix(v); }
static int64_t whole(double d) { return d > -1e9 && d < 1e9 ? (int64_t)d : 7; }
struct small { signed char a; unsigned short b; int c; };
struct bits { unsigned a : 3; signed b : 5; unsigned c : 9; unsigned long d : 33; };
union both { uint32_t word; uint8_t bytes[4]; float f; };
static struct small records[4]; static struct bits fields; static union both joint;
static int ints[8]; static unsigned char bytes[16]; static long longs[4]; static double reals[4];
static int twice(int x) { return 2 * x; } static int less(int x) { return x - 3; } static int flip(int x) { return ~x; }
static int (*const chosen[4])(int) = {twice, less, flip, twice};
static struct small make(int x) { struct small s = {x, x * 3, x ^ 5}; return s; }
static int order(const void *a, const void *b)
{ int x = *(const int *)a, y = *(const int *)b; return (x > y) - (x < y); }
"""


class GeneratedProgram:
    """One program; `text` is its source."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._variables: list[tuple[str, str]] = []
        self._loops = 0
        self._parameters: list[int] = []  # how many each function has
        functions = [self._function(number) for number in range(self._random.randrange(1, 4))]
        self.text = HEAD + "\n".join([*functions, self._main(len(functions))]) + "\n"

    # ---- values ------------------------------------------------------------------------------------------------

    def _pick(self, *choices: str) -> str:
        return self._random.choice(choices)

    def _integer(self, depth: int = 3) -> str:
        """An integer expression."""
        if depth <= 0 or self._random.random() < 0.15:
            return self._leaf()
        a, b = self._integer(depth - 1), self._integer(depth - 1)
        return self._random.choice(
            (
                lambda: f"({a} {self._pick('+', '-', '*', '&', '|', '^')} {b})",
                lambda: f"({a} {self._pick('<', '<=', '>', '>=', '==', '!=')} {b})",
                lambda: f"({a} {self._pick('&&', '||')} {b})",
                lambda: f"({self._cast()}({a}) {self._pick('<<', '>>')} ({b} & 7))",
                lambda: f"((int)({a}) {self._pick('/', '%')} (int)(({b} & 63) + 1))",
                lambda: f"((unsigned)({a}) {self._pick('/', '%')} ((unsigned)({b}) | 1u))",
                lambda: f"({a} ? {b} : {self._integer(depth - 1)})",
                lambda: f"({self._cast()}{self._pick('-', '~', '!', '+')}({a}))",
                lambda: f"{self._cast()}({a})",
                lambda: f"whole({self._real(depth - 1)})",
                lambda: f"({self._real(depth - 1)} {self._pick('<', '>=', '==', '!=')} {self._real(depth - 1)})",
                lambda: f"chosen[{a} & 3]({b})",
                lambda: f"*({self._pick('ints', '(ints + 4)')} + ({a} & 3))",
                lambda: self._library(a, b),
            )
        )()

    def _leaf(self) -> str:
        integers = [name for kind, name in self._variables if "double" not in kind and kind != "float"]
        fixed = ("in[{}]", "ints[{}]", "longs[{}]", "bytes[{}]")
        return self._random.choice(
            (
                lambda: str(self._random.choice((0, 1, 2, 7, 10, 48, 65, 127, 128, 255, 256, 1000, 65535, 1 << 20))),
                lambda: f"in[{self._random.randrange(32)}]",
                lambda: f"(signed char)in[{self._random.randrange(32)}]",
                lambda: self._pick(*integers) if integers else "in[0]",
                lambda: self._pick(*fixed).format(self._random.randrange(4)),
                lambda: f"records[{self._random.randrange(4)}].{self._pick('a', 'b', 'c')}",
                lambda: f"fields.{self._pick('a', 'b', 'c', 'd')}",
                lambda: self._pick("joint.word", "joint.bytes[1]", "joint.bytes[3]"),
                lambda: f"bytes[in[{self._random.randrange(32)}] & 15]",
            )
        )()

    def _cast(self) -> str:
        return f"({self._pick(*INTEGERS, *INTEGERS, '_Bool', '__int128')})"

    def _real(self, depth: int) -> str:
        if depth <= 0 or self._random.random() < 0.3:
            return self._pick(
                "0.5",
                "1e3",
                "-3.25f",
                f"reals[{self._random.randrange(4)}]",
                f"(double)in[{self._random.randrange(32)}]",
            )
        a, b = self._real(depth - 1), self._real(depth - 1)
        return self._random.choice(
            (
                lambda: f"({a} {self._pick('+', '-', '*', '/')} {b})",
                lambda: f"(double)({self._integer(depth - 1)})",
                lambda: f"(float)({a})",
                lambda: f"fabs({a})",
                lambda: f"floor({a})",
                lambda: f"sqrt(fabs({a}))",
                lambda: f"({self._integer(depth - 1)} ? {a} : {b})",
            )
        )()

    def _library(self, a: str, b: str) -> str:
        return self._pick(
            f"toupper((unsigned char)({a}))",
            f"!!isalnum((unsigned char)({a}))",
            f"abs((short)({a}))",
            "memcmp(bytes, in, 4)" + self._pick(" < 0", " > 0", " == 0"),
            f"(memchr(bytes, ({a}) & 255, 16) != 0)",
            f"(int)strnlen((char *)bytes, ({b}) & 15)",
            f"__builtin_popcount({a})",
            f"(__builtin_ctz((unsigned)({a}) | 256u))",
            f"(__builtin_bswap32({a}) >> 16)",
            f"__builtin_mul_overflow((int)({a}), (int)({b}), &ints[7])",
        )

    # ---- statements ----------------------------------------------------------------------------------------------

    def _statement(self, depth: int) -> str:
        e, n = self._integer(), self._random.randrange(1, 16)
        simple = (
            lambda: self._assignment(),
            lambda: f"ints[({e}) & 7] {self._pick('=', '+=', '^=')} {self._integer()};",
            lambda: f"bytes[({e}) & 15] = {self._integer()};",
            lambda: f"longs[({e}) & 3] = {self._integer()};",
            lambda: f"reals[{self._random.randrange(4)}] = {self._real(3)};",
            lambda: f"records[({e}) & 3] = make({self._integer()});",
            lambda: f"records[{self._random.randrange(4)}].{self._pick('a', 'b', 'c')} = {e};",
            lambda: f"fields.{self._pick('a', 'b', 'c', 'd')} = {e};",
            lambda: f"joint.{self._pick('word', 'bytes[2]', 'bytes[0]')} = {e};",
            lambda: f"memmove(bytes + {self._random.randrange(8)}, bytes + {self._random.randrange(8)}, ({e}) & 7);",
            lambda: f"memset(bytes + {self._random.randrange(8)}, {e}, {self._random.randrange(8)});",
            lambda: f"memcpy(&ints[{self._random.randrange(4)}], in + {self._random.randrange(16)}, {n});",
            lambda: "qsort(ints, 8, sizeof *ints, order);" if self._random.random() < 0.2 else self._assignment(),
            lambda: f"mix({e});",
            lambda: f"mixd({self._real(3)});",
        )
        if depth <= 0 or self._random.random() < 0.5:
            return self._random.choice(simple)()
        nested = (self._if, self._if, self._loop, self._switch)
        return self._random.choice(nested)(depth)

    def _assignment(self) -> str:
        kind, name = self._random.choice(self._variables)
        if kind in ("float", "double", "long double"):
            return f"{name} = {self._real(3)};"
        return (
            f"{name} {self._pick('=', '+=', '-=', '*=', '&=', '|=', '^=')} {self._integer()};"
            if kind != "_Bool"
            else f"{name} = {self._integer()};"
        )

    def _block(self, depth: int) -> str:
        return " ".join(self._statement(depth - 1) for _ in range(self._random.randrange(1, 4)))

    def _if(self, depth: int) -> str:
        other = f" else {{ {self._block(depth)} }}" if self._random.random() < 0.5 else ""
        return f"if ({self._integer()}) {{ {self._block(depth)} }}{other}"

    def _loop(self, depth: int) -> str:
        self._loops += 1
        i = f"i{self._loops}"
        leave = f"if ({self._integer(2)}) {self._pick('break', 'continue')};" if self._random.random() < 0.6 else ""
        bound = self._pick("3", "5", f"(({self._integer(2)}) & 3)")
        return f"for (int {i} = 0; {i} < {bound}; {i}++) {{ ints[{i}] += {i}; {leave} {self._block(depth)} }}"

    def _switch(self, depth: int) -> str:
        values = self._random.sample((0, 1, 2, 3, 4, 8, 32, 48, 65, 97, 100, 255, -1, -128, 300), 4)
        cases = "".join(f"case {v}: {self._block(depth)} {self._pick('break;', '')} " for v in values)
        return f"switch ({self._cast()}({self._integer(2)})) {{ {cases} default: {self._block(depth)} }}".replace(
            "(__int128)", "(int)"
        )

    # ---- functions -----------------------------------------------------------------------------------------------

    def _function(self, number: int) -> str:
        kinds = [self._pick(*INTEGERS, *RARE) for _ in range(self._random.randrange(1, 5))]
        self._parameters.append(len(kinds))
        self._variables = [(kind, f"p{n}") for n, kind in enumerate(kinds)] + self._locals(3)
        head = ", ".join(f"{kind} {name}" for kind, name in self._variables[: len(kinds)])
        result = self._pick(*INTEGERS)
        return (
            f"static {result} work{number}({head})\n{{\n{self._body(len(kinds), 4)}\n    return {self._integer()};\n}}"
        )

    def _locals(self, count: int) -> list[tuple[str, str]]:
        return [(self._pick(*INTEGERS, *RARE), f"v{n}") for n in range(count)]

    def _body(self, parameters: int, count: int) -> str:
        locals_ = self._variables[parameters:]
        lines = [f"    {kind} {name} = in[{self._random.randrange(32)}];" for kind, name in locals_]
        lines += [f"    {self._statement(2)}" for _ in range(count)]
        return "\n".join([*lines, *(f"    {_mixed(kind, name)}" for kind, name in self._variables)])

    def _main(self, functions: int) -> str:
        self._variables = self._locals(5)
        calls: list[str] = []
        for number in range(functions):
            count = self._parameters[number]
            calls.append(f"    mix(work{number}({', '.join(self._integer(2) for _ in range(count))}));")
        start = '    klee_make_symbolic(in, sizeof in, "in");\n    memcpy(bytes, in + 8, 16);'
        finish = "    for (int i = 0; i < 8; i++) mix(ints[i]);\n    for (int i = 0; i < 16; i++) mix(bytes[i]);"
        ending = '    printf("%016llx\\n", (unsigned long long)hash);\n    return hash & 63;'
        return "\n".join(["int main(void)\n{", start, self._body(0, 6), *calls, finish, ending, "}"])


def _mixed(kind: str, name: str) -> str:
    return f"mixd({name});" if kind in ("float", "double", "long double") else f"mix({name});"
