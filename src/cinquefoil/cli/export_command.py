"""`cinq export`: an output folder in other tools' formats."""

from __future__ import annotations

from pathlib import Path

import click

from cinquefoil.cli.plugin import plugin_option
from cinquefoil.cli.say import say
from cinquefoil.machine.failure import count
from cinquefoil.report.export import registry as formats
from cinquefoil.report.export.export_suite import read_suite
from cinquefoil.report.export.format import Format


def _format(_context: click.Context, _parameter: click.Parameter, name: str) -> Format:
    """Refuse an unknown format before anything is read."""
    return formats.make(name)


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--to",
    "chosen",
    required=True,
    metavar="FORMAT",
    callback=_format,
    help=f"The format.  Known: {', '.join(formats.names())}.",
)
@plugin_option
@click.option("-o", "--output", type=click.Path(path_type=Path), help="File or folder.  Default: by the format.")
def export(folder: Path, chosen: Format, plugins: tuple[Path, ...], output: Path | None) -> None:
    """Write the results in FOLDER, an output folder of cinq run, as another tool wants them.

    \b
    test-comp  a Test-Comp test suite (folder test-suite, or a .zip file)
    corpus     raw files for AFL++ and libFuzzer (folder corpus)
    c          standalone C tests with a makefile (folder tests-c)
    sarif      errors in SARIF 2.1.0 (errors.sarif)
    lcov       coverage for genhtml and editors (coverage.info)
    """
    del plugins
    target = output if output is not None else Path(chosen.output)
    done = chosen.write(read_suite(folder), target)
    for note in done.notes:
        say(f"note: {note}", err=True)
    say(f"{count(len(done.files), 'file')} in {target}" if target.is_dir() else target)
