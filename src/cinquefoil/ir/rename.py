"""Ordinary names for numbered values.

LLVM numbers unnamed values and blocks in order of appearance; code that inserts instructions and builds text
of its own is easier with names that need not stay in sequence.
"""

from __future__ import annotations

from collections.abc import Iterable

from cinquefoil.ir.model import Branch, Function, IndirectBranch, Instruction, Local, Phi, Switch
from cinquefoil.ir.traversal import locals_of, replace_operands


def rename_numbered(function: Function, prefix: str = "v") -> None:
    """Gives numbered locals and blocks of a function ordinary names (`%5` becomes `%v5`), in place.

    Addresses of its blocks that other functions or globals hold are not followed.
    """
    taken = set(_names(function))
    while any(name.startswith(prefix) and name[len(prefix) :] in taken for name in taken):
        prefix += "_"
    for parameter in function.parameters:
        parameter.name = _renamed(parameter.name, prefix)
    for block in function.blocks:
        block.label = _renamed(block.label, prefix)
        for instruction in block.instructions:
            _rename_instruction(instruction, prefix)


def _names(function: Function) -> Iterable[str]:
    yield from (parameter.name for parameter in function.parameters)
    yield from (block.label for block in function.blocks)
    yield from (i.result for i in function.walk() if i.result is not None)


def _renamed(name: str, prefix: str) -> str:
    return f"{prefix}{name}" if name.isdigit() else name


def _rename_instruction(instruction: Instruction, prefix: str) -> None:
    if instruction.result is not None:
        instruction.result = _renamed(instruction.result, prefix)
    numbered = {
        local.name: Local(f"{prefix}{local.name}", local.type)
        for local in locals_of(instruction)
        if local.name.isdigit()
    }
    replace_operands(instruction, numbered)
    if isinstance(instruction, Phi | Branch | Switch | IndirectBranch):
        instruction.labels = [_renamed(label, prefix) for label in instruction.labels]
