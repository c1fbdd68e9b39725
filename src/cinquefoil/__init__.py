"""Cinquefoil: symbolic execution and test generation for C.

    import cinquefoil

    outcome = cinquefoil.explore("prog.c", max_time=60)

A search strategy is a class: see `cinquefoil.Searcher`.  Names are loaded when they are first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cinquefoil.api import explore
    from cinquefoil.errors import CinquefoilError, EngineError, UserError
    from cinquefoil.explore.findings import FoundError, Test
    from cinquefoil.explore.loop import Exploration, Outcome
    from cinquefoil.explore.options import Options
    from cinquefoil.machine.run import Run
    from cinquefoil.search.api import Context, Searcher
    from cinquefoil.search.registry import register
    from cinquefoil.search.state import State
    from cinquefoil.testcase.ktest import KTest

__version__ = "0.1.0"

_PLACES = {
    "CinquefoilError": "errors",
    "Context": "search.api",
    "EngineError": "errors",
    "Exploration": "explore.loop",
    "FoundError": "explore.findings",
    "KTest": "testcase.ktest",
    "Options": "explore.options",
    "Outcome": "explore.loop",
    "Run": "machine.run",
    "Searcher": "search.api",
    "State": "search.state",
    "Test": "explore.findings",
    "UserError": "errors",
    "register": "search.registry",
}

__all__ = [
    "CinquefoilError",
    "Context",
    "EngineError",
    "Exploration",
    "FoundError",
    "KTest",
    "Options",
    "Outcome",
    "Run",
    "Searcher",
    "State",
    "Test",
    "UserError",
    "__version__",
    "explore",
    "register",
]


def __getattr__(name: str) -> object:
    if name == "explore":  # a package that can be called
        return import_module("cinquefoil.explore")
    if name in _PLACES:
        return getattr(import_module(f"cinquefoil.{_PLACES[name]}"), name)
    raise AttributeError(f"module 'cinquefoil' has no attribute {name!r}")
