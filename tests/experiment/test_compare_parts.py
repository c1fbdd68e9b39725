"""Configurations, subjects, plans, series, tables and budgets of comparisons."""

from __future__ import annotations

import csv
import io
import math
from dataclasses import replace
from pathlib import Path

import pytest

from cinquefoil.errors import UserError
from cinquefoil.experiment import budget
from cinquefoil.experiment import plan as plans
from cinquefoil.experiment.configuration import Configuration, parse_configuration, parse_configurations
from cinquefoil.experiment.data_table import Table, as_csv, as_html, as_markdown, as_text, mean_entry, number, percent
from cinquefoil.experiment.plan import Plan, ProgramDigests, cells, make_cell
from cinquefoil.experiment.plot import ChartLine, line_chart, ticks
from cinquefoil.experiment.result import Result, decode, encode, read_covered, read_series
from cinquefoil.experiment.series import at, average, band, time_to
from cinquefoil.experiment.store import ResultStore
from cinquefoil.experiment.subject import Subject, parse_subjects, read_catalogue


@pytest.mark.parametrize(
    ("text", "name", "options"),
    [
        ("empc", "empc", ("--search", "empc")),
        ("default", "default", ()),
        ("bfs+homi", "bfs+homi", ("--search", "bfs", "--prune", "homi")),
        ("sgs:4 --prune homi", "sgs:4 --prune homi", ("--search", "sgs:4", "--prune", "homi")),
        ("random-path+nurs:covnew", "random-path+nurs:covnew", ("--search", "random-path", "--search", "nurs:covnew")),
        ("dfs+multiplex:simplex", "dfs+multiplex:simplex", ("--search", "dfs", "--multiplex", "simplex")),
        ("meld", "meld", ("--meld",)),
        ("--search dfs --env A=1", "--search dfs --env A=1", ("--search", "dfs", "--env", "A=1")),
        ("mine=dfs --solver-time 5s", "mine", ("--search", "dfs", "--solver-time", "5s")),
        ("x=--cflags '-DN=1 -O1'", "x", ("--cflags", "-DN=1 -O1")),
    ],
)
def test_a_configuration_is_a_named_string_of_options(text: str, name: str, options: tuple[str, ...]) -> None:
    assert parse_configuration(text) == Configuration(name, options)


def test_shares_of_the_budget() -> None:
    assert parse_configuration("sgs:1@1/4") == Configuration("sgs:1@1/4", ("--search", "sgs:1"), 0.25)
    assert parse_configuration("q=sgs:1@0.5 --seed 3").share == 0.5
    with pytest.raises(UserError, match="no share"):
        parse_configuration("dfs@2")


@pytest.mark.parametrize("text", ["", "a=", "dfs 'x"])
def test_unusable_configurations(text: str) -> None:
    with pytest.raises(UserError):
        parse_configuration(text)


def test_configurations_have_different_names() -> None:
    with pytest.raises(UserError, match="called 'dfs'"):
        parse_configurations(["dfs", "dfs"])


def test_subjects_are_command_lines_or_names(tmp_path: Path) -> None:
    program = tmp_path / "prog.bc"
    program.write_bytes(b"BC")
    (tmp_path / "list.toml").write_text(
        '[small]\nprogram = "prog.bc"\narguments = "--sym-stdin 4"\noptions="--env A=1"'
    )
    locate = read_catalogue(tmp_path / "list.toml")
    first, second, third = parse_subjects([f"{program} --sym-arg 3", f"{program}", "small"], locate)
    assert first == Subject("prog", program, ("--sym-arg", "3"))
    assert second.name == "prog#2"
    assert (third.name, third.arguments, third.options) == ("small", ("--sym-stdin", "4"), ("--env", "A=1"))
    assert parse_subjects(["small --sym-arg 1"], locate)[0].arguments == ("--sym-arg", "1")
    (tmp_path / "bad.toml").write_text("[x]\narguments = 'y'")
    with pytest.raises(UserError, match="names no program"):
        read_catalogue(tmp_path / "bad.toml")


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    for name in "ab":
        (tmp_path / f"{name}.bc").write_bytes(name.encode())
    subjects = (Subject("a", tmp_path / "a.bc"), Subject("b", tmp_path / "b.bc"))
    return Plan(subjects, parse_configurations(["dfs", "q=bfs@1/2"]), (1, 2), (10.0, 20.0))


