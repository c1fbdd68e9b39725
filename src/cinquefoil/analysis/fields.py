"""Fields of structures, told apart in what memory holds (for symbolic_flow.py).

An access through a field of a named structure touches that field alone (a global structure itself: its first field);
one through any other pointer touches the whole object.  So each object has a node for what is written to it as a whole,
one for what may be read from it anywhere, and one for each field that some access names.  An object that is seen as
structures of several names (part of another, a union, memory from a common allocator) is not divided.

Risk: a field reached by plain arithmetic on a pointer to another field is not seen.  That costs time, not truth.
"""

from __future__ import annotations

from collections.abc import Iterator

from cinquefoil.analysis.pointers import Node
from cinquefoil.ir.model import ConstExpr, Function, GetElementPtr, GlobalRef, Local, Module, Value
from cinquefoil.ir.types import NamedType

ANY, ALL = "in", "written all over"  # what may be read from an object; what is written to the whole of it
Field = tuple[str, int]  # name of the structure, number of the field


def written(node: Node) -> Node:
    """Where an access to a whole object writes, given where it would read."""
    return (ALL, node[1]) if node[0] == ANY else node


class Fields:
    """Which fields of which objects are accessed."""

    def __init__(self, module: Module) -> None:
        self._makers = {f.name: _elements(f) for f in module.functions.values() if f.blocks}
        self._globals = {name: variable.type for name, variable in module.globals.items()}
        self._seen: dict[str, set[Field]] = {}  # by object

    def of(self, function: str, pointer: Value) -> Field | None:
        """The field of the outermost structure that a pointer was made for, if its making shows one."""
        found: Field | None = None
        while (maker := self._maker(function, pointer)) is not None:
            if isinstance(maker.source, NamedType) and len(maker.operands) > 2:
                found = maker.source.name, getattr(maker.operands[2], "value", 0)
            pointer = next(iter(maker.operands))
        type_ = self._globals.get(pointer.name) if isinstance(pointer, GlobalRef) else None
        return found or ((type_.name, 0) if isinstance(type_, NamedType) else None)

    def _maker(self, function: str, pointer: Value) -> GetElementPtr | ConstExpr | None:
        if isinstance(pointer, ConstExpr):
            return pointer if pointer.source is not None else None
        return self._makers.get(function, {}).get(pointer.name) if isinstance(pointer, Local) else None

    def node(self, target: str, field: Field) -> Node:
        """The field of an object."""
        self._seen.setdefault(target, set()).add(field)
        return ANY, f"{target} . {field[0]} {field[1]}"

    def edges(self) -> Iterator[tuple[Node, Node]]:
        """How what is written to parts and the whole of objects can be read from the others."""
        for target, fields in sorted(self._seen.items()):
            divided = len({name for name, _ in fields}) == 1
            for field in sorted(fields):
                node = self.node(target, field)
                yield (ALL, target), node
                yield node, (ANY, target)
                if not divided:
                    yield node, (ALL, target)


def _elements(function: Function) -> dict[str, GetElementPtr]:
    return {i.result: i for i in function.walk() if isinstance(i, GetElementPtr) and i.result is not None}
