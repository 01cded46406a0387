"""What a run is worth in numbers: one file a measure, each with its definition and where it comes from."""
