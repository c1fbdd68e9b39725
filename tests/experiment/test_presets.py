"""Presets: every file can be read, names options and views that exist, and makes its tables."""

from __future__ import annotations

import math
from pathlib import Path

import click
import pytest

from cinquefoil.cli.main import run as cinq
from cinquefoil.cli.mutants_command import mutants as mutants_command
from cinquefoil.cli.replay_command import replay as replay_command
from cinquefoil.cli.run_command import run as run_command
from cinquefoil.errors import UserError
from cinquefoil.experiment import preset as presets
from cinquefoil.experiment import views
from cinquefoil.experiment.comparison import Comparison
from cinquefoil.experiment.data_table import Table, as_csv, as_html, as_text
from cinquefoil.experiment.execute import STEPS
from cinquefoil.experiment.plan import Plan
from cinquefoil.experiment.recipes import located
from cinquefoil.experiment.result import MEASURES, Result
from cinquefoil.experiment.subject import Subject

NAMES = presets.names()
NOT_TO_BE_HAD = {"combine", "jasper", "setuidgid"}  # in no package of Debian 12


@pytest.mark.parametrize("name", NAMES)
def test_options_are_those_of_cinq_run(name: str) -> None:
    preset = presets.load(name)
    lists = [each.options for each in preset.configurations]
    lists += [s.options for s in presets.subjects_of(preset, fake)[0]]
    for options in lists:
        context = run_command.make_context("run", [*options, "program.c"], resilient_parsing=False)
        assert isinstance(context, click.Context)


@pytest.mark.parametrize("step", [*STEPS, *(step for name in NAMES for step in presets.load(name).steps)])
def test_steps_are_commands_with_options_that_exist(step: str) -> None:
    name, *options = step.split()
    command = {"gcov": replay_command, "mutants": mutants_command}[name]
    assert STEPS[name][0] == command.name
    assert isinstance(command.make_context("step", [*STEPS[name][1:], *options, "folder"]), click.Context)


@pytest.mark.parametrize("name", NAMES)
def test_presets_are_consistent(name: str) -> None:
    preset = presets.load(name)
    configurations = {each.name for each in preset.configurations}
    subjects = {each if isinstance(each, str) else each["name"] for each in preset.subjects}
    assert preset.measure in MEASURES
    assert preset.baseline in configurations
    assert set(preset.figures) <= subjects
    assert all(set(each.best_of) <= configurations for each in preset.configurations)
    for view in preset.views:
        views.maker(view.kind)
        for key in ("of", "against", "unite", "apart"):
            named = view.settings.get(key, [])
            assert {named} <= configurations if isinstance(named, str) else set(named) <= configurations
        for pair in view.settings.get("pairs", []):
            assert set(pair) <= configurations
        assert set(view.settings.get("reduction", {})) <= subjects


@pytest.mark.parametrize("name", NAMES)
def test_subjects_are_programs_of_recipes(name: str) -> None:
    wanted = {each if isinstance(each, str) else str(each.get("subject", "")) for each in presets.load(name).subjects}
    assert {each for each in wanted if each and located(each) is None} <= NOT_TO_BE_HAD


def fake(name: str) -> Subject:
    return Subject(name, Path(__file__))


def made_up(comparison: Comparison) -> None:
    """Results as if everything had run: later configurations and seeds reach more."""
    for number, cell in enumerate(comparison.cells()):
        rank = comparison.configurations.index(cell.configuration.name)
        blocks = 100 + 10 * rank + cell.seed
        lines = [str(n) for n in range(50 + rank)]
        summary = {
            "seconds": cell.budget,
            "exhausted": rank % 2 == 0,
            "coverage": {kind: [blocks, 400] for kind in ("blocks", "branches", "lines", "functions")},
            "paths": {"completed": 10 * blocks, "error": 1},
            "errors": [{"kind": "abort", "file": "x.c", "line": rank}],
            "solver": {"queries": 50, "seconds": 0.5, "layers": {"smt": {"queries": 5}}},
            "states": {"peak": 1000 - rank, "created": 2000, "pruned": 0},
            "phases": {"search": 0.1},
            "multiplex": {"runs": 25},
            "memory": {"peak_bytes": 100 << 20},
        }
        series = {"seconds": [0.0, cell.budget / 2, cell.budget], "states": [1.0, 50.0, 90.0 - rank], "open": [0.0] * 3}
        series |= {kind: [20.0, 80.0 + rank, float(blocks)] for kind in ("blocks", "branches", "lines")}
        series |= {"memory_bytes": [1e8, 1.5e8, 2e8 + rank]}
        covered = {"lines": {"x.c": lines}, "branches": {"x.c": [f"{n}.0.0" for n in lines]}}
        measured = {"mutants": {"killed": [rank, 20], "dead": list(range(rank))}, "gcov": {"lines": [blocks, 400]}}
        comparison.results[cell.key] = Result(
            cell.key,
            cell.subject.name,
            cell.configuration.name,
            cell.seed,
            cell.budget,
            "ok",
            wall=cell.budget + 1 + number % 3,
            summary=summary,
            series=series,
            covered=covered,
            measured=measured,
        )


def filled(preset: presets.Preset) -> Comparison:
    subjects = tuple(
        Subject(each if isinstance(each, str) else str(each["name"]), Path(__file__)) for each in preset.subjects[:3]
    )
    comparison = Comparison(Plan(subjects, preset.configurations, (1, 2), (10.0,), preset.measure, preset.baseline))
    made_up(comparison)
    made_up(comparison)  # now those that waited for the first
    return comparison


