"""Mutated shared memories under AddressSanitizer and UndefinedBehaviorSanitizer: no fault, whatever is followed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent / "fuzz_memory.py"


def fuzzed(count: int, seed: int) -> tuple[int, int]:
    names = ("libasan.so", "libubsan.so")
    found = [subprocess.run(["gcc", f"-print-file-name={name}"], capture_output=True, text=True) for name in names]
    libraries = [each.stdout.strip() for each in found]
    if not all(Path(each).is_absolute() for each in libraries):
        pytest.skip("gcc has no sanitizers' run-time libraries here")
    options = {"CINQ_NATIVE": "debug", "LD_PRELOAD": " ".join(libraries), "ASAN_OPTIONS": "detect_leaks=0"}
    options["OPENBLAS_NUM_THREADS"] = "1"  # a thread may hold the allocator's lock when a child is forked
    command = [sys.executable, str(SCRIPT), str(count), str(seed)]
    done = subprocess.run(command, env=os.environ | options, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-4000:]
    accepted, refused = map(int, re.findall(r"\d+", done.stdout))
    return accepted, refused


def test_mutated_memories_do_no_harm() -> None:
    accepted, refused = fuzzed(1500, 1)
    assert accepted > 100 and refused > 300


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 150))
def test_a_million_mutated_memories_do_no_harm(seed: int) -> None:
    accepted, refused = fuzzed(20_000, seed)
    assert accepted + refused == 20_000
