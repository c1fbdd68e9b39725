"""Options are checked before anything is compiled: every name in them is known, and its parameters are usable."""

from __future__ import annotations

from random import Random

from cinquefoil.errors import UserError
from cinquefoil.exploration.mutations import registry as mutators
from cinquefoil.exploration.options import Options
from cinquefoil.exploration.runs.coverage import Coverage
from cinquefoil.exploration.session.checking import check_names, unchecked_names
from cinquefoil.plugins import load_plugins
from cinquefoil.prune import registry as pruners
from cinquefoil.search import registry as strategies
from cinquefoil.search.api import Context
from cinquefoil.solver import registry as layers
from cinquefoil.solver.multiplex.names import AUTO, INSTANCES

MULTIPLEXING = (*INSTANCES, AUTO)


def validate(options: Options) -> None:
    """Loads the plug-ins; `UserError` for a name that is not known, with what may have been meant."""
    load_plugins(options.plugins)
    check_strategies(options.search)
    pruners.make(options.prune, pruners.Setting())
    for name in options.multiplex:
        if name not in MULTIPLEXING:
            raise UserError(f"there is no multiplexing solver {name!r}; choose from {', '.join(MULTIPLEXING)}")
    for make in layers.arranged(options.layers):
        make(None)
    mutators.make_all(options.mutators)
    check_names(options.check)
    unchecked_names(options.no_check)


def check_strategies(wanted: tuple[str, ...]) -> None:
    """Makes each of them for a program without sites."""
    strategies.make_all(wanted, Context(Random(0), Coverage([])))
