"""Symbolic expressions: table view, evaluation, printing, translation to SMT."""