def test_a_plan_is_all_combinations_seed_by_seed(plan: Plan) -> None:
    found = list(cells(plan, ProgramDigests()))
    assert len({cell.key for cell in found}) == len(found) == 16
    assert [(c.subject.name, c.configuration.name, c.seed, c.budget) for c in found[:5]] == [
        ("a", "dfs", 1, 10.0),
        ("a", "q", 1, 5.0),
        ("b", "dfs", 1, 10.0),
        ("b", "q", 1, 5.0),
        ("a", "dfs", 2, 10.0),
    ]


def test_identity_is_content_and_options_not_names(plan: Plan) -> None:
    def key(subject: Subject, configuration: Configuration, of: Plan = plan) -> str:
        return make_cell(of, ProgramDigests(), subject, configuration, 1, 10.0).key

    subject, dfs = plan.subjects[0], plan.configurations[0]
    assert key(replace(subject, name="z"), replace(dfs, name="z")) == key(subject, dfs)
    assert key(subject, replace(dfs, options=("--search", "bfs"))) != key(subject, dfs)
    assert key(replace(subject, arguments=("x",)), dfs) != key(subject, dfs)
    assert key(subject, dfs, replace(plan, clock="cpu")) != key(subject, dfs)
    before = key(subject, dfs)
    subject.program.write_bytes(b"other")
    assert key(subject, dfs) != before


def test_a_plan_survives_the_disk(plan: Plan, tmp_path: Path) -> None:
    assert plans.from_json(plans.to_json(plan)) == plan
    store = ResultStore(tmp_path / "out")
    assert store.load_plan() is None
    store.save_plan(plan)
    assert store.load_plan() == plan
    (tmp_path / "out/compare.json").write_text("{}")
    with pytest.raises(UserError, match="damaged"):
        store.load_plan()


def test_a_plan_knows_its_baseline(plan: Plan) -> None:
    assert plan.reference == "dfs"
    assert replace(plan, baseline="q").reference == "q"
    with pytest.raises(UserError, match="baseline 'z'"):
        replace(plan, baseline="z")
    with pytest.raises(UserError, match="no program"):
        replace(plan, subjects=())


def test_two_comparisons_do_not_share_a_folder(tmp_path: Path) -> None:
    store = ResultStore(tmp_path)
    with store.locked(), pytest.raises(UserError, match="another comparison"), ResultStore(tmp_path).locked():
        pass
    with store.locked():
        pass


def test_a_damaged_cell_is_not_finished(plan: Plan, tmp_path: Path) -> None:
    store = ResultStore(tmp_path / "out")
    cell = next(iter(cells(plan, ProgramDigests())))
    result = Result(cell.key, "a", "dfs", 1, 10.0, "ok", summary={"coverage": {"blocks": [3, 5]}})
    assert store.load(cell) is None
    store.save(cell, result)
    assert store.load(cell) == result
    (tmp_path / f"out/cells/{cell.key}.json").write_text('{"key": ')
    assert store.load(cell) is None


def row(seconds: list[float], blocks: list[float]) -> Result:
    return Result("k", "s", "c", 1, 10.0, "ok", series={"seconds": seconds, "blocks": blocks})


def test_series_are_steps() -> None:
    result = row([0.0, 2.0, 4.0], [1, 5, 6])
    assert [at(result, "blocks", t) for t in (-1, 0, 1.9, 2.0, 3, 99)] == [1, 1, 1, 5, 5, 6]
    assert average(result, "blocks") == pytest.approx((1 * 2 + 5 * 2) / 4)
    assert time_to(result, "blocks", 5) == 2.0
    assert math.isinf(time_to(result, "blocks", 7))


def test_a_band_is_one_deviation_around_the_mean() -> None:
    found = band([row([0, 5], [0, 10]), row([0, 5], [0, 20])], "blocks", 10, points=3)
    assert found is not None
    assert found.times == (0, 5, 10)
    assert found.middle == (0, 15, 15)
    assert found.low[1] == 10 and found.high[1] == 20  # a deviation of 7.07, kept within what was seen
    assert band([], "blocks", 10) is None


