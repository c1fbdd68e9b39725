"""Files from anywhere: tests, bitcode, sources and a cache that others could have written cost an error at most."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

import pytest

import cinquefoil
from cinquefoil.build import cache
from cinquefoil.cli.main import run
from cinquefoil.errors import UserError
from cinquefoil.ir.sources import Sources
from cinquefoil.testcase.ktest import KTest

SECRET = "int secret = 42;\n"
BRANCHES = (
    '#include <klee/klee.h>\nint main(void) { unsigned char c; klee_make_symbolic(&c, 1, "c");\n%s if (c) return 1;\n'
)


def test_a_name_that_comes_very_often_takes_no_longer() -> None:
    """With one look-up per earlier name this would take hours."""
    test = KTest.of([("x", bytes([i & 255])) for i in range(200_000)] + [("x_3", b"!"), ("x", b"?")])
    found = test.contents()
    assert len(found) == 200_002
    assert found["x_199999"] == bytes([199999 & 255]) and found["x_3_1"] == b"!" and found["x_200000"] == b"?"


@pytest.mark.parametrize(
    "constant",
    [
        "ptrtoint (ptr " + "getelementptr (i8, ptr " * 3000 + "@g" + ", i64 1)" * 3000 + " to i32)",
        "ptrtoint (ptr " + "getelementptr (i8, ptr " * 400 + "@g" + ", i64 1)" * 400 + " to i32)",
    ],
    ids=["3000", "400"],
)
def test_constants_nested_deeply_are_refused(constant: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "deep.ll").write_text(f"@g = global i8 0\ndefine i32 @main() {{\n ret i32 {constant}\n}}\n")
    assert run(["trace", str(tmp_path / "deep.ll")]) == 2
    assert "nested" in capfd.readouterr().err


def test_types_nested_deeply_are_refused(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    deep = "[1 x " * 900 + "i8" + "]" * 900
    (tmp_path / "deep.ll").write_text(f"@g = global {deep} zeroinitializer\ndefine i32 @main() {{\n ret i32 0\n}}\n")
    assert run(["trace", str(tmp_path / "deep.ll")]) == 2
    assert "nested" in capfd.readouterr().err


# ---- sources in reports ----


def reported(program: Path, folder: Path) -> str:
    cinquefoil.explore(program, output=folder)
    files = json.loads((folder / "report.json").read_text())["files"]
    return "".join(file["text"] or "" for file in files)


@pytest.mark.parametrize("linked", [False, True])
def test_a_file_that_line_directives_name_is_not_shown(linked: bool, tmp_path: Path) -> None:
    away, program = tmp_path / "away" / "secret.h", tmp_path / "own" / "p.c"
    away.parent.mkdir()
    program.parent.mkdir()
    away.write_text(SECRET)
    named = away
    if linked:
        named = program.parent / "secret.h"
        named.symlink_to(away)
    program.write_text(BRANCHES % f'#line 1 "{named}"\n' + "return 0; }\n")
    text = reported(program, tmp_path / "out")
    assert "klee_make_symbolic" in text and "secret" not in text.replace(str(named), "")


def test_a_grammar_beside_the_program_is_shown(tmp_path: Path) -> None:
    (tmp_path / "grammar.y").write_text("the grammar\n")
    assert Sources({}, tmp_path).text(str(tmp_path / "grammar.y"), 1000) == "the grammar\n"


def test_a_source_that_has_changed_is_not_shown(tmp_path: Path) -> None:
    source = tmp_path / "s.c"
    source.write_text(SECRET)
    sources = Sources({str(source): [hashlib.md5(SECRET.encode(), usedforsecurity=False).hexdigest()]}, tmp_path)
    assert sources.text(str(source), 1000) == SECRET
    assert sources.text(str(source), 5) is None
    source.write_text(SECRET + "\n")
    assert sources.text(str(source), 1000) is None


# ---- the cache ----


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CINQUEFOIL_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def use(root: Path) -> None:
    cache.get_or_make("kind", ["key"], ".txt", lambda path: path.write_text("x") and None)


def test_the_cache_is_its_users_own(root: Path) -> None:
    use(root)
    assert root.stat().st_mode & 0o777 == 0o700


def test_a_cache_that_others_can_read_is_closed_to_them(root: Path) -> None:
    root.mkdir(mode=0o755)
    use(root)
    assert root.stat().st_mode & 0o777 == 0o700


def test_a_cache_that_others_can_write_is_refused(root: Path) -> None:
    root.mkdir()
    root.chmod(0o777)
    with pytest.raises(UserError, match="others may write"):
        use(root)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_a_cache_of_another_user_is_refused(root: Path) -> None:
    root.mkdir()
    os.chown(root, 65534, 65534)
    with pytest.raises(UserError, match="another user"):
        use(root)
