"""What an exploration spends, and what goes wrong in the engine itself.

`clock.py` has the time limit, `statistics.py` all counts and the time of each phase, `memory_use.py` the memory held.
`faults.py` keeps faults of the engine, and `collector.py` keeps Python's garbage collector out of the loop."""
