"""`cinq export`: an output folder in other tools' formats."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Final

import click

from cinquefoil.cli.say import say
from cinquefoil.machine.failure import count
from cinquefoil.report.export.suite import Exported, Suite, read_suite

_FORMATS: Final = {  # module, default name of what is written
    "test-comp": ("testcomp", "test-suite"),
    "corpus": ("corpus", "corpus"),
    "c": ("csource", "tests-c"),
    "sarif": ("sarif", "errors.sarif"),
    "lcov": ("lcov", "coverage.info"),
}


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--to", "kind", type=click.Choice(list(_FORMATS)), required=True, help="The format.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="File or folder.  Default: by the format.")
def export(folder: Path, kind: str, output: Path | None) -> None:
    """Write the results in FOLDER, an output folder of cinq run, as another tool wants them.

    \b
    test-comp  a Test-Comp test suite (folder test-suite, or a .zip file)
    corpus     raw files for AFL++ and libFuzzer (folder corpus)
    c          standalone C tests with a makefile (folder tests-c)
    sarif      errors in SARIF 2.1.0 (errors.sarif)
    lcov       coverage for genhtml and editors (coverage.info)
    """
    module, default = _FORMATS[kind]
    work: Callable[[Suite, Path], Exported] = import_module(f"cinquefoil.report.export.{module}").export
    target = output if output is not None else Path(default)
    done = work(read_suite(folder), target)
    for note in done.notes:
        say(f"note: {note}", err=True)
    say(f"{count(len(done.files), 'file')} in {target}" if target.is_dir() else target)
