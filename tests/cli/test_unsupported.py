"""What is not supported is named, is no error of the program, and keeps the result from being called exhausted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cinquefoil.cli.main import run

HEAD = """\
#include <dlfcn.h>
#include <klee/klee.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>
static void *body(void *x) { return x; }
static void handler(int number) { (void)number; }
"""
MET = {
    "fork": ("if (fork() < 0) return 1;", "fork"),
    "system": ('if (system("true") < 0) return 1;', "clone"),
    "popen": ('if (popen("echo", "r") == 0) return 1;', "clone"),
    "float128": ("__float128 q = c; q /= 3;", "__float128"),
    "dlopen": ('if (dlopen("libm.so.6", RTLD_NOW) == 0) return 1;', "loaded at run time"),
    "dlsym": ('if (dlsym(0, "puts") == 0) return 1;', "loaded at run time"),
    "mprotect": ("mprotect(aligned_alloc(4096, 4096), 4096, PROT_READ);", "protected"),
    "code": ("mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);", "holds code"),
    "socket": ("if (socket(AF_INET, SOCK_STREAM, 0) < 0) return 1;", "socket"),
    "thread": ("pthread_t t; if (pthread_create(&t, 0, body, 0)) return 1;", "another thread"),
    "assembly": ('__asm__ volatile("hlt");', "assembly"),
    "timer": ("alarm(3);", "setitimer"),
    "pause": ("signal(SIGALRM, handler); for (;;) pause();", "pause"),
    "deadlock": (
        "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_mutex_lock(&m); pthread_mutex_lock(&m);",
        "futex",
    ),
}


def explored(tmp_path: Path, code: str, *options: str) -> tuple[int, dict[str, object]]:
    source, folder = tmp_path / "meets.c", tmp_path / "out"
    source.write_text(HEAD + 'int main(void) {\n    char c;\n    klee_make_symbolic(&c, 1, "c");\n' + code + "\n}\n")
    status = run(["run", "--no-report", "-o", str(folder), *options, str(source)])
    return status, json.loads((folder / "summary.json").read_text())


@pytest.mark.parametrize("name", MET)
def test_what_was_met_is_named_and_nothing_is_exhausted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    code, what = MET[name]
    status, summary = explored(tmp_path, f"if (c == 7) {{ {code} }}\nreturn 0;")
    output = capsys.readouterr().out
    assert status == 4 and not summary["exhausted"] and not summary["errors"]
    assert any(line.startswith("not supported: ") and what in line for line in output.splitlines())
    assert "all paths explored" not in output
    (met,) = summary["unsupported"] if isinstance(summary["unsupported"], list) else []
    assert what in met["what"] and met["runs"] == 1


def test_an_error_of_the_program_counts_more(tmp_path: Path) -> None:
    status, summary = explored(tmp_path, "if (c == 7) fork();\nif (c == 8) abort();\nreturn 0;")
    assert status == 1 and not summary["exhausted"]


def test_an_error_behind_it_is_told_from_others(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    threads = "if (c == 7) { pthread_t t; void *r; pthread_create(&t, 0, body, 0); pthread_join(t, &r); }"
    status, summary = explored(tmp_path, f"{threads} if (c == 8) abort();\nreturn 0;")
    told = [line for line in capsys.readouterr().out.splitlines() if line.startswith("error: ")]
    assert [line.endswith(" (after something that is not supported)") for line in told] == [
        "abort" not in line for line in told
    ]
    errors = summary["errors"]
    assert status == 1 and isinstance(errors, list) and len(errors) == len(told) == 2
    assert {error["kind"] for error in errors if "after_unsupported" not in error} == {"abort"}


def test_with_several_workers_too(tmp_path: Path) -> None:
    status, summary = explored(tmp_path, "if (c == 7) fork();\nreturn c > 3;", "--workers", "2")
    assert status == 4 and not summary["exhausted"]


def test_what_is_not_reached_does_not_count(tmp_path: Path) -> None:
    status, summary = explored(tmp_path, "if (c == 7 && c == 8) fork();\nreturn 0;")
    assert status == 0 and summary["exhausted"]


def test_a_wait_with_a_limit_ends(tmp_path: Path) -> None:
    code = """struct timespec soon = {0, 1}; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_mutex_lock(&m);
    return pthread_mutex_timedlock(&m, &soon) == 110 ? 0 : 1;"""
    status, summary = explored(tmp_path, code)
    assert status == 0 and summary["exhausted"]


def test_trace_tells_it_from_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "stops.c"
    source.write_text('int main(void) { __asm__ volatile("hlt"); return 0; }\n')
    assert run(["trace", str(source)]) == 4
    assert capsys.readouterr().out.startswith("ended: unsupported: ")
