"""What pointers may point to: an inclusion-based analysis of the whole program (Andersen's).

Objects are stack variables, globals, functions, what an outside function returned, and the extra arguments of
variadic functions; each has one content, fields and elements are not told apart, and neither are moments or calling
contexts.  Integers count as pointers where they were computed from some.  What an outside function returns may point
into its arguments.

Nodes are values and objects; an edge passes on what its source may point to.  Edges of loads, stores and calls through
pointers are added while the sets grow.  Sets are integers with a bit for each object.  Time is cubic at worst, close to
linear on real programs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from cinquefoil.ir.model import (
    Alloca,
    Call,
    ConstAggregate,
    Function,
    GlobalRef,
    Instruction,
    Load,
    Local,
    Module,
    Return,
    Store,
    Value,
)
from cinquefoil.ir.traversal import globals_in

Node = tuple[str, str]  # (function, local); ("@", global); ("ret", function); ("va", function); ("new", ...)
ARGUMENTS: Node = ("input", "argv")
_STRINGS: Node = ("input", "argv[]")


def local(function: str, name: str) -> Node:
    return f"%{function}", name


class PointsTo:
    """The solved analysis of a module."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._objects: list[Node] = []
        self._bits: dict[Node, int] = {}  # of objects
        self._sets: dict[Node, int] = {}
        self._edges: defaultdict[Node, set[Node]] = defaultdict(set)
        self._loads: defaultdict[Node, list[Node]] = defaultdict(list)  # pointer -> results
        self._stores: defaultdict[Node, list[Node]] = defaultdict(list)  # pointer -> values
        self._calls: defaultdict[Node, list[tuple[str, Call]]] = defaultdict(list)
        self._fresh: dict[Node, int] = {}  # what a node was found to point to and has not passed on yet
        self._known: set[tuple[int, str]] = set()
        self.targets: defaultdict[int, set[str]] = defaultdict(set)  # call (by identity) -> defined callees
        self._build()
        self._solve()

    def objects(self, function: str, pointer: Value) -> set[Node]:
        """The objects that a pointer may point to, or into."""
        if isinstance(pointer, Local):
            return set(self._members(self._sets.get(local(function, pointer.name), 0)))
        return {("@", name) for name in globals_in(pointer)}

    def callees(self, call: Call) -> set[str]:
        """The defined functions that a call may reach."""
        return self.targets.get(id(call), set())

    # ---- constraints -----------------------------------------------------------------------------------------

    def _build(self) -> None:
        for variable in self._module.globals.values():
            if variable.initializer is not None:
                for name in _named(variable.initializer):
                    self._add(("@", variable.name), ("@", name))
        for function in self._module.functions.values():
            self._function(function)

    def _function(self, function: Function) -> None:
        if function.name == "main" and len(function.parameters) > 1:
            self._add(local("main", function.parameters[1].name), ARGUMENTS)
            self._add(ARGUMENTS, _STRINGS)
        for i in function.walk():
            self._instruction(function.name, i)

    def _instruction(self, function: str, i: Instruction) -> None:
        result = local(function, i.result) if i.result is not None else None
        if isinstance(i, Alloca):
            assert result is not None
            self._add(result, result)
        elif isinstance(i, Load):
            assert result is not None
            self._through(function, i.operands[0], self._loads, result)
        elif isinstance(i, Store):
            self._through(function, i.operands[1], self._stores, self._node(function, i.operands[0]))
        elif isinstance(i, Call):
            self._call(function, i)
        elif isinstance(i, Return):
            for value in i.operands:
                self._copy(self._node(function, value), ("ret", function))
        elif result is not None:
            for value in i.operands:
                self._copy(self._node(function, value), result)

    def _node(self, function: str, value: Value) -> Node | None:
        """The node of a value; constants get one that points to what they name."""
        if isinstance(value, Local):
            return local(function, value.name)
        names = list(globals_in(value))
        if not names:
            return None
        node = ("const", " ".join(names))
        for name in names:
            self._add(node, ("@", name))
        return node

    def _through(self, function: str, pointer: Value, table: dict[Node, list[Node]], other: Node | None) -> None:
        node = self._node(function, pointer)
        if node is not None and other is not None:
            self._access(node, table, other)

    def _access(self, pointer: Node, table: dict[Node, list[Node]], other: Node) -> None:
        """A load or store through a pointer, also for what it is known to point to already."""
        table[pointer].append(other)
        for target in self._members(self._sets.get(pointer, 0)):
            if table is self._loads:
                self._copy(target, other)
            else:
                self._copy(other, target)

    def _call(self, function: str, call: Call) -> None:
        if not isinstance(call.callee, GlobalRef):
            node = self._node(function, call.callee)
            if node is not None:
                self._calls[node].append((function, call))
                for target in self._members(self._sets.get(node, 0)):
                    if target[0] == "@":
                        self._bind(function, call, target[1])
            return
        self._bind(function, call, call.callee.name)

    def _bind(self, function: str, call: Call, name: str) -> None:
        """Passes arguments and result between a call and one of its callees."""
        if (id(call), name) in self._known:
            return
        self._known.add((id(call), name))
        callee = self._module.functions.get(name)
        result = local(function, call.result) if call.result is not None else None
        if callee is None or callee.is_declaration:
            self._outside(function, call, name, result)
            return
        self.targets[id(call)].add(name)
        for parameter, value in zip(callee.parameters, call.operands, strict=False):
            self._copy(self._node(function, value), local(name, parameter.name))
        for value in call.operands[len(callee.parameters) :]:
            self._copy(self._node(function, value), ("va", name))
        if result is not None:
            self._copy(("ret", name), result)

    def _outside(self, function: str, call: Call, name: str, result: Node | None) -> None:
        nodes = [node for value in call.operands if (node := self._node(function, value)) is not None]
        if name.startswith("llvm.va_start"):
            self._add(("const", f"va {function}"), ("va", function))
            for node in nodes:
                self._access(node, self._stores, ("const", f"va {function}"))
        elif name.startswith("llvm.va_copy") or name.removeprefix("llvm.").startswith(("memcpy", "memmove")):
            between: Node = ("copy", f"{function} {id(call)}")
            self._access(nodes[1] if len(nodes) > 1 else nodes[0], self._loads, between)
            self._access(nodes[0], self._stores, between)
        if result is not None and "ptr" in str(call.type):
            self._add(result, ("new", f"{function} {call.result}"))
            for node in nodes:
                self._copy(node, result)

    # ---- solving -----------------------------------------------------------------------------------------------

    def _add(self, node: Node, target: Node) -> None:
        bit = self._bits.get(target)
        if bit is None:
            bit = self._bits[target] = 1 << len(self._objects)
            self._objects.append(target)
        self._grow(node, bit)

    def _members(self, bits: int) -> list[Node]:
        found: list[Node] = []
        while bits:
            low = bits & -bits
            found.append(self._objects[low.bit_length() - 1])
            bits ^= low
        return found

    def _grow(self, node: Node, targets: int) -> None:
        before = self._sets.get(node, 0)
        new = targets & ~before
        if new:
            self._sets[node] = before | new
            self._fresh[node] = self._fresh.get(node, 0) | new

    def _copy(self, source: Node | None, target: Node) -> None:
        if source is not None and source != target and target not in self._edges[source]:
            self._edges[source].add(target)
            self._grow(target, self._sets.get(source, 0))

    def _solve(self) -> None:
        while self._fresh:
            node = next(iter(self._fresh))
            self._step(node, self._fresh.pop(node))

    def _step(self, node: Node, found: int) -> None:
        """Passes on what is new."""
        loads, stores, calls = self._loads.get(node, ()), self._stores.get(node, ()), self._calls.get(node, ())
        for target in self._members(found) if loads or stores or calls else ():
            for result in loads:
                self._copy(target, result)
            for value in stores:
                self._copy(value, target)
            if target[0] == "@":
                for function, call in list(calls):
                    self._bind(function, call, target[1])
        for other in list(self._edges.get(node, ())):
            self._grow(other, found)


def _named(value: Value) -> Iterable[str]:
    """Globals named in an initializer; the walk over big tables is iterative."""
    if isinstance(value, ConstAggregate) and not value.elements:
        return ()
    return globals_in(value)
