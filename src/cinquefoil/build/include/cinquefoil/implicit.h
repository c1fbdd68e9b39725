/* Library functions that a program calls without declaring them; build/implicit.py finds out which. */
CINQ_IMPLICIT
