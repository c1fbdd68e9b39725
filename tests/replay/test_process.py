"""Programs under limits."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cinquefoil.replay.process import Finished, ProcessLimits, run_process
from cinquefoil.replay.steps import Steps

SHELL = Path("/bin/sh")


def shell(script: str, folder: Path, stdin: bytes = b"", *, file: bool = False, **limits: int | float) -> Finished:
    return run_process(
        ["sh", "-c", script],
        SHELL,
        folder=folder,
        variables={"PATH": "/usr/bin:/bin"},
        stdin=stdin,
        stdin_file=file,
        limits=ProcessLimits(**limits),  # type: ignore[arg-type]
    )


def test_output_and_status(tmp_path: Path) -> None:
    assert shell("echo out; echo err >&2; exit 7", tmp_path) == Finished(7, b"out\nerr\n", False)


def test_signals_are_negative(tmp_path: Path) -> None:
    assert shell("kill -SEGV $$", tmp_path).status == -11


def test_input_larger_than_a_pipe(tmp_path: Path) -> None:
    data = bytes(range(256)) * 2000
    assert shell("cat", tmp_path, data).output == data


def test_input_that_nobody_reads(tmp_path: Path) -> None:
    assert shell("exit 3", tmp_path, bytes(1 << 20)).status == 3


@pytest.mark.parametrize(("file", "kind"), [(False, b"fifo\n"), (True, b"regular file\n")])
def test_what_standard_input_is(tmp_path: Path, file: bool, kind: bytes) -> None:
    assert shell("stat -L -c %F /dev/stdin; cat", tmp_path, b"abc", file=file).output.startswith(kind)


def test_time_is_limited_even_with_children_that_hold_the_output(tmp_path: Path) -> None:
    begun = time.monotonic()
    done = shell("trap '' TERM; echo on; sleep 900 & while :; do sleep 900; done", tmp_path, seconds=0.5)
    assert done.timed_out and done.output.startswith(b"on") and time.monotonic() - begun < 300


def test_output_is_kept_up_to_a_limit(tmp_path: Path) -> None:
    done = shell("head -c 3000000 /dev/zero; echo end >&2", tmp_path, output_bytes=1000)
    assert len(done.output) == 1000 and done.status == 0


def test_files_cannot_grow_without_end(tmp_path: Path) -> None:
    shell("head -c 100000 /dev/zero > big", tmp_path, file_bytes=4096)
    assert (tmp_path / "big").stat().st_size <= 4096


def test_memory_is_limited(tmp_path: Path) -> None:
    script = "exec /usr/bin/env python3 -c 'bytearray(1 << 30)' 2> /dev/null"
    assert shell(script, tmp_path, memory=256 << 20).status != 0


def test_a_lower_limit_that_holds_already_stays(tmp_path: Path) -> None:
    """It cannot be taken back, so another process has it."""
    script = """
import resource, sys
from pathlib import Path
from cinquefoil.replay.process import ProcessLimits, run_process
resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, 1 << 16))
limits = ProcessLimits(file_bytes=1 << 20)
done = run_process(["sh", "-c", "ulimit -f"], Path("/bin/sh"), folder=Path(), variables={}, stdin=b"", limits=limits)
print(done.status, int(done.output) * 512)
"""
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["0", str(1 << 16)], done.stderr


def test_processor_time_is_limited_by_itself(tmp_path: Path) -> None:
    assert shell("while :; do :; done", tmp_path, processor=0.1, seconds=300).status == -signal.SIGPROF
    assert shell("sleep 0.5", tmp_path, processor=0.1, seconds=300).status == 0


def test_what_cannot_be_started_is_an_error_and_no_status(tmp_path: Path) -> None:
    steps = Steps()
    steps.file(tmp_path / "made", b"a\0b")
    steps.root(tmp_path / "nowhere", "/")
    nothing: dict[str, str] = {}
    with pytest.raises(FileNotFoundError, match="nowhere"):
        run_process(["sh"], SHELL, folder=tmp_path, variables=nothing, stdin=b"", limits=ProcessLimits(), enter=steps)
    assert (tmp_path / "made").read_bytes() == b"a\0b"
    with pytest.raises(FileNotFoundError, match="absent"):
        run_process(["x"], tmp_path / "absent", folder=tmp_path, variables=nothing, stdin=b"", limits=ProcessLimits())
    assert shell("exit 127", tmp_path).status == 127


def test_nothing_stays_open_of_what_was_not_started(tmp_path: Path) -> None:
    before = len(list(Path("/proc/self/fd").iterdir()))
    nothing: dict[str, str] = {}
    for file in (False, True):
        with pytest.raises(FileNotFoundError):
            run_process(
                ["sh"],
                SHELL,
                folder=tmp_path / "nowhere",
                variables=nothing,
                stdin=b"text",
                stdin_file=file,
                stdout_file=file,
                limits=ProcessLimits(),
            )
    assert len(list(Path("/proc/self/fd").iterdir())) == before
