"""Prism: ask your documents, check every answer."""
