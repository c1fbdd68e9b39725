"""Remarks to the user on standard error: they change neither results nor exit status."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from typing import Final

import click

from cinquefoil.build.compile import own_notes
from cinquefoil.cli.paths import shown
from cinquefoil.cli.say import say
from cinquefoil.exploration.runs.remarks import MOST, Told
from cinquefoil.machine.environment import SYMBOLIC_OPTIONS
from cinquefoil.machine.failure import count

_NAMED: Final = 10  # undefined functions
_ALIKE: Final = 0.8  # as difflib measures it: one letter wrong, left out or too many


def note(text: str) -> None:
    """One line that the user should know of."""
    say(f"note: {text}", err=True)


def note_arguments(command: click.Command, arguments: Sequence[str]) -> None:
    """Tells of words behind the program that were most likely not meant for it."""
    options = {text for option in command.params for text in (*option.opts, *option.secondary_opts)}
    for text in (*_misplaced(command, options - {"--help"}, arguments), *_misspelt(arguments)):
        note(text)


def _misplaced(command: click.Command, options: Iterable[str], arguments: Sequence[str]) -> Iterator[str]:
    known = {option for option in options if option.startswith("--")}
    for word in arguments:
        if word.partition("=")[0] in known:
            yield f"{word} is given to the program; options of cinq {command.name} stand before the program"


def _misspelt(arguments: Sequence[str]) -> Iterator[str]:
    for word in arguments:
        name = word.lstrip("-").partition("=")[0]
        if not word.startswith("-") or word.lstrip("-") in SYMBOLIC_OPTIONS:
            continue
        meant = get_close_matches(name, SYMBOLIC_OPTIONS, 1, _ALIKE)
        if meant or name.startswith("sym-"):
            hint = f"; did you mean --{meant[0]}, followed by its numbers if it has any?" if meant else ""
            yield f"{word} is given to the program: there is no such option of the symbolic environment{hint}"


def note_compilation(said: str) -> None:
    """Passes on what has no effect of a source's flags, attributes and pragmas."""
    for text in own_notes(said):
        note(shown(text))


def note_undefined(names: Sequence[str]) -> None:
    """Tells which functions nobody defines, the first few by name."""
    if names:
        more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
        found = count(len(names), "undefined function")
        note(f"{found}, an error if called: {', '.join(names[:_NAMED])}{more}")


def note_concrete(given: bool) -> None:
    """Tells that nothing was symbolic; `given`: although the command line asks for symbolic input."""
    if given:
        note("the program used none of its symbolic input, so this was one run with fixed input")
        return
    note(
        "no input is symbolic, so this was one run with fixed input; add --sym-stdin N, --sym-arg N or "
        "--sym-files NUM N behind the program, or call klee_make_symbolic in it"
    )


def note_told(told: Sequence[Told]) -> None:
    """Passes on what the program told by klee_warning, klee_print_expr and the like."""
    for each in told:
        note(f"{each.kind} at {shown(each.file)}:{each.line} in {each.function}: {each}")
    if len(told) >= MOST:
        note("what the program told after that is left out")
