"""Experiments: the papers' subjects, comparisons, tables."""
