"""MuSE: solvers whose intermediate assignments are inputs worth running (Zhang et al., ASE 2020)."""
