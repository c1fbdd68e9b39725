"""The smallest set of tests that keeps all coverage (Homi, section 3.2.1), greedily.

Each stage takes the test with the most branches not covered yet.  A test's gain only ever shrinks, so gains are kept
in a heap and computed again when they come to the top: most never are.  Among equals the newest wins: what it was made
with says most about what works now."""

from __future__ import annotations

import heapq
from collections.abc import Sequence


def greedy_cover(sets: Sequence[int]) -> list[int]:
    """Indices of bit sets whose union is that of all, in the order of choice."""
    heap = [(-each.bit_count(), -number) for number, each in enumerate(sets) if each]
    heapq.heapify(heap)
    covered, chosen = 0, list[int]()
    while heap:
        gain, number = heap[0]
        actual = (sets[-number] & ~covered).bit_count()
        if not actual:
            heapq.heappop(heap)
        elif actual < -gain:
            heapq.heapreplace(heap, (-actual, number))
        else:
            heapq.heappop(heap)
            covered |= sets[-number]
            chosen.append(-number)
    return chosen
