"""Exploring with several processes: `leader.py` is the way in, ARCHITECTURE.md says how they work together."""

from cinquefoil.exploration.parallel.leader import ParallelExploration

__all__ = ["ParallelExploration"]
