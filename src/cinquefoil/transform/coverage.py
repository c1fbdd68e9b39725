"""Plain IR that reports the blocks it enters, and is otherwise left as it is.

This is the build against which the tracing one is judged, so it shares nothing with it: the text of LLVM itself is
kept, and each block only gets a call, `cinq_block(number)`, behind its phi nodes.  The call names no value, so no
numbered name moves.  Numbers count the blocks of all defined functions in the order of the text; a block is known
to others by its function and its place in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_DEFINE = re.compile(r'define (?!available_externally)[^@]*@("[^"]*"|[-\w$.]+)\(')
_LABEL = re.compile(r'(?:"[^"]*"|[-\w$.]+):')
_PHI = re.compile(r'  %(?:"[^"]*"|[-\w$.]+) = phi ')
_HOOK = "cinq_block"

Place = tuple[str, int]  # a function's name, and the number of a block in it


@dataclass(frozen=True, slots=True)
class CoveredModule:
    """`places[n]` is the block that reports itself as n."""

    text: str
    places: list[Place]


def cover_blocks(text: str) -> CoveredModule:
    """Let every block of a module, given as LLVM prints it, call `cinq_block` with its number."""
    places: list[Place] = []
    lines = [*_with_calls(text.split("\n"), places), f"declare void @{_HOOK}(i32)", ""]
    return CoveredModule("\n".join(lines), places)


def _with_calls(lines: list[str], places: list[Place]) -> Iterator[str]:
    function, block, waiting = "", 0, False  # waiting: the block has not reported yet
    for line in lines:
        if function and line == "}":
            function = ""
        elif function and _LABEL.match(line):
            # The entry block may have a label or none; it is waiting already.
            block, waiting = (block if waiting else block + 1), True
        elif waiting and line.startswith("  ") and not _PHI.match(line) and not line.startswith("    #dbg"):
            places.append((function, block))
            yield f"  call void @{_HOOK}(i32 {len(places) - 1})"
            waiting = False
        elif not function and (found := _DEFINE.match(line)):
            function, block, waiting = found[1].strip('"'), 0, True
        yield line
