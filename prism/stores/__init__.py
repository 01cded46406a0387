"""What Prism keeps: the catalogue (the record) and its two projections, vectors and keywords."""
