"""`cinq cc` behaves as a C compiler: configure's tricks, archives, dependency files, runnable results."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from cinquefoil.build import archive, bitcode, cc_arguments
from cinquefoil.build.driver import ar_main, build_main, cc_main, ranlib_main
from cinquefoil.build.program import load_program
from cinquefoil.errors import LinkError, UserError


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two libraries' worth of sources and a program, in the current directory."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "twice.h").write_text("int twice(int);\nextern int calls;\n")
    (tmp_path / "twice.c").write_text('#include "twice.h"\nint calls;\nint twice(int x) { calls++; return x * N; }\n')
    (tmp_path / "unused.c").write_text("int nowhere(void); int unused(void) { return nowhere(); }\n")
    (tmp_path / "main.c").write_text(
        '#include <stdio.h>\n#include <math.h>\n#include "twice.h"\nint main(int argc, char **argv)\n{\n'
        '    printf("%d %.0f %d\\n", twice(argc), sqrt(16.0 * argc), calls);\n    return 3;\n}\n'
    )
    return tmp_path


def _run(path: str, *arguments: str) -> tuple[int, str]:
    result = subprocess.run([Path(path).absolute(), *arguments], capture_output=True, text=True, check=False)
    return result.returncode, result.stdout


@pytest.mark.slow  # the very first link builds a native libc
def test_project_with_a_static_archive(project: Path) -> None:
    assert cc_main(["-c", "-DN=2", "-O2", "-g", "-fPIC", "twice.c"]) == 0
    assert cc_main(["-c", "unused.c", "-o", "unused.o"]) == 0
    assert cc_main(["-c", "main.c", "-MD", "-MP", "-MF", "main.d"]) == 0
    assert ar_main(["cr", "libtwice.a", "unused.o", "twice.o"]) == 0
    assert ranlib_main(["libtwice.a"]) == 0
    assert cc_main(["-o", "prog", "main.o", "-L.", "-ltwice", "-lm", "-lpthread"]) == 0
    assert _run("prog", "x") == (3, "4 6 1\n")
    assert "twice.h" in (project / "main.d").read_text()
    text = str(bitcode.read(project / "prog.bc"))
    assert "@twice" in text and "@unused" not in text
    assert "math/sqrt.c" in {module.name for module in load_program(project / "prog").libc}


@pytest.mark.slow
def test_compile_and_link_at_once_with_a_response_file(project: Path) -> None:
    (project / "args").write_text("-DN=3 main.c 'twice.c'\n-o prog\n")
    assert cc_main(["@args"]) == 0
    assert _run("prog") == (3, "3 4 1\n")


@pytest.mark.slow
def test_missing_functions_and_libraries_fail_to_link(project: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (project / "conftest.c").write_text("char nosuch(); int main() { return nosuch(); }\n")
    assert cc_main(["conftest.c", "-o", "conftest"]) != 0
    assert "nosuch" in capfd.readouterr().err
    assert not (project / "conftest").exists()
    (project / "conftest.c").write_text("int main() { return 0; }\n")
    assert cc_main(["conftest.c", "-o", "conftest", "-lnosuch"]) != 0
    assert cc_main(["conftest.c", "-o", "conftest"]) == 0
    assert _run("conftest")[0] == 0
    assert not (project / "conftest.bc").exists()


@pytest.mark.slow
def test_assembly_is_native_only(project: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (project / "seven.s").write_text(".globl seven\nseven:\n  movl $7, %eax\n  ret\n")
    (project / "use.c").write_text("int seven(void); int main(void) { return seven(); }\n")
    assert cc_main(["use.c", "seven.s", "-o", "use"]) == 0
    assert _run("use")[0] == 7
    assert "use.bc is not made" in capfd.readouterr().err


@pytest.mark.slow
def test_shared_library_is_an_archive(project: Path) -> None:
    assert cc_main(["-c", "-DN=5", "-fPIC", "twice.c"]) == 0
    assert cc_main(["-shared", "twice.o", "-o", "libtwice.so"]) == 0
    assert cc_main(["main.c", "-L.", "-ltwice", "-o", "prog"]) == 0
    assert _run("prog") == (3, "5 4 1\n")


@pytest.mark.slow
def test_engine_functions_link_natively(project: Path) -> None:
    (project / "k.c").write_text(
        '#include <klee/klee.h>\nint main(void) { int x = 4; klee_make_symbolic(&x, sizeof x, "x"); return x; }\n'
    )
    assert cc_main(["k.c", "-o", "k"]) == 0
    assert _run("k")[0] == 4


def test_objects_are_bitcode_and_not_optimised(project: Path) -> None:
    (project / "dead.c").write_text("void f(int *p) { int x = *p; }\n")
    assert cc_main(["-c", "-O3", "dead.c"]) == 0
    assert "load i32, ptr" in str(bitcode.read(project / "dead.o"))


def test_preprocessing(project: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert cc_main(["-E", "-DN=42", "twice.c"]) == 0
    assert "x * 42" in capfd.readouterr().out
    assert cc_main(["-S", "-DN=1", "twice.c"]) == 0
    assert "twice:" in (project / "twice.s").read_text()
    assert cc_main(["--version"]) == 0


def test_errors_have_a_status_and_a_message(project: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (project / "bad.c").write_text("int main( {\n")
    assert cc_main(["-c", "bad.c"]) != 0
    assert "bad.c:1" in capfd.readouterr().err
    assert cc_main([]) == 1
    assert "no input files" in capfd.readouterr().err


@pytest.mark.parametrize(
    "argv", [["a.cpp", "-o", "x"], ["-c", "a.cpp"], ["-x", "c++", "-c", "a.c"], ["-S", "a.cc"], ["-c", "a.mm"]]
)
def test_other_languages_are_refused(argv: list[str], project: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for name in ("a.cpp", "a.c", "a.cc", "a.mm"):
        (project / name).write_text("int main() { return 0; }\n")
    assert cc_main(argv) == 1
    assert "only C is supported" in capfd.readouterr().err
    assert not list(project.glob("*.o")) and not (project / "x").exists()


@pytest.mark.slow
def test_the_linker_speaks_of_the_files_that_were_given(project: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (project / "other.c").write_text("int calls = 1;\n")
    assert cc_main(["-DN=2", "-o", "prog", "main.c", "twice.c", "other.c"]) == 1
    said = capfd.readouterr().err
    assert "defined in twice.c" in said and "defined in other.c" in said and "cinq-scratch-" not in said


def test_build_makes_one_bitcode_file(project: Path) -> None:
    build_main([Path("main.c"), Path("twice.c")], Path("all.bc"), ["-DN=2"])
    assert {"main", "twice"} <= load_program(project / "all.bc").symbols.strong


def test_arguments() -> None:
    parsed = cc_arguments.parse(["-Iinc", "-D", "X=1", "a.c", "-Wl,-z,now", "-lm", "-lfoo", "-L", "dir", "-oout"])
    assert parsed.compiler == ["-Iinc", "-D", "X=1"]
    assert parsed.inputs == ["a.c", "-z", "now", "-lfoo"]
    assert (parsed.output, parsed.libraries, parsed.mode) == (Path("out"), [Path("dir")], "link")
    with pytest.raises(UserError, match="-o"):
        cc_arguments.parse(["a.c", "-o"])


def test_archives_with_long_names_thin_and_broken(project: Path) -> None:
    names = ["short.o", "a_name_that_is_longer_than_fifteen.o", "odd.o"]
    for number, name in enumerate(names):
        (project / name).write_bytes(bytes([65 + number]) * (number + 3))
    for flags, path in (("rc", Path("fat.a")), ("rcT", Path("thin.a"))):
        assert ar_main([flags, str(path), *names]) == 0
        members = archive.read_archive(path)
        assert [(Path(m.name).name, m.data) for m in members] == [
            (name, (project / name).read_bytes()) for name in names
        ]
    Path("cut.a").write_bytes(Path("fat.a").read_bytes()[:-3])
    with pytest.raises(LinkError, match=r"cut\.a"):
        archive.read_archive(Path("cut.a"))


def test_flags_that_are_not_followed_are_named(project: Path, capfd: pytest.CaptureFixture[str]) -> None:
    flags = ["-fstack-protector-all", "-fcf-protection", "-target", "riscv64-linux-gnu"]
    assert cc_main(["-c", *flags, "twice.c", "-DN=1"]) == 0
    said = capfd.readouterr().err
    for flag in ("-fstack-protector-all", "-fcf-protection", "--target=riscv64-linux-gnu"):
        assert f"cinq cc: note: {flag} has no effect here" in said


def test_flags_of_the_linker_that_are_not_followed_are_named(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    source, program = tmp_path / "w.c", tmp_path / "w"
    source.write_text("int f(void) { return 1; } int __wrap_f(void) { return 0; } int main(void) { return f(); }")
    assert cc_main([str(source), "-Wl,--wrap=f,--gc-sections", "-o", str(program)]) == 0
    said = capfd.readouterr().err
    assert "note: --wrap=f has no effect on what is explored" in said and "gc-sections" not in said
