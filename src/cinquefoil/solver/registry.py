"""Layers of the solver chain by name (see `cinquefoil.registry`); entry points are of group `cinquefoil.layers`.

A layer of one's own is a class of some 15 lines: see `cinquefoil.solver.layer`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from cinquefoil.errors import UserError
from cinquefoil.registry import Registry
from cinquefoil.solver.layer import SMT, Layer

LayerFactory = Callable[[Layer | None], Layer]
FAST: Final = ("cache", "domains", "bounds", "edits", "recent", "pairs", "search")
"""The layers in front of the SMT solver, in order."""

REGISTRY: Registry[Layer] = Registry(
    "solver layer",
    "cinquefoil.layers",
    {
        "cache": "cinquefoil.solver.cache_layer:CacheLayer",
        "domains": "cinquefoil.solver.tables:DomainLayer",
        "bounds": "cinquefoil.solver.tables:BoundsLayer",
        "edits": "cinquefoil.solver.models:EditLayer",
        "recent": "cinquefoil.solver.models:RecentLayer",
        "pairs": "cinquefoil.solver.tables:PairLayer",
        "search": "cinquefoil.solver.tables:SearchLayer",
    },
)
register_layer = REGISTRY.register
names = REGISTRY.names


def factory_of(name: str) -> LayerFactory:
    """What makes the layer called `name`, given the layer below it."""
    REGISTRY.resolve(name)
    return lambda below: REGISTRY.make(name, below)


def arranged(added: Sequence[str]) -> tuple[LayerFactory, ...]:
    """The fast layers and the added ones, each of these in front of the layer that its class names."""
    order: list[str] = list(FAST)
    for name in dict.fromkeys(added):
        factory, _ = REGISTRY.resolve(name)
        before = getattr(factory, "before", SMT)
        if before not in (*order, SMT):
            raise UserError(f"solver layer '{name}' wants to stand before '{before}', which is not in the chain")
        if name in order:
            raise UserError(f"solver layer '{name}' is in the chain already")
        order.insert(order.index(before) if before in order else len(order), name)
    return tuple(map(factory_of, order))
