"""Bitcode of other front ends than our own compiler: it is read, traced and run, or refused in plain words."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from cinquefoil.build import toolchain
from cinquefoil.build.program import load_programs
from cinquefoil.errors import BitcodeError, LinkError
from cinquefoil.machine.image import build_image
from cinquefoil.machine.run import Run
from cinquefoil.machine.worker import Worker

CPLUSPLUS = """
extern "C" int printf(const char *, ...);
struct Shape { virtual int area() const { return 1; } int side = 4; };
struct Square : Shape { int area() const override { return side * side; } };
template <class T> T twice(T value) { return value + value; }
static Shape made_before_main;
namespace inner { int k = 3; }
int main() {
    Square square; const Shape &shape = square;
    auto more = [&](int x) { return x + shape.area(); };
    static int once = more(twice(3));
    printf("%d %g %d\\n", once, twice(1.5), made_before_main.area() + inner::k);
}
"""
RUST = """
#![no_std]
#![no_main]
extern "C" { fn printf(f: *const u8, ...) -> i32; fn abort() -> !; }
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! { unsafe { abort() } }
#[no_mangle]
pub extern "C" fn main(argc: i32, _argv: *const *const u8) -> i32 {
    let table = [1u32, 2, 3, 4];
    let largest = table.iter().map(|v| v.wrapping_mul(argc as u32)).max().unwrap_or(0);
    let narrow = (argc as f32 * 300.5) as i8;
    unsafe { printf(b"%u %d\\n\\0".as_ptr(), largest, narrow as i32); }
    0
}
"""


def _run(*programs: Path) -> Run:
    with Worker(build_image(load_programs(programs))) as worker:
        return worker.run(b"")


def _text(tmp_path: Path, text: str) -> Path:
    program = tmp_path / "program.ll"
    program.write_text(f'target triple = "x86_64-unknown-linux-gnu"\n{text}')
    return program


def test_unnamed_variables_functions_and_aliases(tmp_path: Path) -> None:
    program = _text(
        tmp_path,
        """
        @0 = private unnamed_addr constant [3 x i8] c"hi\\00"
        @1 = private global ptr @0
        @2 = private alias ptr, ptr @1
        declare i32 @puts(ptr)
        define private i32 @3(i32 %0) {
          %2 = load ptr, ptr @2
          %3 = call i32 @puts(ptr %2)
          ret i32 %0
        }
        define i32 @main() {
          %1 = call i32 @3(i32 7)
          %2 = load ptr, ptr getelementptr ([1 x ptr], ptr @1, i64 0, i64 0)
          %3 = call i32 @puts(ptr %2)
          ret i32 %1
        }
        """.replace("\n        ", "\n"),
    )
    run = _run(program)
    assert (run.end, run.code, run.output) == ("exit", 7, b"hi\nhi\n")


def test_personalities_without_exceptions(tmp_path: Path) -> None:
    """rustc names one, and leaves blocks behind that would go on unwinding."""
    program = _text(
        tmp_path,
        """
        declare i32 @rust_eh_personality(...)
        define i32 @main() personality ptr @rust_eh_personality {
          ret i32 3
        dead:
          resume { ptr, i32 } poison
        }
        """.replace("\n        ", "\n"),
    )
    assert _run(program).code == 3


def test_an_attribute_group_that_cleaning_empties(tmp_path: Path) -> None:
    program = _text(
        tmp_path,
        """
        declare double @llvm.fabs.f64(double) #0
        define i32 @main() {
          %a = call double @llvm.fabs.f64(double -2.0)
          %b = fptosi double %a to i32
          ret i32 %b
        }
        attributes #0 = { memory(none) }
        """.replace("\n        ", "\n"),
    )
    assert _run(program).code == 2


def test_exceptions_are_refused_by_name(tmp_path: Path) -> None:
    program = _text(
        tmp_path,
        """
        declare void @may_throw()
        declare i32 @__gxx_personality_v0(...)
        define void @f() { ret void }
        define i32 @main() personality ptr @__gxx_personality_v0 {
          invoke void @f() to label %fine unwind label %bad
        fine:
          ret i32 0
        bad:
          %caught = landingpad { ptr, i32 } cleanup
          ret i32 1
        }
        """.replace("\n        ", "\n"),
    )
    with pytest.raises((BitcodeError, LinkError), match=r"invoke.*-fno-exceptions|__gxx_personality_v0"):
        _run(program)


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_cplusplus(tmp_path: Path, level: str) -> None:
    source, compiled = tmp_path / "a.cpp", tmp_path / "a.bc"
    source.write_text(CPLUSPLUS)
    without = ["-fno-exceptions", "-fno-rtti", "-fno-threadsafe-statics", "-nostdinc"]
    flags = ["--target=x86_64-linux-musl", "-x", "c++", level, *without, "-g", "-c", "-emit-llvm"]
    toolchain.clang([*flags, str(source), "-o", str(compiled)], "a.cpp")
    run = _run(compiled)
    assert (run.end, run.output) == ("exit", b"22 3 4\n")


@pytest.mark.skipif(shutil.which("rustc") is None, reason="no rustc on this machine")
@pytest.mark.parametrize("level", ["0", "2"])
def test_rust(tmp_path: Path, level: str) -> None:
    """Without bounds and overflow checks, which need rustc's library."""
    source, compiled, rest = tmp_path / "a.rs", tmp_path / "a.bc", tmp_path / "rest.c"
    source.write_text(RUST)
    flags = ["--emit=llvm-bc", "-Cpanic=abort", f"-Copt-level={level}", "-Cdebug-assertions=off", "-g"]
    subprocess.run(["rustc", *flags, "-o", compiled, source], check=True, capture_output=True)
    missing = load_missing(compiled)
    rest.write_text("#include <stdlib.h>\n" + "".join(f"void {name}(void) {{ abort(); }}\n" for name in missing))
    run = _run(compiled, rest)
    assert (run.end, run.output) == ("exit", b"4 127\n")


def load_missing(program: Path) -> list[str]:
    """What only rustc's library defines: ways to panic, all of them."""
    from cinquefoil.build.program import prepare_program

    _, symbols = prepare_program([program])
    return sorted(name for name in symbols.undefined if "panic" in name)
