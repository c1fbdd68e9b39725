"""`--check` and `--no-check`: what is looked for beside the errors that are always found, made flags and arguments of a
task.

Most checks are clang's and need the program's source; a project gets them by `-fsanitize=` in its CFLAGS.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from cinquefoil.build import sanitizers
from cinquefoil.errors import UserError

if TYPE_CHECKING:
    from cinquefoil.exploration.session.session import Task

ALLOCATION: Final = "allocation"
UNINITIALIZED: Final = "uninitialized"
OVERSHIFT: Final = "overshift"
NAMES: Final = (*sanitizers.CHECKS, ALLOCATION, UNINITIALIZED)
OPTIONAL: Final = (OVERSHIFT,)  # looked for unless --no-check names it
_FAILING: Final = ("--max-fail-malloc", "1")
_SOURCES: Final = (".c", ".i")


def check_names(words: Iterable[str], known: Sequence[str] = NAMES) -> tuple[str, ...]:
    """Names of checks, each word may hold several; `UserError` for one that is not known."""
    found = dict.fromkeys(name.strip() for word in words for name in word.split(","))
    for name in found:
        if name not in known:
            raise UserError(f"there is no check {name!r}; choose from {', '.join(known)}")
    return tuple(found)


def unchecked_names(words: Iterable[str]) -> tuple[str, ...]:
    """The same for checks that are not wanted."""
    return check_names(words, OPTIONAL)


def checked_flags(source: str, flags: Sequence[str], checks: Iterable[str]) -> tuple[str, ...]:
    """Compiler flags with those that the checks need; `UserError` if they cannot be added to this program."""
    added = sanitizers.flags_for(name for name in checks if name in sanitizers.CHECKS)
    if added and not source.endswith(_SOURCES):
        raise UserError(f"--check needs C source, which {source} is not; build it by cinq cc with {added[0]}")
    return (*flags, *added)


def checked(task: Task, checks: Sequence[str], unwanted: Sequence[str] = ()) -> Task:
    """The task with these checks, and without those that are not wanted."""
    task = replace(task, overshift=OVERSHIFT not in unchecked_names(unwanted))
    if not checks:
        return task
    names = check_names(checks)
    task = replace(task, uninitialized=UNINITIALIZED in names)
    flags = checked_flags(str(task.program), task.flags, names)
    return replace(task, flags=flags, arguments=checked_arguments(task.arguments, names))


def checked_arguments(arguments: Sequence[str], checks: Sequence[str]) -> tuple[str, ...]:
    """The program's arguments, with what the checks need of its environment."""
    return (*arguments, *(_FAILING if ALLOCATION in checks else ()))
