"""Two results of one dataset beside each other: which is better, how sure, and on which questions."""
