"""How many passages an answerer should be given."""
