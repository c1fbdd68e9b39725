"""The loop, and what it goes by.

`exploration.py` is the loop itself: select a state, solve it, run the solution, integrate the run.  `runner.py` runs
inputs and counts them, `statistics.py` has all counts and the time of each phase, `clock.py` the time limit,
`memory_use.py` the memory held.  `interrupts.py` takes signals, `stopping.py` when to end something long, `faults.py`
keeps faults of the engine itself, and `collector.py` keeps Python's garbage collector out of the loop."""
