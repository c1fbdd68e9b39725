"""Plug-in files: what they register can be used, the page about them is true, and mistakes are told in one line."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import cinquefoil
import cinquefoil.testing
from cinquefoil.cli.main import run
from cinquefoil.errors import UserError
from cinquefoil.exploration.parallel import leader
from cinquefoil.plugins import load_plugins

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs/plugins.md").read_text(encoding="utf-8")
EXAMPLES = {
    name: block
    for block in re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    for name in re.findall(r'^@register_\w+\("([\w-]+)"\)', block, re.MULTILINE)
}
TOKENS = str(ROOT / "examples/tokens.c")
SIGN = str(ROOT / "examples/sign.c")


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with all examples of the page."""
    file = tmp_path_factory.mktemp("plugins") / "examples.py"
    file.write_text("\n".join(EXAMPLES.values()))
    load_plugins([file])
    return file


KINDS = {"searcher": "shallow", "pruner": "young", "layer": "same-letter", "mutator": "bracket", "format": "lines"}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_an_example_that_keeps_the_rules(kind: str, example: Path) -> None:
    name = KINDS[kind]
    assert f"@register_{kind}(" in EXAMPLES[name]
    assert len([line for line in EXAMPLES[name].split("@register", 1)[1].splitlines() if line.strip()]) <= 18
    getattr(cinquefoil.testing, f"check_{kind}")(name)


@pytest.mark.parametrize("workers", ["1", "2"])
def test_all_kinds_together_on_the_command_line(workers: str, example: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    words = ["run", "--no-report", "--plugin", str(example), "--search", "shallow", "--prune", "young", "--variants"]
    words += ["--layer", "same-letter", "--mutator", "bracket", "--max-paths", "60", "--workers", workers]
    assert run([*words, "-o", str(out), TOKENS, "--sym-stdin", "12"]) in (0, 1)
    assert "same-letter" in json.loads((out / "summary.json").read_text())["solver"]["layers"]
    target = tmp_path / "errors.txt"
    assert run(["export", "--plugin", str(example), "--to", "lines", "-o", str(target), str(out)]) == 0
    assert all(re.fullmatch(r".+:\d+: error: [\w-]+", line) for line in target.read_text().splitlines())


def test_cells_of_a_comparison_load_them(example: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    words = ["compare", "--plugin", str(example), "-c", "shallow", "--seeds", "1", "--budget", "5s", "--jobs", "1"]
    assert run([*words, "-o", str(tmp_path / "c"), SIGN]) == 0, capfd.readouterr().err
    assert run(["compare", "--no-run", "-o", str(tmp_path / "c")]) == 0
    assert "missing" not in capfd.readouterr().out


def test_from_python(example: Path) -> None:
    outcome = cinquefoil.explore(SIGN, search="shallow", layers="same-letter", plugins=example)
    assert outcome.exhausted and outcome.statistics.paths == 3


BAD = {
    "x = = 3": r"{file}:1: invalid syntax",
    "\nimport nothing_of_that_name": r"{file}:2: ModuleNotFoundError: .*nothing_of_that_name",
    "def f():\n    return 1 // 0\nf()": r"{file}:2: ZeroDivisionError",
    "raise SystemExit(3)": r"{file}:1: SystemExit: 3",
    "raise ValueError('two\\nlines')": r"{file}:1: ValueError: two lines",
}


@pytest.mark.parametrize("content", BAD)
@pytest.mark.parametrize("command", ["run", "export", "compare"])
def test_a_file_that_fails_is_one_clear_line(
    command: str, content: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "bad.py"
    file.write_text(content)
    rest = {"run": [SIGN], "export": ["--to", "c", "out"], "compare": ["-c", "dfs", SIGN]}[command]
    assert run([command, "--plugin", str(file), *rest]) == 2
    expected = BAD[content].replace("{file}", re.escape(str(file)))
    assert re.fullmatch(f"cinq: error: plug-in {expected}.*\n", capfd.readouterr().err)


@pytest.mark.parametrize(("name", "why"), [("gone.py", "No such file"), ("text.txt", "does not end in .py")])
def test_a_file_that_is_none(name: str, why: str, tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text("")
    with pytest.raises(UserError, match=why):
        load_plugins([tmp_path / name])


FAILING = """
from cinquefoil import Layer, Problem, Searcher, Verdict, register_layer, register_searcher

@register_searcher("{name}-searcher")
class Bad(Searcher):
    def __init__(self, context): pass
    def add(self, states): pass
    def select(self):
        return [][1]

@register_layer("{name}-layer")
class BadLayer(Layer):
    name = "bad"
    before = "cache"
    def decide(self, problem: Problem) -> Verdict:
        raise KeyError("mine")
"""


@pytest.mark.parametrize(("option", "line"), [("search", 9), ("layer", 16)])
def test_what_fails_later_is_one_clear_line_too(
    option: str, line: int, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "failing.py"
    file.write_text(FAILING.format(name=option))
    name = f"{option}-{'searcher' if option == 'search' else 'layer'}"
    words = ["run", "--plugin", str(file), f"--{option}", name, "-o", str(tmp_path / "out"), SIGN]
    assert run(words) == 2
    (said,) = (text for text in capfd.readouterr().err.splitlines() if text.startswith("cinq: "))
    assert said.startswith(f"cinq: error: plug-in {file}:{line}: ")
    assert (tmp_path / "out/summary.json").is_file(), "what was found by then is kept"


def test_a_file_is_run_once(tmp_path: Path) -> None:
    file, log = tmp_path / "once.py", tmp_path / "log"
    file.write_text(f"open({str(log)!r}, 'a').write('x')")
    load_plugins([file, file])
    load_plugins([str(file)])
    assert log.read_text() == "x"


ELSEWHERE = """
import sys
from cinquefoil import Searcher, register_searcher

@register_searcher("elsewhere")
class Bad(Searcher):
    def __init__(self, context): self.states = []
    def add(self, states): self.states += states
    def select(self):
        return self.states.pop(-1 if "pytest" in sys.modules else 10**6)
    def remove(self, state): self.states.remove(state)
"""


def test_what_fails_in_another_process_is_the_plugins_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leader, "BY_ITSELF", 0.0)
    file = tmp_path / "elsewhere.py"
    file.write_text(ELSEWHERE)
    with pytest.raises(UserError, match=rf"plug-in {re.escape(str(file))}:10: IndexError"):
        cinquefoil.explore(TOKENS, ["--sym-stdin", "12"], search="elsewhere", plugins=file, workers=2, max_time=120)
