"""Work beside the main thread: a signal ends it at once; the test would hang for an hour otherwise."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import pytest

from cinquefoil.build import toolchain
from cinquefoil.build.jobs import in_processes, in_threads
from cinquefoil.errors import EngineError, UserError

HOUR = "3600"


@contextmanager
def signalled(number: signal.Signals) -> Generator[None]:
    """A signal comes soon, whose handler raises."""

    def handler(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(number, handler), signal.signal(signal.SIGALRM, lambda *_: os.kill(os.getpid(), number))
    signal.setitimer(signal.ITIMER_REAL, 0.5)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(number, before[0])
        signal.signal(signal.SIGALRM, before[1])


def _sleep(seconds: str) -> None:
    time.sleep(float(seconds))


def _die(_: str) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _refuse(text: str) -> None:
    raise UserError(text)


def _write(path: str) -> None:
    Path(path).write_text("done")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_processes_end_with_the_main_thread(number: signal.Signals) -> None:
    with signalled(number), pytest.raises(KeyboardInterrupt):
        in_processes(_sleep, [HOUR] * 3)


def test_tools_end_with_the_main_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toolchain, "zig", lambda: Path("/bin/sleep"))
    with signalled(signal.SIGTERM), pytest.raises(KeyboardInterrupt):
        in_threads(lambda seconds: toolchain.run_tool(seconds, []), [HOUR] * 3)
    with signalled(signal.SIGTERM), pytest.raises(KeyboardInterrupt):
        toolchain.run_tool(HOUR, [])


@pytest.mark.parametrize("work", [in_processes, in_threads])
def test_errors_come_through(work: Callable[..., None]) -> None:
    with pytest.raises(UserError, match="no such thing"):
        work(_refuse, ["no such thing"] * 5)


def test_a_process_that_dies_is_an_error() -> None:
    with pytest.raises(EngineError, match="ended before it was done"):
        in_processes(_die, [""])


@pytest.mark.parametrize("work", [in_processes, in_threads])
def test_all_is_done_and_told(work: Callable[..., None], tmp_path: Path) -> None:
    paths, told = [str(tmp_path / str(n)) for n in range(5)], list[int]()
    work(_write, paths, told.append)
    assert told == [1, 2, 3, 4, 5]
    assert all(Path(path).read_text() == "done" for path in paths)
