"""Pruning at work: what an exploration tells a pruner (layer prune/), and what it does by its choice.

`pruning.py` is the link; `conditions.py` reads path conditions for it, `reserve.py` keeps pruned states that deserve an
answer, and `answers.py` remembers answers over restarts."""
