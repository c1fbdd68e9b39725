"""libc comes by need, complete, and by an archive's rules."""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path

import pytest

from cinquefoil.build import libc
from cinquefoil.build.libc_index import OWN_SOURCES
from cinquefoil.build.runtime_symbols import is_runtime_symbol
from cinquefoil.errors import LinkError


def _names(modules: list[libc.LibcModule]) -> set[str]:
    return {module.name for module in modules}


@pytest.mark.parametrize(
    "symbols",
    [
        "printf", "scanf strtod qsort", "getopt_long regcomp setlocale", "sin cpow",
        "fopen getline opendir mktime", "pthread_create pthread_cancel", "iconv mbstowcs explicit_bzero",
        "__printf_chk __memcpy_chk",
    ],
)  # fmt: skip
def test_closures_are_complete(symbols: str) -> None:
    wanted = set(symbols.split())
    modules = libc.resolve(wanted, {"main"})
    assert libc.unresolved(wanted, {"main"}, modules) == set()
    assert wanted <= {name for module in modules for name in module.defined}


def test_printf_needs_little() -> None:
    names = _names(libc.resolve({"printf"}, {"main"}))
    assert {"cinquefoil/start.c", "stdio/printf.c", "cinquefoil/vfprintf.c", "stdio/__stdio_exit.c"} <= names
    assert len(names) < 45
    assert not any(name.startswith(("network/", "malloc/")) for name in names)


def test_weak_dummies_pull_nothing_in() -> None:
    names = _names(libc.resolve({"exit"}, {"main"}))
    assert "exit/exit.c" in names
    assert "stdio/__stdio_exit.c" not in names and "exit/atexit.c" not in names


def test_program_definitions_come_first() -> None:
    assert "misc/getopt.c" not in _names(libc.resolve({"puts"}, {"main", "getopt", "optarg"}))


def test_clash_with_a_needed_file_is_an_error() -> None:
    with pytest.raises(LinkError, match=r"errno/strerror\.c both define __strerror_l"):
        libc.resolve({"strerror"}, {"main", "__strerror_l"})


def test_unknown_names_stay_unresolved() -> None:
    modules = libc.resolve({"nosuch", "klee_int", "malloc"}, {"main"})
    assert libc.unresolved({"nosuch", "klee_int", "malloc"}, {"main"}, modules) == {"nosuch"}


def test_system_calls_go_to_the_run_time() -> None:
    assert "cinq_syscall" in {name for m in libc.resolve({"read"}, {"main"}) for name in m.undefined}


def test_run_time_symbols() -> None:
    ours = ("malloc", "memcpy", "longjmp", "klee_assume", "__VERIFIER_nondet_int", "abort")
    assert all(map(is_runtime_symbol, ours))
    assert not any(map(is_runtime_symbol, ("printf", "reallocarray", "__cinq_thread")))


@pytest.fixture(scope="module")
def helpers(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    """The 128-bit helpers compiled by the host's compiler under other names, beside its own operators."""
    folder = tmp_path_factory.mktemp("helpers")
    kinds = ("sf", "df", "xf")
    names = ["udivti3", "umodti3", "divti3", "modti3", "muloti4"]
    names += [f"float{sign}ti{kind}" for sign in ("", "un") for kind in kinds]
    names += [f"fix{sign}{kind}ti" for sign in ("", "uns") for kind in kinds]
    renames = "".join(f"#define __{name} own_{name}\n" for name in names)
    source = renames + f'#include "{OWN_SOURCES / "int128.c"}"\n' + _COMPARE
    (folder / "h.c").write_text(source)
    subprocess.run(["gcc", "-O1", "-shared", "-fPIC", "-w", "h.c", "-o", "h.so"], cwd=folder, check=True)
    return ctypes.CDLL(str(folder / "h.so"))


_COMPARE = """
static u128 seed = 88172645463325252ull;
static u128 draw(void)
{
    u128 x = 0;
    for (int i = 0; i < 3; i++) {
        seed = seed * 6364136223846793005ull + 1442695040888963407ull;
        x = x << 50 ^ seed >> 40;
    }
    return x >> (seed >> 90 & 127);
}
int compare(void)
{
    for (int i = 0; i < 100000; i++) {
        u128 a = draw(), b = draw();
        if (i & 1) a = -a;
        if (i & 2) b = -b;
        if (!b) continue;
        i128 product; int over, mine = __builtin_mul_overflow((i128)a, (i128)b, &product);
        if (own_udivti3(a, b) != a / b || own_umodti3(a, b) != a % b) return 1;
        if (own_divti3(a, b) != (i128)a / (i128)b || own_modti3(a, b) != (i128)a % (i128)b) return 2;
        if (own_muloti4(a, b, &over) != product || !over != !mine) return 3;
        if (own_floattisf(a) != (float)(i128)a || own_floatuntisf(a) != (float)a) return 4;
        if (own_floattidf(a) != (double)(i128)a || own_floatuntidf(a) != (double)a) return 5;
        if (own_floattixf(a) != (long double)(i128)a || own_floatuntixf(a) != (long double)a) return 6;
        double d = (double)a; float f = (float)(a >> 1); long double x = (long double)a;
        if (d < 0x1p128 && own_fixunsdfti(d) != (u128)d) return 7;
        if (own_fixunssfti(f) != (u128)f || own_fixsfti(-f / 2) != (i128)(-f / 2)) return 8;
        if (x < 0x1p128L && own_fixunsxfti(x) != (u128)x || own_fixxfti(-x / 2) != (i128)(-x / 2)) return 9;
        if (own_fixdfti(-d / 2) != (i128)(-d / 2)) return 10;
    }
    return 0;
}
"""


def test_128_bit_helpers_agree_with_the_host(helpers: ctypes.CDLL) -> None:
    assert helpers.compare() == 0


def test_complex_helpers_agree_with_the_host(tmp_path: Path) -> None:
    source = "".join(f"#define __{op}{kind}c3 own_{op}{kind}c3\n" for op in ("mul", "div") for kind in "sdx")
    source += f'#include "{OWN_SOURCES / "complex.c"}"\n' + _COMPLEX
    (tmp_path / "c.c").write_text(source)
    subprocess.run(["gcc", "-O1", "-w", "c.c", "-lm", "-o", "c"], cwd=tmp_path, check=True)
    assert subprocess.run([tmp_path / "c"], check=False).returncode == 0


_COMPLEX = """
static int same(double a, double b)
{
    if (isnan(a) || isnan(b)) return isnan(a) && isnan(b);
    return a == b || fabs(a - b) <= 1e-14 * fabs(b);
}
int main(void)
{
    double v[] = {0.0, -0.0, 1.0, -2.5, 1e300, 1e-300, INFINITY, -INFINITY, NAN};
    int n = sizeof v / sizeof *v;
    for (int i = 0; i < n * n * n * n; i++) {
        double a = v[i % n], b = v[i / n % n], c = v[i / n / n % n], d = v[i / n / n / n];
        double _Complex x, y, p, q, s, t;
        ((double *)&x)[0] = a, ((double *)&x)[1] = b, ((double *)&y)[0] = c, ((double *)&y)[1] = d;
        p = x * y, q = own_muldc3(a, b, c, d), s = x / y, t = own_divdc3(a, b, c, d);
        if (!same(creal(q), creal(p)) || !same(cimag(q), cimag(p))) return 1;
        if (!(isinf(creal(s)) || isinf(cimag(s)) || fabs(creal(s)) > 1e299) &&
            (!same(creal(t), creal(s)) || !same(cimag(t), cimag(s)))) return 2;
    }
    return 0;
}
"""
