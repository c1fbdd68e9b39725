"""One function, traced: prologue, blocks, phi nodes, terminators.

Blocks are visited in reverse post-order, so that every definition comes before its uses; phi nodes and the parts that
depend on the whole body (frame layout, prologue, epilogues) are filled in at the end.
"""

from __future__ import annotations

from collections.abc import Callable

from cinquefoil.errors import BitcodeError
from cinquefoil.ir.lines import block_location, branch_location
from cinquefoil.ir.model import (
    Alloca,
    AtomicRMW,
    Binary,
    Block,
    Branch,
    Call,
    Cast,
    CmpXchg,
    Compare,
    ExtractElement,
    ExtractValue,
    Fence,
    Function,
    GetElementPtr,
    IndirectBranch,
    InsertElement,
    InsertValue,
    Instruction,
    Load,
    Local,
    Phi,
    Return,
    Select,
    ShuffleVector,
    Store,
    Switch,
    Unary,
    Unreachable,
    Value,
)
from cinquefoil.ir.printer import name_text
from cinquefoil.ir.sites import SiteKind
from cinquefoil.ir.traversal import predecessors, reverse_post_order
from cinquefoil.ir.types import leaves, scalar_bits
from cinquefoil.layout import NATIVE_LIMIT, STACK_BASE, ErrorKind, Reason
from cinquefoil.transform.instrument import aggregates, arithmetic, calls, casts, choices, memory
from cinquefoil.transform.instrument.charges import charges
from cinquefoil.transform.instrument.emitter import Shadows
from cinquefoil.transform.instrument.expand import Entered, expand
from cinquefoil.transform.instrument.maybe_symbolic import maybe_symbolic
from cinquefoil.transform.instrument.meld_marks import is_mark
from cinquefoil.transform.instrument.parts import BlockParts
from cinquefoil.transform.instrument.repeats import Repeated, without_repeats
from cinquefoil.transform.instrument.tracer import ModuleContext, Tracer, argument_slot

_EPILOGUE = "  ; epilogue"
_STACK_SLACK = 1 << 16


