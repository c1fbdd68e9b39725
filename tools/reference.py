"""The reference part of the documentation, made from the code itself: commands, files, API.

`mkdocs` calls the hooks at the end while it builds the site, so the reference cannot go stale; by hand,
`python tools/reference.py FOLDER` writes the pages to a folder.
"""

from __future__ import annotations

import dataclasses
import inspect
import io
import json
import sys
import tempfile
import tokenize
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import click

import cinquefoil
from cinquefoil.cli.main import COMMANDS, cinq
from cinquefoil.exploration.output.result_folder import COLUMNS

ROOT = Path(__file__).parents[1]
FILE_FORMATS = {  # whose docstrings say what is in which file
    "tests/*.ktest": "cinquefoil.testcase.ktest",
    "report.json": "cinquefoil.exploration.output.details",
    "Exported Test-Comp suites": "cinquefoil.testcase.testcomp",
    "Exported corpora": "cinquefoil.report.export.corpus_format",
    "Exported C tests": "cinquefoil.report.export.csource",
    "Exported SARIF": "cinquefoil.report.export.sarif",
    "Seeds": "cinquefoil.exploration.session.seeds",
}
COLUMN_TEXTS = {
    "seconds": "since the start",
    "runs": "of the program",
    "paths": "distinct ones that ended by themselves or in an error",
    "states": "pending",
    "open": "states the solver could not decide so far",
    "blocks": "covered",
    "branches": "directions covered",
    "native_seconds": "spent in runs",
    "solver_seconds": "spent solving",
    "memory_bytes": "resident",
    "pruned": "states forgotten in all",
    "round": "number of the pruner's round",
    "features": "of the round",
    "ratio": "share of the states that the last pruning forgot",
    "heaviest": "the largest of the features' weights",
    "lightest": "the smallest one",
    "round_pruned": "states forgotten in this round",
    "round_won": "directions that this round covered first",
    "aside": "states of the first round that wait for it to go on",
}


def pages() -> dict[str, str]:
    """Path within the documentation, and Markdown."""
    return {"reference/commands.md": commands(), "reference/files.md": files(), "reference/api.md": api()}


# ---- commands ----


def commands() -> str:
    context = click.Context(cinq, info_name="cinq")
    parts = ["# Commands\n", "`cinq COMMAND --help` says the same.\n"]
    for name, (_, purpose) in COMMANDS.items():
        command = cinq.get_command(context, name)
        assert command is not None
        parts += _command(command, click.Context(command, context, info_name=name), f"{purpose}\n", 2)
    return "\n".join(parts)


def _command(command: click.Command, context: click.Context, purpose: str, level: int) -> Iterator[str]:
    yield f"{'#' * level} {context.command_path}\n"
    yield purpose
    yield f"```\n{command.get_usage(context)}\n```\n"
    yield _help(command.help or "")
    yield from _options(command, context)
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            if inner is not None:
                yield from _command(inner, click.Context(inner, context, info_name=name), "", level + 1)


def _help(text: str) -> str:
    """Paragraphs; those after a backspace mark keep their lines."""
    paragraphs = inspect.cleandoc(text).split("\n\n")
    kept = [f"```\n{part[2:]}\n```" if part.startswith("\b\n") else _plain(part) for part in paragraphs]
    return "\n\n".join(kept) + "\n"


def _plain(text: str) -> str:
    return text.replace("<", "&lt;").replace("*", r"\*").replace("_", r"\_")


def _options(command: click.Command, context: click.Context) -> Iterator[str]:
    options = [p for p in command.get_params(context) if isinstance(p, click.Option) and p.name != "help"]
    records = [record for option in options if (record := option.get_help_record(context))]
    if records:
        yield "| option | meaning |\n|---|---|"
        yield from (f"| `{_cell(names)}` | {_cell(_plain(text))} |" for names, text in records)
        yield ""


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", r"\|")


# ---- files ----


def files() -> str:
    parts = ["# Files\n", "What `cinq run` leaves in its output folder, and what exports and seeds look like.\n"]
    parts += ["## summary.json\n", "What came of it; here for `examples/sign.c`:\n", f"```json\n{_summary()}\n```\n"]
    parts += ["## stats.csv\n", "One line per interval and one at the end.\n", "| column | |", "|---|---|"]
    parts += [f"| `{name}` | {COLUMN_TEXTS.get(name, '')} |" for name in COLUMNS]
    parts += ["", "## coverage.info\n", "Lines, functions and branch directions in lcov's format.\n"]
    for title, module in FILE_FORMATS.items():
        parts += [f"## {title}\n", _docstring(module), ""]
    return "\n".join(parts)


