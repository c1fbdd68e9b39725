"""Names of the instances, apart from their code: the command line needs no more."""

from __future__ import annotations

from typing import Final

INSTANCES: Final = ("simplex", "arrays", "descent", "sweep")
