"""From path conditions to inputs: a chain of small layers in front of SMT solvers."""
