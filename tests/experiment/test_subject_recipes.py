"""Recipes of real programs: all that are shipped can be read, and mistakes in one's own are told."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from cinquefoil.errors import UserError
from cinquefoil.experiment.subjects.construct import build
from cinquefoil.experiment.subjects.measure import agree
from cinquefoil.experiment.subjects.recipe import choose, read_recipe, read_recipes, recipe_folder
from cinquefoil.experiment.subjects.subject_table import markdown, read_results
from cinquefoil.experiment.subjects.upstream import for_sources, unpack, version_of
from cinquefoil.machine.environment import parse_arguments

GOOD = """
package = "hello"
version = "1.0"
steps = ["make"]
[[programs]]
names = ["a", "b"]
path = "src/{name}"
arguments = "--sym-arg 3"
sources = ["src/{name}.c"]
"""


def written(folder: Path, text: str, name: str = "hello.toml") -> Path:
    path = folder / name
    path.write_text(text)
    return path


def test_every_shipped_recipe_can_be_read_and_its_arguments_mean_something() -> None:
    bugs = read_recipes(recipe_folder() / "bugs")
    recipes = (*read_recipes(), *bugs)
    programs = [(recipe, program) for recipe in recipes for program in recipe.programs]
    assert len(programs) > 100
    for recipe, program in programs:
        environment = parse_arguments(program.arguments)
        assert any(not isinstance(each, bytes) for each in environment.arguments) or environment.stdin
        assert program.sources
        assert all((recipe.folder / name).is_file() for name in (*program.files, *recipe.patches))
        for driver in re.findall(r"\$RECIPES/(drivers/[\w.]+\.c)", " ".join(recipe.steps)):
            assert (recipe.folder / driver).is_file()


def test_one_entry_describes_several_programs(tmp_path: Path) -> None:
    recipe = read_recipe(written(tmp_path, GOOD))
    assert [(each.name, each.path, each.sources) for each in recipe.programs] == [
        ("a", "src/a", ("src/a.c",)),
        ("b", "src/b", ("src/b.c",)),
    ]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("package", "packet", "unknown key packet"),
        ('version = "1.0"', "", "version"),
        ('steps = ["make"]', 'steps = "make"', "list of texts"),
        ("[[programs]]", "[[programs", "cannot be used"),
    ],
)
def test_a_mistake_in_a_recipe_is_named(tmp_path: Path, old: str, new: str, said: str) -> None:
    path = written(tmp_path, GOOD.replace(old, new))
    with pytest.raises(UserError, match=said):
        read_recipe(path)


def test_subjects_are_chosen_by_program_recipe_or_both(tmp_path: Path) -> None:
    written(tmp_path, GOOD)
    written(tmp_path, GOOD.replace('"a", "b"', '"b", "c"'), "other.toml")
    recipes = read_recipes(tmp_path)

    def names(*wanted: str) -> list[str]:
        return [f"{recipe.name}/{program.name}" for recipe, program in choose(recipes, wanted)]

    assert names("c", "a", "c") == ["other/c", "hello/a"]
    assert names("hello") == ["hello/a", "hello/b"]
    assert names("other/b") == ["other/b"]
    assert len(names("all")) == 4
    with pytest.raises(UserError, match="ambiguous"):
        names("b")
    with pytest.raises(UserError, match="no subject"):
        names("d")


def test_mirrors_are_asked_for_sources_and_other_vendors_for_nothing() -> None:
    stanzas = (
        "Types: deb\nURIs: http://one.test/debian\nSuites: old\n\nTypes: deb\nURIs: http://two.test/tools\nSuites: x"
    )
    assert for_sources(stanzas, ".sources") == "Types: deb-src\nURIs: http://one.test/debian\nSuites: old"
    assert for_sources(stanzas, ".sources", "new").endswith("Suites: new")
    line = "deb [arch=amd64] http://one.test/debian old main\ndeb http://two.test/tools x main"
    assert for_sources(line, ".list") == "deb-src [arch=amd64] http://one.test/debian old main"
    assert for_sources(line, ".list", "new") == "deb-src [arch=amd64] http://one.test/debian new main"


def test_security_updates_are_left_out_for_another_release() -> None:
    line = "deb http://one.test/debian-security old-security main"
    assert for_sources(line, ".list") == "deb-src http://one.test/debian-security old-security main"
    assert for_sources(line, ".list", "new") == ""


def test_lines_that_only_one_side_covers_are_listed() -> None:
    native = {"src/a.c": {1: 1, 2: 0, 3: 1, 9: 1}, "lib/b.c": {1: 1}}
    engine = {"src/a.c": {1: 1, 2: 1, 3: 0, 4: 1}, "lib/b.c": {1: 0}}
    found = agree(native, engine, ["src/*.c"])
    assert (found.lines, found.both) == (3, 1)
    assert (found.engine, found.native) == (("src/a.c:2",), ("src/a.c:3",))


def test_a_subject_is_built_once_per_flavour_and_anew_when_its_recipe_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import tarfile

    monkeypatch.setenv("CINQUEFOIL_CACHE", str(tmp_path / "cache"))
    archive = tmp_path / "cache" / "subjects" / "archives" / "default" / "hello" / "hello_1.0.orig.tar.gz"
    archive.parent.mkdir(parents=True)
    (tmp_path / "hello-1.0").mkdir()
    written(tmp_path / "hello-1.0", "content", "file")
    with tarfile.open(archive, "w:gz") as content:
        content.add(tmp_path / "hello-1.0", "hello-1.0")
    assert version_of(archive) == "1.0"
    recipe = read_recipe(written(tmp_path, GOOD.replace("make", "echo $FLAVOUR >> ../count; test -f file")))
    folder = build(recipe, "gcov")
    assert build(recipe, "gcov") == folder
    assert (folder.parent / "count").read_text() == "gcov\n"
    build(read_recipe(written(tmp_path, GOOD.replace("make", "test -f file && echo again >> ../count"))), "gcov")
    assert (folder.parent / "count").read_text() == "gcov\nagain\n"
    again = GOOD.replace('steps = ["make"]', 'base = "hello.toml"\nsteps = ["cp ../count found"]')
    assert (build(read_recipe(written(tmp_path, again, "bugs.toml")), "gcov") / "found").is_file()
    assert (folder.parent / "count").read_text() == "gcov\nagain\n"
    broken = read_recipe(written(tmp_path, GOOD.replace("make", "echo it broke; false")))
    with pytest.raises(UserError, match="it broke"):
        build(broken, "gcov")


def test_the_outermost_folder_of_an_archive_is_left_out(tmp_path: Path) -> None:
    import tarfile

    (tmp_path / "in" / "inner").mkdir(parents=True)
    written(tmp_path / "in" / "inner", "x", "file")
    with tarfile.open(tmp_path / "a.tar.gz", "w:gz") as content:
        content.add(tmp_path / "in", "whatever-1.0")
    (tmp_path / "out").mkdir()
    unpack(tmp_path / "a.tar.gz", tmp_path / "out")
    assert (tmp_path / "out" / "inner" / "file").read_text() == "x"


def result(name: str, engine: list[str], diverging: int = 0) -> dict[str, object]:
    agreement = {"lines": 200, "both": 90, "engine": engine, "native": ["src/a.c:7"]}
    return {
        "subject": f"hello/{name}",
        "tests": 12,
        "paths": {"completed": 1000, "error": 1, "diverged": 2},
        "errors": [{}],
        "unsupported": [{"reason": "syscall", "number": 41}, {"reason": "syscall", "number": 41}],
        "memory": 300 << 20,
        "native": {"tests": 12, "diverging": [{"test": "t", "differences": ["x"]}] * diverging},
        "gcov": {"lines": [95, 210], "branches": [40, 80], "agreement": agreement},
    }


def test_results_become_a_table(tmp_path: Path) -> None:
    written(tmp_path, json.dumps(result("b", ["src/a.c:1", "src/a.c:2"], 3)), "b.json")
    written(tmp_path, json.dumps(result("a", [])), "a.json")
    head, _, first, second, _, total = markdown(read_results(tmp_path))
    assert head.startswith("| subject | tests | paths |")
    assert first == (
        "| a | 12 | 1,001 | 2, 0 | 1 | system call 41 | 300 | 90, 91, 200 | 1 (0.50 %) | 95 of 210 | 40 of 80 |"
    )
    assert second.startswith("| b | 12 | 1,001 | 2, 3 |") and "| 3 (1.50 %) |" in second
    assert "2 subjects, 24 tests; divergences: 4 while exploring, 3 of tests" in total
    assert "more than 1 % of the lines of b; memory at most 300 MiB." in total
    with pytest.raises(UserError, match="no results"):
        read_results(tmp_path / "nowhere")
