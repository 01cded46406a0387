"""What a run comes to: a question's row, the result, and its file."""
