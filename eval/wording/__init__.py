"""Figures and texts as a terminal, Markdown and HTML show them."""
