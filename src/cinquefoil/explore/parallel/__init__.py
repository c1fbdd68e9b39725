"""Exploring with several processes: `exploration.py` is the way in, ARCHITECTURE.md says how they work together."""

from cinquefoil.explore.parallel.exploration import MAX_WORKERS, ParallelExploration

__all__ = ["MAX_WORKERS", "ParallelExploration"]
