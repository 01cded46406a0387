"""Golden traces: what every stage of a dozen questions must find, rank by rank."""
