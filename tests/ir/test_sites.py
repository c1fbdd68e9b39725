"""What is computed of an image's sites is computed once, unless there are more of them."""

from __future__ import annotations

from collections.abc import Sequence

from cinquefoil.ir.sites import Site, SiteKind, SiteTable, once_per_table


def test_what_is_known_of_a_table_is_kept_until_it_grows() -> None:
    asked: list[int] = []

    @once_per_table
    def names(sites: Sequence[Site]) -> list[str]:
        asked.append(len(sites))
        return [site.function for site in sites]

    table, other = SiteTable(), SiteTable()
    table.append_module([Site(SiteKind.BLOCK, "main", "a.c", 1, 1).row()])
    assert names(table) is names(table)
    assert names(other) == [""]
    assert names(table) == ["", "main"]
    table.append_module([Site(SiteKind.BLOCK, "helper", "a.c", 9, 1).row()])
    assert names(table) == ["", "main", "helper"]
    assert asked == [2, 1, 3]


def test_sites_in_a_list_are_looked_at_each_time() -> None:
    count = once_per_table(len)
    sites = [Site(SiteKind.BLOCK, "main", "a.c", 1, 1)]
    assert count(sites) == 1
    sites *= 2
    assert count(sites) == 2
