"""`cinq trace` on the examples: end, output, branches, errors, JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import z3

from cinquefoil.cli.main import run
from cinquefoil.testcase.ktest import KTest

EXAMPLES = Path(__file__).parents[2] / "examples"


def traced(words: list[str], capfd: pytest.CaptureFixture[str], status: int = 0) -> str:
    found = run(["trace", *words])
    said = capfd.readouterr()
    assert found == status, said.err + said.out
    return said.out


def as_data(words: list[str], capfd: pytest.CaptureFixture[str], status: int = 0) -> dict[str, Any]:
    return json.loads(traced(["--json", *words], capfd, status))


def test_sign(capfd: pytest.CaptureFixture[str]) -> None:
    data = as_data([str(EXAMPLES / "sign.c")], capfd)
    assert (data["end"], data["status"], data["output"]) == ("exit", 0, "zero\n")
    assert data["inputs"] == [{"name": "x", "size": 4, "hex": "00000000"}]
    steps = [(e["kind"], e["where"]["function"], e["where"]["line"], e["outcome"]) for e in data["events"]]
    assert steps == [("branch", "sign", 9, "false"), ("branch", "sign", 10, "true")]
    assert data["path_condition"][0] == "x >=s 0"


@pytest.mark.parametrize(("value", "output"), [(-5, "negative"), (0, "zero"), (7, "positive")])
def test_inputs_by_name(value: int, output: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    test = tmp_path / "t.ktest"
    KTest.of([("x", value.to_bytes(4, "little", signed=True))]).write(test)
    data = as_data(["--input", str(test), str(EXAMPLES / "sign.c")], capfd)
    assert data["output"] == f"{output}\n"
    assert data["notes"] == []


def test_readable_report(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(EXAMPLES.parent)
    text = traced(["--input", "examples/password.ktest", "examples/password.c"], capfd, 1)
    lines = [line.strip() for line in text.splitlines()]
    assert lines[0].startswith('ended: error: assertion: 0 && "nobody should get in" (')
    assert lines[1].startswith("at examples/password.c:")
    assert lines[2] == 'assert(0 && "nobody should get in");'
    assert "open" in lines
    assert "word[6] == '!'" in lines


def test_a_bug_with_its_object(capfd: pytest.CaptureFixture[str]) -> None:
    words = ["--input", str(EXAMPLES / "tokens.ktest"), str(EXAMPLES / "tokens.c")]
    failure = as_data(words, capfd, 1)["failure"]
    source = (EXAMPLES / "tokens.c").read_text().splitlines()
    assert failure["kind"] == "out-of-bounds"
    assert (failure["access"], failure["size"]) == ("write", 1)
    assert source[failure["where"]["line"] - 1].strip() == "name[length] = 0;"
    concerned = failure["concerned"]
    assert (concerned["region"], concerned["size"], concerned["offset"]) == ("heap", 8, 8)
    assert "malloc(8)" in source[concerned["made"]["line"] - 1]
    assert [where["function"] for where in failure["called_from"]] == ["next", "main"]


def test_path_condition_as_smtlib(capfd: pytest.CaptureFixture[str]) -> None:
    """A solver finds the condition satisfiable, and true under the run's own input only where it must be."""
    words = ["--smt2", "--input", str(EXAMPLES / "password.ktest"), str(EXAMPLES / "password.c")]
    solver = z3.Solver()
    solver.from_string(traced(words, capfd, 1))
    assert solver.check() == z3.sat
    model = solver.model()
    found = {str(name): model[name].as_long() for name in model}
    assert bytes(found[f"word[{i}]"] for i in range(8)) == b"s3same!\0"


def test_arguments_belong_to_the_program(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "show.c"
    source.write_text(
        "#include <stdio.h>\n"
        "int main(int n, char **v) { for (int i = 1; i < n; i++) puts(v[i]); return v[1][0] == 'q'; }\n"
    )
    words = [str(source), "--json", "--", "--check", "-h"]
    assert as_data(words, capfd)["output"] == "--json\n--\n--check\n-h\n"
    data = as_data([str(source), "plain", "--sym-arg", "3"], capfd)
    assert [item["name"] for item in data["inputs"]] == ["arg00"]


def test_flags_reach_the_compiler(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "d.c").write_text("int main(void) { return A + B; }\n")
    assert as_data(["--cflags", "-DA=1 -DB=40", str(tmp_path / "d.c")], capfd)["status"] == 41


def test_checking_finds_nothing_in_an_example(capfd: pytest.CaptureFixture[str]) -> None:
    words = ["--verify", "--input", str(EXAMPLES / "tokens.ktest"), str(EXAMPLES / "tokens.c")]
    assert as_data(words, capfd, 1)["check_failures"] == 0


def test_endless_programs_are_stopped(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "loop.c").write_text("int main(void) { for (;;); }\n")
    assert traced(["--max-time", "0.2", str(tmp_path / "loop.c")], capfd).startswith("ended: stopped: ")


def test_output_cannot_steer_the_terminal(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "esc.c").write_text('#include <stdio.h>\nint main(void) { puts("\\033[2Jhello"); return 0; }\n')
    assert "\\x1b[2Jhello" in traced([str(tmp_path / "esc.c")], capfd)
