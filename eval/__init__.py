"""Scripted evaluations of Prism: datasets, metrics, runs. Imports `prism`; never the reverse."""
