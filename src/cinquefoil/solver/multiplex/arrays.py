"""The arrays instance (MuSE, section 3.3 and Algorithm 3): table reads and conditional writes, refined on demand.

Terms are translated with every table read and every if-then-else of words replaced by a fresh variable: the axioms
that say what they equal are left out.  The bit-vector solver's model gives an input; if that satisfies the real
constraints it is a solution, otherwise a partial solution, and the axioms that the model violates are added: for
a read, what the table holds at the index that the model chose; for a choice, what it is if its condition is as
in the model.  Axioms are true of all inputs, so they stay for later queries, and an unsatisfiable abstraction is
a proof.

Risk: a read with many reachable indices may need as many rounds; the number of rounds is bounded, and the SMT
layer below has the whole table as one term.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, Final

from bitwuzla import Bitwuzla, Option, Options, Result, Term, TermManager

from cinquefoil.expr.backend_bitwuzla import BitwuzlaBackend
from cinquefoil.expr.smt import Translator
from cinquefoil.expr.table import ExpressionTable
from cinquefoil.layout import Op
from cinquefoil.solver.multiplex.attempt import Attempt
from cinquefoil.solver.problem import Verdict

ROUNDS: Final = 40
MILLISECONDS: Final = 500
"""The time limit of one call of the bit-vector solver."""
_WORK: Final = 20_000
"""What such a call counts for."""
_LIFETIME: Final = 1000


class Abstraction(Translator[Term]):
    """Terms in which reads and choices are free; `axiom` gives back what a model must not contradict."""

    def __init__(self, table: ExpressionTable, manager: TermManager) -> None:
        super().__init__(table, BitwuzlaBackend(manager))
        self.free: dict[int, Term] = {}

    def operands(self, node: int) -> tuple[int, ...]:
        """A free read needs its index alone: entries of its table are translated when an axiom wants them."""
        if self.table.op(node) is Op.TREAD:
            return (self.table.fields(node)[2],)
        return super().operands(node)

    def make(self, node: int) -> None:
        op, width, *_ = self.table.fields(node)
        if op is Op.TREAD or (op is Op.ITE and width > 1):
            self.free[node] = self.backend.variable(f"free_{node}", width)
            self.set_bits(node, self.free[node])
        else:
            super().make(node)

    def axiom(self, node: int, choice: int) -> Term:
        """What a free node equals if its index, or its condition, has this value."""
        op, width, a, b, c, imm = self.table.fields(node)
        apply = self.backend.apply
        if op is Op.ITE:
            otherwise = apply("not", self.formula(a)) if choice else self.formula(a)
            value = self.term(b if choice else c)
        else:
            chosen = apply("=", self.term(a), self.backend.constant(self.table.width(a), choice))
            otherwise, value = apply("not", chosen), self._element(imm, choice, width)
        return apply("or", otherwise, apply("=", self.free[node], value))

    def _element(self, table: int, index: int, width: int) -> Term:
        if index >= self.table.table_shape(table)[0]:
            return self.backend.constant(width, 0)
        entries = self.table.table_entries(table)
        if entries and entries[index]:
            return self.term(entries[index])
        return self.backend.constant(width, self.table.table_contents(table)[index])


class _Session:
    """A bit-vector solver over one table, and the axioms it was told."""

    def __init__(self, table: ExpressionTable, seed: int) -> None:
        manager, options = TermManager(), Options()
        options.set(Option.PRODUCE_MODELS, True)
        options.set(Option.PRODUCE_UNSAT_ASSUMPTIONS, True)
        options.set(Option.TIME_LIMIT_PER, MILLISECONDS)
        options.set(Option.SEED, seed)
        self.table = table
        self.terms = Abstraction(table, manager)
        self.solver = Bitwuzla(manager, options)
        self.queries = 0
        self._known: set[tuple[int, int]] = set()

    def value(self, term: Term) -> int:
        found = self.solver.get_value(term).value(10)
        return int(found)

    def refine(self, nodes: Iterable[int]) -> int:
        """Add the axioms about these nodes that the model violates; how many there were."""
        violated = [(node, choice) for node in nodes for choice in self._violated(node)]
        self._known.update(violated)
        axioms = [self.terms.axiom(node, choice) for node, choice in violated]
        for axiom in axioms:  # after all values were read: an assertion ends the model
            self.solver.assert_formula(axiom)
        return len(axioms)

    def _violated(self, node: int) -> list[int]:
        """The model's index or condition, unless the axiom about it is there: then the model respects it."""
        op, _, a, *_ = self.table.fields(node)
        if op is Op.ITE:
            choice = int(bool(self.solver.get_value(self.terms.formula(a)).value()))
        else:
            choice = self.value(self.terms.term(a))
        return [] if (node, choice) in self._known else [choice]


class ArraysInstance:
    """Abstraction and refinement on top of Bitwuzla."""

    name: ClassVar[str] = "arrays"

    def __init__(self, seed: int = 0, rounds: int = ROUNDS) -> None:
        self.seed = seed
        self.rounds = rounds
        self.calls = 0
        self._session: _Session | None = None

    def reset(self) -> None:
        self._session = None

    def attempt(self, attempt: Attempt) -> Verdict:
        session = self._for(attempt.problem.slicer.table)
        terms = session.terms
        wanted = [terms.condition(each) for each in attempt.constraints]
        for _ in range(self.rounds):
            result = session.solver.check_sat(*wanted)
            self.calls += 1
            attempt.work += _WORK
            if result is Result.UNSAT:
                attempt.core = [i for i, term in enumerate(wanted) if session.solver.is_unsat_assumption(term)]
                return Verdict.UNSAT
            if result is not Result.SAT:
                self._session = None  # stopped half-way
                return Verdict.UNKNOWN
            if self._offer(attempt, session):
                return Verdict.SAT
            if not session.refine(self._reached(attempt, terms)):
                return Verdict.UNKNOWN
        return Verdict.UNKNOWN

    def _for(self, table: ExpressionTable) -> _Session:
        if self._session is None or self._session.table is not table or self._session.queries >= _LIFETIME:
            self._session = _Session(table, self.seed)
        self._session.queries += 1
        return self._session

    def _offer(self, attempt: Attempt, session: _Session) -> bool:
        variables = session.terms.inputs
        inputs = [index for index in attempt.problem.inputs if index in variables]
        return attempt.offer({index: session.value(variables[index]) for index in inputs})

    def _reached(self, attempt: Attempt, terms: Abstraction) -> list[int]:
        """Free nodes below the constraints, as far as terms were made of them."""
        seen = {c.node for c in attempt.constraints}
        stack, found = list(seen), list[int]()
        while stack:
            node = stack.pop()
            if node in terms.free:
                found.append(node)
            for operand in terms.table.operands(node):
                if operand not in seen and terms.known(operand):
                    seen.add(operand)
                    stack.append(operand)
        return sorted(found)
