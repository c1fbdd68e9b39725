"""Random programs by csmith, with symbolic input mixed into their global variables.

csmith's arithmetic is wrapped in checks, so any values of the globals are as well defined as the ones it chose.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

_SIZES = {
    "max-funcs": 4,
    "max-block-depth": 3,
    "max-block-size": 3,
    "max-expr-complexity": 6,
    "max-array-dim": 2,
    "max-array-len-per-dim": 6,
    "max-struct-fields": 5,
}
OPTIONS = (
    *(word for name, size in _SIZES.items() for word in (f"--{name}", str(size))),
    "--no-volatiles",
    "--no-argc",
    "--no-const-pointers",
)
_GLOBAL = re.compile(r"^static u?int(?:8|16|32|64)_t (g_\d+) = ", re.MULTILINE)
_SHOWN = 6  # globals that get input


INCLUDE = Path(__file__).parents[1] / "programs" / "csmith"
FLAGS = (f"-I{INCLUDE}", "-w")


def has_csmith() -> bool:
    return shutil.which("csmith") is not None


def csmith_program(seed: int, folder: Path, extra: tuple[str, ...] = ()) -> Path:
    command = ["csmith", "--seed", str(seed), *OPTIONS, *extra]
    text = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True, timeout=300).stdout
    names = _GLOBAL.findall(text)[:_SHOWN]
    changes = "".join(f"    {name} ^= IN(uint64_t);\n" for name in names)
    text = text.replace("int main (void)\n{\n", f"int main (void)\n{{\n    in_start();\n{changes}", 1)
    path = folder / f"csmith{seed}.c"
    header = Path(__file__).parents[1] / "programs" / "differential" / "input.h"
    path.write_text(f'#include "{header}"\n' + text)
    return path
