"""Functions of the library that a program calls without declaring them.

C gave an undeclared function the type `int ()`.  gcc knows better for those of the standard library: `fabs(-2.5)`
without `<math.h>` is a double.  clang does so only where it may also replace calls by code of its own, which it must
not here (`-fno-builtin`).  So a source is compiled with undeclared functions as errors; nearly all pass.  One that does
not is compiled as its flags say, and then with declarations for the library's functions among the undeclared ones.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache as remember
from pathlib import Path

from cinquefoil.build import toolchain
from cinquefoil.build.ignored import WATCHING, ignored, was_told

_STRICT = ("-Werror=implicit-function-declaration", "-ferror-limit=0")
_UNDECLARED = re.compile(
    r"error: (?:call to undeclared function|implicit declaration of function|use of unknown builtin) '(\w+)'"
)
_CONFLICT = re.compile(r"error: (?:conflicting types for|.*redefinition of|redeclaration of) '(\w+)'")
_HEADER = "cinquefoil/implicit.h"
_BUILTIN = "__builtin_"

# By prototype, `$` for the name.  Those with R exist three times: for double, and with f or l behind their name.
_REAL = {
    "R $(R)": """acos acosh asin asinh atan atanh cbrt ceil cos cosh erf erfc exp exp10 exp2 expm1 fabs floor j0 j1
        lgamma log log10 log1p log2 logb nearbyint pow10 rint round roundeven significand sin sinh sqrt tan tanh tgamma
        trunc y0 y1""",
    "R $(R, R)": "atan2 copysign drem fdim fmax fmin fmod hypot nextafter pow remainder scalb",
    "R $(R, R, R)": "fma",
    "R $(R, int)": "ldexp scalbn",
    "R $(R, long)": "scalbln",
    "R $(int, R)": "jn yn",
    "R $(R, int *)": "frexp lgamma_r",
    "R $(R, R *)": "modf",
    "R $(R, R, int *)": "remquo",
    "R $(R, long double)": "nexttoward",
    "R $(const char *)": "nan",
    "int $(R)": "finite ilogb isinf isnan",
    "long $(R)": "lrint lround",
    "long long $(R)": "llrint llround",
    "void $(R, R *, R *)": "sincos",
    "R $(_Complex R)": "cabs carg cimag creal",
    "_Complex R $(_Complex R)": """cacos cacosh casin casinh catan catanh ccos ccosh cexp clog conj cproj csin csinh
        csqrt ctan ctanh""",
    "_Complex R $(_Complex R, _Complex R)": "cpow",
}
_OTHER = {
    "void *$(unsigned long)": "malloc valloc",
    "void *$(unsigned long, unsigned long)": "calloc aligned_alloc memalign",
    "void *$(void *, unsigned long)": "realloc",
    "void $(void *)": "free",
    "int $(void **, unsigned long, unsigned long)": "posix_memalign",
    "void $(void)": "abort",
    "void $(int)": "exit _exit _Exit",
    "int $(int)": "abs ffs putchar toascii",
    "long $(long)": "labs",
    "int $(long)": "ffsl",
    "long long $(long long)": "llabs",
    "int $(long long)": "ffsll",
    "void *$(void *, const void *, unsigned long)": "memcpy memmove mempcpy",
    "void *$(void *, int, unsigned long)": "memset",
    "void *$(const void *, int, unsigned long)": "memchr memrchr",
    "int $(const void *, const void *, unsigned long)": "memcmp bcmp",
    "void $(const void *, void *, unsigned long)": "bcopy",
    "void $(void *, unsigned long)": "bzero",
    "char *$(char *, const char *)": "strcpy strcat stpcpy strtok",
    "char *$(char *, const char *, unsigned long)": "strncpy strncat stpncpy",
    "char *$(const char *, int)": "strchr strrchr index rindex strchrnul",
    "char *$(const char *, const char *)": "strstr strpbrk strcasestr",
    "int $(const char *, const char *)": "strcmp strcasecmp strcoll",
    "int $(const char *, const char *, unsigned long)": "strncmp strncasecmp",
    "unsigned long $(const char *)": "strlen",
    "unsigned long $(const char *, unsigned long)": "strnlen",
    "unsigned long $(const char *, const char *)": "strspn strcspn",
    "char *$(const char *)": "strdup getenv",
    "char *$(const char *, unsigned long)": "strndup",
    "char *$(int)": "strerror",
    "int $(const char *)": "atoi puts",
    "long $(const char *)": "atol",
    "long long $(const char *)": "atoll",
    "double $(const char *)": "atof",
    "double $(const char *, char **)": "strtod",
    "long $(const char *, char **, int)": "strtol",
    "unsigned long $(const char *, char **, int)": "strtoul",
    "int $(const char *, ...)": "printf scanf",
    "int $(char *, const char *, ...)": "sprintf",
    "int $(const char *, const char *, ...)": "sscanf",
    "int $(char *, unsigned long, const char *, ...)": "snprintf",
    "int $(const char *, __builtin_va_list)": "vprintf vscanf",
    "int $(char *, const char *, __builtin_va_list)": "vsprintf",
    "int $(const char *, const char *, __builtin_va_list)": "vsscanf",
    "int $(char *, unsigned long, const char *, __builtin_va_list)": "vsnprintf",
    "void $(void *, unsigned long, unsigned long, int (*)(const void *, const void *))": "qsort",
}
# What gcc expands inline, and clang knows by another name or not at all: what to define, by the name used.
_EXPANDED = {
    "alloca": ("", "__builtin_alloca"),
    **{f"{name}{kind}": ("", f"{_BUILTIN}{name}") for name in ("isinf", "isnan", "isfinite") for kind in "fl"},
    **{
        f"{operation}_overflow_p": (
            "(a, b, c)",
            f"__extension__ ({{ __typeof__((__typeof__(c))0) cinq_; {_BUILTIN}{operation}_overflow(a, b, &cinq_); }})",
        )
        for operation in ("add", "sub", "mul")
    },
    "speculation_safe_value": ("(value, ...)", "(value)"),
    "assoc_barrier": ("(value)", "(value)"),
    "bswap128": (
        "(value)",
        f"((unsigned __int128){_BUILTIN}bswap64(value) << 64 | {_BUILTIN}bswap64((unsigned __int128)(value) >> 64))",
    ),
}


@dataclass(frozen=True, slots=True)
class Compiled:
    """What clang said to a source, as the flags that were given have it say it; `ignored`: notes on what it passed over
    although it may change the program's meaning."""

    process: subprocess.CompletedProcess[str]
    ignored: tuple[str, ...] = ()


