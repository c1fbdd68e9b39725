"""Melding sources and running the result natively, without the engine."""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm

from cinquefoil.build import bitcode
from cinquefoil.build.compile import compile_c
from cinquefoil.build.program import prepare_program
from cinquefoil.transform.meld.meld_options import MeldOptions
from cinquefoil.transform.meld.meld_report import MeldReport
from cinquefoil.transform.meld.melded_program import melded_text

_STUBS = """
define void @klee_make_symbolic(ptr %a, i64 %n, ptr %s) { ret void }
define void @klee_open_merge() { ret void }
define void @klee_close_merge() { ret void }
"""
_MARKS = """
define void @cinq_meld_block(i1 %a, i32 %n) { ret void }
define void @cinq_meld_line(i32 %n) { ret void }
define void @cinq_meld_branch(i1 %a, i1 %c, i32 %h, i32 %t, i32 %e) { ret void }
"""


def cleaned(source: str, folder: Path, flags: tuple[str, ...] = ()) -> Path:
    """The program's bitcode before melding."""
    path = folder / "program.c"
    path.write_text(source)
    compile_c(path, folder / "program.bc", ("-w", *flags))
    module, _ = prepare_program([folder / "program.bc"])
    return module


def melded(module: Path, mode: str = "all") -> tuple[str, MeldReport]:
    return melded_text(module, MeldOptions(mode))


class Native:
    """Functions of a module, compiled in memory; LLVM verifies the module."""

    def __init__(self, text: str) -> None:
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        lines = [line for line in text.splitlines() if not _is_declared(line)]
        marks = _MARKS if "@cinq_meld_block" in text else ""
        self._module: Any = bitcode.parse_text("\n".join(lines) + _STUBS + marks, "test")
        machine = llvm.Target.from_default_triple().create_target_machine(jit=True)
        self._engine: Any = llvm.create_mcjit_compiler(llvm.parse_bitcode(self._module.as_bitcode()), machine)
        self._engine.finalize_object()

    def run(self, name: str, data: bytes) -> list[int]:
        """What f(in, out) leaves in out."""
        address = self._engine.get_function_address(name)
        given = (ctypes.c_ubyte * 16)(*data)
        result = (ctypes.c_int * 16)(*(i * 37 - 100 for i in range(16)))
        ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(address)(
            ctypes.addressof(given), ctypes.addressof(result)
        )
        return list(result)


def _is_declared(line: str) -> bool:
    return line.startswith("declare") and ("@klee_" in line or "@cinq_meld_" in line)
