"""Pending states: what they are, and what holds them, for those who explore, search and prune.

`state.py` has `State` (a direction not taken) and `Witness` (the input whose run left it), `batch.py` the rows in which
states are kept.  `index.py` finds them by id, `groups.py` keeps them by an integer key, and `pending.py` puts those of
several batches side by side."""
