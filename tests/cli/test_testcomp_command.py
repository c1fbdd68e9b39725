"""`cinq testcomp`: property files in, suites out."""

from __future__ import annotations

import json
import re
import zipfile
from pathlib import Path

import pytest

from cinquefoil.cli.main import run
from cinquefoil.cli.testcomp_command import read_property
from cinquefoil.errors import UserError

BRANCHES = "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )\n"
CALL = "COVER( init(main()), FQL(COVER EDGES(@CALL(reach_error))) )\n"
LOOP = """
extern int __VERIFIER_nondet_int(void);
int main() {
    int n = 0;
    while (__VERIFIER_nondet_int()) n++;
    if (n > 4) return 1;
    return 0;
}
"""
TASK = """
extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned int, const char *);
void reach_error() { __assert_fail("0", "task.c", 3, "reach_error"); }
extern int __VERIFIER_nondet_int(void);
int main() {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    if (x > 10 && x < 20) { if (y == x * 3) { reach_error(); } return 1; }
    return 0;
}
"""


@pytest.mark.parametrize("suffix", [".c", ".i"])
def test_a_call_of_the_error_function_is_covered(suffix: str, tmp_path: Path) -> None:
    program, goal, suite = tmp_path / f"task{suffix}", tmp_path / "goal.prp", tmp_path / "suite"
    program.write_text(TASK)
    goal.write_text(CALL)
    assert run(["testcomp", "--property", str(goal), "--max-time", "300s", "-o", str(suite), str(program)]) == 0
    assert f"<specification>{CALL.strip()}</specification>" in (suite / "metadata.xml").read_text()
    (case,) = [text for p in suite.glob("testcase-*.xml") if 'coversError="true"' in (text := p.read_text())]
    x, y = (int(value) for value in re.findall(r">(-?\d+)</input>", case))
    assert 10 < x < 20 and y == 3 * x


def test_branches_as_a_zip_file(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    program, goal, suite = tmp_path / "task.c", tmp_path / "goal.prp", tmp_path / "suite.zip"
    program.write_text(TASK)
    goal.write_text(BRANCHES)
    words = ["--results", str(tmp_path / "out"), "--data-model", "ILP32", "-o", str(suite), str(program)]
    assert run(["testcomp", "--property", str(goal), *words]) == 0
    said = capfd.readouterr()
    assert said.out.startswith("DONE: ") and "64-bit types" in said.err
    with zipfile.ZipFile(suite) as archive:
        assert b"<architecture>32bit</architecture>" in archive.read("metadata.xml")
        assert len(archive.namelist()) >= 4
    assert (tmp_path / "out/report.html").is_file()


@pytest.mark.parametrize(
    ("text", "covered"),
    [
        (BRANCHES, "branches"),
        (CALL, ""),
        ("COVER(init(main()),FQL(COVER EDGES(@BASICBLOCKENTRY)))", "blocks"),
        ("COVER( init(main()), FQL(COVER EDGES(@CALL(__VERIFIER_error))) )", ""),
    ],
)
def test_properties(text: str, covered: str, tmp_path: Path) -> None:
    (tmp_path / "p.prp").write_text(text)
    assert read_property(tmp_path / "p.prp").covered == covered


@pytest.mark.parametrize(("clock", "workers"), [("wall", "1"), ("cpu", "1"), ("wall", "2")])
def test_it_ends_when_every_branch_is_covered(clock: str, workers: str, tmp_path: Path) -> None:
    """The loop has more paths than can be explored in any time."""
    program, goal, results = tmp_path / "task.c", tmp_path / "goal.prp", tmp_path / "out"
    program.write_text(LOOP)
    goal.write_text(BRANCHES)
    words = ["--clock", clock, "--workers", workers, "--max-time", "24h", "--results", str(results)]
    assert run(["testcomp", "--property", str(goal), *words, "-o", str(tmp_path / "suite"), str(program)]) == 0
    summary = json.loads((results / "summary.json").read_text())
    assert summary["reason"] == "covered" and not summary["exhausted"]
    covered, total = summary["coverage"]["branches"]
    assert covered == total > 0


def test_preparing_counts(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    program, goal = tmp_path / "task.c", tmp_path / "goal.prp"
    program.write_text(LOOP)
    goal.write_text(BRANCHES)
    for clock in ("wall", "cpu"):
        words = ["--max-time", "0.001s", "--clock", clock, "-o", str(tmp_path / "suite")]
        assert run(["testcomp", "--property", str(goal), *words, str(program)]) == 2
        assert "--max-time was over before the program was prepared" in capfd.readouterr().err


@pytest.mark.parametrize(
    "text", ["", "CHECK( init(main()), LTL(G ! call(reach_error())) )", CALL.replace("reach_error", "f")]
)
def test_other_properties_are_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "p.prp").write_text(text)
    with pytest.raises(UserError):
        read_property(tmp_path / "p.prp")
    with pytest.raises(UserError, match="cannot read"):
        read_property(tmp_path / "absent.prp")
