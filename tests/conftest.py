"""Settings for the whole suite: no property test depends on how fast the machine is, and a fault of the engine fails
the test, though an exploration would survive it."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings

from cinquefoil.exploration.accounting.faults import Faults

settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")


@pytest.fixture(autouse=True)
def faults_are_failures(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Except in tests marked `faults`, which cause some."""
    survive = Faults.note

    def note(faults: Faults, error: Exception) -> None:
        survive(faults, error)
        raise AssertionError("a fault of the engine") from error

    if request.node.get_closest_marker("faults") is None:
        monkeypatch.setattr(Faults, "note", note)
