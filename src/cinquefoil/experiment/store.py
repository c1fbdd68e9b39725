"""The folder of a comparison: the plan, one file per finished cell, and what is made of them.

A cell's file appears by an atomic rename when the cell is finished, so whoever kills a comparison loses only the
cells that were running.  Several comparisons may share their cells.  A lock keeps two out of one folder."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from cinquefoil.errors import UserError
from cinquefoil.experiment import plan as plans
from cinquefoil.experiment.plan import Cell, Plan
from cinquefoil.experiment.result import Result, decode, encode
from cinquefoil.exploration.output.result_folder import write_atomically

_PLAN = "compare.json"


class ResultStore:
    """Results on disk, by cell."""

    def __init__(self, folder: Path, cells: Path | None = None) -> None:
        self.folder = folder
        self._cells = cells or folder / "cells"
        try:
            for each in (self._cells, folder / "work"):
                each.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UserError(f"cannot write to the output folder {folder}: {error.strerror}") from error

    def load(self, cell: Cell) -> Result | None:
        """The finished cell; None if it is not, or its file is damaged."""
        try:
            return decode(self._file(cell).read_bytes())
        except (OSError, ValueError, TypeError):
            return None

    def save(self, cell: Cell, result: Result) -> None:
        write_atomically(self._file(cell), encode(result))

    def forget(self, cell: Cell) -> None:
        self._file(cell).unlink(missing_ok=True)

    def work(self, cell: Cell) -> Path:
        """An output folder for the cell, with nothing of an earlier attempt in it."""
        folder = self.folder / "work" / cell.key
        shutil.rmtree(folder, ignore_errors=True)
        return folder

    def discard(self, cell: Cell) -> None:
        shutil.rmtree(self.folder / "work" / cell.key, ignore_errors=True)

    def save_plan(self, plan: Plan) -> None:
        write_atomically(self.folder / _PLAN, plans.to_json(plan).encode())

    def load_plan(self) -> Plan | None:
        """What was planned here before."""
        path = self.folder / _PLAN
        if not path.is_file():
            return None
        try:
            return plans.from_json(path.read_text(encoding="utf-8"))
        except (ValueError, KeyError, TypeError) as error:
            raise UserError(f"{path} is damaged: {error}") from error

    @contextmanager
    def locked(self) -> Generator[None]:
        """`UserError` if another process compares here."""
        file = os.open(self.folder / ".lock", os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            yield
        except BlockingIOError as error:
            raise UserError(f"another comparison is running in {self.folder}") from error
        finally:
            os.close(file)

    def _file(self, cell: Cell) -> Path:
        return self._cells / f"{cell.key}.json"
