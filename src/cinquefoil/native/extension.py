"""Writes the C of the module `core`: a wrapper for every function in the public headers, which calls it by its own
prototype.

A wrapper converts Python's arguments (`common/call.h`), calls, lets go of what it held, and converts the result.  Only
functions of Python's stable ABI are used (`common/python.h`).  The sizes of structures, and where their fields are, are
asserted to be those that `structures.py` gives to Python: where the two differ, nothing is built."""

from __future__ import annotations

from cinquefoil.native.headers import AREAS, SIZES, Header, HeaderFunction, HeaderParameter, HeaderType, all_headers
from cinquefoil.native.structures import layout_of

_OWN = {"address": "call_address_of", "text_at": "call_text_at", "bound": "call_bound"}
_RESULTS = {
    "u8": "PyLong_FromUnsignedLongLong",
    "u32": "PyLong_FromUnsignedLongLong",
    "u64": "PyLong_FromUnsignedLongLong",
    "int": "PyLong_FromLongLong",
    "i32": "PyLong_FromLongLong",
    "i64": "PyLong_FromLongLong",
    "double": "PyFloat_FromDouble",
}


def source() -> str:
    """The whole file."""
    headers = all_headers()
    return "\n".join(
        (
            "/* Made by native/extension.py. */",
            '#include "common/call.h"',
            *(f'#include "{area}/{area}.h"' for area in AREAS),
            *assertions(headers),
            *(wrapper(function, headers) for function in headers.functions),
            module(headers),
        )
    )


def assertions(headers: Header) -> list[str]:
    """That structures are as Python takes them to be."""
    found: list[str] = []
    for name, fields in headers.structures.items():
        size, offsets = layout_of(fields, headers.structures)
        found.append(f'_Static_assert(sizeof(struct {name}) == {size}, "{name}");')
        for field, offset in zip(fields, offsets, strict=True):
            where = f"__builtin_offsetof(struct {name}, {field.name})"
            found.append(f'_Static_assert({where} == {offset}, "{name}.{field.name}");')
    return found


def wrapper(function: HeaderFunction, headers: Header) -> str:
    """The C function that Python calls."""
    given = [_argument(number, each, headers) for number, each in enumerate(function.parameters)]
    names = [f"a{number}" for number in range(len(given))]
    call = f"{function.name}({', '.join(['out'] * function.numbers + names)})"
    lines = [
        f"static PyObject *call_{function.name}(PyObject *self, PyObject *const *given, Py_ssize_t count)",
        "{",
        "    struct call c;",
        f'    if (!call_begin(&c, "{function.name}", self, given, count, {len(given)})) return 0;',
        *given,
        "    if (c.failed) {",
        "        call_end(&c);",
        "        return 0;",
        "    }",
    ]
    if function.numbers:
        lines.append("    i64 out[CINQ_MOST_NUMBERS];")
    if function.long:
        lines.append("    PyThreadState *state = PyEval_SaveThread();")
    void = function.result == HeaderType("void")
    lines.append(f"    {call};" if void else f"    {function.result} r = {call};")
    if function.long:
        lines.append("    PyEval_RestoreThread(state);")
    lines += ["    call_end(&c);", f"    return {_result(function)};", "}", ""]
    return "\n".join(lines)


def _argument(number: int, parameter: HeaderParameter, headers: Header) -> str:
    kind, value = parameter.type, f"c.arguments[{number}]"
    if kind.stars:
        made = f"call_handle(&c, {value})" if is_handle(kind, headers) else f"call_array(&c, {value}, {_item(kind)})"
    elif kind.base == "double":
        made = f"call_real(&c, {value})"
    else:
        made = f"({kind})call_{'half' if SIZES[kind.base] == 4 else 'whole'}(&c, {value})"
    return f"    {kind} a{number} = {made};"


def is_handle(kind: HeaderType, headers: Header) -> bool:
    """A pointer to what Python does not see into."""
    name = kind.base.removeprefix("struct ")
    return kind.stars == 1 and name != kind.base and name not in headers.structures and not name.startswith("cinq_")


def _item(kind: HeaderType) -> str:
    if kind.stars > 1:
        return "sizeof(void *)"
    return "1" if kind.base == "void" else f"sizeof({kind.base})"


def _result(function: HeaderFunction) -> str:
    if function.numbers:
        return "call_numbers(out, r)"
    if function.result.stars:
        return "call_address(r)"
    return "call_nothing()" if function.result.base == "void" else f"{_RESULTS[function.result.base]}(r)"


def module(headers: Header) -> str:
    """The table of functions and the module's start."""
    made = [(function.name, f"call_{function.name}") for function in headers.functions]
    rows = [f'    {{"{name}", {code}, FASTCALL, 0}},' for name, code in (*_OWN.items(), *made)]
    return "\n".join(
        (
            "static struct python_method methods[] = {",
            *rows,
            "    {0, 0, 0, 0},",
            "};",
            'static struct python_module module = {.head = {1, 0}, .name = "core", .size = -1, .methods = methods};',
            '__attribute__((visibility("default"))) PyObject *PyInit_core(void);',
            "PyObject *PyInit_core(void) { return call_start((PyModuleDef *)&module); }",
            "",
        )
    )
