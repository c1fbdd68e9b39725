"""Runs that begin where the input begins: the same in every respect as runs from the start.

`Limits.verify` has the worker keep that moment however early it is, and compares every run with one from the start."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path

import pytest
from traced import PROGRAMS, fingerprint, worker_of

from cinquefoil.build.program import load_program
from cinquefoil.machine.environment import parse_arguments
from cinquefoil.machine.image import build_image
from cinquefoil.machine.worker import Limits, Worker

VERIFY = Limits(seconds=20, instructions=20_000_000, events=20_000, heap=64 << 20, verify=True)
HOSTILE = PROGRAMS / "hostile" / "hostile.c"
CASES = sorted({int(n) for n in re.findall(r"case (\d+):", HOSTILE.read_text())} - {0})

MEMORY = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int table[2000], calls;
static char *list[40];
static int depth(int n) { char big[300]; memset(big, n, sizeof big); return n ? depth(n - 1) + big[7] : 0; }
int main(int argc, char **argv) {
    for (int i = 0; i < 2000; i++) table[i] = i * i;
    for (int i = 0; i < 40; i++) { list[i] = malloc(10 + i); memset(list[i], i, 10 + i); }
    for (int i = 0; i < 40; i += 3) { free(list[i]); list[i] = 0; }
    int deep = depth(30);
    char line[16], *room = __builtin_alloca(argc * 20);
    strcpy(room, "room");
    size_t n = fread(line, 1, 12, stdin);
    for (size_t i = 0; i < n; i++) {
        if (line[i] == 'f' && list[i + 1]) { free(list[i + 1]); list[i + 1] = 0; }
        if (line[i] == 'm') list[i] = strdup("new");
        if (line[i] == 'w') table[i * 100] = -1;
        if (line[i] == 'd') deep += depth(line[i + 1] & 63);
        if (line[i] == 'r') room[i] = 'x';
        if (line[i] == 'o') return list[5][line[i + 1]];
        if (line[i] == 'u') return *(i ? list[0] : list[1]);
    }
    long sum = deep + calls++;
    for (int i = 0; i < 2000; i++) sum += table[i];
    for (int i = 0; i < 40; i++) if (list[i]) sum += list[i][3];
    printf("%s %ld\\n", room, sum);
    return sum & 127;
}
"""

STATE = """
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
static jmp_buf back;
static volatile int caught;
static void on_signal(int number) { caught += number; }
static int jump(int how) { if (how) longjmp(back, how); return 0; }
int main(void) {
    char name[] = "made", text[40] = "", c;
    int ends[2], made = open(name, O_RDWR | O_CREAT, 0600), came = 0;
    write(made, "written before", 14);
    pipe(ends);
    write(ends[1], "in the pipe", 11);
    signal(SIGUSR1, on_signal);
    raise(SIGUSR1);
    long before = time(0), map = (long)mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    *(int *)map = rand();
    umask(077);
    mkdir("folder", 0700);
    setvbuf(stdout, 0, _IONBF, 0);
    printf("started %d\\n", caught);
    came = setjmp(back);
    int in = came > 3 ? -1 : open("A", O_RDONLY);
    if (came > 3) return came;
    while (read(in, &c, 1) == 1) {
        if (c == 'j') jump(came + 1);
        if (c == 's') raise(SIGUSR1);
        if (c == 't') printf("%ld ", time(0) - before);
        if (c == 'p') printf("%ld ", (long)read(ends[0], text, 5));
        if (c == 'w') write(made, "more", 4);
        if (c == 'l') printf("%ld ", (long)lseek(made, 0, SEEK_END));
        if (c == 'm') *(int *)map += 1;
        if (c == 'r') printf("%d ", rand() % 100);
        if (c == 'd') rmdir("folder");
        if (c == 'u') printf("%o ", umask(022));
        if (c == 'k') raise(SIGTERM);
        if (c == 'a') abort();
        if (c == 'q') break;
        if (isatty(1)) came++;
    }
    printf("%s %d %d %d %d\\n", text, caught, came, *(int *)map % 1000, access("folder", F_OK));
    return 0;
}
"""

NAMES = """
#include <klee/klee.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    int x, y, sum = 0;
    static char big[64];
    for (int i = 0; i < 3000; i++) sum += i % 7;
    klee_make_symbolic(&x, sizeof x, "x");
    if (x > 5) { klee_make_symbolic(&y, sizeof y, "x"); if (y == x) return 3; }
    klee_make_symbolic(big, sizeof big, "big");
    char *p = malloc(8);
    if (!p) return 9;
    for (int i = 0; i < 3; i++) if (klee_range(0, 9, "r") == 7 && big[i] == 2) sum++;
    if (argc > 1 && argv[1][0] == 'v' && argv[1][1]) return p[argv[1][1] & 15];
    return rand() % 5 + sum % 3;
}
"""

