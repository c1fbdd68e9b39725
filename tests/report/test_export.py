"""Exports: valid by the formats' own rules, and meaning what the tests mean."""

from __future__ import annotations

import json
import shutil
import struct
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from folders import explored, hostile
from lxml import etree
from sarif_schema import SCHEMA, official

import cinquefoil
from cinquefoil.build.program import load_program
from cinquefoil.cli.main import run
from cinquefoil.layout import ErrorKind
from cinquefoil.machine.environment import parse_arguments
from cinquefoil.replay.native_build import build_native
from cinquefoil.replay.native_run import run_natively
from cinquefoil.report.export.sarif import TEXTS
from cinquefoil.testcase.ktest import KTest
from cinquefoil.testcase.testcomp import c_type, value_text

# The facts of the published DTDs, version 1.1.
METADATA_DTD = """
<!ELEMENT test-metadata (sourcecodelang, producer, specification, programfile, programhash, entryfunction,
  architecture, inputtestsuitefile*, inputtestsuitehash*, creationtime)>
<!ELEMENT sourcecodelang (#PCDATA)> <!ELEMENT producer (#PCDATA)> <!ELEMENT specification (#PCDATA)>
<!ELEMENT programfile (#PCDATA)> <!ELEMENT programhash (#PCDATA)> <!ELEMENT entryfunction (#PCDATA)>
<!ELEMENT architecture (#PCDATA)> <!ELEMENT creationtime (#PCDATA)>
<!ELEMENT inputtestsuitefile (#PCDATA)> <!ELEMENT inputtestsuitehash (#PCDATA)>
"""
TESTCASE_DTD = """
<!ELEMENT testcase (input*)> <!ELEMENT input (#PCDATA)>
<!ATTLIST testcase coversError (true|false) "false">
<!ATTLIST input type CDATA "" variable CDATA "">
"""
MIXED = """#include <klee/klee.h>
#include <stdio.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(int argc, char **argv) {
    int c = getchar(), a = __VERIFIER_nondet_int(), first, second;
    unsigned char b = __VERIFIER_nondet_uchar();
    klee_make_symbolic(&first, sizeof first, "x");
    klee_make_symbolic(&second, sizeof second, "x");
    FILE *file = fopen("A", "r");
    printf("%d %s %d %d\\n", argc, argc > 1 ? argv[1] : "-", a < -3, getenv("COLOUR") != 0);
    fflush(stdout); /* what abort does to the rest is the C library's choice */
    if (argc > 1 && argv[1][0] == '-' && argv[1][1] == 'v') return 3;
    if (c == 'q' && b > 250) return 4;
    if (file && fgetc(file) == '#') { puts("comment"); return 5; }
    if (first == 77 && second == 12345) abort();
    if (a < -3) return 1;
    return 0;
}
"""


def valid(content: bytes, dtd: str) -> etree._Element:
    from io import StringIO

    parser = etree.XMLParser(no_network=True, load_dtd=False)
    root = etree.fromstring(content, parser)
    rules = etree.DTD(StringIO(dtd))
    assert rules.validate(root), rules.error_log
    return root


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("mixed")
    (folder / "mixed.c").write_text(MIXED)
    arguments = ["--sym-arg", "2", "--sym-files", "1", "3"]
    cinquefoil.explore(
        folder / "mixed.c", arguments, output=folder / "out", variables=["COLOUR=1"], max_time=120, clock="cpu"
    )
    return folder / "out"


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return explored(tmp_path_factory.mktemp("explored"))


def exported(folder: Path, kind: str, output: Path) -> Path:
    assert run(["export", str(folder), "--to", kind, "-o", str(output)]) == 0
    return output


# ---- Test-Comp ----


def test_a_suite_is_valid(mixed: Path, tmp_path: Path) -> None:
    suite = exported(mixed, "test-comp", tmp_path / "suite")
    metadata = valid((suite / "metadata.xml").read_bytes(), METADATA_DTD)
    assert metadata.findtext("programfile") == "mixed.c"
    assert len(metadata.findtext("programhash") or "") == 64
    cases = sorted(suite.glob("testcase-*.xml"))
    assert len(cases) == len(list((mixed / "tests").iterdir()))
    for case in cases:
        assert b"test-format testcase 1.1//EN" in case.read_bytes()
        valid(case.read_bytes(), TESTCASE_DTD)


