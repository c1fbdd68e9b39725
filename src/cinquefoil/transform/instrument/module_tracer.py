"""Instruments a whole module.

Globals get a red zone behind them and are listed in a section that the run-time reads; constructors are listed in
another, and so are the functions whose address may be called.  Everything not needed for running (metadata,
attributes, visibility, thread-locality) is dropped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from cinquefoil.build.cleanup import AS_WRITTEN
from cinquefoil.errors import BitcodeError
from cinquefoil.ir.debug import DebugInfo
from cinquefoil.ir.model import (
    Alias,
    BlockAddress,
    Call,
    ConstAggregate,
    ConstExpr,
    ConstInt,
    ConstNull,
    ConstString,
    ConstUndef,
    ConstZero,
    Function,
    GlobalRef,
    GlobalVariable,
    Module,
    Unreachable,
    Value,
)
from cinquefoil.ir.printer import name_text, value_text
from cinquefoil.ir.type_parser import TypeReader
from cinquefoil.ir.types import (
    FloatType,
    IntType,
    NamedType,
    PointerType,
    Type,
    alignment,
    size_of,
)
from cinquefoil.transform.instrument.abi import DECLARATIONS
from cinquefoil.transform.instrument.addresses import OBJECT_ALIGNMENT
from cinquefoil.transform.instrument.constant import without_constant_branches
from cinquefoil.transform.instrument.expand import is_expandable
from cinquefoil.transform.instrument.function_tracer import FunctionTracer
from cinquefoil.transform.instrument.instrument_options import InstrumentOptions
from cinquefoil.transform.instrument.memory import RED_ZONE
from cinquefoil.transform.instrument.site_numbers import SiteNumbers, coverage_symbol
from cinquefoil.transform.instrument.traced_module import ModuleFacts, TracedModule

_TRIPLE = "x86_64-unknown-linux-musl"
_ATTRIBUTES = 'nounwind "target-cpu"="x86-64" "target-features"="{}" "no-builtins"'
_FEATURES = re.compile(r'"target-features"="([^"]*)"')
_BASELINE = "+sse4.1"
_BEYOND = re.compile(r"llvm\.x86\.(?!sse\d?\.|sse41\.|ssse3\.|rdtsc)")  # instructions that the baseline does not have
_DROPPED = ("llvm.used", "llvm.compiler.used", "llvm.global_ctors", "llvm.global_dtors")
_LARGE_OBJECT, _LARGE_RED_ZONE = 1024, 128


@dataclass(slots=True)
class _Graph:
    entries: dict[str, int] = field(default_factory=dict[str, int])
    successors: dict[int, tuple[int, ...]] = field(default_factory=dict[int, tuple[int, ...]])
    calls: dict[int, tuple[str, ...]] = field(default_factory=dict[int, tuple[str, ...]])
    instructions: dict[int, int] = field(default_factory=dict[int, int])
    dead_ends: set[int] = field(default_factory=set[int])
    positions: dict[int, tuple[str, int]] = field(default_factory=dict[int, tuple[str, int]])


def instrument(module: Module, base_symbol: str, options: InstrumentOptions) -> TracedModule:
    """Rewrite a module so that it traces itself; `base_symbol` will be its site base."""
    return _ModuleTracer(module, base_symbol, options).trace()


class _ModuleTracer:
    """The context of the functions of one module."""

    def __init__(self, module: Module, base_symbol: str, options: InstrumentOptions) -> None:
        self.options = options
        self.sites = SiteNumbers(base_symbol, DebugInfo(module), options.library)
        self._module = module
        self._data: list[str] = []
        self._needed: dict[str, str] = {}
        self._graph = _Graph()
        self._labels: dict[str, dict[str, str]] = {}
        self._expandable = {f.name for f in module.functions.values() if not options.plain and is_expandable(f)}
        self._tracers: dict[str, FunctionTracer] = {}
        self._types = TypeReader()
        self._types.named = module.types

    # ---- for the functions ---------------------------------------------------------------------------------------

    def function_named(self, name: str) -> Function | None:
        found = self._module.functions.get(name)
        if found is None and name in self._module.aliases:
            target = self._module.aliases[name].target
            return self._module.functions.get(target.name) if isinstance(target, GlobalRef) else None
        return found

    def callee(self, name: str) -> tuple[Function, int] | None:
        found = self._module.functions.get(name)
        if found is None or name not in self._expandable:
            return None
        return found, self._tracer(found).entry_site

    def metadata(self, number: int) -> str:
        return self._module.metadata.get(number, "")

    def as_written(self, function: Function) -> bool:
        groups = (
            self._module.attribute_groups.get(number, "") for number in re.findall(r"#(\d+)", function.attributes)
        )
        return any(AS_WRITTEN in text for text in (function.attributes, *groups))

    def is_object(self, name: str) -> bool:
        variable = self._module.globals.get(name)
        return variable is not None and variable.linkage != "extern_weak"

    def byval_type(self, attributes: str) -> Type:
        return self._type_in(attributes, "byval")

    def element_type(self, attributes: str) -> Type:
        return self._type_in(attributes, "elementtype")

    def _type_in(self, attributes: str, name: str) -> Type:
        match = re.search(rf"{name}\(", attributes)
        assert match is not None
        depth, end = 1, match.end()
        while depth:
            depth += {"(": 1, ")": -1}.get(attributes[end], 0)
            end += 1
        return self._types.of_text(attributes[match.end() : end - 1])

    def add_data(self, text: str) -> str:
        name = f"cinq.data.{len(self._data)}"
        self._data.append(f"@{name} = private unnamed_addr constant {text}, align 8")
        return name

    def need(self, declaration: str, symbol: str) -> None:
        if symbol not in self._module.functions:
            self._needed[symbol] = declaration

    def constant_text(self, value: Value) -> str:
        """A constant as text: undefined values are zero, block addresses follow their blocks' new names."""
        if isinstance(value, ConstUndef):
            return _zero(value.type)
        if isinstance(value, ConstAggregate):
            parts = ", ".join(f"{e.type} {self.constant_text(e)}" for e in value.elements)
            return _bracketed(value.type, parts)
        if isinstance(value, BlockAddress):
            return f"blockaddress(@{name_text(value.function)}, %{self._label(value.function, value.block)})"
        if isinstance(value, ConstExpr):
            return self._expression(value)
        return value_text(value)

    def _expression(self, value: ConstExpr) -> str:
        if any(_is_special(operand) for operand in value.operands):
            operands = tuple(self._plain(operand) for operand in value.operands)
            value = ConstExpr(value.opcode, operands, value.type, value.source, value.flags)
        return value_text(value)

    def _plain(self, value: Value) -> Value:
        if isinstance(value, ConstUndef):
            return ConstZero(value.type)
        if isinstance(value, BlockAddress):
            return BlockAddress(value.function, self._label(value.function, value.block), value.type)
        if isinstance(value, ConstExpr):
            return ConstExpr(
                value.opcode, tuple(map(self._plain, value.operands)), value.type, value.source, value.flags
            )
        return value

    def _label(self, function: str, block: str) -> str:
        if function not in self._labels:
            blocks = self._module.functions[function].blocks
            self._labels[function] = {b.label: f"b{n}" for n, b in enumerate(blocks)}
        return self._labels[function][block]

    # ---- the module -----------------------------------------------------------------------------------------------

    def trace(self) -> TracedModule:
        if self._module.assembly:
            raise BitcodeError("module-level assembly is not supported")
        bodies = [line for f in self._module.functions.values() for line in self._function(f)]
        variables = [line for g in self._module.globals.values() for line in self._global(g)]
        aliases = [self._alias(a) for a in self._module.aliases.values()]
        lists = [*self._constructors(), *self._function_list()]
        head = [f'target triple = "{_TRIPLE}"', f'target datalayout = "{self._module.data_layout}"']
        types = [f"%{t.name} = type {t.body or 'opaque'}" for t in self._module.types.values()]
        text = "\n".join(
            [
                *head,
                *types,
                f"@{self.sites.base_symbol} = external dso_local global i8",
                f"@{coverage_symbol(self.sites.base_symbol)} = external dso_local global i8",
                *DECLARATIONS.values(),
                *self._needed.values(),
                *variables,
                *aliases,
                *lists,
                *self._data,
                *bodies,
                f"attributes #0 = {{ {_ATTRIBUTES.format(self._features())} }}",
                '!0 = !{!"branch_weights", i32 4000, i32 1}',
                '!1 = !{!"branch_weights", i32 1, i32 4000}',
                "",
            ]
        )
        graph = self._graph
        needed = frozenset(name for name in self._needed if not name.startswith("llvm."))
        facts = ModuleFacts(
            [site.row() for site in self.sites.sites],
            needed,
            graph.entries,
            graph.successors,
            graph.calls,
            graph.instructions,
            frozenset(graph.dead_ends),
            graph.positions,
            self.sites.debug.checksums(),
        )
        return TracedModule(text, facts)

    def _features(self) -> str:
        """What the processor must have: more than the baseline only where the program itself asks for instructions.

        It is one answer for the whole module, since it also decides how vectors are passed."""
        if not any(_BEYOND.match(name) for name in self._module.functions):
            return _BASELINE
        asked = (found[1] for text in self._module.attribute_groups.values() if (found := _FEATURES.search(text)))
        words = dict.fromkeys(word for text in asked for word in text.split(",") if word.startswith("+"))
        return ",".join(dict.fromkeys((_BASELINE, *words)))

    def _function(self, function: Function) -> list[str]:
        if function.is_declaration or function.linkage == "available_externally":
            known = function.name.startswith("llvm.") or function.name in DECLARATIONS
            return [] if known else [_declaration(function)]
        tracer = self._tracer(function)
        lines = tracer.trace()
        if not self.options.library:
            self._note_graph(without_constant_branches(function), tracer)
        return lines

    def _tracer(self, function: Function) -> FunctionTracer:
        """Made when first asked for: a caller that expands the function needs its site."""
        if function.name not in self._tracers:
            self._tracers[function.name] = FunctionTracer(without_constant_branches(function), self)
        return self._tracers[function.name]

    def _note_graph(self, function: Function, tracer: FunctionTracer) -> None:
        sites = tracer.block_sites
        self._graph.entries[function.name.strip('"')] = tracer.entry_site
        for number, block in enumerate(function.blocks):
            if block.label not in sites:
                continue
            site = sites[block.label]
            self._graph.positions[site] = (function.name.strip('"'), number)
            self._graph.successors[site] = tuple(dict.fromkeys(sites[s] for s in block.successors()))
            self._graph.instructions[site] = len(block.instructions)
            if isinstance(block.terminator, Unreachable):
                self._graph.dead_ends.add(site)
            named = [
                i.callee.name.strip('"')
                for i in block.instructions
                if isinstance(i, Call) and isinstance(i.callee, GlobalRef) and not i.callee.name.startswith("llvm.")
            ]
            if named:
                self._graph.calls[site] = tuple(named)

    # ---- globals -----------------------------------------------------------------------------------------------------

    def _global(self, variable: GlobalVariable) -> Iterable[str]:
        if variable.name in _DROPPED:
            return
        if variable.initializer is None or variable.linkage == "available_externally":
            linkage = "extern_weak" if variable.linkage == "extern_weak" else "external dso_local"
            yield f"@{name_text(variable.name)} = {linkage} global i8"
            return
        size = size_of(variable.type)
        zone = _LARGE_RED_ZONE if size >= _LARGE_OBJECT else RED_ZONE
        pad = zone + -size % 16
        kind = f"<{{ {variable.type}, [{pad} x i8] }}>"
        content = f"<{{ {variable.type} {self.constant_text(variable.initializer)}, [{pad} x i8] zeroinitializer }}>"
        zero = _is_zero(variable.initializer)
        if zero:
            content = "zeroinitializer"
        section = ".rodata.cinq" if variable.constant else ".bss.cinq" if zero else ".data.cinq"
        word = "constant" if variable.constant else "global"
        linkage = "weak" if variable.linkage in ("common", "linkonce", "linkonce_odr", "weak_odr") else variable.linkage
        align = max(OBJECT_ALIGNMENT, variable.align, alignment(variable.type))
        head = f"@{name_text(variable.name)} = {linkage} dso_local {word} {kind}"
        yield f'{head} {content}, section "{section}", align {align}'
        yield self._registration(variable, size)

    def _registration(self, variable: GlobalVariable, size: int) -> str:
        name = variable.name.strip('"')
        number = self.sites.new_object(name, "", self.sites.debug.variable_location(variable.dbg))
        row = f"i64 ptrtoint (ptr @{name_text(variable.name)} to i64), i64 {size}, i32 {self.sites.text(number)}"
        constant = 1 if variable.constant else 0
        symbol = f"cinq.global.{number}"
        return (
            f"@{symbol} = private constant {{ i64, i64, i32, i32 }} {{ {row}, i32 {constant} }}, "
            f'section "cinq_globals", align 8'
        )

    def _alias(self, alias: Alias) -> str:
        if alias.ifunc:
            raise BitcodeError(f"ifunc {alias.name} is not supported")
        head = f"@{name_text(alias.name)} = {alias.linkage} dso_local alias {alias.type}"
        return f"{head}, ptr {self.constant_text(alias.target)}"

    def _constructors(self) -> Iterable[str]:
        variable = self._module.globals.get("llvm.global_ctors")
        if variable is None or not isinstance(variable.initializer, ConstAggregate):
            return
        rows = [e for e in variable.initializer.elements if isinstance(e, ConstAggregate)]
        rows.sort(key=lambda row: row.elements[0].value if isinstance(row.elements[0], ConstInt) else 65535)
        for number, row in enumerate(row for row in rows if not _is_zero(row.elements[1])):
            target = self._constructor(row.elements[1])
            yield f'@cinq.ctor.{number} = private constant ptr {target}, section "cinq_ctors", align 8'

    def _constructor(self, target: Value) -> str:
        """The run-time calls constructors unchecked, so nothing but a function may be one."""
        if not isinstance(target, GlobalRef) or self.function_named(target.name) is None:
            raise BitcodeError("llvm.global_ctors lists something that is not a function")
        return self.constant_text(target)

    def _function_list(self) -> Iterable[str]:
        """Every defined function may be called through a pointer."""
        names = [f.name for f in self._module.functions.values() if not f.is_declaration]
        names = [n for n in names if self._module.functions[n].linkage != "available_externally"]
        if names:
            rows = ", ".join(f"ptr @{name_text(n)}" for n in names)
            kind = f"[{len(names)} x ptr]"
            yield f'@cinq.functions = private constant {kind} [ {rows} ], section "cinq_functions", align 8'