def test_results_survive_the_disk() -> None:
    result = Result("k", "s", "c", 1, 2.0, "ok", summary={"a": {"b": 3}}, covered={"lines": {"x.c": ["1", "4"]}})
    again = decode(encode(result))
    assert again == result
    assert again.get("a.b") == 3 and math.isnan(again.get("a.c"))
    assert again.reached("lines") == {("x.c", "1"), ("x.c", "4")}
    assert math.isnan(again.value("blocks"))


def test_covered_branches_have_names_that_do_not_depend_on_numbers(tmp_path: Path) -> None:
    text = (
        "SF:/here/x.c\nDA:3,1\nDA:4,0\nBRDA:3,{0},0,1\nBRDA:3,{0},1,0\nBRDA:3,{1},0,-\nBRDA:3,{1},1,1\nend_of_record\n"
    )
    found = []
    for numbers in ((17, 23), (4, 9)):
        (tmp_path / "c.info").write_text(text.format(*numbers))
        found.append(read_covered(tmp_path / "c.info"))
    assert found[0] == found[1] == {"lines": {"x.c": ["3"]}, "branches": {"x.c": ["3.0.0", "3.1.1"]}}


def test_long_series_are_thinned(tmp_path: Path) -> None:
    rows = "\n".join(f"{n},{n * 2}" for n in range(5000))
    (tmp_path / "stats.csv").write_text(f"seconds,blocks\n{rows}\n")
    found = read_series(tmp_path / "stats.csv")
    assert len(found["seconds"]) <= 240
    assert (found["seconds"][0], found["seconds"][-1], found["blocks"][-1]) == (0, 4999, 9998)


def test_one_table_four_forms() -> None:
    table = Table("T & U", ["name", "x"], notes=["a note"])
    table.add("first <b>", mean_entry(1.25, 0.5, strong=True, tone="better"))
    table.add("second", number(math.nan))
    text, page = as_text(table), as_html(table)
    assert "first <b>  1.2 ± 0.5 +" in text and "  a note" in text
    assert list(csv.reader(io.StringIO(as_csv(table)))) == [["name", "x"], ["first <b>", "1.25"], ["second", ""]]
    assert '<td class="best better">1.2 ± 0.5</td>' in page and "first &lt;b&gt;" in page and "T &amp; U" in page
    table.add("a | b", "c")
    assert as_markdown(table) == (
        "## T & U\n\n| name | x |\n| --- | ---: |\n"
        "| first <b> | **1.2 ± 0.5 +** |\n| second | - |\n| a \\| b | c |\n\na note"
    )
    assert [number(value).text for value in (3.0, 1234.56, 12.34, 1.234, math.inf)] == [
        "3",
        "1235",
        "12.3",
        "1.23",
        "never",
    ]
    assert percent(0.125).text == "12.5 %"


def test_charts_draw_every_line_and_band() -> None:
    chart = line_chart("a<b", [ChartLine("one", 0, [0, 1, 2], [1, 2, 4], [1, 1, 3], [1, 3, 5])], "seconds", "blocks")
    assert chart.count("<polyline") == 1 and chart.count("<polygon") == 1
    assert "a&lt;b" in chart and "<title>one</title>" in chart
    assert line_chart("empty", [], "x", "y") == ""
    assert ticks(0, 10) == [0, 2, 4, 6, 8, 10]
    assert ticks(3, 3) == [3]


def test_a_total_time_becomes_a_budget(plan: Plan) -> None:
    # 2 subjects x 2 seeds x (1 + 1/2) shares on 2 processors
    total = 120.0
    found = budget.divide(total, plan, jobs=2)
    assert found == budget.tidy((240 - 8 * budget.OVERHEAD - 2 * 4) / 6) == 35.0
    assert budget.expected(replace(plan, budgets=(found,)), 2) <= total
    with pytest.raises(UserError, match="too little"):
        budget.divide(5.0, plan, jobs=1)
