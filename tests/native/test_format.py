"""The native core is formatted by `.clang-format`: clang-format -i src/cinquefoil/native/*/*.[ch]"""

from __future__ import annotations

import importlib.util
import subprocess
import sys

import pytest

from cinquefoil.native.headers import FOLDER


@pytest.mark.skipif(importlib.util.find_spec("clang_format") is None, reason="clang-format is not installed")
def test_the_native_core_is_formatted() -> None:
    sources = sorted(map(str, FOLDER.glob("*/*.[ch]")))
    script = "import clang_format; clang_format.clang_format()"
    command = [sys.executable, "-c", script, "--dry-run", "--Werror", *sources]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert len(sources) > 40
    assert ended.returncode == 0, ended.stderr
