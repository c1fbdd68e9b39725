"""Work of preparations done beside the main thread, so that a signal or a time limit ends it at once.

What takes long is the compiler, a process of its own, or LLVM inside a Python process, where no signal handler gets its
turn before LLVM is done.  So the first is waited for in threads, the second happens in forked processes, and the main
thread only waits: an exception that a signal raises there ends the others before it goes on."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import Any

from cinquefoil.build import toolchain
from cinquefoil.build.child import in_child
from cinquefoil.errors import EngineError

Step = Callable[[int], None]  # called with the number of things done


def in_threads(work: Callable[[Any], object], items: Sequence[Any], done: Step = lambda number: None) -> None:
    """Works on all items, several at a time; for work that waits for tools."""
    with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
        _work(pool, work, items, done, toolchain.end_tools)


def in_processes(work: Callable[[Any], object], items: Sequence[Any], done: Step = lambda number: None) -> None:
    """Works on all items, several at a time, each in a fork of this process: what `work` leaves on disk remains."""
    if len(items) == 1:
        in_child(lambda: work(items[0]) and None, "the program")
        done(1)
        return
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context

    count = min(os.cpu_count() or 1, len(items))
    try:
        with ProcessPoolExecutor(count, mp_context=get_context("fork"), initializer=_forget_signals) as pool:
            _work(pool, work, items, done, _end_processes)
    except BrokenProcessPool as error:
        raise EngineError("a process that compiles ended before it was done") from error


def _work(
    pool: Executor, work: Callable[[Any], object], items: Sequence[Any], done: Step, end: Callable[[], None]
) -> None:
    try:
        for number, _ in enumerate(pool.map(work, items), 1):
            done(number)
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        end()
        raise


def _forget_signals() -> None:
    """Signals of the terminal are for the main process, which ends this one if need be."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _end_processes() -> None:
    from multiprocessing import active_children

    for child in active_children():
        child.kill()
