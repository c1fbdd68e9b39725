"""User code compiles against the wheel's headers alone, and its bugs survive cleaning."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cinquefoil.build import bitcode
from cinquefoil.build.cleanup import cleanup
from cinquefoil.build.compile import code_flags, compile_c
from cinquefoil.errors import CompileError


def _compiled(tmp_path: Path, source: str, flags: list[str] | None = None) -> str:
    path = tmp_path / "a.c"
    path.write_text(source)
    compile_c(path, tmp_path / "a.bc", flags or [])
    return str(bitcode.read(tmp_path / "a.bc"))


def _body(text: str, name: str) -> str:
    found = re.search(rf"^define [^\n]*@{name}\(.*?^\}}", text, re.MULTILINE | re.DOTALL)
    assert found, text
    return found[0]


def _cleaned(tmp_path: Path, source: str, flags: list[str] | None = None) -> str:
    return _body(str(cleanup(_compiled(tmp_path, source, flags), "a")), "f")


def test_headers_of_libc_kernel_compiler_and_engine(tmp_path: Path) -> None:
    headers = [
        "stdio.h",
        "stdlib.h",
        "math.h",
        "stdarg.h",
        "stddef.h",
        "limits.h",
        "linux/types.h",
        "klee/klee.h",
    ]
    source = "\n".join(f"#include <{name}>" for name in headers)
    text = _compiled(tmp_path, source + '\nint main(void) { klee_assert(puts(__FILE__)); return klee_int("x"); }')
    assert "@klee_int" in text and "@__assert_fail" in text


def test_assert_may_be_declared_twice(tmp_path: Path) -> None:
    body = "void f(int x) { assert(x); klee_assert(x); }"
    _compiled(tmp_path, "#include <klee/klee.h>\n#include <assert.h>\n" + body)
    _compiled(tmp_path, "#include <assert.h>\n#include <klee/klee.h>\n" + body)


def test_what_gcc_preprocessed_compiles(tmp_path: Path) -> None:
    path = tmp_path / "a.i"
    path.write_text(
        '# 1 "a.c"\nextern void close_it(void *);\n'
        "extern void *open_it(void) __attribute__ ((__malloc__)) __attribute__ ((__malloc__ (close_it, 1)));\n"
        "extern _Float128 wide(_Float128);\nextern _Complex _Float64 both(_Float64);\n"
        "int main(void) { return open_it() != 0; }\n"
    )
    assert "warning" not in compile_c(path, tmp_path / "a.bc")
    assert "@open_it" in str(bitcode.read(tmp_path / "a.bc"))


def test_a_source_may_name_the_instructions_it_needs(tmp_path: Path) -> None:
    code = "#include <immintrin.h>\nunsigned f(unsigned x) { return _mm_crc32_u8(x, 1) + _bzhi_u32(x, 3); }\n"
    with pytest.raises(CompileError, match="target feature"):
        _compiled(tmp_path, code)
    assert "@f" in _compiled(tmp_path, '#pragma GCC target("sse4.2,crc32", "bmi2,tune=native")\n' + code)


def test_compile_error_carries_the_diagnostics(tmp_path: Path) -> None:
    with pytest.raises(CompileError, match=r"a\.c:2:12: error: use of undeclared identifier 'y'"):
        _compiled(tmp_path, "int main(void) {\n    return y;\n}\n")


@pytest.mark.parametrize("header", ["error.h", "obstack.h", "sys/cdefs.h", "sys/queue.h", "bits/types.h"])
def test_headers_of_glibc_are_told_from_mistakes(tmp_path: Path, header: str) -> None:
    with pytest.raises(CompileError, match=f"musl, and {header} is a header of glibc"):
        _compiled(tmp_path, f"#include <{header}>\nint main(void) {{ return 0; }}\n")


def test_a_header_of_nobody_gets_no_hint(tmp_path: Path) -> None:
    with pytest.raises(CompileError) as caught:
        _compiled(tmp_path, '#include "no_such_header.h"\n')
    assert "note:" not in str(caught.value)


def test_missing_source(tmp_path: Path) -> None:
    with pytest.raises(CompileError, match="no such file"):
        compile_c(tmp_path / "none.c", tmp_path / "none.bc")


def test_old_style_calls_are_accepted(tmp_path: Path) -> None:
    assert "@undeclared" in _compiled(tmp_path, "int main() { return undeclared(1); }")


def test_dead_load_survives(tmp_path: Path) -> None:
    assert "load volatile i32, ptr %p" in _cleaned(tmp_path, "void f(int *p) { int x = *p; }")


def test_dead_division_survives(tmp_path: Path) -> None:
    assert "sdiv i32 1, %d" in _cleaned(tmp_path, "void f(int d) { int x = 1 / d; }")
    assert "urem i64 1, %d" in _cleaned(tmp_path, "void f(unsigned long d) { unsigned long x = 1 % d; }")


def test_constant_mistakes_survive(tmp_path: Path) -> None:
    assert "sdiv i32 1, 0" in _cleaned(tmp_path, "int f(void) { int d = 0; return 1 / d; }")
    assert "store i32 1, ptr null" in _cleaned(tmp_path, "void f(void) { int *p = 0; *p = 1; }")


def test_dead_atomic_and_aggregate_loads_survive(tmp_path: Path) -> None:
    assert "load volatile i32, ptr %p" in _cleaned(tmp_path, "void f(_Atomic int *p) { int x = *p; }")
    source = "define void @f(ptr %p) {\n  %x = load { i64, ptr }, ptr %p, align 8\n  ret void\n}\n"
    assert "load volatile { i64, ptr }, ptr %p" in str(cleanup(source, "a"))


def test_locals_with_odd_names_and_types_are_pinned(tmp_path: Path) -> None:
    source = (
        'define void @f() {\n  %"a b" = alloca { i64, i64 }, align 8\n'
        '  %p = getelementptr i8, ptr %"a b", i64 16\n  store i64 9, ptr %p, align 8\n  ret void\n}\n'
    )
    assert "store i64 9" in str(cleanup(source, "a"))


def test_overflow_checks_can_be_asked_for(tmp_path: Path) -> None:
    flags = ["-fno-wrapv", "-fsanitize=signed-integer-overflow"]
    assert "@__ubsan_handle_add_overflow" in _compiled(tmp_path, "int f(int a) { return a + 1; }", flags)


def test_dead_call_of_a_pure_function_survives(tmp_path: Path) -> None:
    source = "__attribute__((const)) int g(int); void f(int d) { int x = g(d); }"
    assert "@g(" in _cleaned(tmp_path, source)


@pytest.mark.parametrize(
    "statements",
    [
        "int a[4]; a[5] = 1;",
        "long w = 0; (&w)[1] = 4;",
        "int w = 0; *(long *)&w = 4;",
        "char b[2]; b[-1] = 0;",
    ],
)
def test_store_beyond_a_local_survives(tmp_path: Path, statements: str) -> None:
    body = _cleaned(tmp_path, f"void f(void) {{ {statements} }}")
    assert re.search(r"store i(8 0|32 1|64 4), ptr %\w+", body), body


def test_load_beyond_a_local_survives(tmp_path: Path) -> None:
    assert "load volatile" in _cleaned(tmp_path, "int f(void) { int a[4] = {0}; return a[9]; }")


def test_plain_locals_become_values(tmp_path: Path) -> None:
    body = _cleaned(tmp_path, "int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }")
    assert "alloca" not in body and "phi" in body


def test_conditions_stay_separate_branches(tmp_path: Path) -> None:
    body = _cleaned(tmp_path, "int f(int a, int b) { if (a > 1 && b > 2) return 1; return 0; }")
    assert body.count("br i1") == 2


def test_life_times_are_marked(tmp_path: Path) -> None:
    body = _cleaned(tmp_path, "void g(int *); void f(void) { { int x; g(&x); } { int y; g(&y); } }")
    assert body.count("@llvm.lifetime.end") == 2


def test_no_marker_is_left(tmp_path: Path) -> None:
    text = str(cleanup(_compiled(tmp_path, "int f(int d) { int a[3]; a[d] = 7 / d; return a[0]; }"), "a"))
    assert "cinq.keep" not in text


def test_bitcode_compiled_with_optnone_is_cleaned_too(tmp_path: Path) -> None:
    text = _compiled(tmp_path, "int f(int n) { int s = n; s++; return s; }")
    old = re.sub(r"(attributes #0 = \{)", r"\1 noinline optnone", text)
    assert "alloca" not in _body(str(cleanup(old, "a")), "f")


def test_thread_locals_become_globals(tmp_path: Path) -> None:
    source = "_Thread_local int t = 3; int f(void) { return ++t; }"
    text = str(cleanup(_compiled(tmp_path, source), "a"))
    assert "@t = dso_local global i32 3" in text
    assert "threadlocal" not in _body(text, "f")


def test_optimisation_only_when_asked(tmp_path: Path) -> None:
    assert "-disable-llvm-passes" in code_flags(["-O0"])
    assert "-disable-llvm-passes" not in code_flags(["-O2"])
    text = _compiled(tmp_path, "int f(int n) { int s = n; return s + s; }", ["-O2"])
    assert "alloca" not in _body(text, "f")


def test_lines_are_recorded(tmp_path: Path) -> None:
    assert "DILocation(line: 2" in _compiled(tmp_path, "int f(int n) {\n  return n + 1;\n}\n")


@pytest.mark.parametrize("flags", [[], ["-w"], ["-std=gnu89"], ["-std=gnu89", "-w"]])
def test_undeclared_library_functions_have_their_types(tmp_path: Path, flags: list[str]) -> None:
    text = _compiled(tmp_path, "double f(char *p) { return fabs(strlen(p)) + other(1); }", flags)
    assert "double @fabs(double" in text and "i64 @strlen(ptr" in text and "i32 (i32, ...) @other(i32" in text


def test_undeclared_functions_are_still_told(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("int f(void) { return fabs(1) > 0; }")
    assert "call to undeclared function 'fabs'" in compile_c(tmp_path / "a.c", tmp_path / "a.bc")
    with pytest.raises(CompileError, match="call to undeclared function 'fabs'"):
        compile_c(tmp_path / "a.c", tmp_path / "a.bc", ["-Werror=implicit-function-declaration"])


def test_a_program_may_declare_library_functions_its_own_way(tmp_path: Path) -> None:
    source = """
    int f(char *p) { return index(p, 1) + sqrt(4.0) > 2; }
    int index(char *p, int n) { return p[n]; }"""
    text = _compiled(tmp_path, source)
    assert "double @sqrt(double" in text and "i32 @index(" in text


def test_nothing_is_optimised_and_macros_say_so(tmp_path: Path) -> None:
    source = "#ifdef __OPTIMIZE__\n#error optimised\n#endif\nvoid g(int *);void f(void) { { int a; g(&a); } }"
    assert "llvm.lifetime.end" in _compiled(tmp_path, source)
    with pytest.raises(CompileError, match="optimised"):
        _compiled(tmp_path, source, ["-O2"])


def test_the_operand_of_constant_p_is_not_evaluated(tmp_path: Path) -> None:
    body = _cleaned(tmp_path, "int f(int *p, int n) { return __builtin_constant_p(p[n] / n) + p[1]; }")
    assert body.count(" load ") == 1 and " sdiv " not in body
