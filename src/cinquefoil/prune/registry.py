"""Pruners by name (see `cinquefoil.registry`); entry points are of group `cinquefoil.pruners`."""

from __future__ import annotations

from cinquefoil.prune.api import Pruner, Setting
from cinquefoil.registry import Registry

DEFAULT = "none"


def _none(setting: Setting) -> None:
    """Nothing is forgotten."""
    del setting


REGISTRY: Registry[Pruner | None] = Registry(
    "pruner",
    "cinquefoil.pruners",
    {
        "random": "cinquefoil.prune.naive:RandomPruner",
        "restart": "cinquefoil.prune.naive:RestartOnly",
        "homi": "cinquefoil.prune.homi:Homi",
    },
)
REGISTRY.register(DEFAULT)(_none)
register_pruner = REGISTRY.register


def names() -> list[str]:
    """All names that can be asked for, sorted; "none" first."""
    return [DEFAULT, *(name for name in REGISTRY.names() if name != DEFAULT)]


def make(name: str, setting: Setting) -> Pruner | None:
    """The pruner called `name`; None for "none"."""
    return REGISTRY.make(name, setting)
