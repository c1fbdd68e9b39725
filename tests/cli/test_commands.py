"""Commands around tracing: help, version, show, build, cc, cache; and how failures become exit statuses."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest

from cinquefoil import __version__
from cinquefoil.cli import main
from cinquefoil.cli.main import COMMANDS, run
from cinquefoil.errors import EngineError
from cinquefoil.testcase.ktest import KTest

SAMPLE = KTest(("prog", "a b"), (("n", b"\xfe\xff\xff\xff"), ("stdin", b"hi\n\0\x80"), ("nothing", b"")))


def said(words: list[str], capfd: pytest.CaptureFixture[str]) -> str:
    assert run(words) == 0
    return capfd.readouterr().out


def test_version(capfd: pytest.CaptureFixture[str]) -> None:
    assert re.fullmatch(
        rf"cinq {re.escape(__version__)}( \(commit [0-9a-f]+(-dirty)?\))?\n", said(["--version"], capfd)
    )


@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in ("cc", "ar", "ranlib")])
def test_every_command_explains_itself(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert f"cinq {name}" in said([name, "--help"], capfd)


def test_help_names_all_commands_and_imports_none(capfd: pytest.CaptureFixture[str]) -> None:
    shown = said(["--help"], capfd)
    assert all(f"  {name} " in shown for name in COMMANDS)
    script = "import sys; from cinquefoil.cli.main import run; run(['--help']); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert not {"numpy", "llvmlite", "rich", "cinquefoil.cli.trace_command"} & set(done.stdout.split())


def test_compilers_arguments_are_not_touched(capfd: pytest.CaptureFixture[str]) -> None:
    assert "clang version" in said(["cc", "--version"], capfd)
    assert "OVERVIEW: clang" in said(["cc", "--help"], capfd)


def test_cc_status_is_the_compilers(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bad.c").write_text("int x = ;\n")
    assert run(["cc", "-c", str(tmp_path / "bad.c"), "-o", str(tmp_path / "bad.o")]) == 1
    assert "expected expression" in capfd.readouterr().err


def test_build_takes_flags_after_dashes(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.c").write_text("int twice(int);\nint main(void) { return twice(21); }\n")
    (tmp_path / "b.c").write_text("int twice(int x) { return FACTOR * x; }\n")
    output = tmp_path / "ab.bc"
    said(["build", str(tmp_path / "a.c"), str(tmp_path / "b.c"), "-o", str(output), "--", "-DFACTOR=2"], capfd)
    assert output.read_bytes()[:2] == b"BC"


def test_show(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "t.ktest"
    SAMPLE.write(path)
    assert said(["show", str(path)], capfd).splitlines() == [
        str(path),
        '  arguments  "prog" "a b"',
        "  n  4 bytes",
        r'    text  "\xfe\xff\xff\xff"',
        "    hex   fe ff ff ff",
        "    int   4294967294 or -2",
        "  stdin  5 bytes",
        r'    text  "hi\n\0\x80"',
        "    hex   68 69 0a 00 80",
        "  nothing  0 bytes",
    ]


def test_show_as_json(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "t.ktest"
    SAMPLE.write(path)
    (shown,) = json.loads(said(["show", "--json", str(path)], capfd))
    assert shown["args"] == ["prog", "a b"]
    assert shown["objects"][0] == {"name": "n", "size": 4, "hex": "feffffff"}


def test_cache(tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CINQUEFOIL_CACHE", str(tmp_path / "store"))
    assert said(["cache", "path"], capfd) == f"{tmp_path / 'store'}\n"
    (tmp_path / "store/libc").mkdir(parents=True)
    (tmp_path / "store/libc/a.bc").write_bytes(bytes(1000))
    assert said(["cache", "size"], capfd) == "0.0 MiB (1000 bytes)\n"
    assert said(["cache", "clear"], capfd) == "freed 0.0 MiB (1000 bytes)\n"
    assert said(["cache", "size"], capfd) == "0.0 MiB (0 bytes)\n"


# ---- failures become statuses --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "status", "message"),
    [
        (EngineError("the worker is gone"), 3, "the worker is gone"),
        (ZeroDivisionError("oops"), 3, "internal fault: ZeroDivisionError: oops (CINQ_DEBUG=1 shows where)"),
        (KeyboardInterrupt(), 130, "interrupted"),
        (PermissionError(13, "Permission denied", "x.bc"), 2, "x.bc: Permission denied"),
    ],
)
def test_statuses(
    error: BaseException,
    status: int,
    message: str,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _command_that_raises(error, monkeypatch)
    assert run(["fail"]) == status
    assert capfd.readouterr().err.strip() == f"cinq: error: {message}"


def test_tracebacks_on_demand(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    _command_that_raises(EngineError("no"), monkeypatch)
    monkeypatch.setenv("CINQ_DEBUG", "1")
    assert run(["fail"]) == 3
    assert "Traceback" in capfd.readouterr().err


def _command_that_raises(error: BaseException, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise error

    command = click.Command("fail", callback=fail)
    monkeypatch.setattr(main.LazyGroup, "get_command", lambda self, ctx, name: command)  # type: ignore[misc]
