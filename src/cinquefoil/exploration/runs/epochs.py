"""Following a machine's epochs: ids of expressions mean nothing once the epoch that they were made in is over.

A machine begins a new epoch when its table is dropped or its process is replaced, be it in the middle of a run, and
tells nobody.  Whoever keeps something by such ids asks an `EpochWatch` before each use.  (Every query tells the solver
chain its epoch.)"""

from __future__ import annotations

from cinquefoil.machine.run import Machine


class EpochWatch:
    """`passed()` is true once after each change of epoch; `epoch` is the one seen last."""

    __slots__ = ("_machine", "epoch")

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self.epoch = machine.epoch

    def passed(self) -> bool:
        """Did another epoch begin since this was last asked?"""
        now = self._machine.epoch
        changed = now != self.epoch
        self.epoch = now
        return changed
