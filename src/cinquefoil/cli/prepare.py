"""From whatever the user names to an image, with progress shown if it takes long."""

from __future__ import annotations

import resource
import signal
import threading
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from cinquefoil.build.program import load_program
from cinquefoil.cli.notes import note_compilation, note_undefined
from cinquefoil.cli.progress import Preparation
from cinquefoil.errors import UserError
from cinquefoil.machine.image import Image, build_image


def prepare(
    program: Path,
    flags: Sequence[str],
    *,
    blocks: bool = False,
    check: bool = False,
    overshift: bool = True,
) -> Image:
    """`blocks`: trace the blocks entered; `check`: compare expressions with values."""
    with Preparation() as preparation:
        linked = load_program(program, flags, preparation.step, note_compilation)
        image = build_image(
            linked,
            blocks=blocks,
            check=check,
            overshift=overshift,
            progress=preparation.step,
        )
    note_undefined(image.undefined)
    return image


@dataclass(slots=True)
class Spent:
    """Seconds that were spent, by the clock that counts."""

    seconds: float = 0.0


@contextmanager
def preparing_within(seconds: float, clock: str) -> Generator[Spent]:
    """Tells how long the preparation inside takes.  `UserError` as soon as the time is over; by the processor's clock,
    which nothing wakes us by, when the preparation is done."""
    spent = Spent()
    begun = _now(clock)
    with _alarm(seconds if clock == "wall" else 0.0):
        yield spent
    spent.seconds = _now(clock) - begun
    if spent.seconds >= seconds:
        _time_is_up()


def _now(clock: str) -> float:
    if clock == "wall":
        return time.monotonic()
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in used)


def _time_is_up(number: int = 0, frame: FrameType | None = None) -> None:
    raise UserError("--max-time was over before the program was prepared; what is compiled already is kept")


@contextmanager
def _alarm(seconds: float) -> Generator[None]:
    """Raises an error here when the time is over; never if there are no seconds or this is not the main thread."""
    if seconds <= 0 or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGALRM, _time_is_up)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
