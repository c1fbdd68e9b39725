"""The papers' tables, one kind each, made from a comparison's results."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Final

from cinquefoil.errors import UserError
from cinquefoil.experiment.comparison import Comparison
from cinquefoil.experiment.data_table import Table
from cinquefoil.experiment.preset import Preset, View

Maker = Callable[[Comparison, float, View, Preset], Iterator[Table]]

KINDS: Final = {
    "beside": "coverage_views:beside",
    "gain": "coverage_views:gain",
    "distribution": "coverage_views:distribution",
    "exclusive": "coverage_views:exclusive_table",
    "ranked": "coverage_views:ranked",
    "moments": "resources:moments",
    "overhead": "resources:overhead",
    "states": "resources:states",
    "bugs": "bugs:bugs",
    "bug-matrix": "bugs:matrix",
    "mutation": "bugs:mutation",
    "exhaust": "exhaust:exhaust",
    "new": "multiplex_views:new_coverage",
    "percent": "multiplex_views:percentages",
    "speed-up": "multiplex_views:speed_up",
    "partial": "multiplex_views:partial_solutions",
    "verdict": "verdict:verdict",
}


def maker(kind: str) -> Maker:
    if kind not in KINDS:
        raise UserError(f"there is no view '{kind}'; known are {', '.join(KINDS)}")
    module, _, name = KINDS[kind].partition(":")
    found: Maker = getattr(import_module(f"{__name__}.{module}"), name)
    return found


def tables(comparison: Comparison, preset: Preset) -> Iterator[Table]:
    """All tables of a preset, budget by budget."""
    for budget in comparison.plan.budgets:
        for view in preset.views:
            yield from maker(view.kind)(comparison, budget, view, preset)
