"""musl's C files survive parser and printer: a sample, or all of them with `-m slow`."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from ir_roundtrip import MUSL, MUSL_OPTIONS, UNOPTIMISED, compile_c, differences

FILES = sorted(MUSL.glob("src/*/*.c"))
SAMPLE = [
    *(
        "stdio/vfprintf.c",
        "locale/iconv.c",
        "internal/floatscan.c",
        "thread/pthread_create.c",
        "regex/regcomp.c",
    ),
    *("complex/cexpl.c", "math/fmal.c", "env/__libc_start_main.c", "string/memmem.c", "errno/strerror.c"),
]


def _differences(source: Path, target: Path) -> list[tuple[str, str]]:
    return differences(compile_c(source, target, *MUSL_OPTIONS, *UNOPTIMISED))


@pytest.mark.parametrize("name", SAMPLE)
def test_sample(name: str, tmp_path: Path) -> None:
    assert _differences(MUSL / "src" / name, tmp_path / "a.bc") == []


@pytest.mark.slow
def test_all(tmp_path: Path) -> None:
    targets = [tmp_path / f"{i}.bc" for i in range(len(FILES))]
    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(_differences, FILES, targets))
    wrong = {str(file): found[:3] for file, found in zip(FILES, results, strict=True) if found}
    assert len(FILES) > 1300
    assert wrong == {}