LARGE = """
#include <stdio.h>
static char area[6 << 20];
int main(void) {
    for (long i = 0; i < sizeof area; i += 50000) area[i] = i % 100;
    int c = getchar(), d = getchar();
    if (c == 'a') area[100000] = 9;
    if (d == 'b') area[5] = 7;
    return area[100000] + area[5] + area[150000];
}
"""

SETTINGS = [
    (MEMORY, "--sym-stdin 12", b"fmwdrou\0\1x"),
    (MEMORY, "--sym-args 0 2 3 --sym-stdin 8 --sym-size", b"fmwdo\0\1\2\3"),
    (MEMORY, "--sym-stdin 6 --max-fail 1 --max-fail-malloc 1 --sym-stat", b"fmw\0\1\2\x80"),
    (STATE, "--sym-files 1 8", b"jstpwlmrduqxka\0"),
    (STATE, "--sym-files 1 5 --sym-size --sym-stat --sym-stdout --sym-rand", b"jstpwlmrduqxka\0\1\2\x81"),
    (NAMES, "", b"\0\0\0\7\2"),
    (NAMES, "--sym-arg 3 --sym-rand --max-fail-malloc 1", b"v\0\0\0\7\1"),
    (LARGE, "--sym-stdin 2", b"abc"),
]


def built(source: str, folder: Path, arguments: str, limits: Limits, blocks: bool = True) -> Worker:
    path = folder / "program.c"
    path.write_text(source)
    image = build_image(load_program(path), blocks=blocks)
    return Worker(image, parse_arguments(arguments.split(), "program"), limits)


def skipped(worker: Worker) -> int:
    return int(worker.memory.control["skipped"][0])


@pytest.mark.parametrize(("source", "arguments", "alphabet"), SETTINGS)
def test_runs_are_as_from_the_start(source: str, arguments: str, alphabet: bytes, tmp_path: Path) -> None:
    rng = random.Random(5)
    with built(source, tmp_path, arguments, VERIFY) as worker:
        worker.run(b"")
        before = worker.skipped
        for number in range(60):
            witness = bytes(rng.choice(alphabet) for _ in range(rng.randrange(40)))
            worker.run(witness)
            worker.probe(witness)
            worker.coverage_run(witness, 1_000_000)
            worker.coverage_run(witness, rng.choice((100, 1000, 5000, 60_000)))
            if number % 25 == 20:
                worker.new_epoch()
        assert worker.deaths == 0 and worker.distrusted == 0 and worker.skipped > before


def test_a_long_start_is_not_done_again(tmp_path: Path) -> None:
    with built(MEMORY, tmp_path, "--sym-stdin 8", Limits()) as worker:
        first = worker.run(b"f")
        assert skipped(worker) == 0
        again = worker.run(b"f")
        assert fingerprint(again) == fingerprint(first) and first.steps == again.steps
        assert first.steps > skipped(worker) > first.steps // 3
        worker.coverage_run(b"w", 1 << 30)
        assert skipped(worker) > 0
        worker.new_epoch()
        worker.run(b"w")
        assert skipped(worker) == 0, "its expressions are void"
        worker.run(b"w")
        assert skipped(worker) > 0


def test_a_short_start_is_done_again(tmp_path: Path) -> None:
    with built(
        "#include <stdio.h>\nint main(void) { return getchar() == 'x'; }", tmp_path, "--sym-stdin 1", Limits()
    ) as worker:
        for witness in (b"a", b"x", b"b"):
            worker.run(witness)
            assert skipped(worker) == 0


def test_a_run_under_other_limits_begins_at_the_start(tmp_path: Path) -> None:
    with built(MEMORY, tmp_path, "--sym-stdin 8", Limits()) as worker:
        whole = worker.run(b"fm")
        worker.run(b"fm")
        reached = skipped(worker)
        for limits in (Limits(heap=1 << 20), Limits(pin=False), Limits(mute_output=False), Limits(snapshot=False)):
            worker.limits = limits
            assert worker.run(b"fm").steps == whole.steps
            assert skipped(worker) == 0
        worker.limits = Limits(instructions=reached - 1)
        assert worker.run(b"fm").end == "budget" and skipped(worker) == 0
        worker.limits = Limits(instructions=reached + 100)
        assert worker.run(b"fm").end == "budget" and skipped(worker) == reached
        worker.limits = Limits(instructions=2 * whole.steps)
        assert fingerprint(worker.run(b"fm")) == fingerprint(whole) and skipped(worker) == reached


def test_hostile_programs_leave_it_as_it_was() -> None:
    with worker_of(HOSTILE, limits=replace(VERIFY, instructions=2_000_000)) as worker:
        good = worker.run(b"\0\5")
        for case in CASES:
            worker.run(bytes([case, 5]))
            if case % 5 == 0 and worker.epoch == good.epoch:
                assert fingerprint(worker.run(b"\0\5")) == fingerprint(good)
            else:
                worker.run(b"\0\5")
        assert worker.deaths == 0 and worker.skipped
