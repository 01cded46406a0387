"""Reads: whether the embedder reads the language that a question shares with the documents.

To an embedder a script it does not read is no text at all (`Embedder.can_read`), and its search is left out.
Another language of a script it reads it knows by half: names, numbers, words of common origin. Where question
and documents are in such a language, its search still helps, but with less weight beside the keywords; late
interaction, which compares word by word, helps as ever (docs/retrieval.md, "Languages the embedder does not
read").

A question in such a language over documents in one it reads is another matter: the words they happen to share
are all there is, and few of them the keywords can match, so the embedder keeps its weight.
"""

from __future__ import annotations

from typing import Final

from prism.query.parts import QueryParts
from prism.text.question_language import told_language
from prism.text.tokens import LANGUAGE_MARK

DENSE_SHARE: Final = 0.25
"""What is left of the dense leg's weight in a language that is not read; measured."""

CROWD: Final = 0.5
"""From what share of the dense leg's ranking on leaves in the question's language stand in for those in
another: to an embedder that hardly reads it they are all alike, and like the question. One leaf that was
taken for Spanish does not make a collection Spanish."""


def reads(question: str, parts: QueryParts) -> bool:
    """False where the question is surely in a language that `models.embedder.languages` lacks, and so are
    enough of the leaves in scope to crowd the dense leg's ranking. A question that tells no language is read.
    """
    language = told_language(question)
    languages = parts.settings.models.embedder.languages
    if language is None or not languages or language in languages:
        return True
    return _crowd(language, parts) < CROWD


def _crowd(language: str, parts: QueryParts) -> float:
    """The share of the dense leg's ranking that leaves in a language can take."""
    keywords, document_ids = parts.snapshot.keywords, parts.scope.document_ids
    places = min(parts.settings.retrieval.retrieve_k, len(keywords.leaves(document_ids)))
    taken = keywords.search_tokens([LANGUAGE_MARK + language], places, document_ids)
    return len(taken) / places if places else 0.0
