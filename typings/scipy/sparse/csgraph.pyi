"""Algorithms on graphs that are given as sparse arrays."""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

def maximum_bipartite_matching(graph: csr_array, perm_type: str = "row") -> NDArray[np.int32]: ...
