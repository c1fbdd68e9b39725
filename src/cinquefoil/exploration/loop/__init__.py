"""The loop, and what ends it.

`exploration.py` is the loop itself: select a state, solve it, run the solution, integrate the run.  `interrupts.py`
takes signals, and `stopping.py` says when to end something long."""
