"""What late interaction costs and what its small vectors lose: stored ones against a fresh model pass."""
