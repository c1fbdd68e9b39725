"""The typed model of an LLVM module: values, instructions, functions, globals.

Names are kept as LLVM writes them after `%` or `@`, quotes included.  A `Local` is an SSA value or argument;
constants are values too.  Instructions are one class per family with an `operands` list that a walker can
rewrite in place.  Debug locations are numbers of metadata nodes, resolved by `DebugInfo` when asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from cinquefoil.ir.types import FunctionType, NamedType, Type

# ---- values -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Local:
    name: str
    type: Type


@dataclass(frozen=True, slots=True)
class GlobalRef:
    name: str
    type: Type  # always ptr


@dataclass(frozen=True, slots=True)
class ConstInt:
    value: int  # as written, may be negative; i1 true is 1
    type: Type


@dataclass(frozen=True, slots=True)
class ConstFloat:
    text: str  # LLVM's spelling, which is exact: 1.000000e+00, 0x7FF8..., 0xK...
    type: Type


@dataclass(frozen=True, slots=True)
class ConstNull:
    type: Type


@dataclass(frozen=True, slots=True)
class ConstUndef:
    type: Type
    poison: bool


@dataclass(frozen=True, slots=True)
class ConstZero:
    """zeroinitializer"""

    type: Type


@dataclass(frozen=True, slots=True)
class ConstString:
    data: bytes
    type: Type


@dataclass(frozen=True, slots=True)
class ConstAggregate:
    """Array, vector or struct constant; `splat` is expanded."""

    elements: tuple[Value, ...]
    type: Type


@dataclass(frozen=True, slots=True)
class ConstExpr:
    """getelementptr, ptrtoint, inttoptr, bitcast, trunc, add, sub, xor, ... of constants."""

    opcode: str
    operands: tuple[Value, ...]
    type: Type
    source: Type | None = None  # getelementptr: the source element type
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BlockAddress:
    function: str
    block: str
    type: Type


@dataclass(frozen=True, slots=True)
class InlineAsm:
    text: str  # everything after `asm`, flags and both strings
    type: Type


@dataclass(frozen=True, slots=True)
class MetadataValue:
    text: str  # a metadata operand of a call, verbatim
    type: Type


Constant = (
    GlobalRef
    | ConstInt
    | ConstFloat
    | ConstNull
    | ConstUndef
    | ConstZero
    | ConstString
    | ConstAggregate
    | ConstExpr
    | BlockAddress
)
Value = Local | Constant | InlineAsm | MetadataValue

# ---- instructions -----------------------------------------------------------------------------------------


@dataclass(slots=True, kw_only=True)
class Instruction:
    """Base.  `opcode` is LLVM's mnemonic; `result` is the local's name, or None; `type` is the result's type
    (void if none).  `metadata` holds other attachments verbatim, for printing."""

    opcode: str
    result: str | None
    type: Type
    operands: list[Value]
    flags: tuple[str, ...] = ()  # nuw, nsw, exact, inbounds, disjoint, nneg, samesign, fast-math flags ...
    dbg: int | None = None
    metadata: str = ""


@dataclass(slots=True, kw_only=True)
class Binary(Instruction):
    """add .. xor, fadd .. frem"""


@dataclass(slots=True, kw_only=True)
class Unary(Instruction):
    """fneg, freeze"""


@dataclass(slots=True, kw_only=True)
class Compare(Instruction):
    """icmp, fcmp"""

    predicate: str


@dataclass(slots=True, kw_only=True)
class Cast(Instruction):
    """trunc zext sext fptrunc fpext fptoui fptosi uitofp sitofp ptrtoint ptrtoaddr inttoptr bitcast
    addrspacecast"""


@dataclass(slots=True, kw_only=True)
class GetElementPtr(Instruction):
    """operands[0] is the pointer, the rest are indices"""

    source: Type


@dataclass(slots=True, kw_only=True)
class Alloca(Instruction):
    """operands[0] is the element count"""

    allocated: Type
    align: int


@dataclass(slots=True, kw_only=True)
class Load(Instruction):
    align: int
    volatile: bool = False
    ordering: str = ""  # atomic: syncscope and ordering, verbatim


@dataclass(slots=True, kw_only=True)
class Store(Instruction):
    """operands: value, pointer"""

    align: int
    volatile: bool = False
    ordering: str = ""


@dataclass(slots=True, kw_only=True)
class AtomicRMW(Instruction):
    """operands: pointer, value"""

    operation: str
    align: int
    volatile: bool = False
    ordering: str = ""


@dataclass(slots=True, kw_only=True)
class CmpXchg(Instruction):
    """operands: pointer, expected, new; type is { T, i1 }"""

    align: int
    weak: bool = False
    volatile: bool = False
    ordering: str = ""


@dataclass(slots=True, kw_only=True)
class Fence(Instruction):
    ordering: str


@dataclass(slots=True, kw_only=True)
class Phi(Instruction):
    """operands[i] comes from block labels[i]"""

    labels: list[str]


@dataclass(slots=True, kw_only=True)
class Select(Instruction):
    """operands: condition, true value, false value"""


@dataclass(slots=True)
class Bundle:
    """An operand bundle of a call: `"align"(ptr %p, i64 16)`."""

    tag: str
    operands: list[Value]


@dataclass(slots=True, kw_only=True)
class Call(Instruction):
    """operands are the arguments; `callee` is a GlobalRef, Local, InlineAsm or constant."""

    callee: Value
    function_type: FunctionType  # variadic as written; else parameters are the arguments' types
    argument_attributes: list[str]  # verbatim, one per argument
    result_attributes: str = ""
    attributes: str = ""  # function attributes verbatim, e.g. "#5" or "returns_twice"
    tail: str = ""  # "", "tail", "musttail", "notail"
    convention: str = ""
    bundles: list[Bundle] = field(default_factory=list[Bundle])


@dataclass(slots=True, kw_only=True)
class VaArg(Instruction):
    """operands[0] is the va_list pointer"""


@dataclass(slots=True, kw_only=True)
class ExtractValue(Instruction):
    indices: tuple[int, ...]


@dataclass(slots=True, kw_only=True)
class InsertValue(Instruction):
    """operands: aggregate, value"""

    indices: tuple[int, ...]


@dataclass(slots=True, kw_only=True)
class ExtractElement(Instruction):
    """operands: vector, index"""


@dataclass(slots=True, kw_only=True)
class InsertElement(Instruction):
    """operands: vector, value, index"""


@dataclass(slots=True, kw_only=True)
class ShuffleVector(Instruction):
    """operands: two vectors; a mask entry of None is undefined"""

    mask: tuple[int | None, ...]


@dataclass(slots=True, kw_only=True)
class Return(Instruction):
    """operands: [] or [value]"""


@dataclass(slots=True, kw_only=True)
class Branch(Instruction):
    """operands: [] or [condition]; labels: [target] or [then, else]"""

    labels: list[str]


@dataclass(slots=True, kw_only=True)
class Switch(Instruction):
    """operands: [value]; labels[0] is the default, labels[i+1] goes with cases[i]"""

    cases: list[int]
    labels: list[str]


@dataclass(slots=True, kw_only=True)
class IndirectBranch(Instruction):
    """operands: [address]"""

    labels: list[str]


@dataclass(slots=True, kw_only=True)
class Unreachable(Instruction):
    pass


Terminator = Return | Branch | Switch | IndirectBranch | Unreachable

# ---- functions and modules --------------------------------------------------------------------------------


@dataclass(slots=True)
class Block:
    label: str  # name after the %, also for the entry block (numbered if LLVM left it implicit)
    instructions: list[Instruction] = field(default_factory=list[Instruction])

    @property
    def terminator(self) -> Instruction:
        return self.instructions[-1]

    def successors(self) -> list[str]:
        """Labels in the terminator's order, repeated as written."""
        return list(getattr(self.instructions[-1], "labels", ()))


