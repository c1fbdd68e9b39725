"""Errors in SARIF 2.1.0, for code scanning services and editors.

Files below the folder in which the exploration ran are named relative to it (`uriBaseId` ROOT), others absolutely.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import Final
from urllib.parse import quote

from cinquefoil import __version__
from cinquefoil.report.export.export_suite import Exported, Suite, write
from cinquefoil.report.export.format import Format
from cinquefoil.report.failures import error_records, test_number
from cinquefoil.report.markup import visible
from cinquefoil.report.reading import Record

_SCHEMA: Final = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_ROOT: Final = "ROOT"
TEXTS: Final = {
    "out-of-bounds": "An access outside the bounds of its object.",
    "null-pointer": "An access through a null pointer.",
    "use-after-free": "An access to an object that was freed.",
    "use-after-return": "An access to a variable of a function that has returned.",
    "use-after-scope": "An access to a variable whose block has ended.",
    "read-only": "A write to memory that cannot be written.",
    "double-free": "An object is freed twice.",
    "invalid-free": "An address that was not allocated is freed.",
    "division-by-zero": "A division by zero.",
    "overshift": "A shift by the width of its operand or more.",
    "assertion": "An assertion fails.",
    "abort": "The program aborts.",
    "reach-error": "The error function is called.",
    "user": "The program reports an error by klee_report_error.",
    "unreachable": "Code is reached that the compiler was told is not.",
    "timeout": "The program does not end in its time.",
    "unsupported": "The program does what the engine does not support.",
    "stack-overflow": "The stack overflows.",
    "undefined-function": "A function that is nowhere defined is called.",
    "overflow": "The result of signed arithmetic is not in the range of its type.",
    "unsigned-overflow": "The result of unsigned arithmetic is not in the range of its type.",
    "shift": "A shift by too much, or of what cannot be shifted so far.",
    "pointer-overflow": "Pointer arithmetic wraps around.",
    "array-index": "An index outside of its array.",
    "misaligned": "An address that its type does not allow.",
    "object-size": "An object that is too small for the type it is used as.",
    "invalid-value": "A value that its type does not have.",
    "float-cast": "A floating-point value outside of the range of the integer type it is converted to.",
    "float-division-by-zero": "A floating-point division by zero.",
    "implicit-conversion": "An implicit conversion that changes the value.",
    "nonnull": "A null pointer where none may be.",
    "vla-bound": "A variable length array without elements.",
    "invalid-builtin": "A builtin function with an argument for which it is not defined.",
    "function-type": "A function called through a pointer of another type.",
    "missing-return": "A function ends without the value it should return.",
    "undefined": "Undefined behaviour of another kind.",
    "uninitialized": "A decision that depends on memory never written.",
    "false-assumption": "An assumption that no input of the path satisfies.",
    "symbolic-name": "A symbolic object whose name is no text.",
    "symbolic-size": "More symbolic bytes than the object has.",
}
Json = dict[str, object]


class Sarif(Format):
    """Errors in SARIF 2.1.0."""

    output = "errors.sarif"

    def write(self, suite: Suite, output: Path) -> Exported:
        return Exported((write(output, json.dumps(document(suite), indent=2) + "\n"),), suite.broken)


def document(suite: Suite) -> Json:
    records = error_records(suite.results)
    folder = suite.results.details.record("command").text("folder")
    writer = _Writer(folder, suite.results.folder, [record.text("kind") for record in records])
    run: Json = {
        "tool": {"driver": {"name": "Cinquefoil", "version": __version__, "rules": writer.rules()}},
        "columnKind": "utf16CodeUnits",
        "results": [writer.result(record) for record in records],
    }
    if folder.startswith("/"):
        run["originalUriBaseIds"] = {_ROOT: {"uri": _file_uri(folder).rstrip("/") + "/"}}
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


class _Writer:
    def __init__(self, root: str, folder: Path, kinds: Sequence[str]) -> None:
        self._root = root
        self._folder = folder
        self._kinds = list(dict.fromkeys(kinds))

    def rules(self) -> list[Json]:
        return [
            {"id": visible(kind), "shortDescription": {"text": TEXTS.get(kind, f"An error of kind {visible(kind)}.")}}
            for kind in self._kinds
        ]

    def result(self, record: Record) -> Json:
        kind, file, line = record.text("kind"), record.text("file"), record.whole("line")
        test = f"tests/{test_number(record):06d}.ktest"
        found: Json = {
            "ruleId": visible(kind),
            "ruleIndex": self._kinds.index(kind),
            "level": "error",
            "message": {"text": visible(record.text("summary") or record.text("message") or kind)},
            "partialFingerprints": {"errorPlace/v1": _fingerprint(kind, record.text("function"), file, line)},
            "attachments": [
                {
                    "description": {"text": "The input that leads to the error, in KLEE's .ktest format."},
                    "artifactLocation": {"uri": _file_uri(str(self._folder.absolute() / test))},
                }
            ],
            "properties": {"confirmed": record.flag("confirmed"), "pathsEndingHere": record.whole("seen", 1)},
        }
        location = self._location(record, self._column(record))
        if location:
            found["locations"] = [location]
        if stack := self._stack(record.record("failure")):
            found["stacks"] = [stack]
        return found

    def _column(self, record: Record) -> int:
        where = record.record("failure").record("where")
        same = where.text("file") == record.text("file") and where.whole("line") == record.whole("line")
        return where.whole("column") if same else 0

    def _stack(self, failure: Record) -> Json:
        trail = [failure.record("where"), *failure.records("called_from")] if failure.has("where") else []
        frames = [{"location": each} for where in trail if (each := self._location(where, where.whole("column")))]
        return {"message": {"text": "Calls that lead to the error."}, "frames": frames} if frames else {}

    def _location(self, where: Record, column: int) -> Json:
        file, line = where.text("file"), where.whole("line")
        if not file:
            return {}
        physical: Json = {"artifactLocation": self._artifact(file)}
        if line > 0:
            physical["region"] = {"startLine": line} | ({"startColumn": column} if column > 0 else {})
        found: Json = {"physicalLocation": physical}
        if where.text("function"):
            found["logicalLocations"] = [{"name": visible(where.text("function")), "kind": "function"}]
        return found

    def _artifact(self, file: str) -> Json:
        path = PurePosixPath(file)
        if not path.is_absolute():
            return {"uri": _quoted(file), "uriBaseId": _ROOT} if self._root else {"uri": _quoted(file)}
        if self._root and path.is_relative_to(self._root):
            return {"uri": _quoted(str(path.relative_to(self._root))), "uriBaseId": _ROOT}
        return {"uri": _file_uri(file)}


def _fingerprint(*parts: object) -> str:
    return hashlib.sha256("\0".join(map(str, parts)).encode("utf-8", "surrogateescape")).hexdigest()[:32]


def _quoted(path: str) -> str:
    return quote(path.encode("utf-8", "surrogateescape"))


def _file_uri(path: str) -> str:
    return "file://" + _quoted(path)
