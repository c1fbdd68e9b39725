"""Commands as forks of a process that has imported everything."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Generator
from pathlib import Path

import pytest

from cinquefoil.experiment.execute import CINQ
from cinquefoil.experiment.warm import Forked, Zygote
from cinquefoil.experiment.watched_process import ChildEnd, ChildLimits, run_watched

LIMITS = ChildLimits(120, 4 << 30)


@pytest.fixture(scope="module")
def zygote() -> Generator[Zygote]:
    made = Zygote(CINQ)
    yield made
    made.close()


def run(zygote: Zygote, *words: str) -> ChildEnd:
    return run_watched([*CINQ, *words], LIMITS, lambda: False, zygote.start)


def test_a_fork_says_and_returns_what_the_command_does(zygote: Zygote) -> None:
    for words in (["--version"], ["run", "no-such-file.c"], ["no-such-command"]):
        cold, warm = run_watched([*CINQ, *words], LIMITS, lambda: False), run(zygote, *words)
        assert (warm.status, warm.output, warm.said) == (cold.status, cold.output, cold.said)


def test_a_fork_explores_as_a_process_of_its_own_does(zygote: Zygote, tmp_path: Path) -> None:
    source = tmp_path / "two.c"
    source.write_text(
        "#include <klee/klee.h>\n"
        'int main(void) { int x; klee_make_symbolic(&x, sizeof x, "x"); if (x > 0) return 1; return 0; }\n'
    )
    ended = run(zygote, "run", "--no-report", "-o", str(tmp_path / "out"), str(source))
    assert ended.status == 0
    assert len(list((tmp_path / "out" / "tests").glob("*.ktest"))) == 2


def test_a_fork_that_is_killed_is_told_by_its_signal(zygote: Zygote, tmp_path: Path) -> None:
    source = tmp_path / "long.c"
    source.write_text("int main(void) { for (volatile int i = 0;;) i++; }\n")
    with Path(os.devnull).open("wb") as output:
        child = zygote.start(
            [*CINQ, "run", "--run-time", "900s", "-o", str(tmp_path / "out"), str(source)], output, output
        )
        assert isinstance(child, Forked)
        assert child.poll() is None
        with pytest.raises(subprocess.TimeoutExpired):
            child.wait(0.01)
        os.kill(child.pid, signal.SIGKILL)
        assert child.wait(300) == child.poll() == -signal.SIGKILL


def test_without_its_process_commands_are_started_as_usual() -> None:
    zygote = Zygote(CINQ)
    os.kill(zygote._process.pid, signal.SIGKILL)  # pyright: ignore[reportPrivateUsage]
    zygote._process.wait()  # pyright: ignore[reportPrivateUsage]
    assert run(zygote, "--version").status == 0
    zygote.close()


def test_commands_die_with_the_process(tmp_path: Path) -> None:
    zygote = Zygote(CINQ)
    source = tmp_path / "long.c"
    source.write_text("int main(void) { for (volatile int i = 0;;) i++; }\n")
    with Path(os.devnull).open("wb") as output:
        child = zygote.start(
            [*CINQ, "run", "--run-time", "900s", "-o", str(tmp_path / "out"), str(source)], output, output
        )
        os.kill(zygote._process.pid, signal.SIGKILL)  # pyright: ignore[reportPrivateUsage]
        assert child.wait(300) == -signal.SIGKILL
    zygote.close()
    deadline = time.monotonic() + 300
    while Path(f"/proc/{child.pid}").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not Path(f"/proc/{child.pid}").exists()
