"""When to answer at all: the curve and the threshold of the gate, from labelled questions."""
