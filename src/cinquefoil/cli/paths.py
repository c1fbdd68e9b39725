"""Checks and texts of file names that commands share."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from cinquefoil.errors import UserError
from cinquefoil.machine.failure import shown

__all__ = ["check_output", "shown"]


def check_output(output: Path, inputs: Iterable[Path]) -> None:
    """Refuse an output that cannot be written or would overwrite an input, before work is done."""
    if not output.absolute().parent.is_dir():
        raise UserError(f"{output}: the directory does not exist")
    if output.is_dir():
        raise UserError(f"{output}: is a directory")
    if any(output.resolve() == path.resolve() for path in inputs):
        raise UserError(f"{output}: is an input too; choose another name with -o")
