"""Plain IR that reports the blocks it enters, and is otherwise left as it is.

This is the build against which the tracing one is judged, so it shares nothing with it: the text of LLVM itself is
kept but for questions to the processor (`cpuid`), and each block only gets a call, `cinq_block(number)`, behind its phi
nodes.  The call names no value, so no numbered name moves.  Numbers count the blocks of all defined functions in the
order of the text; a block is known to others by its function and its number in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from cinquefoil.build.cleanup import without_unwritten

_DEFINE = re.compile(r'define (?!available_externally)[^@]*@("[^"]*"|[-\w$.]+)\(')
_LABEL = re.compile(r'(?:"[^"]*"|[-\w$.]+):')
_PHI = re.compile(r'  %(?:"[^"]*"|[-\w$.]+) = phi ')
HOOK = "cinq_block"
# What the processor can do is "nothing", as the engine says.
_CPUID = re.compile(r' = call (\{ i32, i32, i32, i32 \}) asm (?:sideeffect )?"[^"]*\bcpuid\b[^"]*", .*')

BlockPosition = tuple[str, int]  # a function's name, and the number of a block in it


@dataclass(frozen=True, slots=True)
class CoveredModule:
    """`positions[n]` is the block that reports itself as n."""

    text: str
    positions: list[BlockPosition]


def cover_blocks(text: str) -> CoveredModule:
    """Let every block of a module, given as LLVM prints it, call `cinq_block` with its number."""
    marker = _Marker()
    lines = [*marker.mark(without_unwritten(text).split("\n")), f"declare void @{HOOK}(i32)", ""]
    return CoveredModule("\n".join(lines), marker.positions)


@dataclass(slots=True)
class _Marker:
    """Walks over the lines; `waiting` says that the current block has not reported yet."""

    positions: list[BlockPosition] = field(default_factory=list[BlockPosition])
    function: str = ""
    block: int = 0
    waiting: bool = False

    def mark(self, lines: list[str]) -> Iterator[str]:
        for line in lines:
            if not self.function:
                self._outside(line)
            elif line == "}":
                self.function = ""
            elif _LABEL.match(line):
                self._start()
            elif line.startswith("  ") and not _PHI.match(line) and not line.startswith("    #dbg"):
                yield from self._instruction()
            yield _CPUID.sub(r" = insertvalue \1 zeroinitializer, i32 0, 0", line) if "cpuid" in line else line

    def _outside(self, line: str) -> None:
        if found := _DEFINE.match(line):
            self.function, self.block, self.waiting = found[1].strip('"'), 0, True

    def _start(self) -> None:
        # The entry block may have a label or none; it is waiting already.
        self.block += 0 if self.waiting else 1
        self.waiting = True

    def _instruction(self) -> Iterator[str]:
        if self.waiting:
            self.positions.append((self.function, self.block))
            self.waiting = False
            yield f"  call void @{HOOK}(i32 {len(self.positions) - 1})"
