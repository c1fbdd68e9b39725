"""Exploring a program: execution tree, coverage, the loop, and what it finds.

The public function `cinquefoil.explore` is in `api.py`, above this package.
"""

from cinquefoil.exploration.accounting.statistics import Statistics
from cinquefoil.exploration.loop.exploration import Exploration, Outcome
from cinquefoil.exploration.options import Options
from cinquefoil.exploration.output.result_folder import ResultFolder
from cinquefoil.exploration.runs.coverage import Coverage, Figures
from cinquefoil.exploration.runs.findings import FoundError, Test
from cinquefoil.exploration.runs.tree import Tree
from cinquefoil.exploration.session.session import Session, Task

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
