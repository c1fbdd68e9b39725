"""Integers and disjunctions on top of simplex: branch and bound.

A relaxation that is feasible over the rationals is split on a variable with a fractional value (x <= 3 or
x >= 4) or on a disjunction that the assignment violates (one branch per alternative), depth first.  When all
branches are infeasible there is no solution, and the constraints named by their explanations suffice for that:
integrality needs no reason, a disjunction's own number is the reason of its alternatives.

Risk: over wide ranges branching may take forever; the work of the simplex bounds it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from math import floor
from typing import NamedTuple

from cinquefoil.solver.multiplex.atoms import All, Any, Atom, Formula
from cinquefoil.solver.multiplex.forms import Forms, Terms
from cinquefoil.solver.multiplex.simplex import NO_REASON, OutOfWork, Reasons, Simplex

_KIND_ORDER = {"input": 0, "quotient": 1, "free": 2}


class Status(Enum):
    FEASIBLE = "feasible"  # an assignment satisfies all that was said
    INFEASIBLE = "infeasible"
    ACCEPTED = "accepted"  # the caller was content with an assignment met on the way
    OPEN = "open"  # out of work


class _Cut(NamedTuple):
    """A bound on a column: one side of a split."""

    column: int
    limit: int
    below: bool


_Said = tuple[Formula | _Cut, Reasons]


@dataclass(slots=True)
class _Frame:
    """A split: what to return to, and the alternatives not tried yet, last one next."""

    mark: int
    disjunctions: list[tuple[Any, Reasons]]
    waiting: list[_Said]


class _Accepted(Exception):
    """The caller wants no better assignment."""


class Search:
    """Looks for integers that satisfy some formulas.

    `offer` is shown the input bytes of assignments, rounded, before every pivot and at the end of every check; it
    returns True to stop there."""

    def __init__(
        self,
        forms: Forms,
        formulas: Sequence[Formula],
        work: int,
        offer: Callable[[dict[int, int]], bool],
    ) -> None:
        self.core: set[int] = set()
        self._offer = offer
        atoms = [atom for formula in formulas for atom in _atoms(formula)]
        self.variables = _closure(forms, atoms)
        known = [forms.variables[v] for v in self.variables]
        words = [(column, v) for column, v in enumerate(known) if v.inputs]
        # Bytes come after the words they are part of, and win.
        self._inputs = sorted(words, key=lambda pair: -len(pair[1].inputs))
        self._shown: list[int] = []
        self._column = {variable: column for column, variable in enumerate(self.variables)}
        self._quotients = [c for c, v in enumerate(self.variables) if forms.variables[v].kind == "quotient"]
        self.simplex = Simplex([(v.low, v.high) for v in known], work)
        self._slack: dict[Terms, int] = {}
        self._disjunctions: list[tuple[Any, Reasons]] = []
        self._frames: list[_Frame] = []
        always = [Atom(*row) for row in _rows(forms, self.variables)]
        for atom in (*atoms, *always):
            self._row(atom.terms)
        self._todo: list[_Said] = [
            *((formula, frozenset({number})) for number, formula in enumerate(formulas)),
            *((atom, NO_REASON) for atom in always),
        ]

    def run(self) -> Status:
        try:
            return self._run()
        except OutOfWork:
            return Status.OPEN
        except _Accepted:
            return Status.ACCEPTED

    @property
    def pivots(self) -> int:
        return self.simplex.pivots

    def _run(self) -> Status:
        while True:
            conflict = self._say()
            if conflict is None:
                conflict = self.simplex.check(self._visit)
            if conflict is None:
                self._visit()
                split = self._split()
                if split is None:
                    return Status.FEASIBLE
                self._frames.append(_Frame(self.simplex.mark(), list(self._disjunctions), split))
            else:
                self.core |= conflict
            if not self._next():
                return Status.INFEASIBLE

    def _next(self) -> bool:
        """Go to the next alternative of the last split that has one."""
        self._todo.clear()
        while self._frames:
            frame = self._frames[-1]
            self.simplex.undo(frame.mark)
            self._disjunctions = list(frame.disjunctions)
            if frame.waiting:
                self._todo.append(frame.waiting.pop())
                return True
            self._frames.pop()
        return False

    # ---- saying what must hold ----

    def _say(self) -> Reasons | None:
        """Assert what waits; the reasons of a conflict found at once."""
        self._todo.reverse()
        while self._todo:
            conflict = self._assert(*self._todo.pop())
            if conflict is not None:
                return conflict
        return None

    def _assert(self, formula: Formula | _Cut, reasons: Reasons) -> Reasons | None:
        if formula is None:
            return None
        if isinstance(formula, _Cut):
            say = self.simplex.at_most if formula.below else self.simplex.at_least
            return say(formula.column, formula.limit, reasons)
        if isinstance(formula, All):
            self._todo += [(part, reasons) for part in reversed(formula.parts)]
            return None
        if isinstance(formula, Any):
            if not formula.parts:
                return reasons
            self._disjunctions.append((formula, reasons))
            return None
        return self._assert_atom(formula, reasons)

    def _assert_atom(self, atom: Atom, reasons: Reasons) -> Reasons | None:
        decided = atom.decided
        if decided is not None:
            return None if decided else reasons
        row, conflict = self._row(atom.terms), None
        if atom.low is not None:
            conflict = self.simplex.at_least(row, atom.low, reasons)
        if conflict is None and atom.high is not None:
            conflict = self.simplex.at_most(row, atom.high, reasons)
        return conflict

    def _row(self, terms: Terms) -> int:
        """The slack variable of a combination.  One byte has one too, so that every constraint is repaired by a
        pivot of its own, and the assignment before it is seen."""
        found = self._slack.get(terms)
        if found is None and terms:
            found = self.simplex.add_row([(self._column[v], factor) for v, factor in terms])
            self._slack[terms] = found
        return found if found is not None else -1

    # ---- splitting ----

    def _split(self) -> list[_Said] | None:
        """Alternatives one of which must hold, the most promising last; None if the assignment is a solution."""
        column = self._fractional()
        if column is not None:
            value, whole = self.simplex.value[column], floor(self.simplex.value[column])
            below: _Said = (_Cut(column, whole, True), NO_REASON)
            above: _Said = (_Cut(column, whole + 1, False), NO_REASON)
            return [above, below] if 2 * (value - whole) <= 1 else [below, above]
        for number, (disjunction, reasons) in enumerate(self._disjunctions):
            if not any(self._holds(part) for part in disjunction.parts):
                del self._disjunctions[number]
                return [(part, reasons) for part in reversed(disjunction.parts)]
        return None

    def _fractional(self) -> int | None:
        values = self.simplex.value
        for column in (*self._quotients, *range(len(self.variables))):
            if not isinstance(values[column], int):
                return column
        return None

    def _holds(self, formula: Formula) -> bool:
        if formula is None:
            return True
        if isinstance(formula, All):
            return all(self._holds(part) for part in formula.parts)
        if isinstance(formula, Any):
            return any(self._holds(part) for part in formula.parts)
        total = sum(factor * self.simplex.value[self._column[v]] for v, factor in formula.terms)
        return (formula.low is None or total >= formula.low) and (formula.high is None or total <= formula.high)

    # ---- showing assignments ----

    def rounded(self) -> list[int]:
        """Every input variable's nearest integer in range."""
        found: list[int] = []
        for column, variable in self._inputs:
            value = self.simplex.value[column]
            if not isinstance(value, int):
                value = _nearest(value)
            found.append(min(max(value, variable.low), variable.high))
        return found

    def _visit(self) -> None:
        values = self.rounded()
        self.simplex.work -= len(values) // 4
        if values == self._shown:
            return
        self._shown = values
        if self._offer(self._bytes(values)):
            raise _Accepted

    def _bytes(self, values: Sequence[int]) -> dict[int, int]:
        found: dict[int, int] = {}
        for (_, variable), value in zip(self._inputs, values, strict=True):
            if len(variable.inputs) == 1:
                found[variable.inputs[0]] = value
            else:
                data = (value % (1 << 8 * len(variable.inputs))).to_bytes(len(variable.inputs), "little")
                found.update(zip(variable.inputs, data, strict=True))
        return found


