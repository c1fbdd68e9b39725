"""The linker's rules, one by one, on small modules of textual IR."""

from __future__ import annotations

from pathlib import Path

import pytest

from cinquefoil.build import archive, bitcode, link, static_libc
from cinquefoil.build.driver import ar_main, build_main
from cinquefoil.build.program import load_program, load_programs
from cinquefoil.build.symbols import symbols_of_text
from cinquefoil.errors import BitcodeError, LinkError, UserError

HEADER = 'target triple = "x86_64-unknown-linux-musl"\n'


def _module(tmp_path: Path, name: str, text: str, header: str = HEADER) -> Path:
    path = tmp_path / f"{name}.bc"
    bitcode.write(bitcode.parse_text(header + text, name), path)
    return path


def _function(name: str, value: int, linkage: str = "") -> str:
    return f"define {linkage} i32 @{name}() {{\n  ret i32 {value}\n}}\n"


def _caller(name: str, callee: str, declaration: str = "declare") -> str:
    body = f"define i32 @{name}() {{\n  %r = call i32 @{callee}()\n  ret i32 %r\n}}\n"
    return f"{declaration} i32 @{callee}()\n" + body


def _archive(tmp_path: Path, name: str, *members: Path) -> Path:
    path = tmp_path / name
    static_libc.make_archive(path, members)
    return path


def _text(inputs: list[Path]) -> str:
    return str(link.link(inputs).module)


def test_strong_definition_overrides_weak_in_either_order(tmp_path: Path) -> None:
    main = _module(tmp_path, "main", _caller("main", "f"))
    weak = _module(tmp_path, "weak", _function("f", 1, "weak"))
    strong = _module(tmp_path, "strong", _function("f", 2))
    for order in ([main, weak, strong], [strong, weak, main]):
        assert "ret i32 2" in _text(order) and "ret i32 1" not in _text(order)


def test_first_of_two_weak_definitions_wins(tmp_path: Path) -> None:
    main = _module(tmp_path, "main", _caller("main", "f"))
    first = _module(tmp_path, "first", _function("f", 1, "weak"))
    second = _module(tmp_path, "second", _function("f", 2, "weak"))
    assert "ret i32 1" in _text([main, first, second])


def test_duplicate_strong_definitions_name_symbol_and_files(tmp_path: Path) -> None:
    first = _module(tmp_path, "first", _function("main", 0) + _function("twice", 1))
    second = _module(tmp_path, "second", _function("twice", 2))
    with pytest.raises(LinkError, match=r"twice is defined both in .*first\.bc and in .*second\.bc"):
        link.link([first, second])


def test_common_symbols_merge(tmp_path: Path) -> None:
    first = _module(tmp_path, "first", "@c = common global i32 0\n" + _function("main", 0))
    second = _module(tmp_path, "second", "@c = common global [4 x i32] zeroinitializer\n")
    third = _module(tmp_path, "third", "@c = global i32 7\n")
    assert "[4 x i32] zeroinitializer" in _text([first, second])
    assert "@c = global i32 7" in _text([first, third])


def test_locals_of_the_same_name_stay_apart(tmp_path: Path) -> None:
    first = _module(tmp_path, "first", _function("local", 1, "internal") + _caller("main", "local").split("\n", 1)[1])
    second = _module(tmp_path, "second", _function("local", 2, "internal") + _caller("g", "local").split("\n", 1)[1])
    assert _text([first, second]).count("define internal i32 @local") == 2


def test_archive_members_come_by_need_only(tmp_path: Path) -> None:
    main = _module(tmp_path, "main", _caller("main", "a"))
    a = _module(tmp_path, "a", _caller("a", "b"))
    b = _module(tmp_path, "b", _function("b", 5))
    unused = _module(tmp_path, "unused", _function("unused", 6) + _function("main", 9))
    library = _archive(tmp_path, "lib.a", b, unused, a)
    text = _text([main, library])
    assert "@b()" in text and "unused" not in text
    assert _text([library, main]).count("define") == text.count("define")


def test_archive_without_an_index(tmp_path: Path) -> None:
    main = _module(tmp_path, "main", _caller("main", "b"))
    members = [_module(tmp_path, name, _function(name, 5)) for name in ("a", "b")]
    assert ar_main(["rcS", str(tmp_path / "bare.a"), *map(str, members)]) == 0
    assert archive.read_index(tmp_path / "bare.a") is None
    text = _text([main, tmp_path / "bare.a"])
    assert "define i32 @b" in text and "@a()" not in text


def test_first_archive_wins(tmp_path: Path) -> None:
    main = _module(tmp_path, "main", _caller("main", "f"))
    first = _archive(tmp_path, "first.a", _module(tmp_path, "f1", _function("f", 1)))
    second = _archive(tmp_path, "second.a", _module(tmp_path, "f2", _function("f", 2)))
    assert "ret i32 1" in _text([main, first, second])


def test_weak_references_pull_nothing_in(tmp_path: Path) -> None:
    main = _module(tmp_path, "main", _caller("main", "f", "declare extern_weak"))
    library = _archive(tmp_path, "lib.a", _module(tmp_path, "f", _function("f", 1)))
    assert "define i32 @f" not in _text([main, library])


