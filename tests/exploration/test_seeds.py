"""Seeds: .ktest files, raw files and corpora become the first inputs; what is broken is named."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import cinquefoil
from cinquefoil.cli.main import run
from cinquefoil.errors import UserError
from cinquefoil.exploration.session.seeds import LARGEST, read_seeds
from cinquefoil.testcase.ktest import KTest

STDIN = """#include <stdio.h>
int main(void) {
    unsigned hash = 0;
    for (int i = 0; i < 6; i++) hash = hash * 31 + (unsigned)getchar();
    if (hash % 1000003 == 3) return 1;
    if (hash == %s) return 3;
    return 0;
}
"""
OBJECTS = """#include <klee/klee.h>
int main(void) {
    unsigned char kind, rest[3];
    klee_make_symbolic(&kind, 1, "kind");
    if (kind != 'k') return 0;
    klee_make_symbolic(rest, 3, "rest");
    return rest[0] == 'a' && rest[1] == 'b' && rest[2] == 'c';
}
"""
FILE = """#include <stdio.h>
int main(void) {
    char text[5] = {0};
    FILE *file = fopen("A", "r");
    if (!file || fread(text, 1, 4, file) != 4) return 9;
    if (text[0] != 'm') return 1;
    return text[3] == 'n' ? 2 : 3;
}
"""


def first_tests(folder: Path, program: str, arguments: list[str], seeds: list[Path], **options: object) -> list[object]:
    """The objects of the tests of an exploration that runs nothing but its first inputs."""
    (folder / "p.c").write_text(program)
    limits: dict[str, object] = {"max_paths": 1 + len(seeds), "every_path": True, **options}
    outcome = cinquefoil.explore(folder / "p.c", arguments, seeds=seeds, **limits)  # type: ignore[arg-type]
    return [dict(test.objects) for test in outcome.tests]


def test_a_ktest_gives_objects_by_name(tmp_path: Path) -> None:
    KTest.of([("rest", b"abc"), ("kind", b"k"), ("absent", b"?")]).write(tmp_path / "a.ktest")
    found = first_tests(tmp_path, OBJECTS, [], [tmp_path / "a.ktest"])
    assert {"kind": b"k", "rest": b"abc"} in found


def test_raw_bytes_become_standard_input(tmp_path: Path) -> None:
    (tmp_path / "raw").write_bytes(b"secret and more")
    value = 0
    for byte in b"secret":
        value = (value * 31 + byte) & 0xFFFFFFFF
    program = STDIN.replace("%s", f"{value}u").replace("% 1000003", "% 1000003u")
    assert {"stdin": b"secret"} in first_tests(tmp_path, program, ["--sym-stdin", "6"], [tmp_path / "raw"])


def test_raw_bytes_become_files(tmp_path: Path) -> None:
    (tmp_path / "raw").write_bytes(b"main")
    found = first_tests(tmp_path, FILE, ["--sym-files", "1", "4"], [tmp_path / "raw"])
    assert any(objects.get("A-data") == b"main" for objects in found)  # type: ignore[attr-defined]


def test_raw_bytes_are_shared_out_to_objects_that_depend_on_them(tmp_path: Path) -> None:
    (tmp_path / "raw").write_bytes(b"kabc")
    assert {"kind": b"k", "rest": b"abc"} in first_tests(tmp_path, OBJECTS, [], [tmp_path / "raw"])


def test_a_corpus_that_was_exported_comes_back(tmp_path: Path) -> None:
    """Round trip: tests to raw files to the same tests."""
    (tmp_path / "p.c").write_text(OBJECTS)
    cinquefoil.explore(tmp_path / "p.c", output=tmp_path / "one")
    assert run(["export", str(tmp_path / "one"), "--to", "corpus", "-o", str(tmp_path / "corpus")]) == 0
    before = {KTest.read(path).objects for path in (tmp_path / "one/tests").iterdir()}
    seeds = [tmp_path / "corpus"]
    cinquefoil.explore(tmp_path / "p.c", output=tmp_path / "two", seeds=seeds, max_paths=9, every_path=True)
    after = {KTest.read(path).objects for path in (tmp_path / "two/tests").iterdir()}
    assert before <= after


@pytest.mark.parametrize("workers", [1, 2])
def test_tests_of_a_folder_cover_at_once_what_they_covered(tmp_path: Path, workers: int) -> None:
    """A round trip through KLEE's format: as good as the first exploration with no search at all."""
    (tmp_path / "p.c").write_text(FILE)
    arguments = ["--sym-files", "1", "4"]
    one = cinquefoil.explore(tmp_path / "p.c", arguments, output=tmp_path / "one")
    two = cinquefoil.explore(
        tmp_path / "p.c", arguments, seeds=[tmp_path / "one"], max_paths=len(one.tests), workers=workers
    )
    assert two.coverage == one.coverage


def test_the_same_seeds_give_the_same_tests(tmp_path: Path) -> None:
    for name in ("b", "a", "c"):
        (tmp_path / name).write_bytes(random.Random(name).randbytes(4))
    folders = [tmp_path / name for name in ("a", "b", "c")]
    options = {"max_paths": 40}
    assert first_tests(tmp_path, FILE, ["--sym-files", "1", "4"], folders, **options) == first_tests(
        tmp_path, FILE, ["--sym-files", "1", "4"], folders, **options
    )


def test_what_is_broken_is_named_and_the_rest_used(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    seeds = tmp_path / "seeds"
    (seeds / ".hidden").mkdir(parents=True)
    (seeds / ".hidden/raw").write_bytes(b"no")
    (seeds / "good").write_bytes(b"kabc")
    (seeds / "huge").write_bytes(bytes(LARGEST + 1))
    for number in range(7):
        (seeds / f"{number}.ktest").write_bytes(b"KTEST" + bytes([0, 0, 0, number]))
    (tmp_path / "p.c").write_text(OBJECTS)
    words = ["--seeds", str(seeds), "-o", str(tmp_path / "out"), str(tmp_path / "p.c")]
    assert run(["run", *words]) == 0
    said = capfd.readouterr().err
    assert said.count("note: seed left out: ") == 5 and "note: 3 more seeds left out" in said
    found = read_seeds([seeds])
    assert (found.tests, found.raw, len(found.notes)) == ((), (b"kabc",), 8)


@pytest.mark.parametrize("content", [None, b"KTEST", b"KTEST\0\0\0\3\xff\xff\xff\xff"])
def test_nothing_usable_is_the_users_to_mend(content: bytes | None, tmp_path: Path) -> None:
    (tmp_path / "seeds").mkdir()
    if content is not None:
        (tmp_path / "seeds/x.ktest").write_bytes(content)
    with pytest.raises(UserError, match=r"no seed can be used|empty"):
        read_seeds([tmp_path / "seeds"])


def test_an_absent_folder_is_told(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["run", "--seeds", str(tmp_path / "absent"), "p.c"]) == 2
    assert "absent" in capfd.readouterr().err
