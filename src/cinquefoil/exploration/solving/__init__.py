"""Solving states: from a state to a query, and from its answer to an input worth running.

`query_builder.py` finds a state's path condition and asks the solver; `worker_solver.py` is the solver chain over a
worker's expressions.  `partial.py` runs the inputs that a solver met while it worked, `screen.py` drops those whose
path is known, and `preferences.py` looks for inputs that the program prefers."""
