"""What is explored, and with what: from a program and options to an exploration that writes its results.

`session.py` puts worker, solver, exploration and output folder together; `melded_session.py` does so for a melded
program. `checking.py` makes `--check` compiler flags and settings of a task, `seeds.py` reads inputs to start from."""