def compile_declared(arguments: Sequence[str], cwd: Path | None = None) -> Compiled:
    """Run clang on a source; its status and diagnostics are those of the flags as they are given."""
    silent = ["-Wno-everything" if flag == "-w" else flag for flag in arguments]
    done = toolchain.run_tool("clang", [*silent, *WATCHING, *_STRICT], cwd)
    if done.returncode == 0 and not was_told(done.stderr):
        return Compiled(done)
    names = dict.fromkeys(_UNDECLARED.findall(done.stderr))
    told = toolchain.run_tool("clang", arguments, cwd)
    if done.returncode and names and told.returncode == 0:
        told = _with_declarations(arguments, list(names), told, cwd)
    return Compiled(told, tuple(ignored(done.stderr)))


def _with_declarations(
    arguments: Sequence[str], names: list[str], told: subprocess.CompletedProcess[str], cwd: Path | None
) -> subprocess.CompletedProcess[str]:
    """Compile once more; functions that the program declares after all, in its own way, are left to it."""
    for _ in range(2):
        extra = declaring(names)
        if not extra:
            return told
        done = toolchain.run_tool("clang", [*arguments, "-w", "-Wno-error", *extra], cwd)
        if done.returncode == 0:
            return subprocess.CompletedProcess(done.args, 0, done.stdout, told.stderr)
        clashes = set(_CONFLICT.findall(done.stderr))
        names = [name for name in names if name not in clashes]
    return toolchain.run_tool("clang", arguments, cwd)


def declaring(names: Iterable[str]) -> list[str]:
    """Flags that declare those among these functions that the library has."""
    macros: list[str] = []
    declared: list[str] = []
    for name in names:
        plain = name.removeprefix(_BUILTIN)
        if plain in _EXPANDED:
            parameters, text = _EXPANDED[plain]
            macros.append(f"-D{name}{parameters}={text}")
        elif plain in prototypes():
            macros += [f"-D{name}={plain}"] if name != plain else []
            declared.append(prototypes()[plain] + ";")
    if not macros and not declared:
        return []
    return [*macros, f"-DCINQ_IMPLICIT={' '.join(declared)}", "-include", _HEADER]


@remember
def prototypes() -> dict[str, str]:
    """Declarations of library functions by name."""
    return dict(_listed())


def _listed() -> Iterator[tuple[str, str]]:
    for prototype, names in _OTHER.items():
        yield from ((name, prototype.replace("$", name)) for name in names.split())
    for prototype, names in _REAL.items():
        for suffix, type_ in (("", "double"), ("f", "float"), ("l", "long double")):
            typed = re.sub(r"\bR\b", type_, prototype)
            yield from ((name + suffix, typed.replace("$", name + suffix)) for name in names.split())
