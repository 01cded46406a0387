"""What each setting is worth: one changed at a time, on the same questions."""
