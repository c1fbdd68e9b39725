"""Calls where the engine's world is smaller than the host's: the native process hears the engine's answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from cinquefoil.cli.main import run as cinq

# musl keeps all of inotify in one object: a program that also watches must not get the host's `inotify_init` with it.
ASKING = r"""
#include <errno.h>
#include <stdio.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>
static void device(const char *name) {
    struct stat s;
    printf("%s %d %lx %d\n", name, stat(name, &s), (long)s.st_rdev, errno);
}
int main(int argc, char **argv) {
    int watch = inotify_init();
    printf("%d %d\n", watch, errno);
    if (watch >= 0) printf("%d\n", inotify_rm_watch(watch, inotify_add_watch(watch, ".", IN_CREATE)));
    int made = mknod("node", S_IFCHR | 0600, 0);
    printf("%d %d\n", made, errno);
    device("/dev/null"), device("/dev/zero"), device("/dev/random"), device("/dev/urandom"), device("/dev/tty");
    return argv[1][0] == 'x';
}
"""


def test_the_program_hears_the_engines_answers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program, output = tmp_path / "asking.c", tmp_path / "out"
    program.write_text(ASKING)
    assert cinq(["run", "-o", str(output), str(program), "--sym-arg", "1"]) == 0
    capsys.readouterr()
    assert cinq(["replay", str(output)]) == 0, capsys.readouterr().out
