"""What the processor can do: the same natively as in the engine, which knows no such instructions."""

from __future__ import annotations

from pathlib import Path

import pytest

from cinquefoil.cli.main import run as cinq

ASKING = r"""
#include <stdio.h>
int main(int argc, char **argv) {
    unsigned a = 7, b, c = 0, d;
    __asm__("xchgq %%rbx,%q1\n cpuid\n xchgq %%rbx,%q1" : "=a"(a), "=r"(b), "=c"(c), "=d"(d) : "0"(1));
    printf("%x %x %x %x\n", a, b, c, d);
    return argv[1][0] == 'x';
}
"""


def test_cpuid_is_answered_alike(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program, output = tmp_path / "asking.c", tmp_path / "out"
    program.write_text(ASKING)
    assert cinq(["run", "-o", str(output), str(program), "--sym-arg", "1"]) == 0
    capsys.readouterr()
    assert cinq(["replay", str(output)]) == 0, capsys.readouterr().out
