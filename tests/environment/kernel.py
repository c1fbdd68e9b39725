"""Runs a program under a real kernel, in a folder of its own, and traced: what both print must be the same."""

from __future__ import annotations

import subprocess
import tempfile
from dataclasses import replace
from functools import cache
from pathlib import Path

from cinquefoil.build import static_libc
from cinquefoil.build.compile import compile_c
from cinquefoil.build.program import load_program
from cinquefoil.machine.environment import DEFAULT_VARIABLES, Environment, parse_arguments
from cinquefoil.machine.image import Image, build_image
from cinquefoil.machine.worker import Limits, Worker

PROGRAMS = Path(__file__).parent / "programs"
LIMITS = Limits(seconds=20, instructions=300_000_000)


@cache
def image_of(program: Path) -> Image:
    return build_image(load_program(program))


def worker_of(name: str, environment: Environment | None = None, limits: Limits = LIMITS) -> Worker:
    return Worker(image_of(PROGRAMS / f"{name}.c"), environment or Environment(), limits)


def environment(*words: str, stdin: bytes | None = None) -> Environment:
    found = parse_arguments(words, program="prog")
    return found if stdin is None else replace(found, stdin=stdin)


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="kernel-")


@cache
def executable_of(name: str) -> Path:
    folder = Path(_folder().name)
    bitcode, output = folder / f"{name}.bc", folder / name
    compile_c(PROGRAMS / f"{name}.c", bitcode)
    status, message = static_libc.link_executable(output, [str(bitcode)])
    assert status == 0, message
    return output


def run_natively(name: str, stdin: bytes, arguments: tuple[str, ...] = ()) -> tuple[int, str]:
    """Exit status (128 + number for a signal) and output."""
    with tempfile.TemporaryDirectory(prefix="run-") as folder:
        done = subprocess.run(
            ["prog", *arguments],
            executable=executable_of(name),
            cwd=folder,
            env={name: value for name, _, value in (variable.partition("=") for variable in DEFAULT_VARIABLES)},
            input=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=300,
            check=False,
            start_new_session=True,
        )
    return done.returncode if done.returncode >= 0 else 128 - done.returncode, done.stdout.decode()