def test_values_are_in_the_order_of_calls(mixed: Path, tmp_path: Path) -> None:
    suite = exported(mixed, "test-comp", tmp_path / "suite")
    inputs = valid((suite / "testcase-000001.xml").read_bytes(), TESTCASE_DTD).findall("input")
    called = [(item.get("variable"), item.get("type")) for item in inputs if item.get("type")]
    assert called == [("nondet_int", "int"), ("nondet_uchar", "unsigned char")]


def test_the_dtd_refuses_what_is_wrong() -> None:
    for wrong in (b"<testcase><x/></testcase>", b'<testcase coversError="maybe"/>'):
        with pytest.raises(AssertionError):
            valid(wrong, TESTCASE_DTD)
    with pytest.raises(AssertionError):
        valid(b"<test-metadata><producer/></test-metadata>", METADATA_DTD)


def test_a_zip_file_holds_the_same(mixed: Path, tmp_path: Path) -> None:
    suite = exported(mixed, "test-comp", tmp_path / "suite")
    archive = exported(mixed, "test-comp", tmp_path / "suite.zip")
    with zipfile.ZipFile(archive) as file:
        assert {name: file.read(name) for name in file.namelist()} == {p.name: p.read_bytes() for p in suite.iterdir()}


def test_hostile_names_stay_valid(tmp_path: Path) -> None:
    suite = exported(hostile(tmp_path / "out"), "test-comp", tmp_path / "suite")
    valid((suite / "metadata.xml").read_bytes(), METADATA_DTD)
    valid((suite / "testcase-000001.xml").read_bytes(), TESTCASE_DTD)


@pytest.mark.parametrize(
    ("name", "content", "text"),
    [
        ("nondet_int", struct.pack("<i", -5), "-5"),
        ("nondet_int_12", struct.pack("<i", 7), "7"),
        ("nondet_uint", b"\xff\xff\xff\xff", "4294967295"),
        ("nondet_char", b"\xff", "-1"),
        ("nondet_uchar_1", b"\xff", "255"),
        ("nondet_bool", b"\x03", "1"),
        ("nondet_float", struct.pack("<f", 0.1), "0.100000001"),
        ("nondet_double", struct.pack("<d", float("inf")), "inf"),
        ("nondet_size_t_3", b"\1" + bytes(7), "1"),
        ("buffer", b"abc", "0x616263"),
        ("which", b"\2\0\0\0", "2"),
    ],
)
def test_values(name: str, content: bytes, text: str) -> None:
    assert value_text(c_type(name), content) == text


# ---- corpus ----


def test_a_corpus_has_a_folder_per_channel(mixed: Path, tmp_path: Path) -> None:
    corpus = exported(mixed, "corpus", tmp_path / "corpus")
    assert {path.name for path in corpus.iterdir()} == {"stdin", "A", "args", "objects"}
    assert any(path.read_bytes().startswith(b"q") for path in (corpus / "stdin").iterdir())
    assert any(path.read_bytes().startswith(b"#") for path in (corpus / "A").iterdir())
    assert b"-v\0" in [path.read_bytes() for path in (corpus / "args").iterdir()]
    assert all(len(path.read_bytes()) == 13 for path in (corpus / "objects").iterdir())
    for channel in corpus.iterdir():
        contents = [path.read_bytes() for path in channel.iterdir()]
        assert len(contents) == len(set(contents)) and b"" not in contents


def test_a_corpus_of_standard_input_can_be_run(tmp_path: Path) -> None:
    """The bytes reach a plain process and cover what the tests covered."""
    source = tmp_path / "echo.c"
    source.write_text(
        "#include <stdio.h>\nint main(void) { switch (getchar()) { case 1: return 1; case 2: return 2; } return 3; }\n"
    )
    cinquefoil.explore(source, ["--sym-stdin", "2"], output=tmp_path / "out")
    corpus = exported(tmp_path / "out", "corpus", tmp_path / "corpus")
    subprocess.run(["gcc", str(source), "-o", str(tmp_path / "echo")], check=True)
    found = {
        subprocess.run([tmp_path / "echo"], input=file.read_bytes(), check=False).returncode
        for file in corpus.iterdir()
    }
    assert found == {1, 2, 3}


# ---- C ----


