"""`cinq cache`: where things are kept between runs, how much that is, and away with it."""

from __future__ import annotations

import click

from cinquefoil.cli.say import say


@click.group()
def cache() -> None:
    """Compiled libc, traced objects and images, keyed by content.

    CINQUEFOIL_CACHE names another directory.
    """


@cache.command()
def path() -> None:
    """Print the directory."""
    from cinquefoil.build.cache import cache_root

    say(cache_root())


@cache.command()
def size() -> None:
    """Print how much is kept."""
    from cinquefoil.build import cache as store

    say(_amount(store.size()))


@cache.command()
def clear() -> None:
    """Remove everything; what is needed again is made again.

    Refused while another process uses the cache.
    """
    from cinquefoil.build import cache as store

    say(f"freed {_amount(store.clear())}")


def _amount(count: int) -> str:
    return f"{count / 2**20:.1f} MiB ({count} bytes)"
