"""Cinquefoil: concolic execution and test generation for C.

    import cinquefoil

    outcome = cinquefoil.explore("prog.c", max_time=60)

Everything public is here, and in `cinquefoil.testing` for those who write plug-ins.  Names are loaded when they are
first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cinquefoil.api import explore
    from cinquefoil.errors import CinquefoilError, EngineError, UserError
    from cinquefoil.exploration import Exploration, FoundError, Options, Outcome, Test
    from cinquefoil.exploration.mutations.api import Mutator, Pool
    from cinquefoil.exploration.mutations.registry import register_mutator
    from cinquefoil.machine.run import Run
    from cinquefoil.prune.api import Due, Pending, Pruner, Setting
    from cinquefoil.prune.registry import register_pruner
    from cinquefoil.report.export.export_suite import Exported, Suite
    from cinquefoil.report.export.format import Format
    from cinquefoil.report.export.registry import register_format
    from cinquefoil.search.api import Context, Searcher
    from cinquefoil.search.registry import register_searcher
    from cinquefoil.solver.layer import Layer
    from cinquefoil.solver.problem import Problem, Verdict
    from cinquefoil.solver.registry import register_layer
    from cinquefoil.states.state import State
    from cinquefoil.testcase.ktest import KTest

__version__ = "0.1.0"

_MODULES = {
    "CinquefoilError": "errors",
    "Context": "search.api",
    "Due": "prune.api",
    "EngineError": "errors",
    "Exploration": "exploration",
    "Exported": "report.export.export_suite",
    "Format": "report.export.format",
    "FoundError": "exploration",
    "KTest": "testcase.ktest",
    "Layer": "solver.layer",
    "Mutator": "exploration.mutations.api",
    "Options": "exploration",
    "Outcome": "exploration",
    "Pending": "prune.api",
    "Pool": "exploration.mutations.api",
    "Problem": "solver.problem",
    "Pruner": "prune.api",
    "Run": "machine.run",
    "Searcher": "search.api",
    "Setting": "prune.api",
    "State": "states.state",
    "Suite": "report.export.export_suite",
    "Test": "exploration",
    "UserError": "errors",
    "Verdict": "solver.problem",
    "explore": "api",
    "register_format": "report.export.registry",
    "register_layer": "solver.registry",
    "register_mutator": "exploration.mutations.registry",
    "register_pruner": "prune.registry",
    "register_searcher": "search.registry",
}

__all__ = [
    "CinquefoilError",
    "Context",
    "Due",
    "EngineError",
    "Exploration",
    "Exported",
    "Format",
    "FoundError",
    "KTest",
    "Layer",
    "Mutator",
    "Options",
    "Outcome",
    "Pending",
    "Pool",
    "Problem",
    "Pruner",
    "Run",
    "Searcher",
    "Setting",
    "State",
    "Suite",
    "Test",
    "UserError",
    "Verdict",
    "__version__",
    "explore",
    "register_format",
    "register_layer",
    "register_mutator",
    "register_pruner",
    "register_searcher",
]


def __getattr__(name: str) -> object:
    if name in _MODULES:
        return getattr(import_module(f"cinquefoil.{_MODULES[name]}"), name)
    raise AttributeError(f"module 'cinquefoil' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
