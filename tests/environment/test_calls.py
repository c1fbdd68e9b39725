"""Every modelled system call behaves as under a real kernel."""

from __future__ import annotations

import pytest
from kernel import environment, run_natively, worker_of

from cinquefoil.layout import EventKind, Reason

STDIN = b"1234word \nmore"


@pytest.mark.parametrize("name", ["files", "tree", "streams", "maps", "signals", "facts", "others", "nowhere"])
def test_equals_the_kernel(name: str) -> None:
    status, expected = run_natively(name, STDIN)
    with worker_of(name, environment(stdin=STDIN)) as worker:
        runs = [worker.run(b"") for _ in range(3)]
    for run in runs:
        assert run.error is None
        assert run.output.decode().splitlines() == expected.splitlines()
        assert (run.end, run.code) == ("exit", status)
        assert not [e for e in run.events if e["kind"] == EventKind.UNSUPPORTED]


def test_a_call_without_a_model_is_told_once() -> None:
    with worker_of("unmodelled") as worker:
        run = worker.run(b"")
    events = [(int(e["taken"]), int(e["value"])) for e in run.events if e["kind"] == EventKind.UNSUPPORTED]
    assert events == [(41, Reason.SYSCALL), (57, Reason.SYSCALL)]  # socket, twice, and fork
    assert run.output == b"38 38 38\n"


@pytest.mark.parametrize("case", ["freed", "short"])
def test_buffers_are_checked_before_they_are_touched(case: str) -> None:
    with worker_of("buffers", environment(case, stdin=STDIN)) as worker:
        run = worker.run(b"")
    assert run.error is not None
    assert run.error.kind == {"freed": "use-after-free", "short": "out-of-bounds"}[case]
