"""Programs that use every construct survive parser and printer."""

from __future__ import annotations

from pathlib import Path

import llvmlite.binding as llvm
import pytest
from ir_roundtrip import PROGRAMS, UNOPTIMISED, compile_c, differences, printed_text, through_us

from cinquefoil.ir.parser import parse_module
from cinquefoil.ir.printer import print_module
from cinquefoil.ir.rename import rename_numbered

C_PROGRAMS = sorted(PROGRAMS.glob("*.c"))
LEVELS = {
    "unoptimised": UNOPTIMISED,
    "optimised": ("-O2",),
    "named": ("-O2", "-fno-discard-value-names", "-mavx2"),
    "position-independent": ("-O1", "-fPIC", "-fstack-protector-all", "-fsanitize=undefined"),
}


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("source", C_PROGRAMS, ids=lambda p: p.stem)
def test_c_program(source: Path, level: str, tmp_path: Path) -> None:
    text = compile_c(source, tmp_path / "a.bc", "-g", "-std=gnu17", *LEVELS[level])
    assert differences(text) == []


def test_sroa_output(tmp_path: Path) -> None:
    compile_c(PROGRAMS / "control.c", tmp_path / "a.bc", "-g", "-std=gnu17", *UNOPTIMISED)
    module = llvm.parse_bitcode((tmp_path / "a.bc").read_bytes(), context=llvm.create_context())
    passes = llvm.create_new_module_pass_manager()
    passes.add_sroa_pass()
    llvm.initialize_native_target()
    machine = llvm.Target.from_triple(module.triple).create_target_machine()
    passes.run(module, llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options()))
    text = str(module)
    assert "phi " in text
    assert differences(text) == []


def test_hand_written_constructs() -> None:
    text = printed_text((PROGRAMS / "everything.ll").read_text())
    assert differences(text) == []


@pytest.mark.parametrize("name", ["everything.ll", "typed_pointers.ll"])
def test_text_that_llvm_did_not_print(name: str) -> None:
    text = (PROGRAMS / name).read_text()
    once = through_us(text)
    assert differences(once) == []


def test_hand_written_text_means_what_llvm_reads() -> None:
    text = (PROGRAMS / "everything.ll").read_text()
    printed = print_module(parse_module(text))
    ours = print_module(parse_module(printed_text(printed)))
    theirs = print_module(parse_module(printed_text(text)))
    assert _unquoted(ours) == _unquoted(theirs)


def _unquoted(text: str) -> list[str]:
    lines = [line.replace('"', "") for line in text.splitlines()]
    return [line for line in lines if not line.startswith("!")]


def test_renamed_functions_still_verify(tmp_path: Path) -> None:
    text = compile_c(PROGRAMS / "scalars.c", tmp_path / "a.bc", *UNOPTIMISED)
    module = parse_module(text)
    for function in module.functions.values():
        rename_numbered(function)
    printed = print_module(module)
    assert '%"' not in printed
    assert printed_text(printed)


def test_typed_pointers_become_opaque() -> None:
    module = parse_module((PROGRAMS / "typed_pointers.ll").read_text())
    printed = print_module(module)
    assert "*" not in printed.replace("=r,*m", "")
    assert "llvm.memcpy.p0.p0.i64" in module.functions
