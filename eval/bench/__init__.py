"""Prism beside the plain LlamaIndex build of the same parts, measured: see docs/performance.md."""
