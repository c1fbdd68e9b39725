"""What `machine/runtime/layout.h` (and the enum of abi.h) says, in Python: constants, codes and record types.

The header is the single source of truth.  This module reads its `#define`, `enum` and `struct` lines with
regular expressions, so a value changed there changes here too.  Names are listed explicitly, for type
checkers and readers; a name that the header lacks fails on import, and a test compares the record types
with what a C compiler makes of the structs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import IntEnum
from importlib import resources
from typing import Final

import numpy as np

from cinquefoil.errors import EngineError

_SCALARS: Final[dict[str, str]] = {
    "uint8_t": "u1",
    "uint16_t": "u2",
    "uint32_t": "u4",
    "uint64_t": "u8",
    "char": "S1",
}


def header_text(name: str = "layout.h") -> str:
    """A header of the run-time, without its comments."""
    path = resources.files("cinquefoil") / "machine" / "runtime" / name
    return re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)


def parse_constants(text: str) -> dict[str, int]:
    """`#define CINQ_NAME literal` lines, keyed without the prefix."""
    found = re.findall(r"^#define CINQ_(\w+) (0x[0-9a-fA-F]+|\d+)\s*$", text, re.MULTILINE)
    return {name: int(value, 0) for name, value in found}


def parse_enums(text: str) -> dict[str, dict[str, int]]:
    """Members of every `enum cinq_name`, keyed by that name, then by member."""
    enums: dict[str, dict[str, int]] = {}
    for name, body in re.findall(r"enum cinq_(\w+) \{(.*?)\};", text, re.DOTALL):
        enums[name] = dict(_count_members(body))
    return enums


def _count_members(body: str) -> Iterator[tuple[str, int]]:
    value = -1
    for member in filter(None, (part.strip() for part in body.split(","))):
        name, _, start = (piece.strip() for piece in member.partition("="))
        value = int(start, 0) if start else value + 1
        yield name, value


def parse_structs(text: str, constants: dict[str, int]) -> dict[str, np.dtype[np.void]]:
    """Every `struct cinq_name { ... };` as an aligned record type."""
    structs: dict[str, np.dtype[np.void]] = {}
    for name, body in re.findall(r"^struct cinq_(\w+) \{(.*?)\};", text, re.DOTALL | re.MULTILINE):
        fields = list(_struct_fields(body, structs, constants))
        structs[name] = np.dtype(fields, align=True)
    return structs


def _struct_fields(
    body: str, structs: dict[str, np.dtype[np.void]], constants: dict[str, int]
) -> Iterator[tuple[str, object] | tuple[str, object, tuple[int]]]:
    for declaration in filter(None, (line.strip() for line in body.split(";"))):
        kind, names = re.fullmatch(r"((?:struct )?\w+)\s+(.*)", declaration, re.DOTALL).groups()  # type: ignore[union-attr]
        base = structs[kind[len("struct cinq_") :]] if kind.startswith("struct") else _SCALARS[kind]
        for declarator in names.split(","):
            name, _, extent = declarator.strip().rstrip("]").partition("[")
            if not extent:
                yield name, base
                continue
            count = constants[extent[5:]] if extent.startswith("CINQ_") else int(extent, 0)
            if kind == "char":
                yield name, f"S{count}"
            else:
                yield name, base, (count,)


_TEXT: Final = header_text()
CONSTANTS: Final = parse_constants(_TEXT)
ENUMS: Final = parse_enums(_TEXT) | parse_enums(header_text("abi.h"))
STRUCTS: Final = parse_structs(_TEXT, CONSTANTS)
_MEMBERS: Final = {name: value for members in ENUMS.values() for name, value in members.items()}


def _constant(name: str) -> int:
    if name not in CONSTANTS:
        raise EngineError(f"layout.h does not define CINQ_{name}")
    return CONSTANTS[name]


def _member(name: str) -> int:
    if name not in _MEMBERS:
        raise EngineError(f"layout.h has no enum member {name}")
    return _MEMBERS[name]


NODE: Final = STRUCTS["node"]
TABLE: Final = STRUCTS["table"]
EVENT: Final = STRUCTS["event"]
REMARK: Final = STRUCTS["remark"]
ERROR: Final = STRUCTS["error"]
OBJECT: Final = STRUCTS["object"]
CONTROL: Final = STRUCTS["control"]

LAYOUT_VERSION: Final = _constant("LAYOUT_VERSION")
IMAGE_BASE: Final = _constant("IMAGE_BASE")
HEAP_BASE: Final = _constant("HEAP_BASE")
HEAP_END: Final = _constant("HEAP_END")
STACK_BASE: Final = _constant("STACK_BASE")
STACK_END: Final = _constant("STACK_END")
TAG_BASE: Final = _constant("TAG_BASE")
TAG_SIZE: Final = _constant("TAG_SIZE")
COV_BASE: Final = _constant("COV_BASE")
ID_BASE: Final = _constant("ID_BASE")
NATIVE_LIMIT: Final = _constant("NATIVE_LIMIT")
SHM_BASE: Final = _constant("SHM_BASE")
GRANULE: Final = _constant("GRANULE")
TAG_NONE: Final = _constant("TAG_NONE")
TAG_CONCRETE: Final = _constant("TAG_CONCRETE")
TAG_MIXED: Final = _constant("TAG_MIXED")
TAG_READ_ONLY: Final = _constant("TAG_READ_ONLY")
TAG_PARTIAL: Final = _constant("TAG_PARTIAL")
ID_NOWHERE: Final = _constant("ID_NOWHERE")
SHM_CONTROL: Final = _constant("SHM_CONTROL")
SHM_INPUT: Final = _constant("SHM_INPUT")
INPUT_CAPACITY: Final = _constant("INPUT_CAPACITY")
SHM_OBJECTS: Final = _constant("SHM_OBJECTS")
OBJECT_CAPACITY: Final = _constant("OBJECT_CAPACITY")
SHM_MADE: Final = _constant("SHM_MADE")
SHM_REMARKS: Final = _constant("SHM_REMARKS")
REMARK_CAPACITY: Final = _constant("REMARK_CAPACITY")
SHM_ARGS: Final = _constant("SHM_ARGS")
ARGS_CAPACITY: Final = _constant("ARGS_CAPACITY")
SHM_OUTPUT: Final = _constant("SHM_OUTPUT")
OUTPUT_CAPACITY: Final = _constant("OUTPUT_CAPACITY")
SHM_COVERAGE: Final = _constant("SHM_COVERAGE")
COVERAGE_CAPACITY: Final = _constant("COVERAGE_CAPACITY")
SHM_EVENTS: Final = _constant("SHM_EVENTS")
EVENT_CAPACITY: Final = _constant("EVENT_CAPACITY")
SHM_TRACE: Final = _constant("SHM_TRACE")
TRACE_CAPACITY: Final = _constant("TRACE_CAPACITY")
SHM_ALTS: Final = _constant("SHM_ALTS")
ALTS_CAPACITY: Final = _constant("ALTS_CAPACITY")
SHM_TABLES: Final = _constant("SHM_TABLES")
TABLE_CAPACITY: Final = _constant("TABLE_CAPACITY")
SHM_POOL: Final = _constant("SHM_POOL")
POOL_CAPACITY: Final = _constant("POOL_CAPACITY")
SHM_NODES: Final = _constant("SHM_NODES")
NODE_CAPACITY: Final = _constant("NODE_CAPACITY")
SHM_SIZE: Final = _constant("SHM_SIZE")
BACKTRACE: Final = _constant("BACKTRACE")
REMARK_TEXT: Final = _constant("REMARK_TEXT")
REMARK_FRAMES: Final = _constant("REMARK_FRAMES")
NAME: Final = _constant("NAME")
FLAG_MUTE_OUTPUT: Final = _constant("FLAG_MUTE_OUTPUT")
FLAG_NO_PIN: Final = _constant("FLAG_NO_PIN")
FLAG_PIN_FIXED: Final = _constant("FLAG_PIN_FIXED")
FLAG_UNINITIALIZED: Final = _constant("FLAG_UNINITIALIZED")
FLAG_DOUBTING: Final = _constant("FLAG_DOUBTING")
FLAG_COVERAGE_ONLY: Final = _constant("FLAG_COVERAGE_ONLY")
FLAG_WHOLE: Final = _constant("FLAG_WHOLE")
FLAG_EAGER: Final = _constant("FLAG_EAGER")


class Op(IntEnum):
    """enum cinq_op."""

    CONST = _member("OP_CONST")
    INPUT = _member("OP_INPUT")
    ADD = _member("OP_ADD")
    SUB = _member("OP_SUB")
    MUL = _member("OP_MUL")
    UDIV = _member("OP_UDIV")
    SDIV = _member("OP_SDIV")
    UREM = _member("OP_UREM")
    SREM = _member("OP_SREM")
    SHL = _member("OP_SHL")
    LSHR = _member("OP_LSHR")
    ASHR = _member("OP_ASHR")
    AND = _member("OP_AND")
    OR = _member("OP_OR")
    XOR = _member("OP_XOR")
    EQ = _member("OP_EQ")
    ULT = _member("OP_ULT")
    ULE = _member("OP_ULE")
    SLT = _member("OP_SLT")
    SLE = _member("OP_SLE")
    ITE = _member("OP_ITE")
    EXTRACT = _member("OP_EXTRACT")
    CONCAT = _member("OP_CONCAT")
    ZEXT = _member("OP_ZEXT")
    SEXT = _member("OP_SEXT")
    CTPOP = _member("OP_CTPOP")
    CTLZ = _member("OP_CTLZ")
    CTTZ = _member("OP_CTTZ")
    PTRADD = _member("OP_PTRADD")
    TREAD = _member("OP_TREAD")
    FADD = _member("OP_FADD")
    FSUB = _member("OP_FSUB")
    FMUL = _member("OP_FMUL")
    FDIV = _member("OP_FDIV")
    FREM = _member("OP_FREM")
    FMA = _member("OP_FMA")
    FSQRT = _member("OP_FSQRT")
    FRINT = _member("OP_FRINT")
    FCVT = _member("OP_FCVT")
    F2SI = _member("OP_F2SI")
    F2UI = _member("OP_F2UI")
    SI2F = _member("OP_SI2F")
    UI2F = _member("OP_UI2F")
    FOEQ = _member("OP_FOEQ")
    FOLT = _member("OP_FOLT")
    FOLE = _member("OP_FOLE")
    FUNO = _member("OP_FUNO")
    COUNT = _member("OP_COUNT")
    NE = _member("OP_NE")
    UGT = _member("OP_UGT")
    UGE = _member("OP_UGE")
    SGT = _member("OP_SGT")
    SGE = _member("OP_SGE")


class Rounding(IntEnum):
    """enum cinq_rounding."""

    EVEN = _member("ROUND_EVEN")
    AWAY = _member("ROUND_AWAY")
    UP = _member("ROUND_UP")
    DOWN = _member("ROUND_DOWN")
    ZERO = _member("ROUND_ZERO")


class EventKind(IntEnum):
    """enum cinq_event_kind."""

    BRANCH = _member("EVENT_BRANCH")
    SWITCH = _member("EVENT_SWITCH")
    CHECK = _member("EVENT_CHECK")
    PIN = _member("EVENT_PIN")
    CONCRETIZE = _member("EVENT_CONCRETIZE")
    ASSUME = _member("EVENT_ASSUME")
    UNSUPPORTED = _member("EVENT_UNSUPPORTED")


class Reason(IntEnum):
    """enum cinq_reason."""

    ADDRESS = _member("REASON_ADDRESS")
    SIZE = _member("REASON_SIZE")
    FUNCTION = _member("REASON_FUNCTION")
    OPERATION = _member("REASON_OPERATION")
    SYSCALL = _member("REASON_SYSCALL")
    VALUE = _member("REASON_VALUE")
    ASSEMBLY = _member("REASON_ASSEMBLY")
    THREAD = _member("REASON_THREAD")
    WIDTH = _member("REASON_WIDTH")
    VECTOR = _member("REASON_VECTOR")
    FLOAT = _member("REASON_FLOAT")
    FAILURE = _member("REASON_FAILURE")
    FORKING = _member("REASON_FORKING")
    ALIAS = _member("REASON_ALIAS")
    FIXED_OBJECT = _member("REASON_FIXED_OBJECT")
    LOADING = _member("REASON_LOADING")
    PROTECTION = _member("REASON_PROTECTION")


class RemarkKind(IntEnum):
    """enum cinq_remark_kind."""

    WARNING = _member("REMARK_WARNING")
    EXPRESSION = _member("REMARK_EXPRESSION")
    REAL = _member("REMARK_REAL")
    RANGE = _member("REMARK_RANGE")
    STACK = _member("REMARK_STACK")
    PREFERENCE = _member("REMARK_PREFERENCE")


class End(IntEnum):
    """enum cinq_end."""

    EXIT = _member("END_EXIT")
    ERROR = _member("END_ERROR")
    ASSUME = _member("END_ASSUME")
    SILENT = _member("END_SILENT")
    BUDGET = _member("END_BUDGET")
    TIME = _member("END_TIME")
    EVENTS = _member("END_EVENTS")
    TABLE = _member("END_TABLE")
    INPUT = _member("END_INPUT")
    DEPTH = _member("END_DEPTH")


class ErrorKind(IntEnum):
    """enum cinq_error_kind."""

    OUT_OF_BOUNDS = _member("ERROR_OUT_OF_BOUNDS")
    NULL_POINTER = _member("ERROR_NULL_POINTER")
    USE_AFTER_FREE = _member("ERROR_USE_AFTER_FREE")
    USE_AFTER_RETURN = _member("ERROR_USE_AFTER_RETURN")
    USE_AFTER_SCOPE = _member("ERROR_USE_AFTER_SCOPE")
    DOUBLE_FREE = _member("ERROR_DOUBLE_FREE")
    INVALID_FREE = _member("ERROR_INVALID_FREE")
    DIVISION_BY_ZERO = _member("ERROR_DIVISION_BY_ZERO")
    OVERFLOW = _member("ERROR_OVERFLOW")
    ASSERTION = _member("ERROR_ASSERTION")
    ABORT = _member("ERROR_ABORT")
    REACH_ERROR = _member("ERROR_REACH_ERROR")
    UNREACHABLE = _member("ERROR_UNREACHABLE")
    STACK_OVERFLOW = _member("ERROR_STACK_OVERFLOW")
    TIMEOUT = _member("ERROR_TIMEOUT")
    UNSUPPORTED = _member("ERROR_UNSUPPORTED")
    READ_ONLY = _member("ERROR_READ_ONLY")
    USER = _member("ERROR_USER")
    UNDEFINED_FUNCTION = _member("ERROR_UNDEFINED_FUNCTION")
    OVERSHIFT = _member("ERROR_OVERSHIFT")
    UNSIGNED_OVERFLOW = _member("ERROR_UNSIGNED_OVERFLOW")
    SHIFT = _member("ERROR_SHIFT")
    POINTER_OVERFLOW = _member("ERROR_POINTER_OVERFLOW")
    ARRAY_INDEX = _member("ERROR_ARRAY_INDEX")
    MISALIGNED = _member("ERROR_MISALIGNED")
    OBJECT_SIZE = _member("ERROR_OBJECT_SIZE")
    INVALID_VALUE = _member("ERROR_INVALID_VALUE")
    FLOAT_CAST = _member("ERROR_FLOAT_CAST")
    FLOAT_DIVISION_BY_ZERO = _member("ERROR_FLOAT_DIVISION_BY_ZERO")
    IMPLICIT_CONVERSION = _member("ERROR_IMPLICIT_CONVERSION")
    NONNULL = _member("ERROR_NONNULL")
    MISSING_RETURN = _member("ERROR_MISSING_RETURN")
    VLA_BOUND = _member("ERROR_VLA_BOUND")
    INVALID_BUILTIN = _member("ERROR_INVALID_BUILTIN")
    FUNCTION_TYPE = _member("ERROR_FUNCTION_TYPE")
    UNDEFINED = _member("ERROR_UNDEFINED")
    UNINITIALIZED = _member("ERROR_UNINITIALIZED")
    FALSE_ASSUMPTION = _member("ERROR_FALSE_ASSUMPTION")
    SYMBOLIC_NAME = _member("ERROR_SYMBOLIC_NAME")
    SYMBOLIC_SIZE = _member("ERROR_SYMBOLIC_SIZE")


class Undefined(IntEnum):
    """enum cinq_undefined_check."""

    ADD_OVERFLOW = _member("UNDEFINED_ADD_OVERFLOW")
    BUILTIN_UNREACHABLE = _member("UNDEFINED_BUILTIN_UNREACHABLE")
    CFI_CHECK_FAIL = _member("UNDEFINED_CFI_CHECK_FAIL")
    DIVREM_OVERFLOW = _member("UNDEFINED_DIVREM_OVERFLOW")
    DYNAMIC_TYPE_CACHE_MISS = _member("UNDEFINED_DYNAMIC_TYPE_CACHE_MISS")
    FLOAT_CAST_OVERFLOW = _member("UNDEFINED_FLOAT_CAST_OVERFLOW")
    FUNCTION_TYPE_MISMATCH = _member("UNDEFINED_FUNCTION_TYPE_MISMATCH")
    IMPLICIT_CONVERSION = _member("UNDEFINED_IMPLICIT_CONVERSION")
    INVALID_BUILTIN = _member("UNDEFINED_INVALID_BUILTIN")
    INVALID_OBJC_CAST = _member("UNDEFINED_INVALID_OBJC_CAST")
    LOAD_INVALID_VALUE = _member("UNDEFINED_LOAD_INVALID_VALUE")
    MISSING_RETURN = _member("UNDEFINED_MISSING_RETURN")
    MUL_OVERFLOW = _member("UNDEFINED_MUL_OVERFLOW")
    NEGATE_OVERFLOW = _member("UNDEFINED_NEGATE_OVERFLOW")
    NULLABILITY_ARG = _member("UNDEFINED_NULLABILITY_ARG")
    NULLABILITY_RETURN = _member("UNDEFINED_NULLABILITY_RETURN")
    NONNULL_ARG = _member("UNDEFINED_NONNULL_ARG")
    NONNULL_RETURN = _member("UNDEFINED_NONNULL_RETURN")
    OUT_OF_BOUNDS = _member("UNDEFINED_OUT_OF_BOUNDS")
    POINTER_OVERFLOW = _member("UNDEFINED_POINTER_OVERFLOW")
    SHIFT_OUT_OF_BOUNDS = _member("UNDEFINED_SHIFT_OUT_OF_BOUNDS")
    SUB_OVERFLOW = _member("UNDEFINED_SUB_OVERFLOW")
    TYPE_MISMATCH = _member("UNDEFINED_TYPE_MISMATCH")
    ALIGNMENT_ASSUMPTION = _member("UNDEFINED_ALIGNMENT_ASSUMPTION")
    VLA_BOUND_NOT_POSITIVE = _member("UNDEFINED_VLA_BOUND_NOT_POSITIVE")
    OTHER = _member("UNDEFINED_OTHER")


class Region(IntEnum):
    """enum cinq_region."""

    NONE = _member("REGION_NONE")
    GLOBAL = _member("REGION_GLOBAL")
    HEAP = _member("REGION_HEAP")
    STACK = _member("REGION_STACK")
    FUNCTION = _member("REGION_FUNCTION")
    VARARGS = _member("REGION_VARARGS")


class Access(IntEnum):
    """enum cinq_access."""

    NONE = _member("ACCESS_NONE")
    READ = _member("ACCESS_READ")
    WRITE = _member("ACCESS_WRITE")
    FREE = _member("ACCESS_FREE")
    CALL = _member("ACCESS_CALL")


class Command(IntEnum):
    """enum cinq_command."""

    RUN = _member("COMMAND_RUN")
    EPOCH = _member("COMMAND_EPOCH")
    QUIT = _member("COMMAND_QUIT")


class Intrinsic(IntEnum):
    """enum cinq_intrinsic, of abi.h."""

    ABS = _member("IN_ABS")
    SMIN = _member("IN_SMIN")
    SMAX = _member("IN_SMAX")
    UMIN = _member("IN_UMIN")
    UMAX = _member("IN_UMAX")
    BSWAP = _member("IN_BSWAP")
    BITREVERSE = _member("IN_BITREVERSE")
    CTPOP = _member("IN_CTPOP")
    CTLZ = _member("IN_CTLZ")
    CTTZ = _member("IN_CTTZ")
    FSHL = _member("IN_FSHL")
    FSHR = _member("IN_FSHR")
    SADD_SAT = _member("IN_SADD_SAT")
    UADD_SAT = _member("IN_UADD_SAT")
    SSUB_SAT = _member("IN_SSUB_SAT")
    USUB_SAT = _member("IN_USUB_SAT")
    SSHL_SAT = _member("IN_SSHL_SAT")
    USHL_SAT = _member("IN_USHL_SAT")
    SADD_OVER = _member("IN_SADD_OVER")
    UADD_OVER = _member("IN_UADD_OVER")
    SSUB_OVER = _member("IN_SSUB_OVER")
    USUB_OVER = _member("IN_USUB_OVER")
    SMUL_OVER = _member("IN_SMUL_OVER")
    UMUL_OVER = _member("IN_UMUL_OVER")
    FABS = _member("IN_FABS")
    FNEG = _member("IN_FNEG")
    COPYSIGN = _member("IN_COPYSIGN")
    MINNUM = _member("IN_MINNUM")
    MAXNUM = _member("IN_MAXNUM")
    FSQRT = _member("IN_FSQRT")
    FMA = _member("IN_FMA")
    FLOOR = _member("IN_FLOOR")
    CEIL = _member("IN_CEIL")
    TRUNC = _member("IN_TRUNC")
    RINT = _member("IN_RINT")
    ROUND = _member("IN_ROUND")
    ROUNDEVEN = _member("IN_ROUNDEVEN")
