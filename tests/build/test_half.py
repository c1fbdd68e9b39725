"""Conversions of 16-bit floats, against numpy's."""

from __future__ import annotations

import random
import struct
import subprocess
from pathlib import Path

import numpy as np

from cinquefoil.build import static_libc
from cinquefoil.build.compile import compile_c

PROGRAM = r"""
#include <stdio.h>
#include <string.h>
int main(void) {
    unsigned long bits;
    while (scanf("%lx", &bits) == 1) {
        double d; memcpy(&d, &bits, 8);
        _Float16 h = (_Float16)d; unsigned short s; memcpy(&s, &h, 2);
        float back = h; unsigned b; memcpy(&b, &back, 4);
        printf("%x %x\n", s, b);
    }
}
"""


def _numbers() -> list[float]:
    generator = random.Random(5)
    numbers = [generator.choice((-1, 1)) * generator.random() * 2.0 ** generator.randint(-30, 18) for _ in range(2000)]
    halves = [float(np.uint16(bits).view(np.float16)) for bits in range(0, 0x7C00, 37)]
    ties = [(a + float(np.nextafter(np.float16(a), np.float16(np.inf)))) / 2 for a in halves]
    return [*numbers, *halves, *ties, 0.0, -0.0, float("inf"), 65519.999, 65520.0, 1e-300, 1e300]


def test_conversions_round_to_nearest_even(tmp_path: Path) -> None:
    source, made, program = tmp_path / "a.c", tmp_path / "a.bc", tmp_path / "a"
    source.write_text(PROGRAM)
    compile_c(source, made)
    assert static_libc.link_executable(program, [str(made)]) == (0, "")
    numbers = _numbers()
    given = "\n".join(struct.pack(">d", x).hex() for x in numbers)
    said = subprocess.run([program], input=given, capture_output=True, text=True, check=True).stdout.splitlines()
    with np.errstate(over="ignore"):
        expected = [np.float64(x).astype(np.float16) for x in numbers]
    assert said == [f"{h.view(np.uint16):x} {h.astype(np.float32).view(np.uint32):x}" for h in expected]
