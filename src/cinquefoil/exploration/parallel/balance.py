"""Who gives states to whom, how long a round is, and how many paths each explorer may still find.

All of it follows from the reports of one round alone, never from the clock: the same reports give the same orders.
Rounds are short while somebody has nothing to do and longer otherwise; who is about to run out of states gets some in
time.  A limit on paths is shared out beforehand, so that all together never pass it; what one that rests does not need
goes back to the others."""

from __future__ import annotations

from collections.abc import Sequence

from cinquefoil.exploration.parallel.messages import Orders, RoundReport

SHORTEST, LONGEST = 0.02, 0.4  # seconds of effort of a round
_ROUNDS = 3  # for which an explorer should have states: what is ordered at the end of one arrives two later
_FEW = 16  # states that are soon gone
_FEWER = 2  # times as few as another one has
_MOST_GIVEN = 4096  # states at a time


class Balance:
    """`paths` is the most that may be found in all, of which each may find `allowances` so far."""

    def __init__(self, paths: int | None, allowances: Sequence[float]) -> None:
        self._paths = float("inf") if paths is None else paths
        self.allowances = list(allowances)
        self.length = SHORTEST
        self._found = [0] * len(self.allowances)  # paths of each, when last looked at

    def decide(self, reports: Sequence[RoundReport], again: bool) -> list[Orders]:
        """The orders for each, given what all of them reported; `again`: open questions may be asked again."""
        gifts = self._gifts(reports)
        arriving = {to for report in reports for to, _ in report.gifts}
        self._share_out(reports, arriving | {to for given in gifts for to, _ in given})
        starving = any(gifts) and not all(report.pending for report in reports)
        self.length = SHORTEST if starving else min(LONGEST, 2 * self.length)
        again = again and is_dry(reports) and any(report.open for report in reports)
        return [
            Orders(self.length, allowance, tuple(given), again)
            for allowance, given in zip(self.allowances, gifts, strict=True)
        ]

    def _gifts(self, reports: Sequence[RoundReport]) -> list[list[tuple[int, int]]]:
        """Who gives to whom, and how many, by giver.  Everybody gives to one other at most."""
        has = [report.pending for report in reports]
        for report in reports:
            for to, parcels in report.gifts:
                has[to] += sum(map(len, parcels))
        orders: list[list[tuple[int, int]]] = [[] for _ in reports]
        longer = min(LONGEST, 2 * self.length) / self.length
        givers = [n for n, report in enumerate(reports) if report.giveable and not report.finished]
        for poor in sorted(range(len(reports)), key=has.__getitem__):
            rich = max((n for n in givers if not orders[n] and n != poor), key=has.__getitem__, default=None)
            pace = longer * (reports[poor].paths - self._found[poor])
            if rich is not None and _needs(has[poor], has[rich], pace) and not reports[poor].finished:
                count = min(_MOST_GIVEN, reports[rich].pending, max(1, (has[rich] - has[poor]) // 2))
                orders[rich].append((poor, count))
                has[rich], has[poor] = has[rich] - count, has[poor] + count
                givers = [n for n in givers if n != poor]  # what it gets is not there yet
        self._found = [report.paths for report in reports]
        return orders

    def _share_out(self, reports: Sequence[RoundReport], getting: set[int]) -> None:
        """Takes back what explorers at rest do not use, and lets those at work have as much as each other, about half
        of what is left in all."""
        if self._paths == float("inf"):
            return
        for number, report in enumerate(reports):
            if not report.pending or report.paths >= self.allowances[number]:
                self.allowances[number] = report.paths
        busy = [n for n, report in enumerate(reports) if report.pending or n in getting]
        unused = {n: self.allowances[n] - reports[n].paths for n in busy}
        fair = (self._paths - sum(self.allowances) + sum(unused.values())) // (2 * max(1, len(busy)))
        for number in sorted(busy, key=unused.__getitem__):
            left = self._paths - sum(self.allowances)
            self.allowances[number] += min(left, max(0, 1 - unused[number], fair - unused[number]))


def _needs(poor: int, rich: int, pace: float) -> bool:
    """Is it time for one to give to the other, who settles as many states in a round?  It may be that none of these
    leads to a new one."""
    return rich >= 2 and (poor == 0 or (poor < _FEW + _ROUNDS * pace and poor * _FEWER < rich))


def is_dry(reports: Sequence[RoundReport]) -> bool:
    """Has nobody anything left, nor given anything away that has not arrived?"""
    return not any(report.pending or report.gifts for report in reports)
