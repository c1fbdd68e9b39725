"""Exploring a program: execution tree, coverage, the loop, and what it finds.

The package itself can be called: `cinquefoil.explore("prog.c", max_time=60)` is the public interface's (`api.py`, above
all layers, hence found by name when it is called).
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

from cinquefoil.explore.coverage import Coverage, Figures
from cinquefoil.explore.findings import FoundError, Test
from cinquefoil.explore.loop import Exploration, Outcome
from cinquefoil.explore.options import Options
from cinquefoil.explore.results import ResultFolder
from cinquefoil.explore.session import Session, Task
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
]


class _CallablePackage(ModuleType):
    def __call__(self, *arguments: Any, **options: Any) -> Outcome:
        return import_module("cinquefoil.api").explore(*arguments, **options)


sys.modules[__name__].__class__ = _CallablePackage
