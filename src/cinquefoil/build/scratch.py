"""Folders for files that are needed for a moment: in the system's folder for such, and gone afterwards.

A killed process cannot remove its own.  So each folder is locked as long as its process lives, and the first of another
process removes those of this user that nobody holds.
"""

from __future__ import annotations

import fcntl
import os
import tempfile
from collections.abc import Generator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Final

from cinquefoil.build.removal import remove_tree

_PREFIX: Final = "cinq-scratch-"


@contextmanager
def scratch_folder(name: str) -> Generator[Path]:
    """A new folder that only this user can enter; `name` says what for.  What resists removing at the end stays."""
    _remove_left(tempfile.gettempdir())
    folder, lock = _make(name)
    try:
        yield folder
    finally:
        _remove(folder)
        os.close(lock)


def _make(name: str) -> tuple[Path, int]:
    while True:
        folder = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{name}-")).resolve()
        try:
            lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        except FileNotFoundError:  # another process has found it before it was locked, and removed it
            continue
        with suppress(OSError):  # where there are no locks, nothing is taken for left behind
            fcntl.flock(lock, fcntl.LOCK_EX)
        if os.fstat(lock).st_nlink:  # else it was about to do so
            return folder, lock
        os.close(lock)


@cache
def _remove_left(parent: str) -> None:
    """Once per process: what killed ones left."""
    with suppress(OSError), os.scandir(parent) as entries:
        for entry in entries:
            if entry.name.startswith(_PREFIX):
                with suppress(OSError):
                    _remove_unlocked(Path(entry.path))


def _remove_unlocked(folder: Path) -> None:
    held = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        if os.fstat(held).st_uid == os.geteuid():
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _remove(folder)
    finally:
        os.close(held)


def _remove(folder: Path) -> None:
    """What lies in it may be a hostile program's; nested folders are moved up within this one, which is out of its
    reach."""
    with suppress(OSError):
        for path in list(folder.iterdir()):
            if path.is_dir() and not path.is_symlink():
                remove_tree(path)
            else:
                path.unlink()
        folder.rmdir()
