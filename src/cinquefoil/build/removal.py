"""Removing what a program left on the host's disk: without its rights, and nested as deeply as it liked.

Every folder is first moved to the top, so that no path becomes too long and nothing here calls itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path


def remove_tree(folder: Path) -> None:
    """Remove a folder and all below it; its parent must be out of the program's reach.  What resists stays."""
    fresh = (folder.with_name(f"{folder.name}-{number}") for number in count())
    waiting = [folder]
    while waiting:
        each = waiting.pop()
        with suppress(OSError):
            each.chmod(0o700)
            _empty(each, fresh, waiting)
            each.rmdir()


def _empty(folder: Path, fresh: Iterator[Path], waiting: list[Path]) -> None:
    """Removes the files in a folder and moves the folders in it to where they wait."""
    for path in list(folder.iterdir()):
        if path.is_symlink() or not path.is_dir():
            path.unlink()
        else:
            path.chmod(0o700)
            waiting.append(path.rename(next(fresh)))
