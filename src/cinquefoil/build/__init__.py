"""From C sources to whole-program bitcode: compiler, libc, linker, drop-in compiler driver.

`load_program` in `program.py` is what the layers above call; `driver.py` is `cinq cc`.
"""
