"""What the engine uses of llvmlite, which brings no types."""
