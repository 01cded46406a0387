"""An immutable piece of the keyword index: leaves, and how often each token occurs in each.

bm25s bakes idf, the number of documents and their average length into every stored score, so one more leaf
would mean a rebuild. A segment keeps raw term frequencies in bm25s's arrays instead and leaves scoring to
the moment of the question, when it is known which leaves are visible. The formulas are bm25s's own.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import bm25s
import numpy as np
import numpy.typing as npt

from prism.errors import StoreDamagedError
from prism.text.tokens import LANGUAGE_MARK

Group: TypeAlias = tuple[str, int]
"""(document_id, generation): leaves that appear and go together."""

Ints: TypeAlias = npt.NDArray[np.int32]

_NONE: Ints = np.empty(0, dtype=np.int32)

_ROWS_FILE = "rows.json"
_LENGTHS_FILE = "lengths.npy"
_GROUP_CODES_FILE = "group_codes.npy"


@dataclass(frozen=True, slots=True)
class LeafTokens:
    """A leaf as the keyword index sees it; `tokens` come from `prism.text.tokens.tokenize`."""

    node_id: str
    document_id: str
    generation: int
    tokens: tuple[str, ...]

    @property
    def group(self) -> Group:
        """What the leaf appears and goes with."""
        return self.document_id, self.generation


class FrequencyIndex(bm25s.BM25):  # type: ignore[misc]
    """A bm25s index whose matrix holds term frequencies: column = token, row = leaf."""

    def build_index_from_ids(
        self,
        unique_token_ids: Sequence[int],
        corpus_token_ids: Sequence[Sequence[int]],
        show_progress: bool = False,  # noqa: ARG002 - bm25s passes it
        leave_progress: bool = False,  # noqa: ARG002 - bm25s passes it
    ) -> dict[str, Any]:
        """Count instead of score; the same arrays, in bm25s's column order (CSC)."""
        self.nonoccurrence_array = None
        rows = np.repeat(np.arange(len(corpus_token_ids)), [len(ids) for ids in corpus_token_ids])
        columns = np.fromiter((token for ids in corpus_token_ids for token in ids), dtype=np.int64)
        cells, frequencies = np.unique(columns * max(1, len(corpus_token_ids)) + rows, return_counts=True)
        column_of_cell, row_of_cell = np.divmod(cells, max(1, len(corpus_token_ids)))
        starts = np.searchsorted(column_of_cell, np.arange(len(unique_token_ids) + 1))
        return {
            "data": frequencies.astype(np.int32),
            "indices": row_of_cell.astype(np.int32),
            "indptr": starts.astype(np.int64),
            "num_docs": len(corpus_token_ids),
        }


