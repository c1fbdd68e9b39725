"""The engine's own C under AddressSanitizer and UndefinedBehaviorSanitizer: its unit tests, in a process of their own.

By hand, for any tests:

    CINQ_NATIVE=debug ASAN_OPTIONS=detect_leaks=0 \\
    LD_PRELOAD="$(gcc -print-file-name=libasan.so) $(gcc -print-file-name=libubsan.so)" pytest -s tests/solver
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from cinquefoil.errors import UserError
from cinquefoil.native.building import build_options

TESTS = Path(__file__).parent.parent
QUICK = (
    "native/test_core_calls.py",
    "exploration/test_coverage.py",
    "search/test_batch.py",
    "search/test_state_index.py",
    "search/test_empc_states.py",
    "search/test_prepared.py",
    "search/test_sgs.py",
    "solver/test_refuting.py::test_an_expression_that_the_path_has_fixed_keeps_its_value",
    "solver/test_refuting.py::test_refuting_finds_thousands_of_sets_of_bytes_on_its_way",
    "solver/test_refuting.py::test_a_path_to_sweep_finds_hundreds_of_sets_of_bytes_on_its_way",
    "solver/test_chain.py::test_bytes_outside_the_slice_keep_their_values",
    "solver/test_chain.py::test_a_slice_of_thousands_of_constraints_needs_no_smt",
)
ALL = (
    "native/test_core_calls.py",
    "exploration/test_tree.py",
    "exploration/test_coverage.py",
    "expr",
    "search",
    "solver",
)
# Loaded into Python, reports of C code appear on standard error, where pytest must not keep them.
VISIBLE = ("-q", "-x", "-s", "-p", "no:faulthandler", "-p", "no:cacheprovider", "-m", "not slow")


def run_time_libraries() -> list[str]:
    """Those of gcc's sanitizers; a name without a folder where gcc does not have one."""
    names = ("libasan.so", "libubsan.so")
    found = [subprocess.run(["gcc", f"-print-file-name={name}"], capture_output=True, text=True) for name in names]
    return [each.stdout.strip() for each in found]


def checked(tests: Sequence[str]) -> subprocess.CompletedProcess[str]:
    libraries = run_time_libraries()
    if not all(Path(each).is_absolute() for each in libraries):
        pytest.skip("gcc has no sanitizers' run-time libraries here")
    environment = os.environ | {
        "CINQ_NATIVE": "debug",
        "LD_PRELOAD": " ".join(libraries),
        "ASAN_OPTIONS": "detect_leaks=0",  # what Python keeps until its end would count
        "UBSAN_OPTIONS": "print_stacktrace=1",
    }
    command = [sys.executable, "-m", "pytest", *VISIBLE, *(str(TESTS / each) for each in tests)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_native_code_passes_its_unit_tests_under_sanitizers() -> None:
    ended = checked(QUICK)
    assert ended.returncode == 0, ended.stdout + ended.stderr


@pytest.mark.slow
def test_native_code_passes_all_unit_tests_under_sanitizers() -> None:
    ended = checked(ALL)
    assert ended.returncode == 0, ended.stdout + ended.stderr


def test_sanitizers_see_native_code(tmp_path: Path) -> None:
    """The same way, an access beyond an array's end is reported: the test above can fail."""
    (tmp_path / "test_beyond.py").write_text(
        "import numpy\n"
        "from cinquefoil.native import core\n"
        "def test_beyond():\n"
        "    core.cinq_groups_add(core.cinq_groups_new(0, 0), numpy.zeros(4, 'u8'), numpy.zeros(4, 'u8'), 5)\n"
    )
    ended = checked([str(tmp_path / "test_beyond.py")])
    assert ended.returncode != 0
    assert "heap-buffer-overflow" in ended.stderr
    assert "groups.c:" in ended.stderr


def test_an_unknown_build_of_native_code_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CINQ_NATIVE", "fast")
    with pytest.raises(UserError, match="CINQ_NATIVE=fast"):
        build_options()
