"""Which values may depend on symbolic input (CFMSE, section 4.3).

From the sources (klee_make_symbolic and kin, the program's arguments, what is read from files and standard input) the
property spreads: from operands to results, through memory (pointers.py says which objects an access may touch), into
calls and back with their results, to extra arguments of variadic functions all at once; all over the program, without
regard to calling context.

Of each object the pointers that it holds and its other data are told apart: input never lands in a pointer, so that
pointers of a structure or a heap whose text is input stay concrete.

Fields of structures are told apart where an access names them (fields.py).  How many arguments there are is no source:
each path has its number.

It also spreads by *sync dependence*: a value chosen at a join, or stored in an arm, depends on the branch before it,
though in each execution it is concrete.  That is so only where the branch will be melded (otherwise each path has its
own concrete value), so the caller says at which branches.

Risks: a pointer read from memory that was written as a number is taken for concrete; that costs time (an address
that turns out symbolic), not truth.  What outside functions do is known by name only; those not listed are taken to
write to what their pointer arguments point to whenever one of their arguments depends on input.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from functools import cached_property

from cinquefoil.analysis.fields import ANY, Fields, written
from cinquefoil.analysis.outside import COPIES, COUNTING, INPUT, MAKERS, READERS
from cinquefoil.analysis.pointers import Node, PointsTo, local
from cinquefoil.ir.model import (
    Alloca,
    Call,
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
from cinquefoil.ir.types import PointerType

_DATA, _POINTERS = ANY, "pointers in"  # what an object holds


@dataclass(frozen=True, slots=True)
class Sync:
    """A branch that will be melded: what is chosen where its arms meet, and the stores inside them."""

    function: str
    condition: Value
    chosen: tuple[str, ...]
    stores: tuple[Store, ...]


class SymbolicFlow:
    """The spread as a graph over nodes, built once; `spread` follows it for a choice of melded branches."""

    def __init__(self, module: Module) -> None:
        self._pointers = PointsTo(module)
        self._edges: defaultdict[Node, list[Node]] = defaultdict(list)
        self._sources: list[Node] = [(_DATA, "input argv"), (_DATA, "input argv[]")]
        self._constant = {name for name, variable in module.globals.items() if variable.constant}
        self._fields = Fields(module)
        self._whole: set[Node] = set()  # what is written as a whole
        self._names = {f.name: _locals(f) for f in module.functions.values() if f.blocks}
        self._module = module
        for function in module.functions.values():
            self._function(function)
        self._sources = self._put(self._sources)
        for node, target in self._fields.edges():
            self._edges[node].append(target)

    def spread(self, syncs: Iterable[Sync] = ()) -> dict[str, set[str]]:
        """Per function, the locals that may depend on input."""
        return self._locals_in(self._reached(self._sources, self._extra(syncs)))

    def additions(self, syncs: Iterable[Sync]) -> Callable[[Sync], set[Node]]:
        """Tells for one of the branches what would depend on input if they all were melded, because of this one, and
        does not if none is."""
        extra = self._extra(syncs)
        return lambda sync: self._reached(self._synced(sync), extra, self._without)

    def depends_anyway(self, function: str, value: Value) -> bool:
        """Whether a value depends on input although nothing is melded."""
        return isinstance(value, Local) and local(function, value.name) in self._without

    @cached_property
    def _without(self) -> set[Node]:
        """What depends on input if nothing is melded."""
        return self._reached(self._sources, {})

    def _extra(self, syncs: Iterable[Sync]) -> dict[Node, list[Node]]:
        extra: defaultdict[Node, list[Node]] = defaultdict(list)
        for sync in syncs:
            if isinstance(sync.condition, Local):
                extra[local(sync.function, sync.condition.name)] += self._synced(sync)
        return extra

    def _reached(
        self, starts: list[Node], extra: dict[Node, list[Node]], known: Collection[Node] = frozenset()
    ) -> set[Node]:
        """Everything that the property spreads to from some nodes, without passing through known ones."""
        seen = {node for node in starts if node not in known}
        work = list(seen)
        while work:
            node = work.pop()
            for target in (*self._edges.get(node, ()), *extra.get(node, ())):
                if target not in seen and target not in known:
                    seen.add(target)
                    work.append(target)
        return seen

    def _locals_in(self, nodes: set[Node]) -> dict[str, set[str]]:
        return {
            function: {name for name in names if local(function, name) in nodes}
            for function, names in self._names.items()
        }

    def objects(self, function: str, pointer: Value) -> set[Node]:
        """What a pointer may point to."""
        return self._pointers.objects(function, pointer)

    def _synced(self, sync: Sync) -> list[Node]:
        chosen = [local(sync.function, name) for name in sync.chosen]
        return chosen + [o for store in sync.stores for o in self._stored(sync.function, store)]

    # ---- edges ---------------------------------------------------------------------------------------------------

    def _function(self, function: Function) -> None:
        for i in function.walk():
            self._instruction(function.name, i)

    def _instruction(self, function: str, i: Instruction) -> None:
        if isinstance(i, Alloca):
            return
        if isinstance(i, Call):
            self._call(function, i)
            return
        if isinstance(i, Store):
            self._flow(function, i.operands, self._stored(function, i))
            return
        result = ("ret", function) if isinstance(i, Return) else None
        if i.result is not None:
            result = local(function, i.result)
        if result is not None:
            self._flow(function, i.operands, [result])
        if isinstance(i, Load) and result is not None:
            for node in self._read(function, i):
                self._edges[node].append(result)

    def _flow(self, function: str, values: Iterable[Value], targets: list[Node]) -> None:
        for value in values:
            if isinstance(value, Local):
                self._edges[local(function, value.name)].extend(targets)

    def _stored(self, function: str, store: Store) -> list[Node]:
        """What a store changes."""
        if _is_pointer(store.operands[0]):
            return self._contents(function, store.operands[1], _POINTERS)
        return self._parts(function, store.operands[1]) or self._put(self._contents(function, store.operands[1], _DATA))

    def _read(self, function: str, load: Load) -> list[Node]:
        """Where what a load reads may come from."""
        pointer = load.operands[0]
        if _is_pointer(load):
            return self._contents(function, pointer, _POINTERS)
        return self._parts(function, pointer) or self._contents(function, pointer, _DATA, _POINTERS)

    def _parts(self, function: str, pointer: Value) -> list[Node]:
        """The contents of the field that a pointer was made for; none if it is not known to be for one."""
        field = self._fields.of(function, pointer)
        found = self._contents(function, pointer, _DATA) if field is not None else []
        return [self._fields.node(target, field) for _, target in found if field is not None]

    def _put(self, contents: Iterable[Node]) -> list[Node]:
        """The same, to be written as a whole; all of it can be read."""
        found = [(written(node), node) for node in contents]
        for whole, node in found:
            if whole not in self._whole and whole != node:
                self._whole.add(whole)
                self._edges[whole].append(node)
        return [whole for whole, _ in found]

    def _contents(self, function: str, pointer: Value, *kinds: str) -> list[Node]:
        """The contents of what a pointer may point to; constants never depend on input."""
        found = [o for o in sorted(self._pointers.objects(function, pointer)) if not self._is_constant(o)]
        return [(kind, " ".join(o)) for kind in kinds for o in found]

    def _is_constant(self, target: Node) -> bool:
        return target[0] == "@" and target[1] in self._constant

    def _call(self, function: str, call: Call) -> None:
        result = [local(function, call.result)] if call.result is not None else []
        defined = self._pointers.callees(call)
        for name in sorted(defined):
            self._inside(function, call, name, result)
        if not defined or not isinstance(call.callee, GlobalRef):
            name = call.callee.name if isinstance(call.callee, GlobalRef) else ""
            self._outside(function, call, name, result)

    def _inside(self, function: str, call: Call, name: str, result: list[Node]) -> None:
        parameters = self._module.functions[name].parameters
        for parameter, value in zip(parameters, call.operands, strict=False):
            self._flow(function, [value], [local(name, parameter.name)])
        self._flow(function, call.operands[len(parameters) :], self._put([(_DATA, f"va {name}")]))
        self._edges["ret", name].extend(result)

    def _outside(self, function: str, call: Call, name: str, result: list[Node]) -> None:
        pointers = [value for value in call.operands if _is_pointer(value)]
        contents = [self._contents(function, value, _DATA) for value in pointers]
        if name in MAKERS:
            self._sources += contents[0] if contents else []
        elif name in INPUT or name.startswith("__VERIFIER_nondet_"):
            self._sources += result + [node for each in contents for node in each]
        elif name.startswith(("llvm.lifetime", "llvm.va_end")):
            return
        else:
            self._transfer(function, call, name, result, contents)
            held = [self._contents(function, value, _POINTERS) for value in pointers]
            self._join(f"pointers {function} {id(call)}", held, _written(name, held))

    def _transfer(self, function: str, call: Call, name: str, result: list[Node], contents: list[list[Node]]) -> None:
        """From all arguments and what they point to, to the result and what may be written."""
        plain = _plain(name)
        targets = self._put(_written(name, contents))
        if _is_pointer(call):
            made = [(_DATA, f"new {function} {call.result}")]
            targets += self._put(made) if plain not in ("malloc", "calloc") else []
        elif plain not in COUNTING:
            targets += result
        hub = self._join(f"{function} {id(call)}", contents, targets)
        self._flow(function, call.operands, [hub])

    def _join(self, name: str, contents: list[list[Node]], targets: list[Node]) -> Node:
        """A node that passes on what any of the contents hold."""
        hub: Node = ("call", name)
        self._edges[hub].extend(targets)
        for node in dict.fromkeys(node for each in contents for node in each):
            self._edges[node].append(hub)
        return hub


def _plain(name: str) -> str:
    return name.removeprefix("llvm.").split(".")[0]


def _written(name: str, contents: list[list[Node]]) -> list[Node]:
    """What an outside function may write to, of the contents of its arguments."""
    plain = _plain(name)
    written = [] if plain in READERS else contents[:1] if plain in COPIES else contents
    return [node for each in written for node in each]


def _is_pointer(value: Value | Instruction) -> bool:
    return isinstance(value.type, PointerType)


def _locals(function: Function) -> list[str]:
    return [*(p.name for p in function.parameters), *(i.result for i in function.walk() if i.result is not None)]
