"""Small programs of C as it is written, also in old code: the engine prints and returns what gcc's build does."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from traced import PROGRAMS, worker_of

FOLDER = PROGRAMS / "language"
OPTIONS = ("-w", "-std=gnu17")


@pytest.mark.parametrize("name", sorted(path.stem for path in FOLDER.glob("*.c")))
@pytest.mark.parametrize("check", [False, True])
def test_equals_the_build_of_gcc(tmp_path: Path, name: str, check: bool) -> None:
    source, program = FOLDER / f"{name}.c", tmp_path / "program"
    subprocess.run(["gcc", *OPTIONS, "-O0", str(source), "-o", str(program), "-lm"], check=True, capture_output=True)
    native = subprocess.run([str(program)], stdout=subprocess.PIPE, check=False)
    with worker_of(source, check=check, flags=OPTIONS) as worker:
        run = worker.run(b"")
    assert (run.end, run.code, run.error, run.output) == ("exit", native.returncode, None, native.stdout)
