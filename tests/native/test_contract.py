"""What Python knows of the native core is what its headers say."""

from __future__ import annotations

import ast
import re
import subprocess
import sysconfig
from pathlib import Path

import pytest

from cinquefoil.build import toolchain
from cinquefoil.errors import EngineError
from cinquefoil.native import building, extension, stub
from cinquefoil.native.headers import AREAS, FOLDER, RUNTIME, HeaderType, all_headers, parse
from cinquefoil.solver.problem import Verdict

PYTHON_H = Path(sysconfig.get_path("include")) / "Python.h"
SOURCES = sorted(path for area in ("common", *AREAS) for path in (FOLDER / area).glob("*.[ch]"))


def compile_text(text: str, folder: Path, *options: str) -> None:
    (folder / "text.c").write_text(text)
    toolchain.clang(["-fsyntax-only", "-std=gnu2x", *options, str(folder / "text.c")], "text.c")


def test_the_types_for_checkers_are_those_of_the_headers() -> None:
    """Else: python -m cinquefoil.native.stub && ruff format src/cinquefoil/native/core.pyi"""
    assert ast.dump(ast.parse(stub.PATH.read_text())) == ast.dump(ast.parse(stub.text()))


def test_every_function_is_declared_once() -> None:
    names = [function.name for function in all_headers().functions]
    assert len(names) == len(set(names)) > 80
    assert all(name.startswith("cinq_") for name in names)


def test_verdicts_are_those_of_the_solver() -> None:
    assert {each.name: int(each) for each in Verdict} == all_headers().enums["verdict"]


def test_a_structure_that_differs_does_not_compile(tmp_path: Path) -> None:
    said = extension.assertions(all_headers())
    includes = "".join(f'#include "{area}/{area}.h"\n' for area in AREAS)
    compile_text(includes + "\n".join(said), tmp_path, *building.include_options())
    wrong = [line.replace("== 8,", "== 9,") for line in said]
    with pytest.raises(Exception, match="static assertion failed"):
        compile_text(includes + "\n".join(wrong), tmp_path, *building.include_options())


@pytest.mark.skipif(not PYTHON_H.exists(), reason="Python's headers are not installed")
def test_the_declarations_of_python_are_those_of_its_stable_abi(tmp_path: Path) -> None:
    text = (FOLDER / "common" / "python.h").read_text()
    pairs = {"python_buffer": "Py_buffer", "python_method": "PyMethodDef", "python_module": "PyModuleDef"}
    sizes = [f'_Static_assert(sizeof(struct {own}) == sizeof({real}), "{own}");' for own, real in pairs.items()]
    fields = re.search(r"struct python_buffer \{(.*?)\n\};", text, re.DOTALL)
    assert fields is not None
    for name in re.findall(r"(\w+)[,;]", fields[1]):
        at = "__builtin_offsetof"
        sizes.append(f'_Static_assert({at}(struct python_buffer, {name}) == {at}(Py_buffer, {name}), "{name}");')
    for own, real in {"call": "ml_meth", "flags": "ml_flags", "text": "ml_doc"}.items():
        sizes.append(
            f"_Static_assert(__builtin_offsetof(struct python_method, {own}) == "
            f'__builtin_offsetof(PyMethodDef, {real}), "{own}");'
        )
    for own, real in {"name": "m_name", "size": "m_size", "methods": "m_methods", "free": "m_free"}.items():
        sizes.append(
            f"_Static_assert(__builtin_offsetof(struct python_module, {own}) == "
            f'__builtin_offsetof(PyModuleDef, {real}), "{own}");'
        )
    sizes.append(
        '_Static_assert(FASTCALL == METH_FASTCALL && SIMPLE == PyBUF_SIMPLE && ABI_VERSION == PYTHON_ABI_VERSION, "");'
    )
    lines = ["#define Py_LIMITED_API 0x030b0000", "#include <Python.h>", '#include "common/python.h"', *sizes]
    (tmp_path / "text.c").write_text("\n".join(lines))
    command = ["gcc", "-fsyntax-only", "-I", str(PYTHON_H.parent), "-I", str(FOLDER), str(tmp_path / "text.c")]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr


def test_headers_are_read_as_they_are_written() -> None:
    found = parse(
        """
        /* Not this. */

        struct hidden;
        struct seen { const u32 *first, **second; u64 count; double all[4]; };
        enum kind { ONE = 1, TWO };
        /* About
         * this. */
        CINQ_LONG int cinq_do(struct hidden *h, const struct seen *s, u64 n);
        cinq_numbers cinq_some(i64 *out, u32 which);
        """
    )
    done, some = found.functions
    assert (done.name, done.long, done.comment, done.result) == ("cinq_do", True, "About this.", HeaderType("int"))
    assert [str(each.type) for each in done.parameters] == ["struct hidden *", "const struct seen *", "u64"]
    assert some.numbers and [each.name for each in some.parameters] == ["which"]
    assert [(f.name, f.type.stars, f.count) for f in found.structures["seen"]] == [
        ("first", 1, None), ("second", 2, None), ("count", 0, None), ("all", 0, 4),
    ]  # fmt: skip
    assert found.enums == {"kind": {"ONE": 1, "TWO": 2}}


@pytest.mark.parametrize(
    "text", ["int x;", "long cinq_f(int a);", "struct odd cinq_f(void);", "cinq_numbers cinq_f(u64 a);"]
)
def test_what_is_not_understood_is_refused(text: str) -> None:
    with pytest.raises(EngineError):
        parse(text)


def test_no_warning_is_switched_off() -> None:
    flags = {
        *building.COMMON,
        *building.QUICK,
        *building.CHECKED,
        *(f for each in building.AREA_FLAGS.values() for f in each),
    }
    assert {"-Wall", "-Wextra", "-Werror"} <= flags
    assert not [flag for flag in flags if flag == "-w" or flag.startswith(("-Wno-", "-fno-sanitize=f"))]


def test_what_is_shared_is_written_once() -> None:
    texts = {path: path.read_text() for path in SOURCES}
    for shared in ("decision_key(u32", "outcome_of(const", "#define HISTORY", "#define GOLDEN", "struct columns {"):
        assert len([path for path, text in texts.items() if shared in text]) == 1, shared
    allocating = [path.name for path, text in texts.items() if re.search(r"\b[mcr]e?alloc\(", text)]
    assert allocating == ["memory.h"]


def test_the_run_time_s_headers_are_found() -> None:
    assert (RUNTIME / "layout.h").exists() and (RUNTIME / "eval.h").exists()
