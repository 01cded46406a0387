"""From files to indexed nodes: load > clean > chunk > contextualize > index. Start at `pipeline.py`."""
