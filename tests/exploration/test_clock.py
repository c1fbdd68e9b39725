"""Time limits in wall and in processor time."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from cinquefoil.api import explore
from cinquefoil.errors import UserError
from cinquefoil.exploration.accounting.clock import clock_of

ENDLESS = """
#include <klee/klee.h>
int main(void) {
    unsigned char data[64];
    int sum = 0;
    klee_make_symbolic(data, sizeof data, "data");
    for (int i = 0; i < 64; i++) if (data[i] > 100) sum++;
    return sum;
}
"""


class Idle:
    def cpu_seconds(self) -> float:
        return 0.25


def test_sleeping_costs_wall_time_only() -> None:
    wall, cpu = clock_of("wall", Idle()), clock_of("cpu", Idle())
    before = (wall(), cpu())
    time.sleep(0.05)
    assert wall() - before[0] >= 0.05
    assert cpu() - before[1] < 0.04


def test_an_unknown_clock() -> None:
    with pytest.raises(UserError, match="no clock 'sun'"):
        clock_of("sun", Idle())


def test_processor_seconds_end_an_exploration(tmp_path: Path) -> None:
    program = tmp_path / "endless.c"
    program.write_text(ENDLESS)
    spent = time.process_time()
    outcome = explore(program, max_time=0.3, clock="cpu")
    assert outcome.reason == "max-time"
    assert 0.3 <= outcome.seconds < 30
    assert time.process_time() - spent > 0.1
    with pytest.raises(UserError, match="only wall time"):
        explore(program, max_time=0.3, clock="cpu", workers=2)