class FunctionTracer(Tracer):
    """Traces one function and gives its text."""

    def __init__(self, function: Function, context: ModuleContext) -> None:
        # As written: expansion moves instructions.
        self._locations = {b.label: block_location(b, is_mark) for b in function.blocks}
        self._decided = {b.label: branch_location(b, context.sites.debug) for b in function.blocks}
        expanded = expand(function, context.callee, context.options.overshift and context.as_written(function))
        function = expanded.function if context.options.plain else without_repeats(expanded.function)
        super().__init__(function, context, maybe_symbolic(function))
        self._blocks = {b.label: b for b in function.blocks}
        self._order = reverse_post_order(function)
        self._labels = {b.label: f"b{n}" for n, b in enumerate(function.blocks)}
        self._predecessors = predecessors(function)
        self._charges = charges(function, expanded.sizes)
        self._ends: dict[str, str] = {}
        self._edges: dict[tuple[str, str], tuple[str, int]] = {}  # (from, to) -> label of its block, site
        self._phis: list[tuple[int, Phi, str, Shadows]] = []
        self._jumps: dict[str, int] = {}  # blocks that end in a computed goto, and the line for its location
        self._extensions = [calls.extension_of(p.attributes) for p in function.parameters]
        self._argument_shadows = {p.name: [self.fresh("a") for _ in leaves(p.type)] for p in function.parameters}
        for parameter, names in self._argument_shadows.items():
            self.set_shadow(parameter, names)
        self.site_number = context.sites.new_function(function)
        self.block_sites = {} if self.options.library else {b: context.sites.reserve() for b in self._order}
        self.entry_site = self.block_sites.get(self._order[0], 0)

    def trace(self) -> list[str]:
        for label in self._order:
            self._trace_block(self._blocks[label])
        self._fill_phis()
        self._fill_jumps()
        body, self.lines = self.lines, []
        self._prologue()
        head = self.lines
        return [self._header(), *head, *self._with_epilogues(body), "}"]

    # ---- blocks ------------------------------------------------------------------------------------------------

    def _trace_block(self, block: Block) -> None:
        self.in_entry_block = block.label == self._order[0]
        self.start(self._labels[block.label])
        self.block_site = self.block_sites.get(block.label, 0)
        phis = [i for i in block.instructions if isinstance(i, Phi)]
        for phi in phis:
            self._reserve_phi(phi, block.label)
        if isinstance(block.terminator, IndirectBranch):
            self._jumps[block.label] = len(self.lines)
            self.lines.append("")
        self._mark_block(block)
        self.parts = parts = None if self.options.library else BlockParts(self, block, self._decided[block.label])
        for instruction in block.instructions[len(phis) : -1]:
            if parts is not None:
                parts.reach(instruction)
            self.dispatch(instruction)
            if self.options.check and instruction.result is not None and not isinstance(instruction, Load | Call):
                self.verify_value(Local(instruction.result, instruction.type), instruction.dbg)
        if parts is not None:
            parts.reach(block.terminator)
            parts.end()
        self._terminator(block)

    def _mark_block(self, block: Block) -> None:
        if not self.options.library:
            number = self.block_site
            self.context.sites.fill(number, SiteKind.BLOCK, self.function.name.strip('"'), self._locations[block.label])
            self._record(number)
        charge = self._charges.get(block.label, 0)
        if charge:
            self._charge(charge)

    def mark_entered(self, number: int) -> None:
        """A block that cannot fail is covered, and part of the trace."""
        self._cover(number)
        self._record(number)

    def _cover(self, number: int) -> None:
        self.emit(f"store i8 1, ptr {self.context.sites.coverage(number)}")

    def _record(self, number: int) -> None:
        if not self.options.blocks:
            return
        at = self.let("load ptr, ptr @cinq_trace")
        self.emit(f"store {self.site_text(number)}, ptr {at}")
        self.emit(f"store ptr {self.let(f'getelementptr i32, ptr {at}, i64 1')}, ptr @cinq_trace")

    def _charge(self, amount: int) -> None:
        left = self.let(f"sub i64 {self.let('load i64, ptr @cinq_budget')}, {amount}")
        self.emit(f"store i64 {left}, ptr @cinq_budget")
        self.unless(self.let(f"icmp slt i64 {left}, 0"), "call preserve_mostcc void @cinq_exhausted()")

    def dispatch(self, i: Instruction) -> None:
        handler = _HANDLERS.get(type(i))
        if handler is None:
            raise BitcodeError(f"instruction {i.opcode} in {self.function.name} is not supported")
        handler(self, i)

    # ---- phi nodes -----------------------------------------------------------------------------------------------

    def _reserve_phi(self, phi: Phi, label: str) -> None:
        assert phi.result is not None
        names = [self.fresh("s") for _ in leaves(phi.type)] if self._symbolic_result(phi) else []
        if names:
            self.set_shadow(phi.result, names)
        self._phis.append((len(self.lines), phi, label, names))
        self.lines.append("")

    def _fill_phis(self) -> None:
        """Shadow phis stand with the concrete ones, in the same line of the list."""
        for position, phi, label, names in self._phis:
            assert phi.result is not None
            arms = self._arms(phi, label)
            values = ", ".join(f"[ {self.value(phi.operands[n])}, %{at} ]" for n, at in arms)
            lines = [f"  {self.name(phi.result)} = phi {phi.type} {values}"]
            for leaf, name in enumerate(names):
                shadows = ", ".join(f"[ {self._shadow_at(phi, n, leaf)}, %{at} ]" for n, at in arms)
                lines.append(f"  {name} = phi i32 {shadows}")
            self.lines[position] = "\n".join(lines)

    def _fill_jumps(self) -> None:
        """clang gives all computed gotos of a function one block: which of them it was, its predecessor tells."""
        for label, position in self._jumps.items():
            arms: dict[str, str] = {}
            for origin in dict.fromkeys(self._predecessors[label]):
                if origin in self._ends:
                    edge = self._edges.get((origin, label))
                    arms[edge[0] if edge else self._ends[origin]] = self._jump_site(label, self._blocks[origin])
            if arms:
                choices = ", ".join(f"[ {site}, %{at} ]" for at, site in arms.items())
                self.lines[position] = f"  %jump.{self._labels[label]} = phi i32 {choices}"

    def _jump_site(self, label: str, origin: Block) -> str:
        own = self._blocks[label].terminator.dbg
        dbg = origin.terminator.dbg if own is None else own
        name, block = self.function.name.strip('"'), self.block_sites.get(label, 0)
        return self.context.sites.text(self.context.sites.new(SiteKind.CHECK, name, dbg, block=block, detail="goto"))

    def _shadow_at(self, phi: Phi, operand: int, leaf: int) -> str:
        return self.shadow(phi.operands[operand])[leaf]

    def _arms(self, phi: Phi, label: str) -> list[tuple[int, str]]:
        """(operand number, label it comes from now); edges with a block of their own come once."""
        arms: list[tuple[int, str]] = []
        seen: set[str] = set()
        for number, origin in enumerate(phi.labels):
            if origin not in self._ends:
                continue  # unreachable
            edge = self._edges.get((origin, label))
            at = edge[0] if edge else self._ends[origin]
            if edge and at in seen:
                continue
            seen.add(at)
            arms.append((number, at))
        return arms

    # ---- terminators -----------------------------------------------------------------------------------------------

    def _terminator(self, block: Block) -> None:
        i = block.terminator
        if isinstance(i, Branch) and i.operands:
            self._branch(block, i)
        elif isinstance(i, Switch):
            self._switch(block, i)
        elif isinstance(i, Branch):
            self.settle()
            self._end(block, f"br label %{self._labels[i.labels[0]]}")
        elif isinstance(i, Return):
            calls.return_value(self, i.operands)
            self.lines.append(_EPILOGUE)
            self._end(block, f"ret {self.typed(i.operands[0])}" if i.operands else "ret void")
        elif isinstance(i, Unreachable):
            self.settle()
            site = self.site(SiteKind.CHECK, i.dbg, "unreachable")
            self.run("cinq_fail", site, f"i32 {ErrorKind.UNREACHABLE.value}")
            self._end(block, "unreachable")
        elif isinstance(i, IndirectBranch):
            self._indirect(block, i)
        else:
            raise BitcodeError(f"terminator {i.opcode} in {self.function.name} is not supported")

    def _end(self, block: Block, text: str) -> None:
        self._ends[block.label] = self.label
        self.emit(text)
        for (origin, target), (label, number) in list(self._edges.items()):
            if origin == block.label:
                self.start(label)
                self._cover(number)
                self.emit(f"br label %{self._labels[target]}")

    def _branch(self, block: Block, i: Branch) -> None:
        (condition,) = i.operands
        then, other = i.labels
        number = self.context.sites.reserve()
        taken_text: list[str] = []

        def event() -> Shadows:
            taken_text.append(self.let(f"zext i1 {self.value(condition)} to i32"))
            shadow = self.shadow1(condition)
            self.run("cinq_branch", self.site_text(number), f"i32 {shadow}", f"i32 {taken_text[0]}")
            return []

        pending = self.is_pending(condition)
        self.settle([] if pending else self.shadow(condition), event, [condition], when_pending=pending)
        labels = [self._edge_label(block, other), self._edge_label(block, then)]
        self._fill_branch(number, SiteKind.BRANCH, self._decided[block.label], block, [other, then])
        self._end(block, f"br i1 {self.value(condition)}, label %{labels[1]}, label %{labels[0]}")

    def _switch(self, block: Block, i: Switch) -> None:
        (value,) = i.operands
        targets = list(dict.fromkeys(i.labels))  # group 0 is the default's target
        number = self.context.sites.reserve()
        bits = scalar_bits(value.type)
        if bits > 64:  # no case table for these: the value is fixed
            self.forget(i, Reason.WIDTH)
        else:
            self._switch_event(i, value, number, targets)
        names = {target: self._edge_label(block, target) for target in targets}
        self._fill_branch(number, SiteKind.SWITCH, i.dbg, block, targets)
        cases = " ".join(f"{value.type} {c}, label %{names[at]}" for c, at in zip(i.cases, i.labels[1:], strict=True))
        self._end(block, f"switch {self.typed(value)}, label %{names[i.labels[0]]} [ {cases} ]")

    def _switch_event(self, i: Switch, value: Value, number: int, targets: list[str]) -> None:
        table = self._switch_table(i, targets, scalar_bits(value.type)) if self.may_be_symbolic(value) else ""

        def event() -> Shadows:
            words = (f"i32 {self.shadow1(value)}", self.word(value))
            self.run("cinq_switch", self.site_text(number), *words, f"ptr @{table}")
            return []

        pending = self.is_pending(value)
        self.settle([] if pending else self.shadow(value), event, [value], when_pending=pending)

    def _switch_table(self, i: Switch, targets: list[str], bits: int) -> str:
        mask = (1 << bits) - 1
        cases = sorted((c & mask, targets.index(at)) for c, at in zip(i.cases, i.labels[1:], strict=True))
        rows = ", ".join(f"{{ i64, i32, i32 }} {{ i64 {c}, i32 {g}, i32 0 }}" for c, g in cases)
        kind = f"[{len(cases)} x {{ i64, i32, i32 }}]"
        head = f"i32 {bits}, i32 {len(targets)}, i32 {len(cases)}, i32 0"
        return self.context.add_data(f"{{ i32, i32, i32, i32, {kind} }} {{ {head}, {kind} [ {rows} ] }}")

    def _indirect(self, block: Block, i: IndirectBranch) -> None:
        self.forget(i, Reason.FUNCTION)
        self._check_target(block, i)
        labels = ", ".join(f"label %{self._labels[at]}" for at in i.labels)
        self._end(block, f"indirectbr {self.typed(i.operands[0])}, [ {labels} ]")

    def _check_target(self, block: Block, i: IndirectBranch) -> None:
        """A computed goto to anything but one of the labels would run whatever is there."""
        target = self.typed(i.operands[0])
        name = name_text(self.function.name)
        addresses = [f"blockaddress(@{name}, %{self._labels[at]})" for at in dict.fromkeys(i.labels)]
        known = [self.let(f"icmp ne {target}, {address}") for address in addresses]
        wild = known[0] if known else "true"
        for other in known[1:]:
            wild = self.let(f"and i1 {wild}, {other}")
        site = f"%jump.{self._labels[block.label]}"
        if not any(origin in self._order for origin in self._predecessors[block.label]):
            site = self.site(SiteKind.CHECK, i.dbg, "goto").removeprefix("i32 ")
        self.unless(wild, f"call preserve_mostcc void @cinq_jump(i32 {site}, {self.word(i.operands[0])})")

    def _edge_label(self, block: Block, target: str) -> str:
        """Where the edge leads: to a block of its own if the target alone does not tell that it was taken."""
        several = len(set(block.successors())) > 1
        if self.options.library or not several or len(set(self._predecessors[target])) < 2:
            return self._labels[target]
        known = self._edges.get((block.label, target))
        if known is None:
            number = self.context.sites.reserve()
            known = self._edges[block.label, target] = (self.fresh("e")[1:], number)
            name = self.function.name.strip('"')
            self.context.sites.fill(number, SiteKind.EDGE, name, self._decided[block.label], block=self.block_site)
        return known[0]

    def _fill_branch(self, number: int, kind: SiteKind, dbg: int | None, block: Block, targets: list[str]) -> None:
        target_sites = tuple(self.block_sites.get(t, 0) for t in targets)
        own = (self._edges.get((block.label, t)) for t in targets)
        edges = tuple(edge[1] if edge else site for edge, site in zip(own, target_sites, strict=True))
        if self.options.library:
            target_sites, edges = (), ()
        name = self.function.name.strip('"')
        self.context.sites.fill(number, kind, name, dbg, block=self.block_site, targets=target_sites, edges=edges)

    # ---- prologue and epilogue ---------------------------------------------------------------------------------------

    def _header(self) -> str:
        f = self.function
        parameters = ", ".join(
            f"{p.type} {e + ' ' if e else ''}{self.name(p.name)}"
            for p, e in zip(f.parameters, self._extensions, strict=True)
        )
        extension = calls.extension_of(f.prefix)
        kind = f"{extension} {f.type.result}" if extension else str(f.type.result)
        return f"define {f.linkage} dso_local {kind} @{name_text(f.name)}({parameters}) #0 {{"

    def _prologue(self) -> None:
        self.start("entry")
        self._load_arguments()
        if self.function.type.variadic:
            self.emit("%va = load ptr, ptr @cinq_va")
        if self.frame.needed:
            self._enter_frame()
        self.emit(f"br label %{self._labels[self._order[0]]}")

    def _load_arguments(self) -> None:
        number = 0
        for parameter in self.function.parameters:
            for name in self._argument_shadows[parameter.name]:
                self.emit(f"{name} = load i32, ptr {argument_slot(number)}")
                number += 1

    def _enter_frame(self) -> None:
        size = memory.lay_out(self.frame)
        descriptor = self._descriptor(size)
        self.emit("%frame = alloca { ptr, ptr, i64, i32 }, align 8")
        self.emit("%frame.site = getelementptr i8, ptr %frame, i64 24")
        self.emit("%prev = load ptr, ptr @cinq_frame")
        self.emit("store ptr %prev, ptr %frame")
        self.emit(f"store ptr @{descriptor}, ptr {self.let('getelementptr i8, ptr %frame, i64 8')}")
        self.emit("%sp = load i64, ptr @cinq_sp")
        self.emit(f"store i64 %sp, ptr {self.let('getelementptr i8, ptr %frame, i64 16')}")
        self.emit(f"store {self.site_text(self.site_number)}, ptr %frame.site")
        self.emit("store ptr %frame, ptr @cinq_frame")
        self._check_depth()
        if size:
            self._enter_arena(size, descriptor)

    def _check_depth(self) -> None:
        """Recursion ends here, long before the native stack is full: filling it would take seconds."""
        deep = self.let(f"icmp ult i64 {self.let('ptrtoint ptr %frame to i64')}, {NATIVE_LIMIT}")
        self.unless(deep, f"call preserve_mostcc void @cinq_overflow_stack({self.site_text(self.site_number)})")

    def _enter_arena(self, size: int, descriptor: str) -> None:
        self.emit(f"%base = sub i64 %sp, {size}")
        low = self.let(f"icmp ult i64 %base, {STACK_BASE + _STACK_SLACK}")
        site = self.site_text(self.site_number)
        self.unless(low, f"call preserve_mostcc void @cinq_overflow_stack({site})")
        self.emit("store i64 %base, ptr @cinq_sp")
        self._leave_crumb(descriptor)
        for object_ in self.frame.objects:
            slot = self.slots.get(id(object_))
            if slot is not None:
                self.emit(f"{slot} = add i64 %base, {object_.offset}")
                if object_.at_entry and object_.size:
                    memory.born(self, slot, object_.size)
        if memory.watches(self) and any(object_.at_entry and object_.site for object_ in self.frame.objects):
            memory.when_watching(self, f"call preserve_mostcc void @cinq_unwritten_frame(i64 %base, ptr @{descriptor})")

    def _leave_crumb(self, descriptor: str) -> None:
        """Notes in the frame's first red zone, for errors after the return: whose frame this was (objects.c)."""
        seal = self.let(f"xor i64 %base, ptrtoint (ptr @{descriptor} to i64)")
        self.emit("%crumb = inttoptr i64 %base to ptr")
        self.emit(f"store ptr @{descriptor}, ptr %crumb")
        self.emit(f"store i64 {seal}, ptr {self.let('getelementptr i8, ptr %crumb, i64 8')}")

    def _descriptor(self, size: int) -> str:
        rows = ", ".join(
            f"{{ i32, i32, i32 }} {{ i32 {o.offset}, i32 {o.size}, {self.site_text(o.site) if o.site else 'i32 0'} }}"
            for o in self.frame.objects
        )
        kind = f"[{len(self.frame.objects)} x {{ i32, i32, i32 }}]"
        head = f"{self.site_text(self.site_number)}, i32 {size}, i32 {len(self.frame.objects)}"
        return self.context.add_data(f"{{ i32, i32, i32, {kind} }} {{ {head}, {kind} [ {rows} ] }}")

    def _with_epilogues(self, body: list[str]) -> list[str]:
        found: list[str] = []
        for line in body:
            if line is _EPILOGUE:
                self.lines = []
                self._leave_frame()
                found += self.lines
            else:
                found.append(line)
        return found

    def _leave_frame(self) -> None:
        if not self.frame.needed:
            return
        if self.frame.dynamic:
            self.run("cinq_restore", "i64 %sp")
        elif self.frame.objects:
            memory.dead(self, "%base", memory.lay_out(self.frame))
            self.emit("store i64 %sp, ptr @cinq_sp")
        self.emit("store ptr %prev, ptr @cinq_frame")


