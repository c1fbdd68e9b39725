"""A native process in the engine's world: what it can ask of the system is answered as in the engine."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cinquefoil.cli.main import run as cinq
from cinquefoil.machine import worker
from cinquefoil.replay.confinement import offered
from cinquefoil.replay.filter import allowed

RUNTIME = Path(worker.__file__).parent / "runtime"
UNSUPPORTED = 4  # exit status of `cinq run`
needs_namespaces = pytest.mark.skipif(bool(offered().namespaces), reason="this system lets no user make namespaces")

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


STATUS = r"""
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>
static void tell(const char *path) {
    struct stat s;
    struct statx x;
    if (stat(path, &s)) { printf("%s: %d\n", path, errno); return; }
    printf("%s: %lx %ld %o %ld %d %d %lx", path, (long)s.st_dev, (long)s.st_ino, s.st_mode, (long)s.st_nlink,
           (int)s.st_uid, (int)s.st_gid, (long)s.st_rdev);
    printf(" %ld %ld %ld %ld %ld\n", (long)s.st_size, (long)s.st_blksize, (long)s.st_blocks, (long)s.st_mtime,
           (long)s.st_ctime);
    statx(AT_FDCWD, path, 0, STATX_BASIC_STATS | STATX_BTIME, &x);
    printf("%d %ld %o %ld\n", x.stx_mask, (long)x.stx_ino, x.stx_mode, (long)x.stx_btime.tv_sec);
}
static void list(const char *path) {
    DIR *folder = opendir(path);
    printf("%s holds", path);
    for (struct dirent *e; (e = readdir(folder));) printf(" %s %ld", e->d_name, (long)e->d_ino);
    puts("");
    closedir(folder);
}
int main(int argc, char **argv) {
    const char *paths[] = {"/", "/tmp", "/home", "/home/user", "/dev", "/dev/null", "/dev/zero", "/dev/tty",
                           "/dev/stdin", "/dev/stdout", "A", "B",
                           "given", "given/empty", "given/inner/text", "new", "/lib"};
    struct rlimit limit;
    struct statvfs system;
    close(open("new", O_CREAT | O_WRONLY, 0640));
    for (unsigned i = 0; i < sizeof paths / sizeof *paths; i++) tell(paths[i]);
    list("/"), list("/dev"), list("/tmp"), list("given");
    printf("%d %d %d\n", (int)getpid(), (int)getppid(), (int)getpgrp());
    for (int which = 0; which < 16; which++) {
        getrlimit(which, &limit);
        printf("%llx %llx\n", (long long)limit.rlim_cur, (long long)limit.rlim_max);
    }
    char link[40] = "";
    struct stat s;
    printf("%d %s", (int)readlink("/dev/stdin", link, sizeof link - 1), link), lstat("/dev/stdin", &s);
    printf(" %o %ld %d\n", s.st_mode, (long)s.st_size, open("/dev/stdin", O_NOFOLLOW));
    printf("%d", mkfifo("line", 0644)), tell("line"), printf("%d %d\n", mknod("node", S_IFCHR | 0600, 0x103), errno);
    mkdir("shut", 0), tell("shut"), printf("%d %d %d\n", stat("shut/x", &s), errno, access("/dev/stdin", R_OK));
    printf("%d %d", mkdir("made/", 0700), mkdir("A/", 0700)), printf(" %d", errno);
    printf(" %d %d", open("none/", O_CREAT | O_WRONLY, 0600), errno), printf(" %d %d", symlink("x", "none/"), errno);
    printf(" %d", rmdir("/")), printf(" %d %d\n", errno, unlink("/"));
    printf("%d\n", (int)syscall(SYS_renameat2, (unsigned)AT_FDCWD, "made", (unsigned)AT_FDCWD, "moved", 1));
    int path = open("moved", O_PATH);
    printf("%d %d\n", fchmod(path, 0750), fchown(path, -1, -1)), tell("moved"), close(path);
    if (argc > 1 && strchr("aA.", argv[1][0])) {
        char name[] = {argv[1][0], '/', 0};
        int made = mkdir(name, 0755);
        printf("%d %d\n", made, made ? errno : 0);
    }
    statvfs("A", &system);
    printf("%ld %ld %x\n", (long)system.f_blocks, (long)system.f_namemax, system.f_type);
    printf("%ld\n", (long)lseek(open(".", O_RDONLY), 0, SEEK_END));
    printf("%d %d", chown("A", 7, 7), errno), printf(" %d %d", chmod("/dev/null", 0600), errno);
    printf(" %d\n", chown("A", 1000, 1000));
    printf("%d %d", kill(12345, SIGKILL), errno), printf(" %d %d\n", kill(1, SIGKILL), errno);
    fflush(stdout);
    if (argc > 1 && argv[1][0] == 'a') kill(-1, SIGKILL); /* only itself */
    return 0;
}
"""


UNMODELLED = r"""
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
static void tell(long result) { printf("%d\n", result < 0 ? errno : 0); }
int main(int argc, char **argv) {
    struct timespec now;
    tell(socket(AF_INET, SOCK_STREAM, 0));
    tell(socketpair(AF_UNIX, SOCK_STREAM, 0, (int[2]){0, 0}));
    tell(eventfd(0, 0));
    tell(syscall(SYS_fork)); /* not by the libc's name, which the replay library has its own of */
    tell(clock_gettime(99, &now));
    if (argv[1][0] == 'x') return 1;
    return 0;
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


@needs_namespaces
def test_the_system_answers_as_in_the_engine(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cinq(["replay", str(folder)]) == 0, capsys.readouterr().out
    said = capsys.readouterr().out
    assert ", 0 diverging" in said
    assert "not compared, as in the test, not in a plain process: standard output is a device" in said


def test_without_namespaces_the_difference_is_told(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CINQ_WITHOUT", "namespaces")
    assert cinq(["replay", str(folder)]) == 1
    assert "output differs at byte" in capsys.readouterr().out


@needs_namespaces
def test_files_processes_and_limits_are_told_as_in_the_engine(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "given" / "inner").mkdir(parents=True)
    (tmp_path / "given" / "empty").mkdir()
    (tmp_path / "given" / "inner" / "text").write_text("some text\n")
    program, output = tmp_path / "status.c", tmp_path / "out"
    program.write_text(STATUS)
    words = ["--sym-args", "0", "1", "1", "--sym-files", "2", "4"]
    given = ["--file", str(tmp_path / "given")]
    assert cinq(["run", "--every-path", *given, "-o", str(output), str(program), *words]) == 0
    capsys.readouterr()
    assert cinq(["replay", str(output)]) == 0, capsys.readouterr().out
    said = capsys.readouterr().out
    assert ", 0 diverging" in said
    assert "0 not compared" in said or "not compared" not in said


@needs_namespaces
def test_what_the_engine_does_not_model_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program, output = tmp_path / "unmodelled.c", tmp_path / "out"
    program.write_text(UNMODELLED)
    assert cinq(["run", "-o", str(output), str(program), "--sym-arg", "1"]) == UNSUPPORTED
    capsys.readouterr()
    assert cinq(["replay", str(output)]) == 0, capsys.readouterr().out
    assert "2 tests replayed, 0 diverging" in capsys.readouterr().out


def test_no_call_that_is_modelled_is_refused() -> None:
    text = (RUNTIME / "syscalls.c").read_text()
    modelled = {int(number) for number in re.findall(r"\bcase (\d+):", text[text.index("Dispatch: by subject") :])}
    assert len(modelled) > 150
    assert modelled <= allowed()


TYPES = r"""
#include <stdio.h>
#include <sys/stat.h>
static void tell(const struct stat *s) { printf("%o %ld %ld\n", s->st_mode, (long)s->st_size, (long)s->st_blocks); }
int main(void) {
    struct stat s;
    if (fstat(0, &s)) return 1;
    if (S_ISREG(s.st_mode)) tell(&s);
    else tell(&s);
    if (stat("A", &s)) return 1;
    if (S_ISREG(s.st_mode)) tell(&s);
    else if (S_ISDIR(s.st_mode)) tell(&s);
    else tell(&s);
    return s.st_size == 2;
}
"""


@needs_namespaces
def test_sizes_are_those_of_the_type_that_a_test_chooses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program, output = tmp_path / "types.c", tmp_path / "out"
    program.write_text(TYPES)
    words = ["--sym-files", "1", "3", "--sym-stat", "--sym-size"]
    assert cinq(["run", "--every-path", "-o", str(output), str(program), *words]) == 0
    capsys.readouterr()
    assert cinq(["replay", str(output)]) == 0, capsys.readouterr().out
    assert re.search(r"tests replayed, 0 diverging, \d+ not compared", capsys.readouterr().out)
