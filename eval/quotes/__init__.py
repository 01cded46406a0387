"""Are the right sentences quoted? The ways to choose them, over labelled questions."""
