"""Compares what LLVM prints for a module with what it prints after our parser and printer had it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import llvmlite.binding as llvm
import ziglang

from cinquefoil.ir.debug import DebugInfo
from cinquefoil.ir.model import Location, Module
from cinquefoil.ir.parser import parse_module
from cinquefoil.ir.printer import print_module

PROGRAMS = Path(__file__).parent.parent / "programs" / "ir"
MUSL = Path(ziglang.__file__).parent / "lib" / "libc" / "musl"

_QUOTED_NUMBER = re.compile(r'([%@])"(\d+)"')
_LABEL = re.compile(r'^"?(\d+)"?:.*$')
_METADATA = re.compile(r"!\d+")
_MARGIN = re.compile(r"\s+; .*$")


def compile_c(source: Path, target: Path, *options: str) -> str:
    """The IR text that LLVM prints for a C file."""
    command = [
        sys.executable,
        "-m",
        "ziglang",
        "clang",
        "-c",
        "-emit-llvm",
        "--target=x86_64-linux-musl",
        "-w",
    ]
    subprocess.run([*command, *options, str(source), "-o", str(target)], check=True)
    return printed_bitcode(target.read_bytes())


def printed_bitcode(data: bytes) -> str:
    # A context of its own: in a shared one, LLVM renames struct types that another module has too.
    return str(llvm.parse_bitcode(data, context=llvm.create_context()))


def printed_text(text: str) -> str:
    """LLVM's own print of IR text, verified."""
    module = llvm.parse_assembly(text, context=llvm.create_context())
    module.verify()
    return str(module)


def through_us(text: str) -> str:
    """LLVM's print of our print of our parse."""
    return printed_text(print_module(parse_module(text)))


def canonical(text: str) -> list[str]:
    """Lines without debug records, metadata (numbered anew by LLVM) and the quotes of numbered names."""
    lines: list[str] = []
    previous = ""
    for line in text.splitlines():
        line = _MARGIN.sub("", _QUOTED_NUMBER.sub(r"\1\2", line)) if '; "' not in line else line
        line = _METADATA.sub("!N", _LABEL.sub(r"\1:", line))
        implicit = previous.startswith("define") and _LABEL.match(line)
        if line.strip() and not line.strip().startswith(("#dbg_", ";", "!")) and not implicit:
            lines.append(line.rstrip())
        previous = line
    return lines


def differences(text: str) -> list[tuple[str, str]]:
    """Lines that differ after the round trip, and lines whose source location does."""
    back = through_us(text)
    before, after = canonical(text), canonical(back)
    found = [(a, b) for a, b in zip(before, after, strict=False) if a != b]
    if len(before) != len(after):
        found.append((f"{len(before)} lines", f"{len(after)} lines"))
    locations, locations_back = _locations(parse_module(text)), _locations(parse_module(back))
    return found if locations == locations_back else [*found, ("locations", "differ")]


def _locations(module: Module) -> list[Location | None]:
    debug = DebugInfo(module)
    locations = [debug.location(i.dbg) for f in module.functions.values() for i in f.walk()]
    return locations + [debug.function_location(f) for f in module.functions.values()]


MUSL_OPTIONS = (
    *("-nostdinc", "-std=c99", "-ffreestanding", "-g", "-fno-strict-aliasing", "-D_XOPEN_SOURCE=700"),
    *(f"-I{MUSL / part}" for part in ("arch/x86_64", "arch/generic", "src/include", "src/internal", "include")),
    *(f"-I{MUSL.parent / 'include' / part}" for part in ("x86_64-linux-musl", "generic-musl")),
)
UNOPTIMISED = ("-O1", "-Xclang", "-disable-llvm-passes")
