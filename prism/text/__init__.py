"""What both pipelines need to know about written language: scripts, tokens, sentences. Pure functions."""
