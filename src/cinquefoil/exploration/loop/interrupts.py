"""Ctrl-C, SIGTERM and a closed terminal ask the exploration to end in order; asking twice by Ctrl-C insists."""

from __future__ import annotations

import signal
import threading
from types import FrameType, TracebackType


def stopping_signals() -> list[signal.Signals]:
    """The signals that ask for an orderly end; a hang-up that was ignored from the start (nohup) stays so."""
    found = [signal.SIGINT, signal.SIGTERM]
    return found if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN else [*found, signal.SIGHUP]


class Interrupts:
    """While entered, in the main thread, signals only set `requested`.  May be entered again within itself: who writes
    results after an exploration holds it around both, so that no moment between them is unprotected."""

    def __init__(self) -> None:
        self.requested = False
        self._depth = 0
        self._before: dict[int, object] = {}

    def __enter__(self) -> Interrupts:
        self._depth += 1
        if self._depth == 1 and threading.current_thread() is threading.main_thread():
            for number in stopping_signals():
                self._before[number] = signal.signal(number, self._ask)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._depth -= 1
        if not self._depth:
            for number, handler in self._before.items():
                signal.signal(number, handler)  # pyright: ignore[reportArgumentType]
            self._before.clear()

    def _ask(self, number: int, frame: FrameType | None) -> None:
        if self.requested and number == signal.SIGINT:
            raise KeyboardInterrupt
        self.requested = True
