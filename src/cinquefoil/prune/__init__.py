"""Which states to forget: pruners, one file each, and what Homi's learner is made of."""

from cinquefoil.prune.api import Pending, Pruner, Setting
from cinquefoil.prune.registry import DEFAULT, make, names, register_pruner

__all__ = ["DEFAULT", "Pending", "Pruner", "Setting", "make", "names", "register_pruner"]
