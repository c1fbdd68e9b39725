"""The last layer: an SMT solver, incremental, with a limit per query.

Most constraints of a long slice are beside the point.  So the goal is asked for alone first; the constraints that its
solution violates are added, a few at first, until there is no solution, which needs no more of them, or one violates
none.

One long-lived instance serves many queries: constraints are passed as assumptions, so terms are translated
and bit-blasted once and what was learned stays.  An instance is thrown away after `LIFETIME` queries, which
bounds its memory; one that ran into its limit keeps its terms only.  The limit makes *unknown*; so does a solver's own
giving up.  It is given in seconds, but where the back end allows (Bitwuzla) it counts steps of the solver, and terms
that are new to it: how busy the machine is then decides nothing.  How much of its time a query gets is learned
(`patience.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Protocol

from cinquefoil.errors import UserError
from cinquefoil.expr.table import ExpressionTable
from cinquefoil.solver.api import Constraint, never
from cinquefoil.solver.layer import Layer
from cinquefoil.solver.patience import Patience
from cinquefoil.solver.problem import Problem, Verdict

LIFETIME: Final = 2000
COST: Final = 10_000
"""What an SMT query counts for at least, in units of 256 lane operations: about two milliseconds."""
COST_PER_STEP: Final = 200
"""And for each step of a solver that counts them: 40 microseconds.  Measured: 14 on equations of 32 bits, 110 on
products of 64."""
FIRST: Final = 4
"""How many violated constraints are added the first time; then twice as many each time."""


class SmtSession(Protocol):
    """A solver instance over one table; `translating` is how many nanoseconds the last query's terms took, `steps` how
    much it worked on it, the same on every run, or 0 if it does not count; `spent` are seconds of effort."""

    translating: int
    steps: int
    spent: float

    def check(
        self,
        constraints: Sequence[Constraint],
        seconds: float,
        stop: Callable[[], bool] = never,
        wall: float = float("inf"),
    ) -> Verdict:
        """UNKNOWN after the effort of so many seconds, after `wall` seconds, or soon after `stop` says so."""
        ...

    def renew(self) -> None:
        """Drops what a query that was given up left behind; terms stay."""
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
        self.patience = Patience()

    def reset(self) -> None:
        self._session = self._table = None
        self._queries = 0

    def _current(self, table: ExpressionTable) -> SmtSession:
        if self._session is None or self._table is not table or self._queries >= self.lifetime:
            self._session, self._table, self._queries = self.factory(table, self.seed), table, 0
        self._queries += 1
        return self._session

    def decide(self, problem: Problem) -> Verdict:
        query = problem.query
        limit = query.seconds
        if limit is None:
            limit = self.time_limit * self.patience.share(problem)
        if limit <= 0 or query.left() <= 0:
            return Verdict.UNKNOWN  # only what the cheaper layers can tell is wanted, or there is no time to say more
        before = problem.model()
        session = self._current(problem.slicer.table)
        attempt = QueryAttempt(problem, session, limit)
        verdict = attempt.decide()
        problem.cost += COST + COST_PER_STEP * attempt.steps
        self.statistics.terms_nanoseconds += attempt.translating
        if verdict is Verdict.UNKNOWN:
            session.renew()
            problem.set_model(before)
        if query.seconds is None and not query.stop():
            self.patience.learn(problem, verdict is not Verdict.UNKNOWN, attempt.spent / self.time_limit)
        return verdict


class QueryAttempt:
    """One query: subsets of its constraints, until one has no solution or a solution holds for all."""

    def __init__(self, problem: Problem, session: SmtSession, seconds: float) -> None:
        self._problem = problem
        self._session = session
        self._seconds = seconds
        self.spent = 0.0  # seconds of effort
        self.steps = 0
        self.translating = 0

    def decide(self) -> Verdict:
        problem, more = self._problem, FIRST
        chosen = problem.goal_rows()
        while (verdict := self._check(chosen)) is Verdict.SAT:
            self._take_model()
            found = set(chosen)
            missing = [row for row in problem.violated() if row not in found]
            if not missing:
                break  # a solution; or the solver's idea of one, which the chain refuses
            chosen += missing[:more]
            more *= 2
        if verdict is Verdict.UNSAT:
            core = self._session.core()
            problem.core = chosen if core is None else [chosen[i] for i in core]
        return verdict

    def _check(self, chosen: list[int]) -> Verdict:
        problem, session = self._problem, self._session
        left = self._seconds - self.spent
        if left <= 0:
            return Verdict.UNKNOWN
        constraints = [problem.constraints[row] for row in chosen]
        verdict = session.check(constraints, left, problem.query.stop, problem.query.left())
        self.spent += session.spent
        self.steps += session.steps
        self.translating += session.translating
        return verdict

    def _take_model(self) -> None:
        problem = self._problem
        known = zip(self._session.values(problem.inputs), problem.model(), strict=True)
        problem.set_model(bytes(old if new is None else new for new, old in known))
