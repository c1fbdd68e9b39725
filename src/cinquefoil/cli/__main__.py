"""`python -m cinquefoil.cli` is `cinq`, for those who start it as a process of its own."""

from __future__ import annotations

from cinquefoil.cli.main import main

main()
