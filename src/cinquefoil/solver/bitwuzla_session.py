"""Bitwuzla behind `SmtSession`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic, perf_counter_ns, thread_time
from typing import Final

import bitwuzla
from bitwuzla import Bitwuzla, Option, Options, Result, Term, TermManager

from cinquefoil.expr.backend_bitwuzla import BitwuzlaBackend
from cinquefoil.expr.smt import TooManyTerms, Translator
from cinquefoil.expr.table import ExpressionTable
from cinquefoil.layout import Op
from cinquefoil.solver.api import Constraint, never
from cinquefoil.solver.problem import Verdict

_VERDICTS = {Result.SAT: Verdict.SAT, Result.UNSAT: Verdict.UNSAT}
CALLS_PER_SECOND: Final = 9000
"""How often Bitwuzla asks its terminator, measured: 8,300 to 10,900 times a second at work on products of 64 bits,
fewer on small terms.  The number of calls for a query is the same on every run."""
PRODUCT: Final = 8
"""Terms that a product, a quotient or an operation on floating-point numbers counts for."""
LOOKED_UP: Final = 128
"""Bits of elements of a table that is read that count for a term: 76 microseconds for each run of equal elements of 32
bits, measured on 16 reads of tables of 16,384."""
_PRODUCTS: Final = frozenset({Op.MUL, Op.UDIV, Op.SDIV, Op.UREM, Op.SREM, *(op for op in Op if op >= Op.FADD)})
GUARD: Final = 6.0
"""Times the limit, in seconds of processor time: against steps between which the solver does not ask."""

NORMALIZED: Final = 1000
"""New terms in one query, at most, for Bitwuzla to normalise sums and products first.  That takes time in the square of
their number and cannot be stopped: three seconds for the 3,800 terms of a round of SHA-256."""
TERMS_PER_SECOND: Final = 4000
"""What it takes to translate terms and to make clauses of them, which nothing stops either: 250 microseconds for one
addition of 32 bits."""


def _weight(table: ExpressionTable, node: int) -> int:
    """How many terms a node counts for."""
    op, width, _, _, _, imm = table.fields(node)
    if op is Op.TREAD:
        return 1 + table.table_runs(imm) * width // LOOKED_UP
    return PRODUCT if op in _PRODUCTS else 1


class Terminator:
    """Asked by the solver while it works.  As that runs Python, signals get through meanwhile.

    What a query may cost is a number of calls, so that a busy machine leaves no other questions open than an idle one;
    the clock guards against steps between which the solver does not ask."""

    def __init__(self) -> None:
        self.calls = 0  # allowed
        self.made = 0
        self.until = self.busy_until = 0.0
        self.stop = never

    def allow(self, seconds: float, wall: float, stop: Callable[[], bool]) -> None:
        self.calls, self.made = max(1, round(seconds * CALLS_PER_SECOND)), 0
        self.until, self.stop = monotonic() + wall, stop
        self.busy_until = thread_time() + GUARD * seconds

    def __call__(self) -> bool:
        self.made += 1
        late = monotonic() >= self.until or thread_time() >= self.busy_until
        return self.made > self.calls or late or self.stop()


class BitwuzlaSession:
    """One term manager and one solver.  Bitwuzla's own limit is an option of the instance; the terminator serves all
    limits with one."""

    def __init__(self, table: ExpressionTable, seed: int) -> None:
        self._manager = TermManager()
        self.translator: Translator[Term] = Translator(table, BitwuzlaBackend(self._manager))
        self.translating = 0
        self.steps = 0
        self.spent = 0.0
        self._seed = seed
        self._assumed: list[Term] = []
        self._terminator = Terminator()
        self.normalizes = True
        self.renew()

    def _new_terms(self, roots: Sequence[int], most: float) -> float:
        """The weight of all nodes at and below the roots that the solver has not seen; counted up to `most`."""
        seen, operands, table = self._seen, self.translator.operands, self.translator.table
        stack, weight = list(roots), 0
        while stack and weight < most:
            node = stack.pop()
            if node not in seen:
                seen.add(node)
                stack += operands(node)
                weight += _weight(table, node)
        return weight

    def renew(self) -> None:
        self._seen = set[int]()
        options = Options()
        options.set(Option.PRODUCE_MODELS, True)
        options.set(Option.PRODUCE_UNSAT_ASSUMPTIONS, True)
        options.set(Option.SEED, self._seed)
        options.set(Option.PP_NORMALIZE, self.normalizes)
        self._solver = Bitwuzla(self._manager, options)
        self._solver.configure_terminator(self._terminator)

    def check(
        self,
        constraints: Sequence[Constraint],
        seconds: float,
        stop: Callable[[], bool] = never,
        wall: float = float("inf"),
    ) -> Verdict:
        translator, start = self.translator, perf_counter_ns()
        before, self.translating = translator.made, 0
        self.spent = self._new_terms([each.node for each in constraints], seconds * TERMS_PER_SECOND) / TERMS_PER_SECOND
        self.steps = round(self.spent * CALLS_PER_SECOND)
        if self.spent >= min(seconds, wall):
            return Verdict.UNKNOWN
        translator.most = before + wall * TERMS_PER_SECOND
        try:
            self._assumed = [translator.condition(each) for each in constraints]
        except TooManyTerms:
            return Verdict.UNKNOWN
        definitions = translator.definitions(c.node for c in constraints)
        self.translating = perf_counter_ns() - start
        if self.normalizes and translator.made - before > NORMALIZED:
            self.normalizes = False
            self.renew()
        self._terminator.allow(seconds - self.spent, wall, stop)
        result = self._solver.check_sat(*self._assumed, *definitions)
        self.steps += self._terminator.made
        self.spent += self._terminator.made / CALLS_PER_SECOND
        return _VERDICTS.get(result, Verdict.UNKNOWN)

    def values(self, inputs: Sequence[int]) -> list[int | None]:
        variables, solver = self.translator.inputs, self._solver
        return [int(solver.get_value(variables[i]).value(10)) if i in variables else None for i in inputs]

    def core(self) -> list[int] | None:
        return [i for i, term in enumerate(self._assumed) if self._solver.is_unsat_assumption(term)]


def version() -> str:
    """Figures for reports."""
    return f"bitwuzla {getattr(bitwuzla, '__version__', '')}".strip()
