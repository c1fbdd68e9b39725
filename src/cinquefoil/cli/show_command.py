"""`cinq show`: what a .ktest file holds, for people."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from cinquefoil.cli.say import say
from cinquefoil.errors import TestFileError
from cinquefoil.machine.failure import count
from cinquefoil.testcase.ktest import KTest
from cinquefoil.testcase.readable import content_lines, quoted_text

_OK, _UNREADABLE = 0, 2


@click.command()
@click.argument("tests", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="One JSON list for machines; contents in hexadecimal.")
def show(tests: tuple[Path, ...], as_json: bool) -> int:
    """Print TESTS (.ktest files): arguments, and every object as text, bytes and numbers.

    Exit status: 0, or 2 if some cannot be read; the others are printed all the same.
    """
    read = list(_readable(tests))
    if as_json:
        say(json.dumps([{"file": str(path), **as_data(test)} for path, test in read], indent=2))
    else:
        for path, test in read:
            say("\n".join([str(path), *as_lines(test)]))
    return _OK if len(read) == len(tests) else _UNREADABLE


def _readable(paths: Iterable[Path]) -> Iterator[tuple[Path, KTest]]:
    for path in paths:
        try:
            yield path, KTest.read(path)
        except TestFileError as error:
            say(f"cinq: error: {error}", err=True)


def as_data(test: KTest) -> dict[str, object]:
    """The test as data for `json.dumps`."""
    objects = [{"name": name, "size": len(content), "hex": content.hex()} for name, content in test.objects]
    return {"args": list(test.args), "objects": objects}


def as_lines(test: KTest) -> Iterator[str]:
    """One block of lines per object."""
    if test.args:
        yield "  arguments  " + " ".join(quoted_text(arg.encode("utf-8", "surrogateescape")) for arg in test.args)
    for name, content in test.objects:
        yield f"  {name}  {count(len(content), 'byte')}"
        yield from (f"    {line}" for line in content_lines(content))