def test_c_tests_behave_as_the_tests_do(mixed: Path, tmp_path: Path) -> None:
    """Output and end of every exported test, against the replay of the .ktest file on a native build."""
    folder = exported(mixed, "c", tmp_path / "c")
    program = mixed.parent / "mixed.c"
    make = make_command(folder, program, "CFLAGS=-Wall -Wextra -Werror")
    made = subprocess.run(make, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stderr
    native = build_native(load_program(program))
    ends: set[int] = set()
    for path in sorted((mixed / "tests").iterdir()):
        test = KTest.read(path)
        environment = parse_arguments(test.args[1:], "mixed").with_variables(["COLOUR=1"])
        expected = run_natively(native, test, environment)
        found = subprocess.run([folder / f"test_{path.stem}"], capture_output=True, check=False)
        assert (found.returncode, found.stdout) == (expected.status, expected.output)
        ends.add(found.returncode)
    assert ends == {0, 1, 3, 4, 5, -6}
    checked = subprocess.run([*make, "check"], capture_output=True, text=True, check=False)
    assert checked.returncode != 0 and checked.stdout.count("the error is there: signal 6") == 1
    assert checked.stdout.count("as expected") == len(list((mixed / "tests").iterdir())) - 1


def make_command(folder: Path, program: Path, *settings: str) -> list[str]:
    return ["make", "-s", "-C", str(folder), f"PROGRAM={program}", *settings]


BUGS = """#include <assert.h>
#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    unsigned char which, at;
    int zero = 0;
    klee_make_symbolic(&which, 1, "which");
    klee_make_symbolic(&at, 1, "at");
    if (which == 1) { char *text = malloc(4); memset(text, 0, 4); if (at == 4 && WRONG) return text[at]; return 7; }
    if (which == 2) { int *cell = malloc(4); *cell = 0; if (WRONG) free(cell); return *cell; }
    if (which == 3) assert(!WRONG);
    if (which == 4) return WRONG ? at / zero : 0;
    if (which == 5) { int table[4] = {0}; return at == 9 && WRONG ? table[at] : 1; }
    return which > 100;
}
"""


@pytest.fixture(scope="module")
def bugs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """C tests of a program with five errors, beside it and its mended version."""
    folder = tmp_path_factory.mktemp("bugs")
    (folder / "bugs.c").write_text(BUGS.replace("WRONG", "1"))
    (folder / "mended.c").write_text(BUGS.replace("WRONG", "0"))
    cinquefoil.explore(folder / "bugs.c", output=folder / "out")
    exported(folder / "out", "c", folder / "c")
    return folder


def checked(bugs: Path, copy: Path, program: str, *settings: str) -> tuple[int, str]:
    shutil.copytree(bugs / "c", copy)
    command = [*make_command(copy, bugs / program, *settings), "check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert not (copy / ".probe").exists() and not (copy / ".probe.c").exists()
    return done.returncode, done.stdout


@pytest.mark.parametrize("settings", [(), ("CFLAGS=-g -O1",), ("CFLAGS=-g -fsanitize=address",)])
def test_the_test_of_an_error_fails_while_it_is_there(bugs: Path, tmp_path: Path, settings: tuple[str, ...]) -> None:
    status, said = checked(bugs, tmp_path / "there", "bugs.c", *settings)
    assert status != 0 and said.count("the error is there") == 5, said
    assert "cannot tell" not in said and "as expected" in said
    status, said = checked(bugs, tmp_path / "gone", "mended.c", *settings)
    assert status == 0 and said.count("the error is gone") == 5, said


@pytest.mark.parametrize("sanitizers", ["", "-fsanitize=address"])
def test_a_build_that_may_not_notice_an_error_does_not_deny_it(bugs: Path, tmp_path: Path, sanitizers: str) -> None:
    for program in ("bugs.c", "mended.c"):
        status, said = checked(bugs, tmp_path / program, program, f"SANITIZE={sanitizers}")
        assert status != 0 and "cannot tell" in said, said
    assert said.count("the error is gone") == 1  # the assertion, which every build notices
    assert said.count("the error is there") == 0


def test_a_sanitizer_that_goes_on_after_an_error_is_heard(bugs: Path, tmp_path: Path) -> None:
    """The undefined behaviour sanitizer only reports, and a user may choose the exit status of the other one."""
    shutil.copytree(bugs / "c", tmp_path / "c")
    sanitizers = "SANITIZE=-fsanitize=address,undefined"
    subprocess.run(make_command(tmp_path / "c", bugs / "bugs.c", sanitizers, "all"), check=True)
    errors = [path for path in (tmp_path / "c").glob("test_*.c") if "cinq_expected = CINQ_" in path.read_text()]
    assert len(errors) == 5
    for path in errors:
        settings = {"ASAN_OPTIONS": "abort_on_error=0:exitcode=0:detect_leaks=0"}
        found = subprocess.run([path.with_suffix(""), "--check"], env=settings, check=False, capture_output=True)
        assert found.returncode == 1, (path, found.stdout)


def test_a_c_test_notices_a_change(mixed: Path, tmp_path: Path) -> None:
    folder = exported(mixed, "c", tmp_path / "c")
    (name,) = [path.stem for path in folder.glob("test_*.c") if "cinq_expected = 5;" in path.read_text()]
    (tmp_path / "changed.c").write_text(MIXED.replace("return 5", "return 6"))
    subprocess.run(["make", "-s", "-C", str(folder), f"PROGRAM={tmp_path}/changed.c", name], check=True)
    checked = subprocess.run([folder / name, "--check"], capture_output=True, text=True, check=False)
    assert (checked.returncode, checked.stdout) == (1, "exit status 6, expected 5\n")


def test_hostile_names_are_harmless_c(tmp_path: Path) -> None:
    folder = exported(hostile(tmp_path / "out"), "c", tmp_path / "c")
    command = ["gcc", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", str(folder / "test_000001.c")]
    assert subprocess.run(command, check=False).returncode == 0


# ---- SARIF ----


def sarif(folder: Path, output: Path) -> dict[str, Any]:
    document = json.loads(exported(folder, "sarif", output).read_text())
    jsonschema.Draft202012Validator(SCHEMA).validate(document)
    jsonschema.Draft7Validator(official()).validate(document)
    return document


def test_sarif_is_valid_and_complete(results: Path, tmp_path: Path) -> None:
    (found,) = sarif(results, tmp_path / "errors.sarif")["runs"]
    (result,) = found["results"]
    assert found["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"] == "out-of-bounds"
    assert "read of 4 bytes at offset 28" in result["message"]["text"]
    physical = result["locations"][0]["physicalLocation"]
    assert physical["region"]["startLine"] == 7 and physical["artifactLocation"]["uri"].endswith("/buggy.c")
    assert [frame["location"]["logicalLocations"][0]["name"] for frame in result["stacks"][0]["frames"]] == [
        "pick",
        "main",
    ]
    attached = result["attachments"][0]["artifactLocation"]["uri"]
    assert Path(attached.removeprefix("file://")).is_file()


def test_sarif_has_a_sentence_for_every_kind_of_error() -> None:
    assert set(TEXTS) == {kind.name.lower().replace("_", "-") for kind in ErrorKind}


def test_sarif_names_files_relative_to_where_it_ran(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    folder = explored(tmp_path)
    (found,) = sarif(folder, tmp_path / "errors.sarif")["runs"]
    physical = found["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert physical == {"uri": "buggy.c", "uriBaseId": "ROOT"}
    assert found["originalUriBaseIds"]["ROOT"]["uri"] == f"{tmp_path.as_uri()}/"


def test_the_official_schema_refuses_what_is_wrong(results: Path, tmp_path: Path) -> None:
    document = sarif(results, tmp_path / "errors.sarif")
    document["runs"][0]["results"][0]["level"] = "grave"
    assert not jsonschema.Draft7Validator(official()).is_valid(document)


def test_hostile_sarif_is_valid(tmp_path: Path) -> None:
    sarif(hostile(tmp_path / "out"), tmp_path / "errors.sarif")


# ---- lcov, and mistakes ----


def test_lcov_is_accepted_by_genhtml(mixed: Path, tmp_path: Path) -> None:
    info = exported(mixed, "lcov", tmp_path / "coverage.info")
    assert info.read_bytes() == (mixed / "coverage.info").read_bytes()
    genhtml = shutil.which("genhtml")
    if genhtml is None:
        pytest.skip("no genhtml here (Debian: apt install lcov)")
    command = [genhtml, "--branch-coverage", "-o", str(tmp_path / "html"), str(info)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "lines......:" in done.stdout and "branches...:" in done.stdout


@pytest.mark.parametrize("kind", ["test-comp", "corpus", "c"])
def test_nothing_is_overwritten(kind: str, results: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "precious").write_text("")
    assert run(["export", str(results), "--to", kind, "-o", str(tmp_path)]) == 2
    assert "is not an empty folder" in capfd.readouterr().err


def test_broken_tests_are_named(results: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(results, tmp_path / "out")
    (tmp_path / "out/tests/000001.ktest").write_bytes(b"KTEST\0")
    exported(tmp_path / "out", "corpus", tmp_path / "corpus")
    assert "left out: " in capfd.readouterr().err and not (tmp_path / "corpus/000001").exists()