def _summary() -> str:
    with tempfile.TemporaryDirectory() as folder:
        cinquefoil.explore(
            "examples/sign.c" if Path("examples/sign.c").exists() else ROOT / "examples/sign.c", output=folder
        )
        content: dict[str, Any] = json.loads((Path(folder) / "summary.json").read_text())
    content["program"] = "examples/sign.c"
    return json.dumps(content, indent=2)


def _docstring(name: str) -> str:
    text = inspect.getdoc(import_module(name)) or ""
    return text.replace("<", "&lt;")


# ---- API ----


def api() -> str:
    parts = [
        "# Python API\n",
        "`import cinquefoil` gives all of these; [Exploring from Python](../python.md) shows how.\n",
    ]
    for name in sorted(cinquefoil.__all__, key=str.lower):
        value = getattr(cinquefoil, name)
        if callable(value):
            parts += _entry(name, value)
    return "\n".join(parts)


def _entry(name: str, value: Any) -> Iterator[str]:
    yield f"## {name}\n"
    if not dataclasses.is_dataclass(value) and not (inspect.isclass(value) and issubclass(value, Exception)):
        yield f"```python\n{_signature(name, value)}\n```\n"
    yield (inspect.getdoc(value) or "").replace("<", "&lt;") + "\n"
    if dataclasses.is_dataclass(value):
        yield from _fields(value)
    elif inspect.isclass(value):
        yield from _methods(value)


def _signature(name: str, value: Any) -> str:
    try:
        signature = inspect.signature(value)
    except ValueError:
        return name
    words = [_parameter(parameter) for parameter in signature.parameters.values()]
    result = signature.return_annotation
    tail = f" -> {_annotation(result)}" if result not in (inspect.Signature.empty, "None") else ""
    line = f"{name}({', '.join(words)}){tail}"
    return line if len(line) < 100 else f"{name}(\n    " + ",\n    ".join(words) + f",\n){tail}"


def _parameter(parameter: inspect.Parameter) -> str:
    stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
    text = stars + parameter.name
    if parameter.annotation is not inspect.Parameter.empty:
        text += f": {_annotation(parameter.annotation)}"
    if parameter.default is not inspect.Parameter.empty:
        text += " = " + ("..." if callable(parameter.default) else repr(parameter.default))
    return text


def _annotation(annotation: object) -> str:
    return annotation if isinstance(annotation, str) else getattr(annotation, "__name__", str(annotation))


def _fields(value: Any) -> Iterator[str]:
    comments = _comments(value)
    yield "| field | type | default | |\n|---|---|---|---|"
    for field in dataclasses.fields(value):
        default = "" if field.default is dataclasses.MISSING else f"`{field.default!r}`"
        yield f"| `{field.name}` | `{_cell(str(field.type))}` | {default} | {_cell(comments.get(field.name, ''))} |"
    yield ""


def _comments(value: Any) -> dict[str, str]:
    """What the source says behind each field."""
    source = inspect.getsource(value)
    lines = source.splitlines()
    found: dict[str, str] = {}
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            name = lines[token.start[0] - 1].split(":")[0].strip()
            found[name] = token.string.lstrip("# ")
    return found


def _methods(value: type) -> Iterator[str]:
    for name, member in sorted(vars(value).items()):
        if not name.startswith("_") and (inspect.isfunction(member) or isinstance(member, property | classmethod)):
            function: Any = member.fget if isinstance(member, property) else getattr(member, "__func__", member)
            text = (inspect.getdoc(function) or "").split("\n\n")[0]
            yield f"- `{name}`: {_cell(text)}" if text else f"- `{name}`"
    yield ""


# ---- mkdocs ----


def _titled(folder: str) -> list[dict[str, str] | str]:
    return [str(path.relative_to(ROOT / "docs")) for path in sorted((ROOT / "docs" / folder).glob("*.md"))]


def on_config(config: Any) -> Any:
    """Pages of folders that grow are found, the rest has its order."""
    how_to = [
        "real-programs.md",
        "python.md",
        "plugins.md",
        "exports.md",
        "sanitizers.md",
        "report.md",
        "environment.md",
    ]
    known = {"index.md", "tutorial.md", *how_to}
    others = [path.name for path in sorted((ROOT / "docs").glob("*.md")) if path.name not in known]
    config["nav"] = [
        {"Start": ["index.md", "tutorial.md"]},
        {"How to": how_to},
        {"Techniques": _titled("techniques")},
        {"Measurements": [*others, *_titled("results")]},
        {"Reference": list(pages_names())},
    ]
    return config


def pages_names() -> tuple[str, ...]:
    return ("reference/commands.md", "reference/files.md", "reference/api.md")


def on_files(files: Any, config: Any) -> Any:
    from mkdocs.structure.files import File

    for name, content in pages().items():
        files.append(File.generated(config, name, content=content))
    return files


if __name__ == "__main__":
    for page, content in pages().items():
        target = Path(sys.argv[1]) / page
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(content, encoding="utf-8")
