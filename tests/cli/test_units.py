"""Durations and sizes as people write them."""

from __future__ import annotations

import click
import pytest

from cinquefoil.cli.units import duration, size


@pytest.mark.parametrize(
    ("text", "seconds"), [("90", 90), ("1.5s", 1.5), ("300ms", 0.3), ("5m", 300), ("2 h", 7200), ("1D", 86400)]
)
def test_durations(text: str, seconds: float) -> None:
    assert duration(text) == pytest.approx(seconds)


@pytest.mark.parametrize(
    ("text", "count"), [("4096", 4096), ("1k", 1024), ("500M", 500 << 20), ("2GiB", 2 << 30), ("0.5GB", 1 << 29)]
)
def test_sizes(text: str, count: int) -> None:
    assert size(text) == count


@pytest.mark.parametrize("text", ["", "s", "-3", "0", "3 weeks", "1e3", "5 5", "nan"])
def test_nonsense(text: str) -> None:
    for read in (duration, size):
        with pytest.raises(click.BadParameter):
            read(text)
