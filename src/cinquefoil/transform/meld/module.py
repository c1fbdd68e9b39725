"""Melding a whole program: plan, functions one by one, report."""

from __future__ import annotations

from cinquefoil.analysis.symbolic_flow import SymbolicFlow
from cinquefoil.ir.debug import DebugInfo
from cinquefoil.ir.model import Function, Module
from cinquefoil.transform.meld.body import Body
from cinquefoil.transform.meld.locations import MeldLocations
from cinquefoil.transform.meld.marks import Marks, declare
from cinquefoil.transform.meld.meld_options import MeldOptions
from cinquefoil.transform.meld.meld_plan import MeldPlan, is_meldable, make_plan
from cinquefoil.transform.meld.meld_report import MeldedRegion, MeldReport, Refusal
from cinquefoil.transform.meld.melder import Melder


def meld(module: Module, options: MeldOptions, flow: SymbolicFlow) -> MeldReport:
    """Melds a module in place; `flow` is its analysis."""
    plan = make_plan(module, options, flow)
    debug, locations = DebugInfo(module), MeldLocations(module)
    regions: list[MeldedRegion] = []
    refusals: list[Refusal] = []
    for function in list(module.functions.values()):
        if is_meldable(function):
            body = Body.of(function, locations, Marks(function, debug), plan.symbolic.get(function.name, set()))
            melder = Melder(body, debug, _Objection(function, plan, options), len(regions) + 1)
            done, left = melder.run()
            body.marks.settle(function)
            regions += done
            refusals += left
    declare(module)
    return MeldReport(tuple(regions), tuple(refusals))


class _Objection:
    """What speaks against melding a branch, beyond its shape and instructions."""

    def __init__(self, function: Function, plan: MeldPlan, options: MeldOptions) -> None:
        self._function, self._plan, self._options = function, plan, options

    def __call__(self, body: Body, head: str, blocks: tuple[str, ...]) -> str | None:
        for home in body.homes_of(body.block(head)):
            key = self._function.name, home
            if key in self._options.excluded:
                return "it is excluded: melded, it failed where the original does not"
            if key in self._plan.costs:
                return self._plan.costs[key]
            if key in self._plan.addressed:
                return "an address in it would depend on input"
        return None
