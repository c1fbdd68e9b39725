"""Exploring a program: execution tree, coverage, the loop, and what it finds.

The package itself can be called: `cinquefoil.explore("prog.c", max_time=60)` is `session.explore`.
"""

import sys
from types import ModuleType

from cinquefoil.explore.coverage import Coverage, Figures
from cinquefoil.explore.findings import FoundError, Test
from cinquefoil.explore.loop import Exploration, Outcome
from cinquefoil.explore.options import Options
from cinquefoil.explore.results import ResultFolder
from cinquefoil.explore.session import Session, Task, explore
from cinquefoil.explore.statistics import Statistics
from cinquefoil.explore.tree import Tree

__all__ = [
    "Coverage",
    "Exploration",
    "Figures",
    "FoundError",
    "Options",
    "Outcome",
    "ResultFolder",
    "Session",
    "Statistics",
    "Task",
    "Test",
    "Tree",
    "explore",
]


class _CallablePackage(ModuleType):
    __call__ = staticmethod(explore)


sys.modules[__name__].__class__ = _CallablePackage
