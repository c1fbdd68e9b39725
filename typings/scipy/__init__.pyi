"""What the engine uses of SciPy, which brings no types."""
