"""What coverage wants to know of an image's sites: which count, and which of them belong together.

It depends on the sites alone, so it is computed once for each image, however often that is explored."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cinquefoil.ir.sites import MELDED, Site, SiteKind, once_per_table

DIRECTED = (SiteKind.BRANCH, SiteKind.SWITCH)


@dataclass(frozen=True, slots=True)
class SiteIndex:
    """Arrays of the program's own sites; none of them is ever written."""

    blocks: NDArray[np.int64]
    ends: NDArray[np.int64]  # the site of each block's last part
    edges: NDArray[np.int64]  # of all branches and switches
    direction_counts: NDArray[np.int64]  # by site
    first_direction: NDArray[np.int64]  # by site: where its edges begin in `directions`
    directions: NDArray[np.int64]
    counts_for: NDArray[np.bool_]  # by site: does covering it count?
    homes: NDArray[np.int64]  # by site: its block, for parts and lines; itself for others
    line_sites: dict[tuple[str, int], NDArray[np.int64]]
    lines_of: dict[int, NDArray[np.int64]]
    function_blocks: dict[tuple[str, str], NDArray[np.int64]]


@once_per_table
def index_of(sites: Sequence[Site]) -> SiteIndex:
    """The index of an image's sites."""
    blocks = _numbers(i for i, s in enumerate(sites) if s.kind is SiteKind.BLOCK and _own(s))
    ends, parts = _last_parts(sites, blocks)
    edges = [site.edges if site.kind in DIRECTED and _own(site) else () for site in sites]
    directions = _numbers((*(edge for each in edges for edge in each), 0))
    counts = _numbers(map(len, edges))
    line_sites = _lines(sites)
    homes = _numbers(s.block if s.kind in (SiteKind.PART, SiteKind.LINE) else n for n, s in enumerate(sites))
    return SiteIndex(
        blocks,
        ends,
        directions[:-1],
        counts,
        np.cumsum(counts) - counts,
        directions,
        _mask(len(sites), (blocks, directions[:-1], parts, *line_sites.values())),
        homes,
        line_sites,
        _lines_of_parts(sites, line_sites.values()),
        _function_blocks(sites, blocks),
    )


def _mask(size: int, chosen: Iterable[NDArray[np.int64]]) -> NDArray[np.bool_]:
    """Tells of each site whether it is among these."""
    mask = np.zeros(size, np.bool_)
    for numbers in chosen:
        mask[numbers] = True
    return mask


def _own(site: Site) -> bool:
    return not site.library and site.file not in ("", MELDED)


def _numbers(values: Iterable[int]) -> NDArray[np.int64]:
    return np.fromiter(values, np.int64)


def _last_parts(sites: Sequence[Site], blocks: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The site of each block's last part, and all parts of these blocks that are not their first ones."""
    last = {int(block): int(block) for block in blocks}
    parts = [n for n, site in enumerate(sites) if site.kind is SiteKind.PART and site.block in last]
    for number in parts:
        last[sites[number].block] = number
    return _numbers(last.values()), _numbers(parts)


def _lines(sites: Sequence[Site]) -> dict[tuple[str, int], NDArray[np.int64]]:
    """The sites that tell whether a line was run."""
    found: dict[tuple[str, int], list[int]] = {}
    for number, site in enumerate(sites):
        if site.kind is SiteKind.LINE and _own(site):
            found.setdefault((site.file, site.line), []).append(number)
    return {key: _numbers(found[key]) for key in sorted(found, key=str)}


def _lines_of_parts(sites: Sequence[Site], lines: Iterable[NDArray[np.int64]]) -> dict[int, NDArray[np.int64]]:
    """The lines by the site of a part or block: those that have run when that is covered."""
    found: dict[int, list[int]] = {}
    for number in (int(number) for each in lines for number in each):
        found.setdefault(sites[number].part or sites[number].block, []).append(number)
    return {part: _numbers(numbers) for part, numbers in found.items()}


def _function_blocks(sites: Sequence[Site], blocks: NDArray[np.int64]) -> dict[tuple[str, str], NDArray[np.int64]]:
    """The blocks that tell whether a function was entered."""
    found: dict[tuple[str, str], list[int]] = {}
    numbers: list[int] = blocks.tolist()
    for block in numbers:
        found.setdefault((sites[block].file, sites[block].function), []).append(block)
    return {key: _numbers(found[key]) for key in sorted(found, key=str)}
