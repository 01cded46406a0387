"""Labelled sets: documents to ingest, questions to ask, and what each answer rests on."""
