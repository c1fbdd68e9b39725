"""Names of the instances, apart from their code: the command line needs no more."""

from __future__ import annotations

from typing import Final

INSTANCES: Final = ("simplex", "arrays", "descent", "sweep")
AUTO: Final = "auto"
"""What measurements support for everybody: descent for queries with floating point, and nothing else."""
