"""Mutators by name (see `cinquefoil.registry`); entry points are of group `cinquefoil.mutators`.

The built-in ones are always used, each as often as the others; those that are added by name are drawn as often."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cinquefoil.exploration.mutations.api import Mutator
from cinquefoil.registry import Registry

_HERE: Final = "cinquefoil.exploration.mutations.mutators"
BUILT_IN: Final = {
    "carry-on": f"{_HERE}:CarryOn",
    "alter": f"{_HERE}:Alter",
    "nudge": f"{_HERE}:Nudge",
    "insert": f"{_HERE}:Insert",
    "remove": f"{_HERE}:Remove",
    "double": f"{_HERE}:Double",
    "insert-word": f"{_HERE}:InsertWord",
    "write-word": f"{_HERE}:WriteWord",
    "only-word": f"{_HERE}:OnlyWord",
    "number": f"{_HERE}:Number",
    "splice": f"{_HERE}:Splice",
    "exchange": f"{_HERE}:Exchange",
}

REGISTRY: Registry[Mutator] = Registry("mutator", "cinquefoil.mutators", BUILT_IN)
register_mutator = REGISTRY.register
names = REGISTRY.names
make = REGISTRY.make


def make_all(added: Sequence[str] = ()) -> list[Mutator]:
    """The built-in mutators in their order, then those that are added."""
    return [make(name) for name in dict.fromkeys([*BUILT_IN, *added])]
