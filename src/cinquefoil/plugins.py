"""Plug-in files: `--plugin FILE.py` and `Options.plugins` run a Python file that registers what it defines.

A file registers its classes by decorators (`cinquefoil.register_searcher` and its like); after that their names can be
used like built-in ones.  Each file is run once per process; processes that explore in parallel and the cells of a
comparison run it themselves.  A plug-in is code of the user's and runs with the user's rights.

Whatever goes wrong in a plug-in, when it is loaded or later, is told in one line with the plug-in's file and line.
"""

from __future__ import annotations

import importlib.util
import sys
import traceback
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType

from cinquefoil.errors import UserError

_loaded: set[str] = set()  # absolute names of files


def load_plugins(files: Iterable[str | Path]) -> None:
    """Runs the files that have not been run in this process; `UserError` if one cannot be read or fails."""
    for file in files:
        _load(Path(file).resolve())


def fault_of_plugin(error: BaseException) -> str | None:
    """What is wrong and where, in one line, if an exception was raised in a plug-in's code or below it."""
    frame = _frame_of(error.__traceback__, _loaded)
    if frame is None:
        return None
    return f"plug-in {frame.filename}:{frame.lineno}: {_described(error)}"


def _load(path: Path) -> None:
    if str(path) in _loaded:
        return
    spec = importlib.util.spec_from_file_location(f"cinquefoil_plugin_{len(_loaded)}_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise UserError(f"plug-in {path}: the file's name does not end in .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up by name
    _loaded.add(str(path))
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        _loaded.discard(str(path))
        del sys.modules[spec.name]
        raise UserError(_failed(path, error)) from error


def _failed(path: Path, error: BaseException) -> str:
    if isinstance(error, OSError) and error.filename == str(path):
        return f"plug-in {path}: {error.strerror}"
    if isinstance(error, SyntaxError) and error.filename == str(path):
        return f"plug-in {path}:{error.lineno}: {error.msg}"
    frame = _frame_of(error.__traceback__, {str(path)})
    return f"plug-in {path}{f':{frame.lineno}' if frame else ''}: {_described(error)}"


def _described(error: BaseException) -> str:
    message = " ".join(str(error).split())
    return f"{type(error).__name__}: {message}" if message else type(error).__name__


def _frame_of(trace: TracebackType | None, files: set[str]) -> traceback.FrameSummary | None:
    """The innermost frame that belongs to one of the files."""
    frames = [frame for frame in traceback.extract_tb(trace) if frame.filename in files]
    return frames[-1] if frames else None
