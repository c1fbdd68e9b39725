"""The runs that an exploration begins with, and begins with again after a restart."""

from __future__ import annotations

from cinquefoil.exploration.accounting.collector import Collector
from cinquefoil.exploration.accounting.faults import Faults
from cinquefoil.exploration.runs.explored import Explored, SavedFrontier
from cinquefoil.exploration.runs.integrator import Integrator
from cinquefoil.exploration.runs.runner import Runner


class FirstRuns:
    """`inputs` are tried after the empty one."""

    def __init__(self, explored: Explored, runner: Runner, integrator: Integrator, faults: Faults) -> None:
        self.inputs = explored.options.inputs
        self.collector = Collector()
        self._explored = explored
        self._runner = runner
        self._integrator = integrator
        self._faults = faults

    def run(self) -> None:
        """Runs them all and adds what they show."""
        for witness in (b"", *self.inputs):
            try:
                self._integrator.add(self._runner.run(witness), None)
            except Exception as error:  # whatever it is, it is a fault of ours and costs this run
                self._faults.note(error)
                self._runner.new_epoch()  # what was learned by expressions may be half done

    def restart(self) -> SavedFrontier:
        """Begins again with nothing pending; tests, coverage and findings stay.  What was pending can go on later."""
        before = self._explored.exchange()
        self.collector.collect()
        self.run()
        return before
