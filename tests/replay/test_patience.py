"""A replay is bounded in time, however many tests do not end."""

from __future__ import annotations

from cinquefoil.replay.time_allowance import LEAST, TimeAllowance


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_tests_that_do_not_end_share_a_time() -> None:
    clock = Clock()
    patience = TimeAllowance(each=10.0, common=25.0, clock=clock)
    given: list[float] = []
    for _ in range(6):
        with patience.limits() as limits:
            given.append(limits.seconds)
            clock.now += limits.seconds
    assert given == [10.0, 10.0, 5.0, LEAST, LEAST, LEAST]


def test_those_that_end_leave_it_to_others() -> None:
    clock = Clock()
    patience = TimeAllowance(each=10.0, common=25.0, clock=clock)
    for _ in range(100):
        with patience.limits():
            clock.now += 0.01
    with patience.limits() as limits:
        assert limits.seconds == 10.0
