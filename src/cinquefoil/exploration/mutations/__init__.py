"""Inputs changed at random, run for their coverage alone, beside the exploration of states.

`mutations.py` decides how many are tried and which of them are run traced, `corpus.py` keeps the inputs that covered
something new, `mutators.py` has the changes, `registry.py` their
names: mutators of one's own can be added (`api.py`)."""
