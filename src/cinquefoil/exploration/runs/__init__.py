"""Running inputs, and what becomes of a run: path, coverage, tests and errors.

`runner.py` runs inputs and counts them, `first_runs.py` has those that an exploration begins with.  `explored.py` is
all that is known, and `integrator.py` adds a run to it.  `events.py` reads its events, `tree.py` is the execution tree,
`coverage.py` tells what was covered (with `site_index.py`, `distance.py` and `callpaths.py`), `findings.py` keeps tests
and errors.  `infeasible_branches.py` leaves out untaken branches that an earlier decision rules out, `undecided.py`
keeps the queries that the solver left undecided, and `remembered_runs.py` the runs that path conditions are read from,
until `epochs.py` says that their ids are void.  `journal.py`, `remarks.py` and `unsupported.py` note what reports tell
beyond figures."""
