"""Asking a labelled set and keeping what was found."""
