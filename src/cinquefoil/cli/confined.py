"""`--unconfined`: the word for running programs outside the enclosure, for every command that runs them natively."""

from __future__ import annotations

from functools import cache

import click

from cinquefoil.cli.notes import note
from cinquefoil.replay.confinement import Confinement, best_confinement, missing

unconfined_option = click.option(
    "--unconfined", is_flag=True, help="Run the program with all of your rights: it can do what you can."
)


def settled(unconfined: bool) -> Confinement:
    """How programs will run; what is missing on this machine is told once."""
    if unconfined:
        return Confinement.NONE
    chosen = best_confinement()
    if lacking := missing():
        _note_once(lacking)
    return chosen


_note_once = cache(note)
