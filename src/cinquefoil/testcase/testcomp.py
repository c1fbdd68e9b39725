"""Test-Comp's exchange format for test suites, version 1.1: metadata.xml and one XML file per test.

A test is the sequence of values that `__VERIFIER_nondet_...` returns, in the order of the calls.  Objects that such a
call made are written as values of its type; any other object (standard input, an argument, `klee_make_symbolic`) is
beyond the format, and is written as the number its bytes are, or in hexadecimal, so that nothing is lost.
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from cinquefoil.testcase.ktest import MODEL_VERSION, KTest

BRANCHES: Final = "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )"
_HEAD: Final = '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n'
_DOCTYPE: Final = (
    '<!DOCTYPE {0} PUBLIC "+//IDN sosy-lab.org//DTD test-format {0} 1.1//EN" '
    '"https://sosy-lab.org/test-format/{0}-1.1.dtd">\n'
)
_NONDET: Final = re.compile(r"nondet_([a-z0-9_]*?)(?:_\d+)?\Z")
_TYPES: Final = {
    "bool": "_Bool",
    "char": "char",
    "uchar": "unsigned char",
    "u8": "unsigned char",
    "short": "short",
    "ushort": "unsigned short",
    "u16": "unsigned short",
    "int": "int",
    "uint": "unsigned int",
    "unsigned": "unsigned int",
    "u32": "unsigned int",
    "long": "long",
    "ulong": "unsigned long",
    "longlong": "long long",
    "ulonglong": "unsigned long long",
    "size_t": "size_t",
    "loff_t": "long",
    "sector_t": "unsigned long",
    "pthread_t": "unsigned long",
    "pointer": "void *",
    "pchar": "char *",
    "float": "float",
    "double": "double",
}
_SIGNED: Final = frozenset({"char", "short", "int", "long", "long long"})
_FLOATS: Final = {"float": "<f", "double": "<d"}


@dataclass(frozen=True, slots=True)
class Metadata:
    """What metadata.xml says of a suite."""

    producer: str
    specification: str
    program: str
    program_hash: str  # SHA-256 of the program's file
    created: str  # ISO 8601
    architecture: str = "64bit"


def metadata_xml(data: Metadata) -> str:
    fields = (
        ("sourcecodelang", "C"),
        ("producer", data.producer),
        ("specification", data.specification),
        ("programfile", data.program),
        ("programhash", data.program_hash),
        ("entryfunction", "main"),
        ("architecture", data.architecture),
        ("creationtime", data.created),
    )
    body = "".join(f"  <{name}>{escape(_plain(value))}</{name}>\n" for name, value in fields)
    return f"{_HEAD}{_DOCTYPE.format('test-metadata')}<test-metadata>\n{body}</test-metadata>\n"


def testcase_xml(test: KTest, covers_error: bool = False) -> str:
    inputs = "".join(_input(name, content) for name, content in test.objects if (name, content) != MODEL_VERSION)
    attribute = ' coversError="true"' if covers_error else ""
    return f"{_HEAD}{_DOCTYPE.format('testcase')}<testcase{attribute}>\n{inputs}</testcase>\n"


def _input(name: str, content: bytes) -> str:
    kind = c_type(name)
    value = escape(value_text(kind, content))
    return f"  <input variable={quoteattr(_plain(name))} type={quoteattr(kind)}>{value}</input>\n"


def c_type(name: str) -> str:
    """The type of the call that made an object, or nothing if none did."""
    found = _NONDET.match(name)
    return _TYPES.get(found[1], "") if found else ""


def value_text(kind: str, content: bytes) -> str:
    """Bytes as a C value of a type; without one, the unsigned number they are, or all of them in hexadecimal."""
    if kind in _FLOATS and len(content) == struct.calcsize(_FLOATS[kind]):
        return _float(struct.unpack(_FLOATS[kind], content)[0], kind)
    if kind == "_Bool":
        return str(content[0] & 1 if content else 0)
    if kind or len(content) in (1, 2, 4, 8):
        return str(int.from_bytes(content, "little", signed=kind in _SIGNED))
    return f"0x{content.hex()}"


def _float(value: float, kind: str) -> str:
    """Digits enough to come back as the same number; `scanf` reads nan and inf too."""
    return f"{value:.9g}" if kind == "float" else repr(value)


def _plain(content: str) -> str:
    """XML has no way to write most control characters, and UTF-8 none to write a lone surrogate."""
    return "".join(c if c >= " " and not "\ud800" <= c <= "\udfff" and c < "\ufffe" else "?" for c in content)
