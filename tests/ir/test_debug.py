"""Source locations from metadata."""

from __future__ import annotations

from pathlib import Path

from ir_roundtrip import PROGRAMS, UNOPTIMISED, compile_c

from cinquefoil.ir.debug import DebugInfo
from cinquefoil.ir.model import Call, GlobalRef, Location, Module
from cinquefoil.ir.parser import parse_module

INLINED = """void sink(int);
static inline __attribute__((always_inline)) int inner(int *p) {
  if (*p > 3) {
    sink(*p);
  }
  return 0;
}
int named_variable;
int outer(int *p) {
  return inner(p) + named_variable;
}
"""


def _compiled(tmp_path: Path, *options: str) -> tuple[Module, Path]:
    source = tmp_path / "inlined.c"
    source.write_text(INLINED)
    return parse_module(compile_c(source, tmp_path / "a.bc", "-g", *options)), source


def test_lines_of_inlined_code(tmp_path: Path) -> None:
    module, source = _compiled(tmp_path, "-O1")
    debug = DebugInfo(module)
    call = next(i for i in module.functions["outer"].walk() if i.opcode == "call")
    inner, outer = debug.locations(call.dbg)
    assert (inner.line, inner.function, inner.file) == (4, "inner", str(source))
    assert (outer.line, outer.function) == (10, "outer")
    assert debug.location(call.dbg) == inner


def test_functions_and_variables(tmp_path: Path) -> None:
    module, source = _compiled(tmp_path, *UNOPTIMISED)
    debug = DebugInfo(module)
    assert debug.function_location(module.functions["outer"]) == Location(str(source), 9, 0, "outer")
    assert debug.variable_name(module.globals["named_variable"].dbg) == "named_variable"
    assert debug.source_file() == str(source)


def test_lexical_blocks_of_typed_pointer_days() -> None:
    module = parse_module((PROGRAMS / "typed_pointers.ll").read_text())
    call = next(i for i in module.functions["handle"].walk() if isinstance(i, Call))
    assert call.callee == GlobalRef("printf", call.callee.type)
    assert DebugInfo(module).location(call.dbg) == Location("/src/typed.c", 6, 3, "handle")


def test_broken_metadata_is_unknown_not_an_error() -> None:
    debug = DebugInfo(
        Module(
            metadata={
                1: "!DILocation(line: 3, column: 4, scope: !2)",
                2: "distinct !DILexicalBlock(scope: !2, file: !9)",  # its own scope
                3: "!DILocation(line: x, scope: )",
                4: "not a node",
                5: "!DILocation(line: 1, scope: !2, inlinedAt: !5)",
            }
        )
    )
    assert debug.location(1) == Location("", 3, 4, "")
    assert debug.location(3) == Location("", 0, 0, "")
    assert debug.location(4) is None
    assert debug.location(77) is None
    assert debug.location(None) is None
    assert len(debug.locations(5)) <= 1000
