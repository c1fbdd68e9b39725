"""Bitcode from anywhere: whatever LLVM makes of it happens in a child, and costs one line and status 2."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from cinquefoil.build.child import in_child
from cinquefoil.build.program import link_to_file
from cinquefoil.cli.main import run
from cinquefoil.errors import BitcodeError, CompileError, EngineError, UserError

DEEP = 500_000  # far more than LLVM's parser can descend on any usual stack
PROGRAM = """
#include <klee/klee.h>
static int twice(int x) { return 2 * x; }
static int (*const functions[2])(int) = {twice, 0};
int main(void)
{
    unsigned char c;
    klee_make_symbolic(&c, 1, "c");
    switch (c) {
    case 1: return functions[0](c);
    case 7: return 3;
    default: return c > 100;
    }
}
"""


def abort_with_words() -> None:
    os.write(2, b"LLVM ERROR: \x1b[31mbroken\nmore\n")
    os.abort()


def remains() -> tuple[str, list[str]]:
    """This process's children and open files."""
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text()
    return children, sorted(path.name for path in Path("/proc/self/fd").iterdir())


def fail(error: BaseException) -> None:
    raise error


# ---- the child ----


def test_what_work_returns_comes_back() -> None:
    assert in_child(lambda: b"x" * 3_000_000, "it") == b"x" * 3_000_000


@pytest.mark.parametrize(
    "error", [CompileError("no"), FileNotFoundError(2, "gone", "f"), MemoryError()], ids=["ours", "system", "memory"]
)
def test_what_work_raises_comes_back(error: Exception) -> None:
    with pytest.raises(type(error), match=str(error.args[-1]) if error.args else None):
        in_child(lambda: fail(error), "it")


def test_a_defect_is_an_engine_error() -> None:
    with pytest.raises(EngineError, match="ZeroDivisionError"):
        in_child(lambda: 1 // 0, "it")


def test_an_abort_is_an_error_of_one_line_without_escapes() -> None:
    with pytest.raises(BitcodeError) as caught:
        in_child(abort_with_words, "x.bc")
    assert str(caught.value) == "LLVM cannot work on x.bc: LLVM ERROR: ?[31mbroken (SIGABRT)"


@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGILL, signal.SIGBUS])
def test_a_fault_is_an_error(number: signal.Signals) -> None:
    with pytest.raises(BitcodeError, match=number.name):
        in_child(lambda: os.kill(os.getpid(), number), "x.bc")


def test_leaving_without_a_reply_is_an_error() -> None:
    with pytest.raises(BitcodeError, match=r"status 1\)"):
        in_child(lambda: os._exit(1), "x.bc")


def test_names_that_are_no_text_are_an_error() -> None:
    with pytest.raises(BitcodeError, match="no text"):
        in_child(lambda: b"\xff".decode(), "x.bc")


def test_a_name_that_nobody_can_define_is_the_files_fault(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """It looks like one of LLVM's own, which stand for no symbol."""
    text = 'declare void @"llvm.n%thing"()\ndefine i32 @main() {\n call void @"llvm.n%thing"()\n ret i32 0\n}\n'
    (tmp_path / "odd.ll").write_text(text)
    assert run(["trace", str(tmp_path / "odd.ll")]) == 2
    said = capfd.readouterr().err
    assert "llvm.n%thing" in said and said.count("\n") == 1


def test_who_is_killed_was_not_given_bad_bitcode() -> None:
    with pytest.raises(EngineError, match="memory"):
        in_child(lambda: os.kill(os.getpid(), signal.SIGKILL), "x.bc")


def test_no_process_and_no_descriptor_is_left() -> None:
    before = remains()
    for work in (lambda: None, abort_with_words, lambda: fail(CompileError("no"))):
        try:
            in_child(work, "it")
        except UserError:
            continue
    assert remains() == before


# ---- files ----


@pytest.fixture(scope="module")
def bitcode(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bitcode")
    (folder / "p.c").write_text(PROGRAM)
    assert run(["build", str(folder / "p.c"), "-o", str(folder / "p.bc")]) == 0
    return folder / "p.bc"


@pytest.mark.parametrize("command", ["trace", "run", "build", "meld", "cover"])
def test_what_overflows_llvms_stack_is_an_error(command: str, tmp_path: Path) -> None:
    deep = "[1 x " * DEEP + "i8" + "]" * DEEP
    (tmp_path / "deep.ll").write_text(f"@g = global {deep} zeroinitializer\ndefine i32 @main() {{\n ret i32 0\n}}\n")
    done = subprocess.run(
        [sys.executable, "-m", "cinquefoil.cli", command, "deep.ll"], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith("cinq: error: LLVM cannot work on deep.ll") and done.stderr.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["deep.ll"]


def test_bitcode_beside_an_executable_is_not_trusted_either(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "p").write_bytes(b"\x7fELF")
    (tmp_path / "p.bc").write_bytes(b"BC\xc0\xde" + bytes(range(256)) * 8)
    assert run(["trace", str(tmp_path / "p")]) == 2
    assert capfd.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("seed", range(40))
def test_damaged_bitcode_is_linked_or_refused(seed: int, bitcode: Path, tmp_path: Path) -> None:
    chance, data = random.Random(seed), bytearray(bitcode.read_bytes())
    for _ in range(chance.choice((1, 2, 8, 64))):
        at = chance.randrange(len(data))
        data[at : at + chance.randrange(3)] = chance.randbytes(chance.randrange(1, 3))
    (tmp_path / "damaged.bc").write_bytes(data)
    try:
        link_to_file([tmp_path / "damaged.bc"], tmp_path / "out.bc")
    except UserError as error:
        assert "\n" not in str(error)
