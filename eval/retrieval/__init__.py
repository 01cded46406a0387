"""`python -m eval retrieval`: a labelled set asked once."""
