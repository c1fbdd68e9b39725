"""What the command line says: the only door to standard output and standard error.

Names of objects and files, messages and output come from programs and files that nobody trusts.  A terminal obeys
control characters, so none of them gets there."""

from __future__ import annotations

import click

from cinquefoil.testcase.readable import visible


def say(text: object = "", *, err: bool = False) -> None:
    """Prints a text, to standard error if `err`, with everything that could steer a terminal escaped."""
    click.echo(visible(str(text)), err=err)