@dataclass(frozen=True, slots=True, eq=False)
class Segment:
    """Leaves by row. Never changed once made, so any number of threads may read it.

    Attributes:
        index: token -> (rows, term frequencies).
        node_ids: node id per row.
        lengths: number of tokens per row, shape (rows,).
        groups: the groups of this segment.
        group_codes: position in `groups` per row, shape (rows,).
        leaf_counts: rows per group.
        language_marks: tokens of the vocabulary that name a language.
    """

    index: FrequencyIndex
    node_ids: tuple[str, ...]
    lengths: Ints
    groups: tuple[Group, ...]
    group_codes: Ints
    leaf_counts: Mapping[Group, int] = field(init=False)
    language_marks: tuple[str, ...] = field(init=False)
    _rows: Mapping[str, int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        counts = np.bincount(self.group_codes, minlength=len(self.groups)).tolist()
        marks = tuple(token for token in self.index.vocab_dict if token.startswith(LANGUAGE_MARK))
        object.__setattr__(self, "leaf_counts", dict(zip(self.groups, counts, strict=True)))
        object.__setattr__(self, "language_marks", marks)
        object.__setattr__(self, "_rows", {})

    def __len__(self) -> int:
        return len(self.node_ids)

    def row_of(self, node_id: str) -> int | None:
        """The row of a leaf, None when the segment does not hold it."""
        if len(self._rows) != len(self.node_ids):
            # Made whole before it is seen, as several threads may ask first.
            object.__setattr__(self, "_rows", {key: row for row, key in enumerate(self.node_ids)})
        return self._rows.get(node_id)

    def leaf_ids(self) -> dict[Group, list[str]]:
        """Node ids per group."""
        found: dict[Group, list[str]] = {group: [] for group in self.groups}
        for node_id, code in zip(self.node_ids, self.group_codes.tolist(), strict=True):
            found[self.groups[code]].append(node_id)
        return found

    def postings(self, token: str) -> tuple[Ints, Ints]:
        """The rows that hold `token`, each once, and how often each does."""
        column = self.index.vocab_dict.get(token)
        if column is None:
            return _NONE, _NONE
        start, end = self.index.scores["indptr"][column : column + 2]
        return self.index.scores["indices"][start:end], self.index.scores["data"][start:end]


def build_segment(leaves: Iterable[LeafTokens]) -> Segment:
    """A segment over `leaves`, in their order."""
    rows = tuple(leaves)
    if not rows:
        return merge_segments([])
    vocabulary: dict[str, int] = {}
    token_ids = [[vocabulary.setdefault(token, len(vocabulary)) for token in leaf.tokens] for leaf in rows]
    codes: dict[Group, int] = {}
    group_codes = np.array([codes.setdefault(leaf.group, len(codes)) for leaf in rows], dtype=np.int32)
    index = FrequencyIndex(dtype="int32")
    index.index((token_ids, vocabulary), create_empty_token=False, show_progress=False)
    return Segment(
        index,
        tuple(leaf.node_id for leaf in rows),
        np.array([len(leaf.tokens) for leaf in rows], dtype=np.int32),
        tuple(codes),
        group_codes,
    )


def merge_segments(segments: Sequence[Segment], without: frozenset[Group] = frozenset()) -> Segment:
    """One segment with the rows of `segments` in their order, but for the groups in `without`.

    Works on the arrays; no token sequence is needed, and none is kept in a segment.
    """
    vocabulary: dict[str, int] = {}
    codes: dict[Group, int] = {}
    node_ids: list[str] = []
    lengths, group_codes, columns, rows, frequencies = [], [], [], [], []
    for segment in segments:
        keep = np.array([group not in without for group in segment.groups], dtype=bool)[segment.group_codes]
        new_row = np.cumsum(keep) - 1 + len(node_ids)
        node_ids.extend(node_id for node_id, kept in zip(segment.node_ids, keep, strict=True) if kept)
        lengths.append(segment.lengths[keep])
        new_code = np.array(
            [-1 if group in without else codes.setdefault(group, len(codes)) for group in segment.groups],
            dtype=np.int32,
        )
        group_codes.append(new_code[segment.group_codes][keep])
        new_column = np.zeros(len(segment.index.scores["indptr"]) - 1, dtype=np.int64)
        for token, column in segment.index.vocab_dict.items():
            new_column[column] = vocabulary.setdefault(token, len(vocabulary))
        kept_cells = keep[segment.index.scores["indices"]]
        columns.append(np.repeat(new_column, np.diff(segment.index.scores["indptr"]))[kept_cells])
        rows.append(new_row[segment.index.scores["indices"]][kept_cells])
        frequencies.append(segment.index.scores["data"][kept_cells])
    index = _index_from_cells(vocabulary, len(node_ids), columns, rows, frequencies)
    return Segment(index, tuple(node_ids), _joined(lengths), tuple(codes), _joined(group_codes))


def _index_from_cells(
    vocabulary: dict[str, int], row_count: int, columns: list[Any], rows: list[Any], frequencies: list[Any]
) -> FrequencyIndex:
    column, row, frequency = (
        np.concatenate([np.empty(0, np.int64), *part]) for part in (columns, rows, frequencies)
    )
    used, renumbered = np.unique(column, return_inverse=True)
    name_of = {number: token for token, number in vocabulary.items()}
    order = np.lexsort((row, renumbered))
    index = FrequencyIndex(dtype="int32")
    index.nonoccurrence_array = None
    index.vocab_dict = {name_of[int(number)]: at for at, number in enumerate(used)}
    index.unique_token_ids_set = set(index.vocab_dict.values())
    index.scores = {
        "data": frequency[order].astype(np.int32),
        "indices": row[order].astype(np.int32),
        "indptr": np.searchsorted(renumbered[order], np.arange(len(used) + 1)).astype(np.int64),
        "num_docs": row_count,
    }
    return index


def _joined(parts: list[Ints]) -> Ints:
    return np.concatenate([np.empty(0, np.int32), *parts]).astype(np.int32)


def save_segment(segment: Segment, folder: Path) -> None:
    """Write `segment` into the new folder `folder`, in bm25s's file format plus what belongs to each row."""
    segment.index.save(folder, show_progress=False)
    np.save(folder / _LENGTHS_FILE, segment.lengths)
    np.save(folder / _GROUP_CODES_FILE, segment.group_codes)
    rows = {"node_ids": segment.node_ids, "groups": segment.groups}
    (folder / _ROWS_FILE).write_text(json.dumps(rows, ensure_ascii=False), encoding="utf-8")


def load_segment(folder: Path) -> Segment:
    """Open a saved segment; its big arrays stay on disk (memory-mapped).

    Raises:
        StoreDamagedError: a file is missing, broken, or does not fit the others.
    """
    try:
        index = FrequencyIndex.load(folder, mmap=True, show_progress=False, verbosity=0)
        rows = json.loads((folder / _ROWS_FILE).read_text(encoding="utf-8"))
        segment = Segment(
            index,
            tuple(rows["node_ids"]),
            np.load(folder / _LENGTHS_FILE),
            tuple((str(document_id), int(generation)) for document_id, generation in rows["groups"]),
            np.load(folder / _GROUP_CODES_FILE),
        )
        _check(segment)
    except (OSError, ValueError, KeyError, TypeError, EOFError) as error:
        raise StoreDamagedError(
            f"{folder}: the keyword index cannot be read ({error}). Rebuild it: prism doctor --rebuild."
        ) from error
    return segment


def _check(segment: Segment) -> None:
    """Raise ValueError unless the arrays fit each other."""
    matrix, rows = segment.index.scores, len(segment)
    vocabulary = segment.index.vocab_dict
    fits = (
        rows == matrix["num_docs"] == len(segment.lengths) == len(segment.group_codes)
        and len(matrix["indptr"]) == len(vocabulary) + 1
        and len(matrix["data"]) == len(matrix["indices"]) == int(matrix["indptr"][-1])
        and int(matrix["indices"].max(initial=0)) < max(1, rows)
        and int(segment.group_codes.max(initial=0)) < max(1, len(segment.groups))
        and int(segment.lengths.sum()) == int(matrix["data"].sum())
    )
    if not fits:
        raise ValueError("its files do not fit each other")
