"""One file per format; each has `read(...) -> Loaded`. `load.py` chooses among them."""
