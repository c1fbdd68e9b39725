"""Names that the C run-time defines: neither the program's linker nor libc has to find them.

A program may define any of them itself; its definition then wins (the run-time's are weak).
"""

from __future__ import annotations

ALLOCATION = frozenset(
    [
        "malloc",
        "calloc",
        "realloc",
        "free",
        "memalign",
        "aligned_alloc",
        "posix_memalign",
        "malloc_usable_size",
    ]
)
MEMORY = frozenset(["memcpy", "memmove", "memset"])
JUMPS = frozenset(["setjmp", "_setjmp", "__setjmp", "sigsetjmp", "__sigsetjmp", "longjmp", "_longjmp", "siglongjmp"])
ENDINGS = frozenset(["abort", "__assert_fail", "reach_error"])
THREADS = frozenset(["pthread_create"])

# libc's generators of random numbers: the linker leads their calls to __wrap_NAME (--wrap).
RANDOM = ("rand", "rand_r", "random", "lrand48", "mrand48", "drand48")
WRAPPED = tuple(f"--wrap={name}" for name in RANDOM)

EXACT = ALLOCATION | MEMORY | JUMPS | ENDINGS | THREADS
PREFIXES = ("cinq_", "klee_", "__VERIFIER_", "__ubsan_handle_")


def is_runtime_symbol(name: str) -> bool:
    """Whether the C run-time supplies this symbol."""
    return name in EXACT or name.startswith(PREFIXES)
