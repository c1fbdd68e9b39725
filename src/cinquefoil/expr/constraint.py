"""A constraint: what a path condition is a list of."""

from __future__ import annotations

from typing import NamedTuple


class Constraint(NamedTuple):
    """`node == value`, or `node != value` if not `equal`.  A branch condition c taken is (c, 1, True), not taken
    (c, 0, True)."""

    node: int
    value: int = 1
    equal: bool = True

    def negated(self) -> Constraint:
        return Constraint(self.node, self.value, not self.equal)

    def holds(self, value: int) -> bool:
        """Whether it is true when the node has this value."""
        return (value == self.value) == self.equal
