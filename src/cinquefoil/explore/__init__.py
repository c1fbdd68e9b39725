"""Exploring a program: execution tree, coverage, the loop, and what it finds.

The attribute `explore` of `cinquefoil` is the public function (`api.py`), so this package is imported by `from`.
"""

from cinquefoil.explore.loop.exploration import Exploration, Outcome
from cinquefoil.explore.loop.statistics import Statistics
from cinquefoil.explore.options import Options
from cinquefoil.explore.output.result_folder import ResultFolder
from cinquefoil.explore.runs.coverage import Coverage, Figures
from cinquefoil.explore.runs.findings import FoundError, Test
from cinquefoil.explore.runs.tree import Tree
from cinquefoil.explore.session.session import Session, Task

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
