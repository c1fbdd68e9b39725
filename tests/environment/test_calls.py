"""Every modelled system call behaves as under a real kernel."""

from __future__ import annotations

import pytest
from kernel import environment, run_natively, worker_of

from cinquefoil.layout import EventKind

STDIN = b"1234word \nmore"


@pytest.mark.parametrize("name", ["files", "tree", "streams", "maps", "signals", "facts"])
def test_equals_the_kernel(name: str) -> None:
    status, expected = run_natively(name, STDIN)
    with worker_of(name, environment(stdin=STDIN)) as worker:
        runs = [worker.run(b"") for _ in range(3)]
    for run in runs:
        assert run.error is None
        assert run.output.decode().splitlines() == expected.splitlines()
        assert (run.end, run.code) == ("exit", status)
        assert not [e for e in run.events if e["kind"] == EventKind.UNSUPPORTED]