@dataclass(slots=True)
class Parameter:
    name: str
    type: Type
    attributes: str = ""  # verbatim: "noundef", "ptr byval(%struct.s) align 8", ...


@dataclass(slots=True)
class Function:
    """A definition (blocks) or a declaration (no blocks)."""

    name: str
    type: FunctionType
    parameters: list[Parameter]
    blocks: list[Block] = field(default_factory=list[Block])
    linkage: str = ""  # "", internal, private, weak, linkonce_odr, ...
    prefix: str = ""  # dso_local, visibility, convention, result attributes: verbatim
    attributes: str = ""  # after the parameter list: unnamed_addr, #0, section, align, ...
    dbg: int | None = None
    metadata: str = ""  # other attachments, verbatim

    @property
    def is_declaration(self) -> bool:
        return not self.blocks

    def walk(self) -> Iterator[Instruction]:
        for block in self.blocks:
            yield from block.instructions


@dataclass(slots=True)
class GlobalVariable:
    name: str
    type: Type  # of its content
    initializer: Constant | None  # None: external declaration
    constant: bool
    linkage: str = ""
    thread_local: bool = False
    thread_model: str = ""  # localdynamic, initialexec, localexec
    prefix: str = ""  # other words before `global`/`constant`, verbatim
    align: int = 0
    section: str = ""
    suffix: str = ""  # comdat, partition and the like, verbatim
    dbg: int | None = None


@dataclass(slots=True)
class Alias:
    name: str
    type: Type
    target: Constant
    linkage: str = ""
    prefix: str = ""
    ifunc: bool = False
    suffix: str = ""  # partition and the like, verbatim


@dataclass(slots=True)
class Module:
    types: dict[str, NamedType] = field(default_factory=dict[str, NamedType])
    globals: dict[str, GlobalVariable] = field(default_factory=dict[str, GlobalVariable])
    aliases: dict[str, Alias] = field(default_factory=dict[str, Alias])
    functions: dict[str, Function] = field(default_factory=dict[str, Function])
    attribute_groups: dict[str, str] = field(default_factory=dict[str, str])  # "0" -> "nounwind ..."
    metadata: dict[int, str] = field(default_factory=dict[int, str])  # number -> text after "="
    named_metadata: dict[str, str] = field(default_factory=dict[str, str])
    comdats: dict[str, str] = field(default_factory=dict[str, str])
    assembly: list[str] = field(default_factory=list[str])  # module asm lines
    data_layout: str = ""
    triple: str = ""
    source_name: str = ""


@dataclass(frozen=True, slots=True)
class Location:
    """A location in the source; `function` is the subprogram's name."""

    file: str
    line: int
    column: int
    function: str
