"""Durations and sizes as people write them: 90, 30s, 5m, 2h; 500M, 2G."""

from __future__ import annotations

import re
from typing import Final

import click

_SECONDS: Final = {"": 1, "ms": 0.001, "s": 1, "m": 60, "min": 60, "h": 3600, "d": 86400}
_BYTES: Final = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}
_WORDS: Final = re.compile(r"(\d+(?:\.\d+)?)\s*([a-z]*)\Z")


def duration(text: str) -> float:
    """Seconds, or a number with ms, s, m, h or d."""
    seconds = _amount(text, _SECONDS)
    if not seconds:
        raise click.BadParameter(f"{text!r} is not a duration such as 90, 30s, 5m or 2h")
    return seconds


def size(text: str) -> int:
    """Bytes, or a number with K, M, G or T (with or without a B)."""
    found = _amount(re.sub(r"(?i)i?b\Z", "", text), _BYTES)
    if not found:
        raise click.BadParameter(f"{text!r} is not a size such as 500M or 2G")
    return int(found)


def _amount(text: str, units: dict[str, float] | dict[str, int]) -> float | None:
    """The amount; None for what is none, or not positive."""
    found = _WORDS.match(text.strip().lower())
    if found is None or found[2] not in units:
        return None
    return float(found[1]) * units[found[2]]
