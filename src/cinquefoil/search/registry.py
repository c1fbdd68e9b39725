"""Strategies by name.

A name is looked up among the built-in ones (loaded when first asked for), those registered by the
decorator, and the entry points of group `cinquefoil.searchers`.  What follows the longest known name after
colons are parameters: `sgs:4` is `sgs` with "4", while `nurs:covnew` is a name of its own."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import TypeVar

from cinquefoil.errors import UserError
from cinquefoil.search.api import Context, Searcher

GROUP = "cinquefoil.searchers"
DEFAULT = ("random-path", "edges", "random-path", "bfs")
"""KLEE's own default, random-path and nurs:covnew, with uncovered directions first and early decisions in full."""

Factory = Callable[..., Searcher]
F = TypeVar("F", bound=Factory)

BUILT_IN: dict[str, str] = {
    "dfs": "cinquefoil.search.order:DepthFirst",
    "bfs": "cinquefoil.search.order:BreadthFirst",
    "random-state": "cinquefoil.search.nurs:RandomState",
    "random-path": "cinquefoil.search.randompath:RandomPath",
    "nurs:covnew": "cinquefoil.search.nurs:CoveringNew",
    "nurs:md2u": "cinquefoil.search.nurs:NearUncovered",
    "nurs:depth": "cinquefoil.search.nurs:Depth",
    "nurs:rp": "cinquefoil.search.nurs:RandomPathWeight",
    "nurs:icnt": "cinquefoil.search.nurs:InstructionCount",
    "nurs:cpicnt": "cinquefoil.search.nurs:CallPathCount",
    "nurs:qc": "cinquefoil.search.nurs:QueryCost",
    "edges": "cinquefoil.search.edges:Edges",
    "sgs": "cinquefoil.search.sgs:subpath_guided",
    "empc": "cinquefoil.search.empc:empc",
}

_registered: dict[str, Factory] = {}


def register(name: str) -> Callable[[F], F]:
    """Class decorator: makes a strategy known under a name."""

    def enter(factory: F) -> F:
        _registered[name] = factory
        return factory

    return enter


def names() -> list[str]:
    """All names that can be asked for, sorted."""
    return sorted({*BUILT_IN, *_registered, *_installed()})


def make(name: str, context: Context) -> Searcher:
    """The strategy called `name`, parameters included."""
    factory, parameters = _resolve(name)
    try:
        return factory(context, *parameters)
    except (TypeError, ValueError) as error:
        raise UserError(f"search strategy '{name}': unusable parameters ({error})") from error


def make_all(wanted: Sequence[str], context: Context) -> Searcher:
    """One strategy, or several that take turns; one that is named twice has two turns."""
    from cinquefoil.search.interleave import Interleave

    turns = wanted or DEFAULT
    searchers = {name: make(name, context) for name in dict.fromkeys(turns)}
    if len(searchers) == 1:
        return searchers[turns[0]]
    order = list(searchers)
    return Interleave(list(searchers.values()), [order.index(name) for name in turns])


def _resolve(name: str) -> tuple[Factory, list[str]]:
    parts = name.split(":")
    for length in range(len(parts), 0, -1):
        factory = _find(":".join(parts[:length]))
        if factory is not None:
            return factory, parts[length:]
    close = difflib.get_close_matches(name, names(), 1)
    hint = f"did you mean '{close[0]}'?" if close else "known are " + ", ".join(names())
    raise UserError(f"there is no search strategy '{name}': {hint}")


def _find(name: str) -> Factory | None:
    if name in _registered:
        return _registered[name]
    if name in BUILT_IN:
        module, _, attribute = BUILT_IN[name].partition(":")
        return getattr(import_module(module), attribute)
    point = _installed().get(name)
    return point.load() if point is not None else None


@cache
def _installed() -> dict[str, EntryPoint]:
    """Entry points of other packages; looking for them takes milliseconds."""
    return {point.name: point for point in entry_points(group=GROUP)}
