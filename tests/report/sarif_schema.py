"""The rules of SARIF 2.1.0 (OASIS standard, sections 3.13 to 3.54) for the objects that exports hold, as JSON Schema.

Stricter than the standard in one respect: properties that no export writes are errors, so that a misspelt one is too.
"""

from __future__ import annotations

from typing import Any

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