def _unsupported_atomic(t: Tracer, i: Instruction) -> None:
    raise BitcodeError(f"{i.opcode} in {t.function.name}: atomic operations must be lowered first")


def _entered(t: FunctionTracer, i: Entered) -> None:
    """A call that was expanded: the callee's block is covered, the call's line too."""
    t.new_site(SiteKind.CALL, i.dbg, i.callee)
    if i.site:
        t.mark_entered(i.site)


def _repeated(t: Tracer, i: Repeated) -> None:
    """A load that is known: its line is covered with the block."""
    t.new_site(SiteKind.CHECK, i.dbg)


def _nothing(t: Tracer, i: Instruction) -> None:
    """A fence orders nothing in a single thread."""


_HANDLERS: dict[type[Instruction], Callable[..., None]] = {
    Binary: arithmetic.binary,
    Unary: arithmetic.unary,
    Compare: arithmetic.compare,
    Cast: casts.cast,
    Select: choices.select,
    GetElementPtr: choices.get_element_ptr,
    ExtractValue: aggregates.extract_value,
    InsertValue: aggregates.insert_value,
    ExtractElement: aggregates.extract_element,
    InsertElement: aggregates.insert_element,
    ShuffleVector: aggregates.shuffle_vector,
    Load: memory.load,
    Store: memory.store,
    Alloca: memory.alloca,
    Call: calls.call,
    Fence: _nothing,
    Entered: _entered,
    Repeated: _repeated,
    AtomicRMW: _unsupported_atomic,
    CmpXchg: _unsupported_atomic,
}
