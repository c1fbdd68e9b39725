"""Pruners by name: built-in ones (loaded when first asked for), those registered by the decorator, and the entry
points of group `cinquefoil.pruners`.  What follows a name after colons are parameters."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import TypeVar

from cinquefoil.errors import UserError
from cinquefoil.prune.api import Pruner, Setting

GROUP = "cinquefoil.pruners"
DEFAULT = "none"

Factory = Callable[..., Pruner]
F = TypeVar("F", bound=Factory)

BUILT_IN: dict[str, str] = {
    "random": "cinquefoil.prune.naive:RandomPruner",
    "restart": "cinquefoil.prune.naive:RestartOnly",
    "homi": "cinquefoil.prune.homi:Homi",
}

_registered: dict[str, Factory] = {}


def register(name: str) -> Callable[[F], F]:
    """Class decorator: makes a pruner known under a name."""

    def enter(factory: F) -> F:
        _registered[name] = factory
        return factory

    return enter


def names() -> list[str]:
    """All names that can be asked for, sorted; "none" first."""
    return [DEFAULT, *sorted({*BUILT_IN, *_registered, *_installed()})]


def make(name: str, setting: Setting) -> Pruner | None:
    """The pruner called `name`; None for "none"."""
    if name == DEFAULT:
        return None
    base, *parameters = name.split(":")
    factory = _find(base)
    if factory is None:
        close = difflib.get_close_matches(base, names(), 1)
        hint = f"did you mean '{close[0]}'?" if close else "known are " + ", ".join(names())
        raise UserError(f"there is no pruner '{name}': {hint}")
    try:
        return factory(setting, *parameters)
    except (TypeError, ValueError) as error:
        raise UserError(f"pruner '{name}': unusable parameters ({error})") from error


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
