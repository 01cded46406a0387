"""A result in words: what stands out, and which setting to try."""
