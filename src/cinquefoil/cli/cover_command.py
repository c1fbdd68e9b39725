"""`cinq cover`: the path covers that Empc will guide exploration by."""

from __future__ import annotations

import difflib
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click

from cinquefoil.analysis.digraph import Edges, reachable
from cinquefoil.analysis.icfg import build_icfg
from cinquefoil.analysis.loops import LoopNest, find_loops
from cinquefoil.analysis.path_cover import LIMIT, Cover, count_paths, minimum_path_covers
from cinquefoil.analysis.subgraphs import Decomposition, decompose
from cinquefoil.cli.cover_page import Drawing, page
from cinquefoil.cli.cover_visits import visited
from cinquefoil.cli.prepare import prepare
from cinquefoil.cli.say import say
from cinquefoil.errors import UserError
from cinquefoil.machine.failure import count
from cinquefoil.machine.image import Image


@dataclass(frozen=True, slots=True)
class _Function:
    """A function and the covers of its subgraphs: its own first, then its loops' from the outside in."""

    entry: int
    name: str
    graph: Edges  # virtual return node left out
    nest: LoopNest
    covers: dict[int, tuple[Cover, ...]]
    paths: dict[int, int]


@click.command()
@click.argument("program", type=click.Path(path_type=Path))
@click.option("--function", "wanted", metavar="NAME", help="Only this function, with every path of every cover.")
@click.option("--covers", "limit", type=click.IntRange(1), default=LIMIT, show_default=True, help="At most this many.")
@click.option("--html", type=click.Path(path_type=Path, dir_okay=False), help="Draw into this file as well.")
@click.option(
    "--run",
    "folder",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    help="Output folder of a run: show which blocks its tests enter.",
)
@click.option(
    "--file",
    "files",
    multiple=True,
    type=click.Path(path_type=Path),
    help="With --run: as that run had it.  Repeatable.",
)
@click.option(
    "--env", "variables", multiple=True, metavar="NAME=VALUE", help="With --run: as that run had it.  Repeatable."
)
@click.option("--cflags", multiple=True, metavar="FLAGS", help="Flags for clang if PROGRAM is C source.  Repeatable.")
def cover(
    program: Path,
    wanted: str | None,
    limit: int,
    html: Path | None,
    folder: Path | None,
    files: tuple[Path, ...],
    variables: tuple[str, ...],
    cflags: tuple[str, ...],
) -> int:
    """Show the minimum path covers of PROGRAM's functions and loops.

    A path cover is a set of paths that together pass every block; the search strategy empc follows smallest
    ones.  Blocks are shown by their source lines (those without by #number), loops inside as one block: their
    header, starred.  With --run, the tests of that run are run again; in the page, blocks they enter are green.
    """
    image = prepare(program, [flag for flags in cflags for flag in shlex.split(flags)], blocks=True)
    functions = list(_functions(image, wanted, limit))
    entered = visited(image, program, folder, files, variables) if folder is not None else None
    for function in functions:
        say("\n".join(_listing(image, function, wanted is not None, entered)))
    if html is not None:
        html.write_text(page(f"Path covers of {program.name}", [_drawing(image, f, entered) for f in functions]))
    return 0


def _functions(image: Image, wanted: str | None, limit: int) -> Iterator[_Function]:
    graph = image.graph
    names = {entry: name for entry, name in graph.names.items() if wanted in (None, name)}
    if not names:
        close = difflib.get_close_matches(wanted or "", graph.names.values(), 1)
        hint = f"; did you mean '{close[0]}'?" if close else ""
        raise UserError(f"the program defines no function '{wanted}'{hint}")
    icfg = build_icfg(graph.cfg, graph.calls, graph.entries)
    parts = decompose(icfg)
    for entry, name in names.items():
        yield _function(entry, name, icfg.functions[entry], parts, limit)


def _function(entry: int, name: str, whole: Edges, parts: Decomposition, limit: int) -> _Function:
    live = reachable(whole, [entry]) - {-entry}
    graph = {v: tuple(t for t in whole[v] if t > 0) for v in whole if v in live}
    nest = find_loops(graph, entry)
    entries = [entry, *(loop.header for loop in reversed(nest.loops))]
    covers = {e: minimum_path_covers(parts.subgraphs[e].edges, e, limit) for e in entries}
    paths = {e: count_paths(parts.subgraphs[e].edges, e) for e in entries}
    return _Function(entry, name, graph, nest, covers, paths)


def _size(function: _Function, entered: frozenset[int] | None) -> str:
    blocks = len(function.graph)
    return (
        f"{blocks} blocks" if entered is None else f"{len(entered & function.graph.keys())} of {blocks} blocks entered"
    )


def _listing(image: Image, function: _Function, full: bool, entered: frozenset[int] | None) -> Iterator[str]:
    site = image.sites[function.entry]
    irreducible = f", {function.nest.irreducible} irreducible cycles" if function.nest.irreducible else ""
    loops = f"{len(function.nest.loops)} loops{irreducible}"
    location = f"{Path(site.file).name}:{site.line}"
    yield f"{function.name} ({location}): {_size(function, entered)}, {loops}"
    for entry, covers in function.covers.items():
        yield f"  {_subject(image, function, entry)}: {_figures(function, entry)}"
        for number, each in enumerate(covers if full else (), 1):
            yield f"    cover {number}"
            yield from ("      " + " ".join(_labels(image, function, entry, path)) for path in each)


def _subject(image: Image, function: _Function, entry: int) -> str:
    return "body" if entry == function.entry else f"loop at {_label(image, function, entry)}"


def _figures(function: _Function, entry: int) -> str:
    covers = function.covers[entry]
    paths = function.paths[entry]
    return f"{len(covers[0])} of {count(paths, 'path')} cover it, {count(len(covers), 'way')} known"


def _label(image: Image, function: _Function, block: int) -> str:
    """Its line, or its number in the function if it has no line of its own."""
    return str(image.sites[block].line or f"#{block - function.entry}")


def _labels(image: Image, function: _Function, entry: int, path: tuple[int, ...]) -> Iterator[str]:
    for block in path:
        if block > 0:
            loop = block != entry and block in function.covers
            yield f"{_label(image, function, block)}{'*' if loop else ''}"


def _drawing(image: Image, function: _Function, entered: frozenset[int] | None) -> Drawing:
    kept = {(v, t) for v, targets in function.nest.acyclic.items() for t in targets}
    back = tuple((v, t) for v, targets in function.graph.items() for t in targets if (v, t) not in kept)
    named = [
        (f"{_subject(image, function, entry)}, cover {number} of {len(covers)} ({_figures(function, entry)})", each)
        for entry, covers in function.covers.items()
        for number, each in enumerate(covers, 1)
    ]
    return Drawing(
        function.name,
        f"{_size(function, entered)}, {len(function.nest.loops)} loops",
        function.nest.acyclic,
        back,
        frozenset(loop.header for loop in function.nest.loops),
        {block: _label(image, function, block) for block in function.graph},
        tuple(named),
        entered,
    )
