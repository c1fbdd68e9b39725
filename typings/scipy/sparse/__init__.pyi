"""Sparse arrays."""

from typing import Any

from numpy.typing import NDArray

class csr_array:
    def __init__(self, dense: NDArray[Any]) -> None: ...
