"""Odd calls, and those where the host has more than the engine: the native process hears the engine's answers."""

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

# Answers that the kernel gives to odd questions, compared block by block and letter by letter.
ODD = r"""
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#define SHOW(call) (errno = 0, printf("%s %ld %d\n", #call, (long)(call), errno))
int main(int argc, char **argv) {
    int ends[2], fd = open("file", O_CREAT | O_RDWR, 0600);
    char text[4096];
    struct stat s;
    SHOW(ftruncate(fd, 1l << 60));
    SHOW(pipe(ends)), SHOW(fcntl(ends[0], F_GETPIPE_SZ)), SHOW(fcntl(fd, F_GETPIPE_SZ)), SHOW(fcntl(1, F_GETPIPE_SZ));
    SHOW(mkdir("folder", 0700)), SHOW(rename("file", "folder/")), SHOW(rename("file", "absent/"));
    SHOW(unlinkat(AT_FDCWD, "file", 12345)), SHOW(fstatat(AT_FDCWD, "file", &s, 0x40000000));
    SHOW(mmap(0, 10, PROT_READ, 0, fd, 0) == MAP_FAILED), SHOW(posix_fadvise(fd, 0, 0, 99));
    SHOW(setuid(0)), SHOW(seteuid(0)), SHOW(setreuid(1000, 5)), SHOW(setresgid(1000, 5, 1000));
    SHOW(setresuid(-1, 1000, 1000));
    int folder = open("folder", O_RDONLY);
    SHOW(chdir("folder")), SHOW(rmdir("../folder")), SHOW(getcwd(text, sizeof text) == NULL);
    SHOW(open("new", O_CREAT | O_RDWR, 0600)), SHOW(mkdir("new", 0700)), SHOW(fstat(folder, &s)), SHOW(s.st_nlink);
    SHOW(chdir("..")), SHOW(getcwd(text, sizeof text) == NULL), puts(text);
    return argv[1][0] == 'x';
}
"""


UNSUPPORTED = 4  # exit status of `cinq run`: inotify is not modelled


@pytest.mark.parametrize(("source", "status"), [(ASKING, UNSUPPORTED), (ODD, 0)])
def test_the_program_hears_the_engines_answers(
    source: str, status: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program, output = tmp_path / "asking.c", tmp_path / "out"
    program.write_text(source)
    assert cinq(["run", "-o", str(output), str(program), "--sym-arg", "1"]) == status
    capsys.readouterr()
    assert cinq(["replay", str(output)]) == 0, capsys.readouterr().out