@pytest.mark.parametrize("name", NAMES)
def test_every_view_makes_tables_of_results(name: str) -> None:
    preset = presets.load(name)
    tables = list(views.tables(filled(preset), preset))
    assert len(tables) >= len(preset.views)
    for table in tables:
        assert table.rows, table.title
        assert {len(row) for row in table.rows} == {len(table.header)}, table.title
        assert table.title in as_text(table) and "<table>" in as_html(table) and as_csv(table)


@pytest.mark.parametrize("name", NAMES)
def test_views_survive_missing_results(name: str) -> None:
    preset = presets.load(name)
    comparison = filled(preset)
    comparison.results.clear()
    for table in views.tables(comparison, preset):
        assert as_text(table)


def table_of(name: str, kind: str) -> Table:
    preset = presets.load(name)
    wanted = [view for view in preset.views if view.kind == kind]
    return next(views.maker(kind)(filled(preset), 10.0, wanted[0], preset))


def test_the_papers_figures_stand_beside_ours() -> None:
    table = table_of("empc-ablation", "beside")
    assert table.header[-2:] == ["paper: Empc, 10 h", "paper: no dependence, 10 h"]
    assert [entry.value for entry in table.rows[0]] == ["bc", 101.5, 111.5, 395.0, 236.0]


def test_the_best_heuristic_gets_the_pruner() -> None:
    comparison = filled(presets.load("homi"))
    settled = comparison.settled("gawk", "best+homi", 10.0)
    assert settled is not None
    assert settled.options == ("--search", "random-path", "--search", "nurs:covnew", "--prune", "homi")
    assert comparison.result("gawk", "best+homi", 1, 10.0) is not None


def test_united_tests_cover_what_any_of_them_covers() -> None:
    table = table_of("sgs-combined", "distribution")
    average = next(row for row in table.rows if row[0].text == "average")
    united = dict(zip(table.header, average, strict=True))["united"]
    assert isinstance(united.value, float)
    assert united.value == pytest.approx(53 / 400)  # the fourth covers lines 0 to 52, the others fewer


def test_a_reduction_is_against_the_least_of_the_others() -> None:
    table = table_of("empc-coverage", "moments")
    row = dict(zip(table.header, table.rows[2], strict=True))
    assert (row["subject"].text, row["at"].text) == ("bc", "100 %")
    assert row["paper"].value == -0.102
    assert row["reduction"].value == pytest.approx(1 - 2e8 / (2e8 + 1))


def test_the_verdict_counts_what_is_beaten() -> None:
    table = table_of("default", "verdict")
    assert table.notes == [f"default beats 0 of {len(table.rows) - 1} in total."]
    assert {row[-1].text for row in table.rows[1:]} == {"NO"}


def test_out_of_time() -> None:
    preset = presets.load("cfmse-performance")
    tables = list(views.tables(filled(preset), preset))
    time = next(table for table in tables if table.title.startswith("Time"))
    row = dict(zip(time.header, time.rows[1], strict=True))
    assert (row["subject"].text, row["K"].text, row["C"].text) == ("toupper-50", "10.00", "OOT")
    assert (row["paper: K"].text, row["paper: SM"].value) == ("OOT", 0.59)
    assert not math.isnan(float(str(row["K"].value)))


def test_scaling_is_told() -> None:
    told = presets.scaling(presets.load("empc-coverage"), 60.0, 3, 8)
    assert told.startswith("Scaled: 60 s per run instead of 10 h, 3 seeds instead of 10 runs, 8 of 12 subjects")


def test_unreadable_presets(tmp_path: Path) -> None:
    for text in ("title = 1\nbogus = 2", "title = 'x'", "title ="):
        (tmp_path / "x.toml").write_text(text)
        with pytest.raises(UserError, match="no preset"):
            presets.read(tmp_path / "x.toml")


def test_subjects_that_are_not_built_are_left_out(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    preset = presets.load("empc-ablation")
    found, absent = presets.subjects_of(preset, lambda name: fake(name) if name == "bc" else None)
    assert [each.name for each in found] == ["bc"] and "make" in absent
    only, absent = presets.subjects_of(preset, fake, ["make"])
    assert [each.name for each in only] == ["make"] and absent == []
    status = cinq(["compare", "--preset", "empc-ablation", "--only", "jasper", "-o", str(tmp_path / "o")])
    assert status == 2 and "none of the subjects" in capfd.readouterr().err


def test_seeds_are_decoded() -> None:
    found, _ = presets.subjects_of(presets.load("muse-linear"), fake, ["bmp"])
    (option, path) = found[0].options
    assert option == "--seeds"
    assert Path(path).read_bytes().startswith(b"BM")


def test_recipes_are_found_by_their_programs_names() -> None:
    subject = located("bc")
    assert subject is not None and subject.arguments == ("--sym-stdin", "20")
    assert located("no such program") is None


def test_the_list_of_presets(capfd: pytest.CaptureFixture[str]) -> None:
    assert cinq(["compare", "--list-presets"]) == 0
    lines = capfd.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines] == NAMES


def test_every_function_of_muses_table_has_a_recipe() -> None:
    entries = [each for each in presets.load("muse-arrays").subjects if not isinstance(each, str)]
    assert len(entries) == 13
    assert [each["subject"] for each in entries if located(each["subject"]) is None] == []
