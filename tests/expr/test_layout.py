"""layout.py against what a C compiler makes of layout.h."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cinquefoil import layout

RUNTIME = Path(layout.__file__).parent / "machine" / "runtime"
ENUM_CLASSES = {
    "op": layout.Op,
    "rounding": layout.Rounding,
    "event_kind": layout.EventKind,
    "reason": layout.Reason,
    "end": layout.End,
    "error_kind": layout.ErrorKind,
    "region": layout.Region,
    "access": layout.Access,
    "command": layout.Command,
    "intrinsic": layout.Intrinsic,
    "undefined_check": layout.Undefined,
    "remark_kind": layout.RemarkKind,
}


def compile_and_run(source: str, folder: Path) -> str:
    compiler = [shutil.which("gcc") or ""] if shutil.which("gcc") else [sys.executable, "-m", "ziglang", "cc"]
    (folder / "probe.c").write_text(source)
    command = [*compiler, "-I", str(RUNTIME), "probe.c", "-o", "probe"]
    subprocess.run(command, cwd=folder, check=True, timeout=300)
    return subprocess.run([str(folder / "probe")], check=True, capture_output=True, text=True).stdout


def probe_source() -> str:
    lines: list[str] = []
    for name, dtype in layout.STRUCTS.items():
        lines.append(f'printf("{name} %zu\\n", sizeof(struct cinq_{name}));')
        for field in dtype.names or ():
            where = f"offsetof(struct cinq_{name}, {field}), sizeof(((struct cinq_{name} *)0)->{field})"
            lines.append(f'printf("{name}.{field} %zu %zu\\n", {where});')
    for members in layout.ENUMS.values():
        lines += [f'printf("{member} %d\\n", {member});' for member in members]
    for name in layout.CONSTANTS:
        lines.append(f'printf("{name} %llu\\n", (unsigned long long)CINQ_{name});')
    body = "\n    ".join(lines)
    includes = '#include "abi.h"\n#include <stddef.h>\n#include <stdio.h>\n'
    return f"{includes}int main(void) {{\n    {body}\n    return 0;\n}}\n"


def python_view() -> list[str]:
    lines: list[str] = []
    for name, dtype in layout.STRUCTS.items():
        lines.append(f"{name} {dtype.itemsize}")
        for field in dtype.names or ():
            kind, offset = dtype.fields[field][:2]  # type: ignore[index]
            lines.append(f"{name}.{field} {offset} {kind.itemsize}")
    for members in layout.ENUMS.values():
        lines += [f"{member} {value}" for member, value in members.items()]
    return lines + [f"{name} {value}" for name, value in layout.CONSTANTS.items()]


def test_c_compiler_agrees(tmp_path: Path) -> None:
    assert compile_and_run(probe_source(), tmp_path).splitlines() == python_view()


@pytest.mark.parametrize("name", layout.ENUMS)
def test_every_member_has_a_python_name(name: str) -> None:
    wanted = {member.partition("_")[2]: value for member, value in layout.ENUMS[name].items()}
    assert {member.name: member.value for member in ENUM_CLASSES[name]} == wanted


def test_every_constant_has_a_python_name() -> None:
    for name, value in layout.CONSTANTS.items():
        assert getattr(layout, name) == value


def test_all_structs_are_read() -> None:
    assert {"node", "table", "event", "error", "object", "control"} <= set(layout.STRUCTS)
