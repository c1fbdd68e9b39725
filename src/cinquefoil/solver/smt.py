"""The last layer: an SMT solver, incremental, with a limit per query.

One long-lived instance serves many queries: constraints are passed as assumptions, so terms are translated
and bit-blasted once and what was learned stays.  An instance is thrown away after `LIFETIME` queries, which
bounds its memory, and after it ran into its limit.  The limit makes *unknown*; so does a solver's own giving up.
It is given in seconds, but where the back end allows (Bitwuzla) it counts steps of the solver: how busy the
machine is then decides nothing.  A slice so large that translating it alone would exceed the limit is not tried:
solvers look at the clock only while they search.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Protocol

from cinquefoil.errors import UserError
from cinquefoil.expr.table import ExpressionTable
from cinquefoil.solver.api import Constraint, never
from cinquefoil.solver.layer import Layer
from cinquefoil.solver.problem import Problem, Verdict

LIFETIME: Final = 2000
COST: Final = 10_000
"""What an SMT query counts for at least, in units of 256 lane operations: about two milliseconds."""
COST_PER_STEP: Final = 200
"""And for each step of a solver that counts them: 40 microseconds.  Measured: 14 on equations of 32 bits, 110 on
products of 64."""
GUARD: Final = 6.0
"""Times the limit, in seconds of the clock: for solvers that count their steps."""
CONSTRAINTS_PER_SECOND: Final = 1000
"""Slices with more of them are left undecided; they are hopeless within the time anyway."""


class SmtSession(Protocol):
    """A solver instance over one table; `translating` is how many nanoseconds the last query's terms took, `steps` how
    much it worked on it, the same on every run, or 0 if it does not count."""

    translating: int
    steps: int

    def check(
        self,
        constraints: Sequence[Constraint],
        seconds: float,
        stop: Callable[[], bool] = never,
        wall: float = float("inf"),
    ) -> Verdict:
        """UNKNOWN after the effort of so many seconds, after `wall` seconds, or soon after `stop` says so."""
        ...

    def values(self, inputs: Sequence[int]) -> list[int | None]:
        """After SAT: the values of input bytes; None where the solver knows no such variable."""
        ...

    def core(self) -> list[int] | None:
        """After UNSAT: indices of constraints that suffice for it, if the solver tells."""
        ...


class SessionFactory(Protocol):
    def __call__(self, table: ExpressionTable, seed: int) -> SmtSession: ...


def session_factory(name: str) -> SessionFactory:
    """The back end of that name; imported only when asked for, since solvers take their time to load."""
    if name == "bitwuzla":
        from cinquefoil.solver.bitwuzla_session import BitwuzlaSession

        return BitwuzlaSession
    if name == "z3":
        from cinquefoil.solver.z3_session import Z3Session

        return Z3Session
    raise UserError(f"there is no solver {name!r}; choose bitwuzla or z3")


class SmtLayer(Layer):
    """Asks an SMT solver about the whole slice."""

    name = "smt"

    def __init__(self, factory: SessionFactory, time_limit: float, seed: int, lifetime: int = LIFETIME) -> None:
        super().__init__(None)
        self.factory = factory
        self.time_limit = time_limit
        self.seed = seed
        self.lifetime = lifetime
        self._session: SmtSession | None = None
        self._table: ExpressionTable | None = None
        self._queries = 0

    def reset(self) -> None:
        self._session = self._table = None
        self._queries = 0

    def _current(self, table: ExpressionTable) -> SmtSession:
        if self._session is None or self._table is not table or self._queries >= self.lifetime:
            self._session, self._table, self._queries = self.factory(table, self.seed), table, 0
        self._queries += 1
        return self._session

    def decide(self, problem: Problem) -> Verdict:
        limit = self.time_limit if problem.query.seconds is None else problem.query.seconds
        wall = min(GUARD * limit, problem.query.left())
        if wall <= 0 or problem.count > limit * CONSTRAINTS_PER_SECOND:
            return Verdict.UNKNOWN  # only what the cheaper layers can tell is wanted, or there is no time to say more
        session = self._current(problem.slicer.table)
        verdict = session.check(problem.constraints, limit, problem.query.stop, wall)
        problem.cost += COST + COST_PER_STEP * session.steps
        self.statistics.terms_nanoseconds += session.translating
        if verdict is Verdict.SAT:
            self._take_model(problem, session)
        elif verdict is Verdict.UNSAT and (core := session.core()) is not None:
            problem.core = core
        elif verdict is Verdict.UNKNOWN:
            self._session = None  # a solver stopped half-way keeps what it was working on
        return verdict

    def _take_model(self, problem: Problem, session: SmtSession) -> None:
        known = zip(session.values(problem.inputs), problem.model(), strict=True)
        problem.set_model(bytes(old if new is None else new for new, old in known))
