"""The options `--check` and `--no-check`, which several commands have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from cinquefoil.exploration.session.checking import NAMES, OPTIONAL, check_names, unchecked_names


def _names(_context: click.Context, _parameter: click.Parameter, words: tuple[str, ...]) -> tuple[str, ...]:
    return check_names(words)


def _unwanted(_context: click.Context, _parameter: click.Parameter, words: tuple[str, ...]) -> tuple[str, ...]:
    return unchecked_names(words)


def check_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """Adds `--check LIST`, as the argument `checks`, and `--no-check LIST`, as `unchecked`."""
    function = click.option(
        "--no-check",
        "unchecked",
        multiple=True,
        metavar="LIST",
        callback=_unwanted,
        help=f"Do not look for errors that are looked for otherwise: {', '.join(OPTIONAL)}.",
    )(function)
    return click.option(
        "--check",
        "checks",
        multiple=True,
        metavar="LIST",
        callback=_names,
        help=f"Look for further errors, symbolically: {', '.join(NAMES)}.  Separated by commas; repeatable.",
    )(function)
