"""What ran of the part of a block in which a run ended.

A part's coverage byte is set at its end (transform/instrument/parts.py), so one in which a check failed or a limit was
met looks as if it had not been entered.  The place of the end tells that it was, and which of its lines were reached:
the sites of a part are numbered in the order of its code.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from cinquefoil.ir.sites import Site, SiteKind


def with_last_part(covered: NDArray[np.int64], sites: Sequence[Site], place: int, block: int) -> NDArray[np.int64]:
    """Covered sites with those of the part that was left unfinished, if there is one.

    `place` is the site at which the run ended; where that is not known (0), `block` is the block entered last."""
    part, lines = block, list[int]()
    if 0 < place < len(sites) and not sites[place].library and sites[place].block:
        at = sites[place]
        block, part = at.block, at.part or at.block
        lines = list(_lines_before(sites, place))
    if not 0 < block < len(sites) or part in covered:
        return covered
    return np.union1d(covered, np.array([block, *lines], np.int64))


def _lines_before(sites: Sequence[Site], place: int) -> Iterator[int]:
    block, part = sites[place].block, sites[place].part
    while place > 0 and (sites[place].block, sites[place].part) == (block, part):
        if sites[place].kind is SiteKind.LINE:
            yield place
        place -= 1