def _nearest(value: Fraction) -> int:
    return (2 * value.numerator + value.denominator) // (2 * value.denominator)


def _atoms(formula: Formula) -> Iterator[Atom]:
    if isinstance(formula, Atom):
        yield formula
    elif formula is not None:
        for part in formula.parts:
            yield from _atoms(part)


def _closure(forms: Forms, atoms: Sequence[Atom]) -> list[int]:
    """The variables of atoms and of what defines them; input variables first."""
    stack = [variable for atom in atoms for variable, _ in atom.terms]
    found: set[int] = set()
    while stack:
        variable = stack.pop()
        if variable not in found:
            found.add(variable)
            if variable in forms.definitions:
                stack += [other for other, _ in forms.definitions[variable].terms]
    for word in _overlapping(forms, found):
        found.update(variable for row in forms.links(word) for variable, _ in row.terms)
    return sorted(found, key=lambda v: (_KIND_ORDER[forms.variables[v].kind], forms.variables[v].inputs, v))


def _overlapping(forms: Forms, variables: set[int]) -> list[int]:
    """Words some of whose bytes belong to other variables too."""
    users: dict[int, int] = {}
    for variable in variables:
        for index in forms.variables[variable].inputs:
            users[index] = users.get(index, 0) + 1
    words = [v for v in variables if len(forms.variables[v].inputs) > 1]
    return [word for word in sorted(words) if any(users[i] > 1 for i in forms.variables[word].inputs)]


def _rows(forms: Forms, variables: Sequence[int]) -> Iterator[tuple[Terms, int, int]]:
    """What is true of the variables for all inputs."""
    for variable in variables:
        if variable in forms.definitions:
            yield forms.definitions[variable]
    for word in _overlapping(forms, set(variables)):
        yield from forms.links(word)
