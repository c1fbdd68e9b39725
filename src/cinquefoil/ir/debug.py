"""Source locations from debug metadata, read when asked.

`DebugInfo` takes the metadata text of a module and resolves the number of a `!dbg` attachment through scopes
(lexical blocks, subprograms) to a file, line, column and function.  A broken or missing node makes a location
unknown (None), never an error: debug information is a convenience, and foreign compilers write odd things.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from cinquefoil.ir.model import Function, Location, Module
from cinquefoil.ir.value_parser import unescape

_NODE = re.compile(r"(?:distinct )?!(\w+)\((.*)\)\s*$", re.DOTALL)
_FIELD = re.compile(r'(\w+): (?:!(\d+)\b|"([^"]*)"|(-?\d+)\b|(!"[^"]*"|[^,"]+))')
_LONGEST_CHAIN = 1000  # scopes or inlined calls; more means a cycle in broken metadata


@dataclass(frozen=True, slots=True)
class _Node:
    kind: str
    links: dict[str, int]
    texts: dict[str, str]
    numbers: dict[str, int]


class DebugInfo:
    """Answers questions about the debug metadata of one module."""

    def __init__(self, module: Module) -> None:
        self._metadata = module.metadata
        self._nodes: dict[int, _Node | None] = {}
        self._locations: dict[int, Location | None] = {}
        self._locals: dict[tuple[int, str], list[Location]] | None = None

    def location(self, dbg: int | None) -> Location | None:
        """Where the instruction's code was written: in the inlined function, if it was inlined."""
        if dbg is None:
            return None
        if dbg not in self._locations:
            self._locations[dbg] = self._resolve(dbg)
        return self._locations[dbg]

    def locations(self, dbg: int | None) -> list[Location]:
        """The location and then, where it was inlined, those of the calls around it, innermost first."""
        found: list[Location] = []
        while dbg is not None and len(found) < _LONGEST_CHAIN:
            location = self.location(dbg)
            node = self._node(dbg)
            if location is None or node is None:
                break
            found.append(location)
            dbg = node.links.get("inlinedAt")
        return found

    def function_location(self, function: Function) -> Location | None:
        """Where the function is defined."""
        node = self._node(function.dbg)
        if node is None or node.kind != "DISubprogram":
            return None
        name = node.texts.get("name", function.name)
        return Location(self._file(node.links.get("file")), node.numbers.get("line", 0), 0, name)

    def variable_name(self, dbg: int | None) -> str | None:
        """The source name of a global variable, by the number of its `!dbg` attachment."""
        node = self._node(dbg)
        if node is not None and node.kind == "DIGlobalVariableExpression":
            node = self._node(node.links.get("var"))
        return None if node is None else node.texts.get("name")

    def variable_location(self, dbg: int | None) -> Location | None:
        """Where a global variable is defined, by the number of its `!dbg` attachment; no column, no function."""
        node = self._node(dbg)
        if node is not None and node.kind == "DIGlobalVariableExpression":
            node = self._node(node.links.get("var"))
        if node is None or node.kind != "DIGlobalVariable" or not node.numbers.get("line"):
            return None
        return Location(self._file(node.links.get("file")), node.numbers["line"], 0, "")

    def local_location(self, function: Function, name: str) -> Location | None:
        """Where a function declares its variable; None if it has none of that name, or several."""
        if self._locals is None:
            self._locals = self._read_locals()
        found = self._locals.get((function.dbg, name), []) if function.dbg is not None else []
        return found[0] if len(found) == 1 else None

    def _read_locals(self) -> dict[tuple[int, str], list[Location]]:
        found: dict[tuple[int, str], list[Location]] = {}
        for number, text in self._metadata.items():
            node = self._node(number) if text.startswith("!DILocalVariable(") else None
            if node is None or "name" not in node.texts:
                continue
            inside = self._subprogram(node.links.get("scope"))
            if inside is not None:
                at = Location(self._file(node.links.get("file")), node.numbers.get("line", 0), 0, "")
                found.setdefault((inside, node.texts["name"]), []).append(at)
        return found

    def _subprogram(self, number: int | None) -> int | None:
        """The function around a scope."""
        for _ in range(_LONGEST_CHAIN):
            node = self._node(number)
            if node is None or node.kind == "DISubprogram":
                return None if node is None else number
            number = node.links.get("scope")
        return None

    def source_file(self) -> str | None:
        """The file of the first compile unit."""
        for number, text in self._metadata.items():
            if "!DICompileUnit(" in text:
                node = self._node(number)
                return self._file(node.links.get("file")) if node else None
        return None

    def checksums(self) -> dict[str, list[str]]:
        """MD5 checksums of the files that the compiler read, by their names as locations have them."""
        found: dict[str, list[str]] = {}
        for number, text in self._metadata.items():
            node = self._node(number) if "!DIFile(" in text else None
            if node is not None and node.kind == "DIFile" and "checksum" in node.texts:
                found.setdefault(self._file(number), []).append(node.texts["checksum"])
        return found

    # ---- nodes --------------------------------------------------------------------------------------------

    def _resolve(self, dbg: int) -> Location | None:
        node = self._node(dbg)
        if node is None or node.kind != "DILocation":
            return None
        scope = node.links.get("scope")
        file, function = self._scope(scope)
        return Location(file, node.numbers.get("line", 0), node.numbers.get("column", 0), function)

    def _scope(self, number: int | None) -> tuple[str, str]:
        """The file of the innermost scope and the name of the subprogram around it."""
        file = ""
        for _ in range(_LONGEST_CHAIN):
            node = self._node(number)
            if node is None:
                break
            file = file or self._file(node.links.get("file"))
            if node.kind == "DISubprogram":
                return file, node.texts.get("name", "")
            number = node.links.get("scope")
        return file, ""

    def _file(self, number: int | None) -> str:
        """The path; relative names are put under the compilation directory."""
        node = self._node(number)
        if node is None:
            return ""
        name, directory = node.texts.get("filename", ""), node.texts.get("directory", "")
        return name if not directory or name.startswith("/") else f"{directory}/{name}"

    def _node(self, number: int | None) -> _Node | None:
        if number is None:
            return None
        if number not in self._nodes:
            self._nodes[number] = _parse(self._metadata.get(number, ""))
        return self._nodes[number]


def _parse(text: str) -> _Node | None:
    match = _NODE.match(text)
    if match is None:
        return None
    node = _Node(match[1], {}, {}, {})
    for name, link, string, number, _ in _FIELD.findall(match[2]):
        if link:
            node.links[name] = int(link)
        elif number:
            node.numbers[name] = int(number)
        elif string:
            node.texts[name] = unescape(string).decode("utf-8", "replace")
    return node
