"""A wheel brings the compiled core along."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from cinquefoil.native import building

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a wheel of this tree holds."""
    pytest.importorskip("hatchling.build", reason="the extra 'test' is not installed in full")
    folder = tmp_path_factory.mktemp("wheel")
    for name in ("src", "benchmarks/subjects"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "hatch_build.py", "README.md"):
        shutil.copy(ROOT / name, folder)
    script = "from hatchling.build import build_wheel; print(build_wheel('out'))"
    done = subprocess.run([sys.executable, "-c", script], cwd=folder, capture_output=True, text=True, check=True)
    (wheel,) = (folder / "out").iterdir()
    assert wheel.name.endswith("-cp311-abi3-linux_x86_64.whl"), done.stderr
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def test_the_core_in_a_wheel_belongs_to_its_sources(unpacked: Path) -> None:
    (brought,) = (unpacked / "cinquefoil" / "native" / "built").iterdir()
    assert brought.name == building.brought_name()


def test_the_core_in_a_wheel_is_used(unpacked: Path, tmp_path: Path) -> None:
    """Nothing is compiled: the cache stays empty.  Of other sources it is not used."""
    script = "from cinquefoil.native import building as b, core; print(core.cinq_intake_knows(1), b.core_path())"
    environment = os.environ | {"PYTHONPATH": str(unpacked), "CINQUEFOIL_CACHE": str(tmp_path / "cache")}
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stdout.split()[1].startswith(str(unpacked))
    assert not (tmp_path / "cache" / "core").exists()
    changed = unpacked / "cinquefoil" / "native" / "common" / "types.h"
    changed.write_text(changed.read_text() + "\n")
    script = "from cinquefoil.native import building as b; b.get_or_make = lambda *a: 'made'; print(b.core_path())"
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "made\n"
