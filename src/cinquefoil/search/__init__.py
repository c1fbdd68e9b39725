"""Which state comes next: search strategies, one file per family, and how to add one."""

from cinquefoil.search.api import Context, Knowledge, Searcher
from cinquefoil.search.frontier import Frontier
from cinquefoil.search.registry import DEFAULT, make, make_all, names, register_searcher
from cinquefoil.states.batch import Batch
from cinquefoil.states.state import OTHER, State, Witness

__all__ = [
    "DEFAULT",
    "OTHER",
    "Batch",
    "Context",
    "Frontier",
    "Knowledge",
    "Searcher",
    "State",
    "Witness",
    "make",
    "make_all",
    "names",
    "register_searcher",
]
