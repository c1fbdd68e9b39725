"""Random C functions full of branches on input: nested ifs, stores, loads, choices, loops with fixed bounds; if asked
for, also early returns, switches, loops that input leaves early, and merges one in another; or branches whose arms have
the same shape but other numbers and inputs, with loops that input bounds.

Each takes 16 bytes of input and an array of 16 integers, which is its result too.  Nothing in them is undefined, in
whatever arm it stands, so that melding must not change what they do.
"""

from __future__ import annotations

import random
import re

HEAD = "#include <klee/klee.h>\n#include <stdint.h>\n"
MAIN = """int main(void) {
    unsigned char in[16]; int out[16]; unsigned sum = 0;
    klee_make_symbolic(in, sizeof in, "in");
    for (int i = 0; i < 16; i++) out[i] = i * 37 - 100;
    CALLS
    for (int i = 0; i < 16; i++) sum = sum * 31 + (unsigned)out[i];
    return (int)(sum & 127);
}
"""
_VARIED = re.compile(r"in\[\d+\]|(?<![\w\[])\d+(?![\w\]:]|; i)")
_OPERATORS = ("+", "-", "*", "&", "|", "^")
_COMPARISONS = ("<", ">", "==", "!=", "<=", ">=")


class Branching:
    """The text of one function."""

    def __init__(self, seed: int, name: str = "f", inputs: int = 16, kind: str = "") -> None:
        self._random = random.Random(seed)
        self._wild, self._twins = kind == "wild", kind == "twins"
        self._inputs = inputs
        self._loops = 0
        self._scalars = ["x", "y", "z"]
        body = "".join(self._statement(3, "    ") for _ in range(self._random.randint(2, 5)))
        self.text = (
            f"void {name}(unsigned char *in, int *out) {{\n"
            "    int x = in[0], y = 3, z = -1;\n"
            f"{body}    out[0] ^= x; out[1] += y; out[2] -= z;\n}}\n"
        )

    def _pick(self, *choices: str) -> str:
        return self._random.choice(choices)

    def _index(self) -> str:
        """In bounds of 16 wherever it stands: a constant, or a loop's counter (below 4)."""
        counters = [f"i{n}" for n in range(self._loops)]
        if counters and self._random.random() < 0.5:
            return f"{self._pick(*counters)} + {self._random.randrange(12)}"
        return str(self._random.randrange(16))

    def _leaf(self) -> str:
        return self._pick(
            *(f"in[{self._random.randrange(self._inputs)}]", f"out[{self._index()}]", *self._scalars),
            str(self._random.randrange(-20, 200)),
        )

    def _value(self, depth: int = 2) -> str:
        if depth == 0 or self._random.random() < 0.3:
            return self._leaf()
        a, b = self._value(depth - 1), self._value(depth - 1)
        kind = self._random.random()
        if kind < 0.1:
            return f"(int)((unsigned){a} / (unsigned)(({b} & 7) + 1))"
        if kind < 0.2:
            return f"({self._condition(0)} ? {a} : {b})"
        if kind < 0.3:
            return f"(int)((unsigned){a} >> ({b} & 7))"
        return f"(int)((unsigned){a} {self._pick(*_OPERATORS)} (unsigned){b})"

    def _condition(self, depth: int = 1) -> str:
        plain = f"({self._leaf()} {self._pick(*_COMPARISONS)} {self._leaf()})"
        if depth == 0 or self._random.random() < 0.5:
            return plain
        return f"({plain} {self._pick('&&', '||', '&', '|')} {self._condition(depth - 1)})"

    def _statement(self, depth: int, pad: str) -> str:
        if self._wild and depth > 0 and self._random.random() < 0.3:
            return self._unruly(depth, pad)
        if self._twins and depth > 0 and self._random.random() < 0.3:
            return self._alike(depth, pad)
        kind = self._random.random()
        if depth == 0 or kind < 0.3:
            return f"{pad}out[{self._index()}] {self._pick('=', '+=', '^=')} {self._value()};\n"
        if kind < 0.45:
            return f"{pad}{self._pick(*self._scalars)} = {self._value()};\n"
        if kind < 0.5:
            divisor = self._leaf()
            return f"{pad}if ({divisor} > 0) x = y % {divisor};\n"
        if kind < 0.65:
            return self._loop(depth, pad)
        then = self._block(depth - 1, pad)
        if self._random.random() < 0.5:
            return f"{pad}if {self._condition()} {then}"
        return f"{pad}if {self._condition()} {then.rstrip()} else {self._block(depth - 1, pad)}"

    def _unruly(self, depth: int, pad: str) -> str:
        """Control flow with more than one way out or in."""
        kind = self._random.randrange(4)
        if kind == 0:
            return f"{pad}if {self._condition()} {{ z = {self._value()}; return; }}\n"
        if kind == 1:
            leave = self._pick("break", "continue") if self._loops else "return"
            return f"{pad}if {self._condition()} {leave};\n"
        if kind == 2:
            return f"{pad}klee_open_merge();\n{self._statement(depth - 1, pad)}{pad}klee_close_merge();\n"
        cases = "".join(
            f"{pad}case {n}: {self._statement(0, ' ').strip()} {self._pick('break;', '')}\n" for n in (0, 1, 255)
        )
        return f"{pad}switch (in[{self._random.randrange(self._inputs)}]) {{\n{cases}{pad}default: y++; }}\n"

    def _alike(self, depth: int, pad: str) -> str:
        """Two arms of the same shape: some numbers and inputs differ, bounds of loops among them (not where they
        start: a counter stays below 4 in whichever arm's rounds)."""
        arm = self._loop(depth, pad + "    ") if self._random.random() < 0.7 else self._statement(depth - 1, pad)
        more = self._statement(0, pad) if self._random.random() < 0.5 else ""
        lines = (arm + more).splitlines(keepends=True)
        other = "".join(line if "%" in line else _VARIED.sub(self._varied, line) for line in lines)
        return f"{pad}if {self._condition()} {{\n{arm}{more}{pad}}} else {{\n{other}{pad}}}\n"

    def _varied(self, found: re.Match[str]) -> str:
        """Small numbers stay small and above 0: they bound shifts and loops, and keep divisors off 0."""
        text = found[0]
        if self._random.random() < 0.7:
            return text
        if text.startswith("in"):
            return f"in[{self._random.randrange(self._inputs)}]"
        return str(self._random.randrange(1, 5) if int(text) < 8 else self._random.randrange(8, 200))

    def _block(self, depth: int, pad: str) -> str:
        inner = "".join(self._statement(depth, pad + "    ") for _ in range(self._random.randint(1, 3)))
        return f"{{\n{inner}{pad}}}\n"

    def _loop(self, depth: int, pad: str) -> str:
        if self._loops == 2:
            return f"{pad}y ^= {self._value()};\n"
        counter = f"i{self._loops}"
        self._loops += 1
        bound = str(self._random.randint(1, 4))
        if self._twins and self._random.random() < 0.4:
            bound = f"(in[{self._random.randrange(self._inputs)}] & 3)"
        head = f"{pad}for (int {counter} = 0; {counter} < {bound}; {counter}++) "
        text = head + self._block(depth - 1, pad)
        self._loops -= 1
        return text


def program(seeds: range, inputs: int = 16, kind: str = "") -> str:
    """A program with one function for each seed, called one after the other."""
    functions = [Branching(seed, f"f{seed}", inputs, kind).text for seed in seeds]
    calls = " ".join(f"f{seed}(in, out);" for seed in seeds)
    return HEAD + "".join(functions) + MAIN.replace("CALLS", calls)
