"""What becomes of a run: path, coverage, tests and errors.

`integrator.py` adds a run to all that is known.  `events.py` reads its events, `tree.py` is the execution tree,
`coverage.py` tells what was covered (with `site_index.py`, `distance.py` and `callpaths.py`), `findings.py` keeps tests
and errors.  `journal.py`, `remarks.py` and `unsupported.py` note what reports tell beyond figures."""
