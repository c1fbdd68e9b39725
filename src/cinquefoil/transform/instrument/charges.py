"""How much of the instruction budget each block costs.

The budget is not counted in every block: a function's entry pays for all blocks outside loops, and a loop's header pays
for its loop, without the loops inside, at every iteration.  The sum is close to the instructions executed, and costs
nothing in straight-line code.
"""

from __future__ import annotations

from collections import defaultdict

from cinquefoil.ir.model import Function
from cinquefoil.ir.traversal import loop_headers, predecessors, reverse_post_order


def charges(function: Function, sizes: dict[str, int]) -> dict[str, int]:
    """Block label -> instructions to charge on entering it; `sizes` are the instructions of each block."""
    order = reverse_post_order(function)
    reachable = set(order)
    bodies = _loop_bodies(function, reachable)
    found: dict[str, int] = defaultdict(int)
    innermost = _innermost(bodies, order)
    for label in order:
        found[innermost.get(label, order[0])] += sizes[label]
    return dict(found)


def _innermost(bodies: dict[str, set[str]], order: list[str]) -> dict[str, str]:
    """The header of the smallest loop around each block."""
    found: dict[str, str] = {}
    for header in sorted(bodies, key=lambda h: (-len(bodies[h]), order.index(h))):
        for label in bodies[header]:
            found[label] = header
    return found


def _loop_bodies(function: Function, reachable: set[str]) -> dict[str, set[str]]:
    before = predecessors(function)
    bodies: dict[str, set[str]] = {}
    position = {label: n for n, label in enumerate(reverse_post_order(function))}
    for header in loop_headers(function):
        tails = [p for p in before[header] if p in reachable and position[p] >= position[header]]
        bodies[header] = _reaching(header, tails, before, reachable)
    return bodies


def _reaching(header: str, tails: list[str], before: dict[str, list[str]], reachable: set[str]) -> set[str]:
    """Blocks from which a tail is reached without passing the header."""
    body, work = {header}, list(tails)
    while work:
        label = work.pop()
        if label not in body and label in reachable:
            body.add(label)
            work.extend(before[label])
    return body
