"""The engine's own C, one folder for each area; what a file does is said at its head.

`search` chooses states, `solver` answers queries, `explore` follows the events of runs, `expr` evaluates expressions,
and `intake` copies and checks what a worker wrote; `common` is what they share.  What Python calls is declared in one
public header for each area (`AREA/AREA.h`).  From these headers `extension.py` makes the module that calls the
functions, `stub.py` its types (`core.pyi`), `structures.py` the structures; `building.py` compiles it all, and
`core.py` is the module to import.  docs/architecture/native.md tells how to change and to debug it."""
