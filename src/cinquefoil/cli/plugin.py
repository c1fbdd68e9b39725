"""The option `--plugin FILE.py`, which several commands have."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from cinquefoil.plugins import load_plugins


def _load(_context: click.Context, _parameter: click.Parameter, files: tuple[Path, ...]) -> tuple[Path, ...]:
    """Loaded before other options are looked at, whose values may name what a plug-in registers."""
    load_plugins(files)
    return files


def plugin_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """Adds `--plugin FILE`, as the argument `plugins`; the files are loaded when the command begins."""
    return click.option(
        "--plugin",
        "plugins",
        type=click.Path(path_type=Path),
        multiple=True,
        metavar="FILE",
        is_eager=True,
        callback=_load,
        help="Run a Python file that registers a strategy, pruner, solver layer, mutator or format.  Repeatable.",
    )(function)
