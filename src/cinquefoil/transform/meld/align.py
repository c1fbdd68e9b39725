"""Instruction alignment: which instructions of the two arms become one (CFMSE, Definitions 1 to 4).

A Needleman-Wunsch alignment of the two sequences.  What is left unaligned runs as a *dead* instruction on the other
side, at the cost of one instruction (a store: also a load and a select); an aligned pair costs a select for every
operand in which the two differ.  Two operands that are themselves results of an aligned pair do not differ, so the
alignment is found in two passes: the first hopes that operands made by the same kind of instruction will be aligned,
the second knows what the first aligned.

Memory accesses are aligned only if their addresses are surely the same, and so is whatever goes into an address:
a choice of addresses would be a symbolic address (section 4.1, rules 1 and 2).

Where blocks are aligned one after the other (pairing.py), the results aligned before are known.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Protocol

from cinquefoil.ir.model import Instruction, Load, Local, Store, Value
from cinquefoil.ir.types import PointerType
from cinquefoil.transform.meld.marks import is_mark
from cinquefoil.transform.meld.rules import why_not_chosen
from cinquefoil.transform.meld.values import ValueEquality, compatible

Pair = tuple[Instruction | None, Instruction | None]
_NEVER = 1_000_000
_DEAD, _DEAD_STORE, _SELECT = 2, 6, 3
_LONGEST = 400  # instructions on one side: beyond, the quadratic table is not worth it


def align(
    then: Sequence[Instruction],
    other: Sequence[Instruction],
    equality: Sameness,
    apart: Collection[str] = (),
    exact: Collection[str] = (),
) -> list[Pair]:
    """Every instruction once, in order on both sides; results named in `apart` are never aligned, those in `exact` only
    if no operand has to be chosen."""
    real = [i for i in then if not is_mark(i)], [i for i in other if not is_mark(i)]
    if not all(real) or max(map(len, real)) > _LONGEST:
        return [*((i, None) for i in then), *((None, i) for i in other)]
    aligner = _Aligner(*real, equality, apart, exact)
    hoped = aligned_names(aligner.run(aligner.alike))
    return _with_marks(aligner.kept(aligner.run(lambda a, b: hoped.get(a) == b)), then, other)


def _with_marks(pairs: list[Pair], then: Sequence[Instruction], other: Sequence[Instruction]) -> list[Pair]:
    """Marks are never aligned: each comes before the instruction that it came before."""
    found: list[Pair] = []
    mine, theirs = list(reversed(then)), list(reversed(other))
    for a, b in [*pairs, (None, None)]:
        while mine and is_mark(mine[-1]):
            found.append((mine.pop(), None))
        while theirs and is_mark(theirs[-1]):
            found.append((None, theirs.pop()))
        if a is not None:
            mine.pop()
        if b is not None:
            theirs.pop()
        found.append((a, b))
    return found[:-1]


class Sameness(Protocol):
    """Tells whether two values, one of each side, are surely the same."""

    def same(self, a: Value, b: Value) -> bool: ...


class Joined:
    """Equality, and results that are one: `names` gives the other side's for this side's."""

    def __init__(self, equality: ValueEquality, names: Mapping[str, str]) -> None:
        self._equality, self._names = equality, names

    def same(self, a: Value, b: Value) -> bool:
        if isinstance(a, Local) and isinstance(b, Local) and self._names.get(a.name) == b.name:
            return True
        return self._equality.same(a, b)


class _Aligner:
    def __init__(
        self,
        then: Sequence[Instruction],
        other: Sequence[Instruction],
        equality: Sameness,
        apart: Collection[str],
        exact: Collection[str],
    ) -> None:
        self._then, self._other, self._equality, self._apart = then, other, equality, apart
        self._makers = {i.result: i for i in (*then, *other) if i.result is not None}
        self._exact = {*addressing(then), *addressing(other), *exact}

    def alike(self, a: str, b: str) -> bool:
        """Two results that may well be aligned."""
        x, y = self._makers.get(a), self._makers.get(b)
        return x is not None and y is not None and compatible(x, y)

    def run(self, joined: Callable[[str, str], bool]) -> list[Pair]:
        """The cheapest alignment, if `joined` tells which results are one."""
        then, other = [(i, i.opcode, _dead(i)) for i in self._then], [(i, i.opcode, _dead(i)) for i in self._other]
        below = [0] * (len(other) + 1)
        for c in range(len(other) - 1, -1, -1):
            below[c] = below[c + 1] + other[c][2]
        cost = [below]
        for a, opcode, dead in reversed(then):
            row = [below[-1] + dead] * (len(other) + 1)
            for c in range(len(other) - 1, -1, -1):
                b, theirs, alone = other[c]
                best = min(dead + below[c], alone + row[c + 1])
                if opcode == theirs and below[c + 1] < best:
                    best = min(best, self._pair(a, b, joined) + below[c + 1])
                row[c] = best
            cost.append(row)
            below = row
        cost.reverse()
        return self._way(cost, joined)

    def kept(self, pairs: list[Pair]) -> list[Pair]:
        """Without the pairs that would need a choice of addresses because their operands were not aligned."""
        while True:
            names = aligned_names(pairs)
            found: list[Pair] = []
            for a, b in pairs:
                if a and b and self._pair(a, b, lambda x, y, names=names: names.get(x) == y) >= _NEVER:
                    found += [(a, None), (None, b)]
                else:
                    found.append((a, b))
            if len(found) == len(pairs):
                return found
            pairs = found

    def _steps(
        self, cost: list[list[int]], r: int, c: int, joined: Callable[[str, str], bool]
    ) -> list[tuple[int, tuple[int, int]]]:
        """Costs of the continuations from here, and where they lead."""
        steps: list[tuple[int, tuple[int, int]]] = []
        down, right = r < len(self._then), c < len(self._other)
        if down and right:
            steps.append((self._pair(self._then[r], self._other[c], joined) + cost[r + 1][c + 1], (r + 1, c + 1)))
        if down:
            steps.append((_dead(self._then[r]) + cost[r + 1][c], (r + 1, c)))
        if right:
            steps.append((_dead(self._other[c]) + cost[r][c + 1], (r, c + 1)))
        return steps

    def _way(self, cost: list[list[int]], joined: Callable[[str, str], bool]) -> list[Pair]:
        pairs: list[Pair] = []
        r = c = 0
        while r < len(self._then) or c < len(self._other):
            _, (down, right) = min(self._steps(cost, r, c, joined), key=lambda step: step[0])
            pairs.append((self._then[r] if down > r else None, self._other[c] if right > c else None))
            r, c = down, right
        return pairs

    def _pair(self, a: Instruction, b: Instruction, joined: Callable[[str, str], bool]) -> int:
        if not compatible(a, b) or a.result in self._apart or b.result in self._apart:
            return _NEVER
        exact = not self._exact.isdisjoint((a.result, b.result)) or isinstance(a, Load)
        total = 0
        for number, (x, y) in enumerate(zip(a.operands, b.operands, strict=True)):
            if self._same(x, y, joined):
                continue
            address = isinstance(a, Store) and number == 1
            if exact or address or why_not_chosen(x.type) is not None or isinstance(x.type, PointerType):
                return _NEVER
            total += _SELECT
        return total

    def _same(self, x: Value, y: Value, joined: Callable[[str, str], bool]) -> bool:
        if isinstance(x, Local) and isinstance(y, Local) and x.name in self._makers and y.name in self._makers:
            return joined(x.name, y.name)
        return self._equality.same(x, y)


def _dead(i: Instruction) -> int:
    return _DEAD_STORE if isinstance(i, Store) else _DEAD


def aligned_names(pairs: list[Pair]) -> dict[str, str]:
    return {a.result: b.result for a, b in pairs if a and b and a.result is not None and b.result is not None}


def addressing(instructions: Sequence[Instruction], further: Sequence[Value] = ()) -> set[str]:
    """Results that go into an address used here, or into one of `further`."""
    makers = {i.result: i for i in instructions if i.result is not None}
    work = [*further, *(i.operands[-1] for i in instructions if isinstance(i, Load | Store))]
    found: set[str] = set()
    while work:
        value = work.pop()
        if isinstance(value, Local) and value.name in makers and value.name not in found:
            found.add(value.name)
            maker = makers[value.name]
            if not isinstance(maker, Load):
                work.extend(maker.operands)
    return found
