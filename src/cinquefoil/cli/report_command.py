"""`cinq report`: the page of an output folder, made anew."""

from __future__ import annotations

from pathlib import Path

import click

from cinquefoil.cli.say import say
from cinquefoil.report.page import write_report


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
def report(folder: Path) -> None:
    """Write report.html into FOLDER, an output folder of cinq run, which writes one at its end by itself.

    The page shows what was found and covered, over time and line by line; it needs no network.
    """
    say(write_report(folder))
