"""From whatever the user names to an image, with progress shown if it takes long."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from cinquefoil.build.program import load_program
from cinquefoil.cli.notes import note_undefined
from cinquefoil.cli.progress import Preparation
from cinquefoil.machine.image import Image, build_image


def prepare(program: Path, flags: Sequence[str], *, blocks: bool = False, check: bool = False) -> Image:
    """`blocks`: trace the blocks entered; `check`: compare expressions with values."""
    with Preparation() as preparation:
        linked = load_program(program, flags, preparation.step)
        image = build_image(linked, blocks=blocks, check=check, progress=preparation.step)
    note_undefined(image.undefined)
    return image
