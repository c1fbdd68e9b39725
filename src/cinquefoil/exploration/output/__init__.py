"""What an exploration writes: `result_folder.py` the output folder, `details.py` what reports show beyond the
summary."""