def test_weak_references_of_compiled_code_may_stay_undefined(tmp_path: Path) -> None:
    """With debug information, as clang writes it: it stands between `declare` and the linkage."""
    path = tmp_path / "weak.c"
    path.write_text(
        "extern int f(void) __attribute__((weak)); extern int v __attribute__((weak));\n"
        "int main(void) { return f ? f() : &v ? v : 9; }\n"
    )
    program = load_program(path, ("-g",))
    assert "f" in program.symbols.weak_undefined and "v" in program.symbols.weak_undefined
    assert "f" not in program.symbols.undefined


def test_present_weak_definition_pulls_nothing_in(tmp_path: Path) -> None:
    main = _module(tmp_path, "main", _function("f", 1, "weak") + _caller("main", "f").split("\n", 1)[1])
    library = _archive(tmp_path, "lib.a", _module(tmp_path, "f", _function("f", 2)))
    assert "ret i32 2" not in _text([main, library])


def test_no_main(tmp_path: Path) -> None:
    with pytest.raises(LinkError, match="no main"):
        link.link([_module(tmp_path, "a", _function("f", 1))])


def test_undefined_functions_are_listed(tmp_path: Path) -> None:
    path = tmp_path / "a.c"
    path.write_text("int nosuch_one(), nosuch_two(); int main(void) { return nosuch_one() + nosuch_two(); }")
    assert load_program(path).undefined == {"nosuch_one", "nosuch_two"}


def test_undefined_variables_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.c"
    path.write_text("extern char one[], two; int nosuch(); int main(void) { return nosuch() + one[0] + two; }")
    with pytest.raises(LinkError, match=r"undefined variables .*: one, two$"):
        load_program(path)


def test_wrong_target(tmp_path: Path) -> None:
    path = _module(tmp_path, "arm", _function("main", 0), 'target triple = "aarch64-unknown-linux-gnu"\n')
    with pytest.raises(LinkError, match="aarch64"):
        link.link([path])


def test_broken_bitcode(tmp_path: Path) -> None:
    good = _module(tmp_path, "good", _function("main", 0)).read_bytes()
    bad = {"cut.bc": good[: len(good) // 2], "text.ll": b"define i32 @main( {", "noise.bc": b"\xff" * 9}
    for name, data in bad.items():
        path = tmp_path / name
        path.write_bytes(data)
        with pytest.raises(BitcodeError, match=name):
            load_program(path)


def test_executables_need_their_bitcode(tmp_path: Path) -> None:
    path = tmp_path / "native"
    path.write_bytes(b"\x7fELF" + bytes(100))
    with pytest.raises(UserError, match="cinq cc"):
        load_program(path)
    with pytest.raises(UserError, match="no such file"):
        load_program(tmp_path / "missing.c")


def test_warnings_are_handed_on(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text('int main(void) { return puts("x"); }')
    said: list[str] = []
    load_program(tmp_path / "a.c", warn=said.append)
    assert "implicit" in said[0]


def test_several_sources_are_one_program(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("int f(int); int main(void) { return f(2); }")
    (tmp_path / "b.c").write_text('#include <string.h>\nint f(int x) { return x + (int)strlen("abc"); }')
    program = load_programs([tmp_path / "a.c", tmp_path / "b.c"])
    assert {"main", "f"} <= program.symbols.strong
    assert "string/strlen.c" in {module.name for module in program.libc}


def test_destructors_are_registered(tmp_path: Path) -> None:
    source = tmp_path / "a.c"
    source.write_text(
        "static int n;\n__attribute__((constructor)) static void up(void) { n++; }\n"
        "__attribute__((destructor)) static void down(void) { n--; }\nint main(void) { return n; }\n"
    )
    program = load_program(source)
    text = str(bitcode.read(program.module_bitcode))
    assert "llvm.global_dtors" not in text and "@atexit(ptr @down)" in text and "ptr @up" in text
    assert "exit/atexit.c" in {module.name for module in program.libc}


def test_symbol_table() -> None:
    text = HEADER + (
        '@"\\01odd" = global i32 1\n@w = weak global i32 0\n@x = external global i32\n'
        "@p = private global i32 0\n"
        "@alias = weak alias i32 (), ptr @f\ndeclare void @llvm.trap()\ndeclare extern_weak void @maybe()\n"
        "define dso_local i32 @f() {\n  ret i32 0\n}\n"
        "define i128 @q(i128 %a, i128 %b) {\n  %r = udiv i128 %a, %b\n  ret i128 %r\n}\n"
    )
    table = symbols_of_text(text)
    assert table.strong == {"odd", "f", "q"}
    assert table.weak == {"w", "alias"}
    assert table.undefined == {"x", "__udivti3"}
    assert table.weak_undefined == {"maybe"}


def test_a_duplicate_is_told_by_the_sources_names(tmp_path: Path) -> None:
    for name in ("one.c", "two.c"):
        (tmp_path / name).write_text("int main(void) { return 0; }\n")
    sources = [tmp_path / "one.c", tmp_path / "two.c"]
    with pytest.raises(LinkError) as caught:
        build_main(sources, tmp_path / "out.bc", [])
    assert str(caught.value) == f"main is defined both in {sources[0]} and in {sources[1]}"
