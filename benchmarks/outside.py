"""What the suites from outside have in common: one outcome per program, kept as it is known."""

from __future__ import annotations

import json
import multiprocessing
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import ParamSpec

PASSED, FAILED = "passed", "failed"
P = ParamSpec("P")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one program; `detail` says why it did not pass."""

    name: str
    outcome: str
    detail: str = ""


def apart(work: Callable[P, str], *arguments: P.args, **named: P.kwargs) -> str:
    """What `work` complains of, in a process of its own: whatever goes wrong there is this program's result."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("fork")) as pool:
        done = pool.submit(work, *arguments, **named)
        error = done.exception()
    return f"{type(error).__name__}: {error}" if error is not None else done.result()


def read_results(path: Path) -> dict[str, Outcome]:
    """Outcomes by name from a file of JSON lines; a later line replaces an earlier one."""
    lines = path.read_text().splitlines() if path.exists() else []
    return {outcome.name: outcome for outcome in (Outcome(**json.loads(line)) for line in lines)}


def kept(outcomes: Iterable[Outcome], path: Path) -> Iterator[Outcome]:
    """The outcomes, each written to the file before it is passed on."""
    with path.open("a") as file:
        for outcome in outcomes:
            file.write(json.dumps(asdict(outcome)) + "\n")
            file.flush()
            yield outcome
