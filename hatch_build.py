"""What the build of a wheel or source archive adds: the commit that it was made from (`cinq --version`), and, to a
wheel, the compiled native core.

The commit is written to `cinquefoil/_commit.py` in the archive only.  An editable installation gets no such file,
since its commit changes: `cinquefoil/version.py` asks git there.  Wheels made of a source archive take the file from
it.

The core is compiled by the clang of the `ziglang` wheel, which is among the build's requirements, and uses nothing but
Python's stable ABI: one wheel serves every CPython from 3.11 on.  Where it cannot be compiled the wheel goes without,
and the first use compiles it (`cinquefoil/native/building.py`).
"""

from __future__ import annotations

import os
import platform
import runpy
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

TARGETS = {"wheel": "cinquefoil/_commit.py", "sdist": "src/cinquefoil/_commit.py"}
CORE = "cinquefoil/native/built"
TAG = "cp311-abi3-linux_x86_64"
BUILD = """
import sys
from pathlib import Path
from cinquefoil.native import building
target = Path(sys.argv[1], building.brought_name())
building.build_core(target)
print(target)
"""


class CustomBuildHook(BuildHookInterface):
    """hatchling finds it by this name."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable" or self.target_name not in TARGETS:
            return
        self._folder = tempfile.TemporaryDirectory()
        self._add_commit(build_data)
        if self.target_name == "wheel" and (sys.platform, platform.machine()) == ("linux", "x86_64"):
            self._add_core(build_data)

    def _add_commit(self, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        commit = runpy.run_path(str(root / "src/cinquefoil/version.py"))["commit_of_checkout"](root)
        if commit:
            made = Path(self._folder.name, "_commit.py")
            made.write_text(f'"""Made by the build."""\n\nCOMMIT = "{commit}"\n', encoding="utf-8")
            build_data["force_include"][str(made)] = TARGETS[self.target_name]

    def _add_core(self, build_data: dict[str, Any]) -> None:
        sources = Path(self.root, "src")
        if not (sources / "cinquefoil/native/building.py").exists():
            return
        path = os.pathsep.join(filter(None, (str(sources), os.environ.get("PYTHONPATH"))))
        environment = {name: value for name, value in os.environ.items() if name != "CINQ_NATIVE"}
        command = [sys.executable, "-c", BUILD, self._folder.name]
        ended = subprocess.run(command, env=environment | {"PYTHONPATH": path}, capture_output=True, text=True)
        if ended.returncode != 0:
            self.app.display_warning(f"the native core is left to the first use: {ended.stderr.strip()[-500:]}")
            return
        made = Path(ended.stdout.strip())
        build_data["force_include"][str(made)] = f"{CORE}/{made.name}"
        build_data.update(pure_python=False, tag=TAG)

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if hasattr(self, "_folder"):
            self._folder.cleanup()
