"""How long Empc's analysis takes, part by part (the paper's Table 3).

    python benchmarks/analysing.py PROGRAM...

Programs are C sources, bitcode, or executables made by `cinq cc`.  Processor time; images come from the cache, the
analysis does not.
"""

from __future__ import annotations

import sys
import time
from itertools import pairwise
from pathlib import Path

from cinquefoil.analysis.covertrees import build_trees
from cinquefoil.analysis.dependence import load_dependence
from cinquefoil.analysis.icfg import build_icfg
from cinquefoil.analysis.subgraphs import decompose
from cinquefoil.build.program import load_program
from cinquefoil.machine.image import build_image
from cinquefoil.search.empc.prepared import branches_of, nearest


def main() -> None:
    for name in sys.argv[1:]:
        graph = build_image(load_program(Path(name), ()), blocks=True).graph
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