def _declaration(function: Function) -> str:
    """Without a prototype's variadic part: traced functions are never variadic."""
    types = ", ".join(str(p) for p in function.type.parameters)
    linkage = "extern_weak " if function.linkage == "extern_weak" else "dso_local "
    return f"declare {linkage}{function.type.result} @{name_text(function.name)}({types})"


def _is_special(value: Value) -> bool:
    return isinstance(value, ConstUndef | BlockAddress | ConstExpr)


def _is_zero(value: Value) -> bool:
    if isinstance(value, ConstZero | ConstNull | ConstUndef):
        return True
    if isinstance(value, ConstInt):
        return value.value == 0
    if isinstance(value, ConstString):
        return not any(value.data)
    return isinstance(value, ConstAggregate) and all(map(_is_zero, value.elements))


def _zero(type_: Type) -> str:
    if isinstance(type_, IntType):
        return "0"
    if isinstance(type_, PointerType):
        return "null"
    if isinstance(type_, FloatType):
        return {"x86_fp80": "0xK" + "0" * 20, "fp128": "0xL" + "0" * 32}.get(type_.name, "0.0")
    return "zeroinitializer"


def _bracketed(type_: Type, inner: str) -> str:
    body = type_.body if isinstance(type_, NamedType) else type_
    text = str(body)
    if text.startswith("<{"):
        return f"<{{ {inner} }}>"
    opening, closing = {"[": "[]", "<": "<>", "{": "{}"}[text[0]]
    return f"{opening} {inner} {closing}"
