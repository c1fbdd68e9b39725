"""Empc: effective path prioritization with path covers (Yao and She 2025)."""

from cinquefoil.search.empc.searcher import Empc, empc

__all__ = ["Empc", "empc"]
