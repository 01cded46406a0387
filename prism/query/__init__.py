"""From a question to a checked answer. Start at `pipeline.py`."""
