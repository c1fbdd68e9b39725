"""`cinq show`: what a .ktest file holds, for people."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import click

from cinquefoil.testcase.ktest import KTest
from cinquefoil.testcase.readable import content_lines, quoted_text


@click.command()
@click.argument("tests", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="One JSON list for machines; contents in hexadecimal.")
def show(tests: tuple[Path, ...], as_json: bool) -> None:
    """Print TESTS (.ktest files): arguments, and every object as text, bytes and numbers."""
    read = [(path, KTest.read(path)) for path in tests]
    if as_json:
        click.echo(json.dumps([{"file": str(path), **as_data(test)} for path, test in read], indent=2))
        return
    for path, test in read:
        click.echo("\n".join([str(path), *as_lines(test)]))


def as_data(test: KTest) -> dict[str, object]:
    """For `json.dumps`."""
    objects = [{"name": name, "size": len(content), "hex": content.hex()} for name, content in test.objects]
    return {"args": list(test.args), "objects": objects}


def as_lines(test: KTest) -> Iterator[str]:
    """One block of lines per object."""
    if test.args:
        yield "  arguments  " + " ".join(quoted_text(arg.encode("utf-8", "surrogateescape")) for arg in test.args)
    for name, content in test.objects:
        yield f"  {name}  {len(content)} byte{'' if len(content) == 1 else 's'}"
        yield from (f"    {line}" for line in content_lines(content))
