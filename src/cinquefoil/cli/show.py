"""`cinq show`: what a .ktest file holds, for people."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click

from cinquefoil.testcase.ktest import KTest

_INTEGERS: Final = (1, 2, 4, 8)
_ROW: Final = 16


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


def content_lines(content: bytes) -> Iterator[str]:
    """Bytes as text, in hexadecimal, and as integers where the size is an integer's."""
    if not content:
        return
    yield f"text  {quoted_text(content)}"
    for at in range(0, len(content), _ROW):
        yield f"{'hex ' if at == 0 else '    '}  {content[at : at + _ROW].hex(' ')}"
    if len(content) in _INTEGERS:
        unsigned, signed = (int.from_bytes(content, "little", signed=s) for s in (False, True))
        yield f"int   {unsigned}" + (f" or {signed}" if signed != unsigned else "")


def quoted_text(content: bytes) -> str:
    """A C-like string: printable ASCII as it is, the rest escaped."""
    return '"' + "".join(_character(byte) for byte in content) + '"'


def _character(byte: int) -> str:
    named = {0: r"\0", 9: r"\t", 10: r"\n", 13: r"\r", 34: r"\"", 92: r"\\"}
    return named.get(byte) or (chr(byte) if 0x20 <= byte < 0x7F else f"\\x{byte:02x}")
