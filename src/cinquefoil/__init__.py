"""Cinquefoil: symbolic execution and test generation for C."""

__version__ = "0.1.0"
