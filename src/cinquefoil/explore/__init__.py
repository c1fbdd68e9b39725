"""Exploring a program: execution tree, coverage, the loop, and what it finds."""

from cinquefoil.explore.coverage import Coverage, Figures
from cinquefoil.explore.findings import FoundError, Test
from cinquefoil.explore.loop import Exploration, Outcome
from cinquefoil.explore.options import Options
from cinquefoil.explore.results import ResultFolder
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
    "Statistics",
    "Test",
    "Tree",
]
