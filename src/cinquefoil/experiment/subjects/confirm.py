"""Errors that were found in a subject, looked at by gcc's sanitizers: a judge that owes nothing to the engine.

Every test of an error runs on a build with AddressSanitizer and UndefinedBehaviorSanitizer.  An error that they say
nothing about may still be one: an access may leave its object and stay in memory that belongs to another.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from pathlib import Path

from cinquefoil.experiment.subjects.construct import SANITIZED, executable
from cinquefoil.experiment.subjects.recipe import Recipe, SubjectProgram
from cinquefoil.exploration.output.result_folder import test_name
from cinquefoil.exploration.runs.findings import FoundError
from cinquefoil.exploration.session.session import Task
from cinquefoil.replay.native_run import run_binary
from cinquefoil.replay.process import ProcessLimits
from cinquefoil.replay.sanitize import VARIABLES, Violation, violations
from cinquefoil.testcase.ktest import KTest


@dataclass(frozen=True, slots=True)
class SanitizerVerdict:
    """What the sanitizers say about the test of an error; nothing, or what they object to."""

    test: str
    violations: tuple[Violation, ...]


def confirm(
    folder: Path, task: Task, recipe: Recipe, program: SubjectProgram, errors: tuple[FoundError, ...]
) -> list[SanitizerVerdict]:
    """One verdict per error, in order."""
    judge = executable(recipe, program, SANITIZED)
    limits = dataclasses.replace(ProcessLimits(), memory=None)  # shadow memory takes terabytes of addresses
    found: list[SanitizerVerdict] = []
    for name in (test_name(error.test) for error in errors):
        run = run_binary(judge, KTest.read(folder / name), task.environment(), limits, VARIABLES)
        found.append(SanitizerVerdict(name, tuple(violations(run.output.decode("utf-8", "replace")))))
    return found
