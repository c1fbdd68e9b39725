"""Whole programs: cleaned module, musl's bitcode and a minimal run-time, linked and really run."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import pytest

from cinquefoil.build import bitcode, toolchain
from cinquefoil.build.program import LinkedProgram, load_program

RUNTIME = Path(__file__).with_name("plain_runtime.c")


@pytest.fixture(scope="module")
def runtime(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("runtime") / "runtime.o"
    flags = ["-c", "-O1", "-fno-builtin", "-ffreestanding", "-fno-pic", "-w", f"--target={toolchain.TARGET}"]
    folder = f"-I{toolchain.clang_headers()}"
    toolchain.clang([*flags, "-nostdinc", folder, str(RUNTIME), "-o", str(path)], "run-time")
    return path


def _emit(program: LinkedProgram, output: Path) -> None:
    """The cleaned module as a native object."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target: Any = llvm.Target.from_triple("x86_64-unknown-linux-musl")
    machine = target.create_target_machine(reloc="static", codemodel="small")
    text: str = machine.emit_assembly(bitcode.read(program.module_bitcode))
    # llvmlite puts constructors where old start files look for them, numbered backwards.
    text = (
        text.replace(".ctors.65535", ".init_array.0").replace(".ctors", ".init_array").replace('"aw",@progbits', '"aw"')
    )
    assembly = output.with_suffix(".s")
    assembly.write_text(text)
    toolchain.clang(["-c", f"--target={toolchain.TARGET}", str(assembly), "-o", str(output)], "assembly")


def _run(tmp_path: Path, runtime: Path, source: str, *arguments: str, text: str = "") -> tuple[int, str]:
    (tmp_path / "a.c").write_text(source)
    program = load_program(tmp_path / "a.c")
    _emit(program, tmp_path / "a.o")
    objects = [str(tmp_path / "a.o"), str(runtime), *(str(module.path) for module in program.libc)]
    linked = toolchain.run_tool("ld.lld", ["-static", "--lto-O0", "-o", str(tmp_path / "a"), *objects])
    assert linked.returncode == 0, linked.stderr
    result = subprocess.run(
        [tmp_path / "a", *arguments], input=text, capture_output=True, text=True, check=False, timeout=300
    )
    return result.returncode, result.stdout


def test_printf_and_arguments(tmp_path: Path, runtime: Path) -> None:
    source = """
    #include <stdio.h>
    #include <errno.h>
    extern char *__progname;
    int main(int argc, char **argv)
    {
        for (int i = 1; i < argc; i++) printf("%d:%s|%5.2f|%Lg|%#x\\n", i, argv[i], i / 3.0,
                                            1.0L / i, i * 77);
        fopen("/no/such/file", "r");
        printf("%s %d\\n", __progname, errno == ENOENT);
        return argc;
    }"""
    expected = "1:x| 0.33|1|0x4d\n2:yy|0.67|0.5|0x9a\n".replace("|0.67", "| 0.67")
    assert _run(tmp_path, runtime, source, "x", "yy") == (3, expected + "a 1\n")


def test_main_without_parameters_constructors_and_destructors(tmp_path: Path, runtime: Path) -> None:
    source = """
    #include <stdio.h>
    #include <stdlib.h>
    static void last(void) { puts("handler"); }
    __attribute__((constructor)) static void up(void) { puts("up"); }
    __attribute__((destructor)) static void down(void) { puts("down"); }
    int main() { atexit(last); puts("main"); return 7; }
    """
    assert _run(tmp_path, runtime, source) == (7, "up\nmain\nhandler\ndown\n")


def test_environment_is_the_third_parameter(tmp_path: Path, runtime: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CINQ_TEST_VALUE", "here")
    source = """
    #include <stdlib.h>
    #include <string.h>
    extern char **environ;
    int main(int argc, char **argv, char **envp)
    {
        return environ == envp && !strcmp(getenv("CINQ_TEST_VALUE"), "here") ? 5 : 1;
    }"""
    assert _run(tmp_path, runtime, source)[0] == 5


def test_reading_sorting_and_searching(tmp_path: Path, runtime: Path) -> None:
    source = """
    #include <regex.h>
    #include <stdio.h>
    #include <stdlib.h>
    static int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
    int main(void)
    {
        int n = 0, values[16];
        while (n < 16 && scanf("%d", values + n) == 1) n++;
        qsort(values, n, sizeof *values, order);
        for (int i = 0; i < n; i++) printf("%d ", values[i]);
        regex_t re;
        if (regcomp(&re, "^[a-c]+(x|y)$", REG_EXTENDED)) return 1;
        printf("%d %d\\n", regexec(&re, "abcy", 0, 0, 0), regexec(&re, "abz", 0, 0, 0));
        regfree(&re);
        return 0;
    }"""
    assert _run(tmp_path, runtime, source, text="5 -3 12 4") == (0, "-3 4 5 12 0 1\n")


def test_wide_arithmetic_and_thread_locals(tmp_path: Path, runtime: Path) -> None:
    source = """
    #include <complex.h>
    #include <math.h>
    #include <stdio.h>
    _Thread_local int counter = 40;
    struct pair { int a; long b; };
    static struct pair swap(struct pair p) { struct pair q = {(int)p.b, p.a}; return q; }
    int main(int argc, char **argv)
    {
        volatile unsigned __int128 x = (unsigned __int128)1 << 100, y = 12345;
        volatile double _Complex z = 1 + 2 * I;
        struct pair p = swap((struct pair){1, 2});
        counter += argc + 1;
        unsigned long long quotient = x / y, rest = x % y;
        printf("%llu %llu %.0f %g%+gi %d %ld %d %g\\n", quotient, rest,
               (double)x, creal(z * z), cimag(z * z), p.a, p.b, counter, fmod(7.5, argc + 1));
        return 0;
    }"""
    quotient, rest = divmod(1 << 100, 12345)
    expected = f"{quotient % 2**64} {rest} {2**100} -3+4i 2 1 42 1.5\n"
    assert _run(tmp_path, runtime, source) == (0, expected)
