"""How long Empc's analysis takes, part by part (the paper's Table 3).

    python benchmarks/analysing.py PROGRAM...

Programs are C sources, bitcode, or executables made by `cinq cc`.  Processor time.  The block graph is made from the
bitcode here, numbered as in an image, so that no image is needed; making it is not counted (an image brings it along).
"""

from __future__ import annotations

import sys
import time
from itertools import pairwise
from pathlib import Path

from cinquefoil.analysis.covertrees import build_trees
from cinquefoil.analysis.dependence import block_sites, load_dependence
from cinquefoil.analysis.icfg import build_icfg
from cinquefoil.analysis.subgraphs import decompose
from cinquefoil.build import bitcode
from cinquefoil.build.program import load_program
from cinquefoil.ir.model import Call, GlobalRef
from cinquefoil.ir.parser import parse_module
from cinquefoil.ir.traversal import successors
from cinquefoil.machine.graph import ProgramGraph
from cinquefoil.search.empc.prepared import branches_of, nearest


def graph_of(path: Path) -> ProgramGraph:
    """The blocks of a bitcode file."""
    module = parse_module(str(bitcode.read(path)))
    graph = ProgramGraph(module=path)
    functions = [function for function in module.functions.values() if function.blocks]
    sites, entry = {}, 1
    for function in functions:
        sites[function.name] = block_sites(function, entry)
        graph.names[entry] = function.name.strip('"')
        entry += len(function.blocks)
    for function in functions:
        own = sites[function.name]
        for label, targets in successors(function).items():
            if label in own:
                graph.cfg[own[label]] = tuple(dict.fromkeys(own[target] for target in targets))
        for block in function.blocks:
            named = [
                i.callee.name for i in block.instructions if isinstance(i, Call) and isinstance(i.callee, GlobalRef)
            ]
            called = [min(sites[name].values()) for name in named if name in sites]
            if called and block.label in own:
                graph.calls[own[block.label]] = tuple(called)
    graph.entries = frozenset(graph.names)
    return graph


def main() -> None:
    for name in sys.argv[1:]:
        graph = graph_of(load_program(Path(name), ()).module_bitcode)
        times = [time.process_time()]
        icfg = build_icfg(graph.cfg, graph.calls, graph.entries)
        decomposition = decompose(icfg)
        times.append(time.process_time())
        trees = build_trees(decomposition)
        times.append(time.process_time())
        dependence = load_dependence(graph.module, graph.names)
        times.append(time.process_time())
        ancestors = nearest(icfg.sources(), {branch: dependence.of(branch) for branch in branches_of(graph)})
        times.append(time.process_time())
        parts = [after - before for before, after in pairwise(times)]
        print(
            f"{Path(name).name}: {len(graph.cfg)} blocks, {len(decomposition.subgraphs)} subgraphs, "
            f"{decomposition.irreducible} irreducible cycles, {int(trees.ends.sum())} cover paths, "
            f"{len(trees.parents)} nodes, {len(ancestors)} dependent branches; subgraphs {parts[0]:.2f} s, "
            f"covers {parts[1]:.2f} s, facts {parts[2]:.2f} s, dependence {parts[3]:.2f} s, all {sum(parts):.2f} s",
            flush=True,
        )


if __name__ == "__main__":
    main()
