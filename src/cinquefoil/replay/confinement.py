"""How native processes are kept from harm here, and what is missing for more.

What the machine offers is found out by running the starter once, with all steps of a real run.  `CINQ_WITHOUT`, a list
of "namespaces" and "landlock", lets a machine appear to refuse what it has: for tests of what happens then.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from pathlib import Path

from cinquefoil.build.scratch import scratch_folder
from cinquefoil.errors import UserError
from cinquefoil.replay import filter as system_calls
from cinquefoil.replay.block_report import make_report
from cinquefoil.replay.enclosure import OWN, Descriptors, EnclosureContents, enter_folder, enter_namespaces
from cinquefoil.replay.inputs import Content, Inputs
from cinquefoil.replay.process import Finished, ProcessLimits, run_process
from cinquefoil.replay.steps import Steps, starter

_NO_INPUT = Inputs((), Content(b""), {}, (), True)
_USAGE = 126  # the starter's status when nothing is asked of it: the program of the trial


class Confinement(Enum):
    NAMESPACES = "namespaces"
    LANDLOCK = "landlock"
    NONE = "unconfined"


@dataclass(frozen=True, slots=True)
class Offer:
    """Why the machine refuses each of them; empty text if it does not.  Both come with a filter of system calls."""

    namespaces: str
    landlock: str


def offered() -> Offer:
    return Offer(_problem(Confinement.NAMESPACES), _problem(Confinement.LANDLOCK))


def best_confinement() -> Confinement:
    """`UserError` where programs cannot be confined: the user must say that they may run all the same."""
    for each in (Confinement.NAMESPACES, Confinement.LANDLOCK):
        if not _problem(each):
            return each
    found = offered()
    raise UserError(
        f"programs cannot be confined here: namespaces: {found.namespaces}; Landlock: {found.landlock}; "
        "replay and mutants run them with your rights if you say --unconfined; see cinq doctor"
    )


def missing() -> str:
    """What is not contained here by the best that there is, in one line; empty if nothing is missing."""
    problem = _problem(Confinement.NAMESPACES)
    if not problem:
        return ""
    return (
        f"no namespaces here ({problem}): programs are held by Landlock, a filter of system calls and limits; "
        "they see the host's user and which files exist, the sum of what they write is not limited, and runs may "
        "differ from the engine's; see cinq doctor"
    )


def _problem(confinement: Confinement) -> str:
    if confinement.value in os.environ.get("CINQ_WITHOUT", "").split(","):
        return "left out by CINQ_WITHOUT"
    return _tried(confinement)


@cache
def _tried(confinement: Confinement) -> str:
    return _trial(_in_namespaces if confinement is Confinement.NAMESPACES else _in_folder)


def filter_problem() -> str:
    """Why the machine refuses the filter of system calls by itself; empty text if it does not."""

    def enter(_contents: EnclosureContents, files: Descriptors, _own: Path) -> tuple[Steps, list[int], Path]:
        steps = Steps()
        steps.supervise()
        system_calls.restrict(steps, hosted=False, shared_files=True)
        return steps, [], starter()

    return _trial(enter)


def _in_namespaces(contents: EnclosureContents, files: Descriptors, _own: Path) -> tuple[Steps, list[int], Path]:
    enter, passed = enter_namespaces(contents, files, 0)
    return enter, passed, Path(f"/{OWN}/program")


def _in_folder(contents: EnclosureContents, files: Descriptors, own: Path) -> tuple[Steps, list[int], Path]:
    return enter_folder(contents, files, 0, own, confined=True), [], starter()


def _trial(enter: Callable[[EnclosureContents, Descriptors, Path], tuple[Steps, list[int], Path]]) -> str:
    """One run of the starter, as a program, by itself; why it failed."""
    report = make_report(0, 0)
    with scratch_folder("trial") as room:
        run, own = room / "run", room / "own"
        run.mkdir()
        own.mkdir()
        try:
            files = Descriptors(report)
            steps, passed, executable = enter(EnclosureContents(starter(), _NO_INPUT, {}), files, own)
            done = _run_starter(executable, run, steps, [*files.all(), *passed])
        except OSError as error:
            return f"{error.filename or 'the starter'}: {error.strerror or error}"
        finally:
            os.close(report)
    return "" if done.status == _USAGE else f"the trial ended with status {done.status}"


def _run_starter(executable: Path, folder: Path, steps: Steps, passed: Sequence[int]) -> Finished:
    return run_process(
        ["starter"],
        executable,
        folder=folder,
        variables={},
        stdin=b"",
        limits=ProcessLimits(),
        enter=steps,
        passed=passed,
    )
