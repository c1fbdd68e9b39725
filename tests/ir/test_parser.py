"""What the parser makes of particular texts, and how it complains."""

from __future__ import annotations

import pytest

from cinquefoil.errors import BitcodeError
from cinquefoil.ir.model import Call, Compare, ConstInt, GlobalRef, InlineAsm, Local, MetadataValue, Switch
from cinquefoil.ir.parser import parse_module
from cinquefoil.ir.printer import print_instruction
from cinquefoil.ir.types import I1, I32, PTR, FunctionType


def _function(body: str, signature: str = "void @f(i32 %x, ptr %p)"):
    return parse_module(f"define {signature} {{\n{body}\n  unreachable\n}}\n").functions["f"]


def _first(body: str):
    return _function(body).blocks[0].instructions[0]


def test_implicit_numbers() -> None:
    function = _function("  %3 = add i32 %0, 1", "i32 @f(i32 %0, ptr %named, i8 %1)")
    assert [p.name for p in function.parameters] == ["0", "named", "1"]
    assert [block.label for block in function.blocks] == ["2"]


def test_unnamed_results_and_blocks_are_numbered() -> None:
    function = _function("  add i32 %x, 1\n  br label %2")
    assert [block.label for block in function.blocks] == ["0", "2"]
    assert function.blocks[0].instructions[0].result == "1"


@pytest.mark.parametrize(
    "line",
    [
        "%r = add nuw nsw i32 %x, -3, !dbg !5, !tbaa !6",
        "%r = icmp samesign ult i32 %x, 4",
        "%r = load volatile i32, ptr %p, align 4, !dbg !7",
        '%r = load atomic i32, ptr %p syncscope("singlethread") acquire, align 4',
        "%r = getelementptr inbounds nuw { i32, [2 x i8] }, ptr %p, i64 0, i32 1, i64 %i",
        "%r = call fastcc noundef range(i32 0, 5) i32 @g(ptr captures(none) initializes((0, 4)) %p) #3",
        "%r = phi i32 [ 1, %a ], [ %x, %b ]",
        "%r = select i1 true, ptr null, ptr @g",
        "br i1 %c, label %a, label %b, !prof !4",
        'call void @llvm.assume(i1 true) [ "align"(ptr %p, i64 16) ]',
        "store ptr inttoptr (i64 -1 to ptr), ptr %p, align 8",
        "%r = call i32 (ptr, ...) @printf(ptr noundef @s, i32 %x)",
        "%r = alloca [4 x %struct.s], align 16",
    ],
)
def test_prints_as_read(line: str) -> None:
    assert print_instruction(_first(f"  {line}")) == line


def test_parts_of_a_call() -> None:
    call = _first("  %r = tail call zeroext i8 @g(i8 signext -1, ptr byval({ i32, i32 }) align 8 %p) nounwind")
    assert isinstance(call, Call)
    assert call.callee == GlobalRef("g", PTR)
    assert call.tail == "tail"
    assert call.result_attributes == "zeroext"
    assert call.argument_attributes == ["signext", "byval({ i32, i32 }) align 8"]
    assert call.attributes == "nounwind"
    assert call.operands[1] == Local("p", PTR)


def test_variadic_call_keeps_the_written_type() -> None:
    call = _first("  call i32 (ptr, ...) @printf(ptr %p, i32 1)")
    assert isinstance(call, Call)
    assert call.function_type == FunctionType(I32, (PTR,), variadic=True)


def test_assembly_text_is_verbatim() -> None:
    call = _first('  call void asm sideeffect "a ( b ) ; , c", "r,~{memory}"(i32 %x)')
    assert isinstance(call, Call)
    assert isinstance(call.callee, InlineAsm)
    assert call.callee.text == 'sideeffect "a ( b ) ; , c", "r,~{memory}"'


def test_metadata_argument() -> None:
    call = _first('  call void @llvm.x(metadata !"round.dynamic", metadata !{i32 1})')
    assert isinstance(call, Call)
    texts = [operand.text for operand in call.operands if isinstance(operand, MetadataValue)]
    assert texts == ['!"round.dynamic"', "!{ i32 1 }"]


def test_switch_over_lines() -> None:
    switch = _first("  switch i32 %x, label %d [\n    i32 -1, label %a\n    i32 2, label %b\n  ]\nd:\n  ret void")
    assert isinstance(switch, Switch)
    assert switch.cases == [-1, 2]
    assert switch.labels == ["d", "a", "b"]


def test_debug_records_and_calls_are_dropped() -> None:
    body = "    #dbg_value(i32 %x, !1, !DIExpression(), !2)\n  call void @llvm.dbg.value(metadata i32* %x)"
    assert [i.opcode for i in _function(body).walk()] == ["unreachable"]


def test_comparison() -> None:
    compare = _first("  %c = icmp slt i32 %x, 10")
    assert isinstance(compare, Compare)
    assert (compare.predicate, compare.type, compare.operands[1]) == ("slt", I1, ConstInt(10, I32))


def test_location_written_inline_gets_a_number() -> None:
    module = parse_module("define void @f() {\n  ret void, !dbg !DILocation(line: 1, scope: !4)\n}\n!4 = !{}\n")
    assert module.functions["f"].blocks[0].terminator.dbg == 5
    assert module.metadata[5] == "!DILocation(line: 1, scope: !4)"


@pytest.mark.parametrize(
    ("line", "construct"),
    [
        ("%r = invoke i32 @g() to label %a unwind label %b", "invoke"),
        ("%r = landingpad { ptr, i32 } cleanup", "landingpad"),
        ('callbr void asm "", "!i"() to label %a [label %b]', "callbr"),
        ("resume { ptr, i32 } %x", "resume"),
        ("%r = add <vscale x 4 x i32> %x, %x", "scalable vector"),
        ("%r = add i32 %x", "expected `,`"),
        ("%r = load i32, ptr %p, align 4 nonsense", "nonsense"),
        ("%r = frobnicate i32 %x", "frobnicate"),
        ("store ptr no_cfi @g, ptr %p", "no_cfi"),
        ("%r = add x86_mmx %x, %x", "x86_mmx"),
        ("%r = add i32 %x, €", "€"),
    ],
)
def test_unsupported_constructs_are_named(line: str, construct: str) -> None:
    with pytest.raises(BitcodeError) as raised:
        _function(f"  {line}")
    message = str(raised.value)
    assert construct in message
    assert "@f" in message
    assert line[:40] in message


@pytest.mark.parametrize(
    "text",
    [
        "@g = global",
        "@g = global i32 5 extra",
        "%t = type i32",
        "define void @f() {\n  ret void\n",
        "define void @f() {\nentry:",
        "define void @f(",
        "define void @f()",
        "nonsense",
        "!x",
        "@g = wrong i32 5",
        "define void @f() prologue i32 1 {\n  ret void\n}",
        "\x00\x01",
        "attributes #0 = { nounwind",
    ],
)
def test_broken_modules_raise_one_kind_of_error(text: str) -> None:
    with pytest.raises(BitcodeError):
        parse_module(text)
