"""What an output folder tells: one page to read, and exports for other tools."""
