"""Which branches of a program depend on input and may be melded, before anything is changed.

Melding a branch makes what it chooses symbolic, and what it chooses may go into addresses, which forbids the melding of
branches that hold such addresses (rule 3).  So all branches are first taken to be melded; those with symbolic addresses
in their arms are given up, first the ones that are to blame themselves, and the spread is found again without them,
until nothing changes.
"""

from __future__ import annotations

from dataclasses import dataclass

from cinquefoil.analysis.symbolic_flow import SymbolicFlow, Sync
from cinquefoil.ir.model import Function, IndirectBranch, Module, Store, Value
from cinquefoil.transform.meld.cost import Branch, Spoiled, objections
from cinquefoil.transform.meld.diamonds import Diamond, Shape
from cinquefoil.transform.meld.legal import addresses, chosen_phis, feeds_own_addresses, why_not, why_not_in_line
from cinquefoil.transform.meld.meld_options import MeldOptions
from cinquefoil.transform.meld.pairing import look_alike


@dataclass(frozen=True, slots=True)
class Candidate:
    """A branch that could be melded as far as its shape and instructions go."""

    function: Function
    shape: Shape
    diamond: Diamond
    sync: Sync

    @property
    def key(self) -> Branch:
        return self.function.name, self.diamond.head


@dataclass(frozen=True, slots=True)
class MeldPlan:
    """`symbolic`: per function, the values that depend on input.  `addressed`: branches given up by rule 3.
    `costs`: what auto mode says against branches."""

    symbolic: dict[str, set[str]]
    addressed: frozenset[Branch]
    costs: dict[Branch, str]


def make_plan(module: Module, options: MeldOptions, flow: SymbolicFlow) -> MeldPlan:
    costs = objections(module, flow, options.mode)
    everything = [c for f in module.functions.values() for c in _candidates(f)]
    candidates = [c for c in everything if c.key not in options.excluded and c.key not in costs]
    spoiled = Spoiled(module, flow) if options.mode == "auto" else None
    while True:
        symbolic, addressed = _addressed(candidates, flow)
        active = {c.key: c.sync for c in candidates if c.key not in addressed}
        wasteful = spoiled.objections(active) if spoiled is not None else {}
        if not wasteful:
            return MeldPlan(symbolic, frozenset(addressed), costs)
        costs |= wasteful
        candidates = [c for c in candidates if c.key not in wasteful]


def _addressed(candidates: list[Candidate], flow: SymbolicFlow) -> tuple[dict[str, set[str]], set[Branch]]:
    """What depends on input once the candidates are melded, apart from those given up by rule 3."""
    addressed = {c.key for c in candidates if feeds_own_addresses(c.function, c.shape, c.diamond)}
    while True:
        active = [c for c in candidates if c.key not in addressed]
        symbolic = flow.spread([c.sync for c in active])
        wrong = {c.key for c in active if _is_wrong(c, symbolic.get(c.function.name, set()))}
        if not wrong:
            return symbolic, addressed
        addressed |= wrong


def _is_wrong(candidate: Candidate, symbolic: set[str]) -> bool:
    condition = candidate.sync.condition
    if getattr(condition, "name", None) not in symbolic:
        return False
    return any(name in symbolic for name in addresses(candidate.shape, candidate.diamond))


def _candidates(function: Function) -> list[Candidate]:
    if not is_meldable(function):
        return []
    shape = Shape(function)
    found: list[Candidate] = []
    for head in shape.heads():
        diamond = shape.diamond(head)
        if isinstance(diamond, Diamond) and _is_candidate(shape, diamond):
            found.append(Candidate(function, shape, diamond, _sync(function, shape, diamond)))
    return found


def _is_candidate(shape: Shape, diamond: Diamond) -> bool:
    """Whether some kind of melding may do."""
    if why_not(shape, diamond, _nothing) is not None:
        return False
    return why_not_in_line(shape, diamond, _nothing) is None or look_alike(shape, diamond)


def _nothing(value: Value) -> bool:
    return False


def is_meldable(function: Function) -> bool:
    """Jumps to computed addresses leave a function alone."""
    return bool(function.blocks) and not any(isinstance(i, IndirectBranch) for i in function.walk())


def _sync(function: Function, shape: Shape, diamond: Diamond) -> Sync:
    branch = shape.blocks[diamond.head].terminator
    chosen = tuple(str(phi.result) for phi in chosen_phis(shape, diamond))
    arms = [i for label in diamond.blocks for i in shape.blocks[label].instructions]
    return Sync(function.name, branch.operands[0], chosen, tuple(i for i in arms if isinstance(i, Store)))
