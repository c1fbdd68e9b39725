"""Sites: the places of a program that runs and reports speak of.

The instrumenter numbers the blocks, branches, checks, calls and stack objects of every module; the linker gives each
module a base, and base + number is a site's id throughout the image: in events, in the block trace, in
backtraces, and as index of the coverage bytes.  Id 0 is never used.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from enum import StrEnum


class SiteKind(StrEnum):
    FUNCTION = "function"
    BLOCK = "block"  # its coverage byte is set when the block is entered
    EDGE = "edge"  # its coverage byte is set when the edge is taken (only edges that no block byte tells apart)
    BRANCH = "branch"
    SWITCH = "switch"
    SELECT = "select"  # a pointer-valued select on a symbolic condition
    CHECK = "check"  # an implicit branch: memory access, division, conversion
    CALL = "call"
    OBJECT = "object"  # a stack object or global variable: `detail` is its name


@dataclass(frozen=True, slots=True)
class Site:
    """`block` is the site of the enclosing block (0 for functions and globals).  Branches and switches have one
    entry per direction in `targets` (block sites) and `edges` (sites whose coverage byte tells that the
    direction was taken): direction 0 is the else side or the default, as `taken` of an event counts them."""

    kind: SiteKind
    function: str
    file: str
    line: int
    column: int
    block: int = 0
    targets: tuple[int, ...] = ()
    edges: tuple[int, ...] = ()
    detail: str = ""
    library: bool = False  # in libc, not in the program under test


def sites_to_json(sites: Iterable[Site]) -> str:
    return json.dumps([asdict(site) for site in sites], separators=(",", ":"))


def sites_from_json(text: str, base: int) -> list[Site]:
    """Sites of one module, moved to where the linker put them."""
    return [_moved(raw, base) for raw in json.loads(text)]


def _moved(raw: dict[str, object], base: int) -> Site:
    fields = dict(raw)
    fields["kind"] = SiteKind(str(fields["kind"]))
    fields["block"] = int(str(fields["block"])) + base if fields["block"] else 0
    for name in ("targets", "edges"):
        numbers = fields[name]
        assert isinstance(numbers, list)
        fields[name] = tuple(int(n) + base for n in numbers)
    return Site(**fields)  # pyright: ignore[reportArgumentType]
