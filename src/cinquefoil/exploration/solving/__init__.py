"""Solving states: from a state to a query, and from its answer to an input worth running.

`query_builder.py` finds a state's path condition and asks the solver, `remembered_runs.py` keeps the runs that path
conditions are read from until `epochs.py` says that their ids are void, `worker_solver.py` is the solver chain over a
worker's expressions.  `undecided.py` keeps the queries that the solver left undecided, `infeasible_branches.py` leaves
out untaken branches that an earlier decision rules out, `screen.py` drops partial solutions whose path is known, and
`preferences.py` looks for inputs that the program prefers."""
