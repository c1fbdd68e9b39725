"""`cinq cc`, `cinq ar`, `cinq ranlib`: every argument goes to the tool untouched, `--help` included."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import click


class PassThrough(click.Command):
    """A command whose arguments are not looked at."""

    def __init__(self, name: str, tool: Callable[[Sequence[str]], int]) -> None:
        super().__init__(name, callback=lambda: tool(self._words), add_help_option=False)
        self._words: tuple[str, ...] = ()

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        self._words = tuple(args)
        return []


def _cc(words: Sequence[str]) -> int:
    from cinquefoil.build.driver import cc_main

    return cc_main(words)


def _ar(words: Sequence[str]) -> int:
    from cinquefoil.build.driver import ar_main

    return ar_main(words)


def _ranlib(words: Sequence[str]) -> int:
    from cinquefoil.build.driver import ranlib_main

    return ranlib_main(words)


cc = PassThrough("cc", _cc)
ar = PassThrough("ar", _ar)
ranlib = PassThrough("ranlib", _ranlib)
