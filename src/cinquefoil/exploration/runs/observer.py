"""Those who react to what happens, beside the loop: pruning, mutations, the journal, screening.

An observer is told of every run once that is integrated, and of every step once it is done.  It is given all that it
needs when it is made, and holds neither the loop nor another observer; the integrator knows nothing of it but these two
methods."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from cinquefoil.exploration.runs.coverage import Gain
from cinquefoil.exploration.runs.tree import Growth
from cinquefoil.machine.run import Run


class Observer:
    """Does nothing at either moment."""

    def after_run(self, run: Run, gain: Gain, growth: Growth, tests: tuple[int, ...]) -> None:
        """A run was integrated: what it covered first, what it added to the tree, the tests it became."""

    def after_step(self) -> None:
        """A state was settled."""


def listening(observers: Iterable[Observer]) -> list[Callable[[Run, Gain, Growth, tuple[int, ...]], None]]:
    """What is to be called after a run; who does nothing then is left out."""
    return [each.after_run for each in observers if type(each).after_run is not Observer.after_run]
