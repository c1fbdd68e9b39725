"""Arms of the same shape: which blocks, phis and instructions of the two become one.

The arms are walked in step from their entries; they are isomorphic if corresponding blocks end alike and lead, at the
same positions, to corresponding blocks or to the join (DARM's isomorphic regions).  Corresponding blocks are then
aligned one after the other.  Phis of corresponding blocks are first all taken to become one; those of which that
cannot be true (a loop carries different values around, or an address or a fixed condition would have to be chosen) are
kept apart, and the alignment is found again without them.

A branch inside that no input decides must have the same condition in both arms: chosen by the outer condition it would
depend on input, and a loop of fixed length would fork in each round.
"""

from __future__ import annotations

from dataclasses import dataclass

from cinquefoil.ir.model import Instruction, Local, Phi, Value
from cinquefoil.transform.meld.align import Joined, Pair, addressing, align, aligned_names
from cinquefoil.transform.meld.body import Body
from cinquefoil.transform.meld.diamonds import Diamond, Shape
from cinquefoil.transform.meld.rules import is_ignored, why_not_chosen
from cinquefoil.transform.meld.values import ValueEquality, compatible, phis_of

Blocks = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Pairing:
    """`blocks` correspond, in the first arm's order; `aligned` goes by the labels of its blocks; `names` gives for each
    result of the first side the other side's that becomes one with it, phis included."""

    blocks: Blocks
    aligned: dict[str, list[Pair]]
    names: dict[str, str]


def isomorphic(shape: Shape, diamond: Diamond) -> Blocks | None:
    """The corresponding blocks of the two arms (of which straight lines are joined); None if their shapes differ."""
    found = _in_step(shape, diamond)
    if found is None or not len(found) == len(diamond.then) == len(diamond.other):
        return None
    return tuple((label, found[label]) for label in diamond.then)


def look_alike(shape: Shape, diamond: Diamond) -> bool:
    """Whether the arms are isomorphic once straight lines are joined."""
    return _in_step(shape, diamond) is not None


def _in_step(shape: Shape, diamond: Diamond) -> dict[str, str] | None:
    """Walks both arms; the blocks met at the same time."""
    if not (diamond.then and diamond.other):
        return None
    found = {diamond.then[0]: diamond.other[0]}
    work = list(found)
    while work:
        label = work.pop()
        mine, theirs = _ways(shape, label, diamond.join), _ways(shape, found[label], diamond.join)
        if len(mine) != len(theirs):
            return None
        for a, b in zip(mine, theirs, strict=True):
            if diamond.join in (a, b) and a != b:
                return None
            if a != diamond.join and a not in found:
                found[a] = b
                work.append(a)
            elif a != diamond.join and found[a] != b:
                return None
    return found if len(set(found.values())) == len(found) else None


def _ways(shape: Shape, label: str, join: str) -> list[str]:
    """Where a block leads, or the last one of a straight line that begins there."""
    targets = shape.blocks[label].successors()
    while len(targets) == 1 and targets[0] != join and shape.sources[targets[0]] == [label]:
        label = targets[0]
        targets = shape.blocks[label].successors()
    return targets


def find_pairing(body: Body, diamond: Diamond) -> Pairing | None:
    """How the arms become one; None if they cannot."""
    blocks = isomorphic(body.shape, diamond)
    return _PairingSearch(body, diamond, blocks).run() if blocks is not None else None


class _PairingSearch:
    def __init__(self, body: Body, diamond: Diamond, blocks: Blocks) -> None:
        self._body, self._diamond, self._blocks = body, diamond, blocks
        self._equality: ValueEquality = body.equality(diamond)
        self._number = {label: n for n, (label, _) in enumerate(blocks)}
        self._partner = {**dict(blocks), diamond.head: diamond.head}
        inside = [i for label in diamond.blocks for i in body.block(label).instructions]
        self._makers = {i.result: i for i in inside if i.result is not None}
        fixed = [value for pair in self._conditions() if not any(map(body.is_symbolic, pair)) for value in pair]
        self._exact = addressing(inside, fixed)

    def run(self) -> Pairing | None:
        phis = self._phi_pairs()
        while True:
            names = {str(p.result): str(q.result) for p, q, _ in phis}
            aligned: dict[str, list[Pair]] = {}
            for label, other in self._blocks:
                sides = _lines(self._body, label), _lines(self._body, other)
                aligned[label] = align(*sides, Joined(self._equality, names), self._body.kept, self._exact)
                names |= aligned_names(aligned[label])
            kept = [each for each in phis if self._holds(*each, Joined(self._equality, names))]
            if len(kept) == len(phis):
                return Pairing(self._blocks, aligned, names) if self._agree(names) else None
            phis = kept

    def _conditions(self) -> list[tuple[Value, Value]]:
        """The conditions of corresponding branches."""
        ends = [(self._body.block(a).terminator, self._body.block(b).terminator) for a, b in self._blocks]
        return [(a.operands[0], b.operands[0]) for a, b in ends if a.operands]

    def _agree(self, names: dict[str, str]) -> bool:
        """Whether branches that no input decides are decided alike."""
        same = Joined(self._equality, names).same
        return all(any(map(self._body.is_symbolic, pair)) or same(*pair) for pair in self._conditions())

    # ---- phis --------------------------------------------------------------------------------------------------

    def _phi_pairs(self) -> list[tuple[Phi, Phi, int]]:
        """Phis that may become one, those that look most alike, with the number of their block."""
        found: list[tuple[Phi, Phi, int]] = []
        for label, other in self._blocks:
            left = phis_of(self._body.block(other))
            for phi in phis_of(self._body.block(label)):
                ranked = [(self._likeness(phi, q), -n) for n, q in enumerate(left) if q.type == phi.type]
                if ranked:
                    found.append((phi, left.pop(-max(ranked)[1]), self._number[label]))
        return found

    def _values(self, p: Phi, q: Phi) -> list[tuple[Value, Value]]:
        """What comes in from corresponding blocks."""
        theirs = dict(zip(q.labels, q.operands, strict=True))
        return [(value, theirs[self._partner[at]]) for at, value in zip(p.labels, p.operands, strict=True)]

    def _likeness(self, p: Phi, q: Phi) -> int:
        return sum(2 * self._equality.same(x, y) or self._made_alike(x, y) for x, y in self._values(p, q))

    def _made_alike(self, x: Value, y: Value) -> bool:
        a = self._makers.get(x.name) if isinstance(x, Local) else None
        b = self._makers.get(y.name) if isinstance(y, Local) else None
        return a is not None and b is not None and compatible(a, b)

    def _holds(self, p: Phi, q: Phi, number: int, joined: Joined) -> bool:
        """Whether one phi can stand for both: what differs is chosen where it comes in, but not round a loop."""
        for at, (x, y) in zip(p.labels, self._values(p, q), strict=True):
            if joined.same(x, y):
                continue
            back = self._number.get(at, -1) >= number
            fixed = not self._exact.isdisjoint((str(p.result), str(q.result)))
            if back or fixed or why_not_chosen(p.type) is not None:
                return False
        return True


def _lines(body: Body, label: str) -> list[Instruction]:
    return [i for i in body.block(label).instructions[:-1] if not isinstance(i, Phi) and not is_ignored(i)]
