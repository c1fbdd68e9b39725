"""The documentation says what is true: its commands run, its links lead somewhere, its reference is complete."""

from __future__ import annotations

import importlib.util
import re
import shlex
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import click
import pytest

import cinquefoil
from cinquefoil.cli.main import COMMANDS, cinq, run
from cinquefoil.exploration.options import Options
from cinquefoil.exploration.output.result_folder import COLUMNS

ROOT = Path(__file__).parents[2]
DOCS = sorted((ROOT / "docs").rglob("*.md"))
TUTORIAL = (ROOT / "docs/tutorial.md").read_text(encoding="utf-8")


def reference() -> ModuleType:
    spec = importlib.util.spec_from_file_location("reference", ROOT / "tools/reference.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def steps(block: str) -> list[tuple[str, list[str]]]:
    """The commands of a console block, each with the output shown."""
    found: list[tuple[str, list[str]]] = []
    for line in block.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        else:
            found[-1][1].append(line)
    return found


def timeless(line: str) -> str:
    return re.sub(r"\(\d+ instructions, [\d.]+ ms\)|in [\d.]+ s:", "", line).strip()


def test_the_tutorial_is_true(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Every command, in order, and every line it is said to print."""
    monkeypatch.chdir(tmp_path)
    (program,) = re.findall(r"^```c\n(.*?)^```", TUTORIAL, re.MULTILINE | re.DOTALL)
    (tmp_path / "parse.c").write_text(program)
    before, after = re.findall(r"replace `(.*?)` by `(.*?)`", TUTORIAL)[0]
    done = 0
    for block in re.findall(r"^```console\n(.*?)^```", TUTORIAL, re.MULTILINE | re.DOTALL):
        for command, shown in steps(block):
            if "-o fixed" in command:
                assert before in program
                (tmp_path / "parse.c").write_text(program.replace(before, after))
            words = shlex.split(command)
            if words[0] == "cinq":
                assert run(words[1:]) in (0, 1)
            else:
                subprocess.run(words, check=True)
            printed = [timeless(line.replace(f"{tmp_path}/", "")) for line in capfd.readouterr().out.splitlines()]
            expected = [timeless(line) for line in shown]
            check(printed, expected)
            done += 1
    assert done >= 7


def check(printed: list[str], expected: list[str]) -> None:
    """Lines in order; three dots stand for any others."""
    at = 0
    for number, line in enumerate(expected):
        if line == "...":
            continue
        if number and expected[number - 1] == "...":
            assert line in printed[at:], line
            at = printed.index(line, at)
        assert printed[at] == line
        at += 1
    assert at == len(printed) or "..." in expected


@pytest.mark.parametrize("page", DOCS, ids=lambda page: str(page.relative_to(ROOT / "docs")))
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for link in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
        if not link.startswith(("http:", "https:")) and not link.startswith("../reference/"):
            assert (page.parent / link).exists(), link


@pytest.mark.parametrize("page", ["docs/architecture/walk.md", "CONTRIBUTING.md"])
def test_files_that_are_named_exist(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    named = set(re.findall(r"`((?:[\w.-]+/)+[\w.-]+\.(?:py|c|h|md))`", text))
    assert named
    for name in named:
        assert any((top / name).exists() for top in (ROOT, ROOT / "src/cinquefoil")), name


def test_the_glossary_is_short() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| [^|-]", text[text.index("## Glossary") :], re.MULTILINE)
    assert 20 < len(rows) - 1 <= 40  # the first one is the heading


def test_pictures_are_small() -> None:
    pictures = list((ROOT / "docs").rglob("*.png"))
    assert pictures and all(picture.stat().st_size < 150_000 for picture in pictures)


def test_every_command_and_option_is_in_the_reference() -> None:
    text = reference().commands()
    context = click.Context(cinq)
    for name in COMMANDS:
        command = cinq.get_command(context, name)
        assert command is not None and f"## cinq {name}\n" in text
        section = text[text.index(f"## cinq {name}\n") :]
        for option in command.params:
            if isinstance(option, click.Option) and option.name != "help" and not option.hidden:
                assert option.opts[0] in section, (name, option.opts)


def test_every_public_name_and_option_field_is_in_the_reference() -> None:
    text = reference().api()
    assert all(f"## {name}\n" in text for name in cinquefoil.__all__ if name != "__version__")
    assert all(f"| `{field}` |" in text for field in Options.__slots__)
    assert "strategies that take turns" in text  # a field's comment
    assert " object at 0x" not in text and "<function" not in text


def test_files_are_in_the_reference() -> None:
    module = reference()
    text = module.files()
    assert all(f"| `{column}` |" in text for column in COLUMNS)
    assert '"exhausted": true' in text
    assert all(import_module(name).__doc__ for name in module.FILE_FORMATS.values())


def test_the_site_builds(tmp_path: Path) -> None:
    pytest.importorskip("material", reason="the extra 'docs' is not installed")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "-q", "-d", str(tmp_path / "site")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    pages = list((tmp_path / "site").rglob("*.html"))
    assert (tmp_path / "site/reference/commands/index.html") in pages and len(pages) > 10
    for page in pages:
        found = re.findall(r'<(?:script|link|img)[^>]*(?:src|href)="(https?:[^"]+)"', page.read_text(encoding="utf-8"))
        assert found == [], page
