"""How the packaged projection of token vectors is made from labelled questions.

sets > collect > read states > fit > write
"""
