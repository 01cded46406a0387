"""How much of a file's words comes out of reading it, against what is known to stand in it."""
