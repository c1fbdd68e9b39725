"""A native process in the engine's world: what it can ask of the system is answered as in the engine."""

from __future__ import annotations

from pathlib import Path

import pytest

from cinquefoil.cli.main import run as cinq
from cinquefoil.replay import enclosure

ASKING = r"""
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
int main(int argc, char **argv) {
    char where[200];
    struct stat status;
    struct utsname system;
    unsigned number = 0;
    time_t now = time(0);
    printf("%s %d %d\n", getcwd(where, sizeof where), (int)getuid(), (int)getegid());
    printf("%d %d\n", stat("/usr/include", &status), access("/dev/null", R_OK | W_OK));
    uname(&system);
    printf("%s %s %s", system.nodename, system.release, ctime(&now));
    sleep(100); /* takes no time */
    printf("%ld later\n", (long)(time(0) - now));
    stat("A", &status);
    printf("%ld %o\n", (long)status.st_mtime, status.st_mode);
    getrandom(&number, sizeof number, 0);
    printf("%u %d\n", number, open("/dev/tty", O_RDWR));
    DIR *folder = opendir(".");
    for (struct dirent *e; (e = readdir(folder));) puts(e->d_name);
    fstat(1, &status);
    fflush(stdout);
    if (S_ISREG(status.st_mode)) printf("a file, at %d\n", lseek(1, 0, SEEK_CUR) > 0);
    else if (S_ISFIFO(status.st_mode)) puts("a pipe");
    else puts("a device");
    return argv[1][0] == 'x';
}
"""


@pytest.fixture
def folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    program = tmp_path / "asking.c"
    program.write_text(ASKING)
    words = ["--sym-arg", "1", "--sym-files", "3", "4", "--sym-stdout"]
    assert cinq(["run", "--every-path", "-o", str(tmp_path / "out"), str(program), *words]) == 0
    capsys.readouterr()
    return tmp_path / "out"


@pytest.mark.skipif(not enclosure.available(), reason="this system lets no user make namespaces")
def test_the_system_answers_as_in_the_engine(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cinq(["replay", str(folder)]) == 0, capsys.readouterr().out
    said = capsys.readouterr().out
    assert ", 0 diverging" in said
    assert "not compared, as in the test, not in a plain process: standard output is a device" in said


def test_without_namespaces_the_difference_is_told(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(enclosure, "available", lambda: False)
    assert cinq(["replay", str(folder)]) == 1
    assert "output differs at byte" in capsys.readouterr().out
