"""What ran of the part of a block in which a run ended.

A part's coverage byte is set at its end (transform/instrument/parts.py), so one in which a check failed or a limit was
met looks as if it had not been entered.  The site of the end tells that it was, and which of its lines were reached:
the sites of a part are numbered in the order of its code.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from cinquefoil.ir.sites import Site, SiteKind


class UnfinishedParts:
    """The parts of an image's blocks in which runs end.  Many runs end at few sites, so what ran of a part before a
    site is kept."""

    def __init__(self, sites: Sequence[Site]) -> None:
        self._sites = sites
        self._reached: dict[tuple[int, int], tuple[int, NDArray[np.int64]] | None] = {}

    def complete(self, covered: NDArray[np.int64], site: int, block: int) -> NDArray[np.int64]:
        """Covered sites with those of the part that was left unfinished, if there is one.

        `site` is the site at which the run ended; where that is not known (0), `block` is the block entered last."""
        reached = self._reached.get((site, block), _UNKNOWN)
        if reached is _UNKNOWN:
            reached = self._reached[site, block] = self._before(site, block)
        if reached is None or _holds(covered, reached[0]):
            return covered
        both = np.concatenate((covered, reached[1]))
        both.sort()
        return both[np.concatenate((_FIRST, both[1:] != both[:-1]))]

    def _before(self, site: int, block: int) -> tuple[int, NDArray[np.int64]] | None:
        """The part, and the sites that are covered if it was entered and left at that site."""
        sites = self._sites
        part, lines = block, list[int]()
        if 0 < site < len(sites) and not sites[site].library and sites[site].block:
            at = sites[site]
            block, part = at.block, at.part or at.block
            lines = list(_lines_before(sites, site))
        return (part, np.array([block, *lines], np.int64)) if 0 < block < len(sites) else None


_UNKNOWN = (0, np.zeros(0, np.int64))
_FIRST = np.ones(1, np.bool_)


def _holds(covered: NDArray[np.int64], site: int) -> bool:
    """Is the site among these, which are sorted?"""
    at = int(covered.searchsorted(site))
    return at < len(covered) and covered.item(at) == site


def _lines_before(sites: Sequence[Site], site: int) -> Iterator[int]:
    block, part = sites[site].block, sites[site].part
    while site > 0 and (sites[site].block, sites[site].part) == (block, part):
        if sites[site].kind is SiteKind.LINE:
            yield site
        site -= 1
