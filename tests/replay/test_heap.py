"""The native heap is laid out as the engine's: programs that look at addresses do the same in both."""

from __future__ import annotations

from pathlib import Path

import pytest

from cinquefoil.cli.main import run as cinq

LOOKING = r"""
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
    char *blocks[40], *first = malloc(1);
    for (int i = 0; i < 40; i++) blocks[i] = malloc((size_t)(i * 37 % 11) * 100);
    for (int i = 0; i < 40; i += 3) free(blocks[i]), blocks[i] = malloc(16);
    blocks[1] = realloc(blocks[1], 5000), blocks[2] = calloc(3, 7);
    printf("%d\n", (int)((uintptr_t)aligned_alloc(256, 512) & 255));
    for (int i = 0; i < 40; i++) printf("%ld\n", (long)(blocks[i] - first)); /* distances, not only their order */
    char *garbage = malloc(3000);
    printf("%d\n", garbage[17] || memchr(garbage, 1, 3000));
    for (int i = 0; i < 200; i++) free(malloc(1 << 20)); /* more than waits to be reused */
    printf("%d %d\n", malloc(1 << 20) > (void *)first, malloc(SIZE_MAX / 2) == NULL);
    return argv[1][0] == 'x';
}
"""


def test_distances_contents_and_reuse_are_alike(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program, output = tmp_path / "looking.c", tmp_path / "out"
    program.write_text(LOOKING)
    assert cinq(["run", "-o", str(output), str(program), "--sym-arg", "1"]) == 0
    capsys.readouterr()
    assert cinq(["replay", str(output)]) == 0, capsys.readouterr().out


FILLING = r"""
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    size_t size = (size_t)200 << 20;
    int got = 0;
    if (argv[1][0] == 'f') size = (size_t)505 << 20; /* nearly all that there is */
    char *last = malloc(size);
    if (argv[1][0] == 'f') got = last != NULL, free(last), printf("%d\n", malloc((size_t)100 << 20) != NULL);
    while ((last = malloc(size))) got++;
    printf("%d %d\n", got, realloc(malloc(1 << 20), (size_t)300 << 20) != NULL);
    return got;
}
"""


def test_the_heap_is_as_large(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program, output = tmp_path / "filling.c", tmp_path / "out"
    program.write_text(FILLING)
    assert cinq(["run", "-o", str(output), str(program), "--sym-arg", "1"]) == 0
    capsys.readouterr()
    assert cinq(["replay", str(output)]) == 0, capsys.readouterr().out


EXACT = r"""
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
    unsigned size;
    klee_make_symbolic(&size, sizeof size, "size");
    char *block = malloc(size);
    if (!block) return 7;
    free(block);
    return 0;
}
"""


def test_the_last_size_that_fits_is_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program, output = tmp_path / "exact.c", tmp_path / "out"
    program.write_text(EXACT)
    assert cinq(["run", "--max-paths", "30", "-o", str(output), str(program)]) == 0
    capsys.readouterr()
    assert cinq(["replay", str(output)]) == 0, capsys.readouterr().out
    assert "exit 7" in capsys.readouterr().out
