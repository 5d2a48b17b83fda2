"""The inputs and outputs of the kernels, as named tuples of arrays."""

from __future__ import annotations

from typing import Any, NamedTuple

#: The columns of a piece: its document, its instance edges and its tokens (half-open ranges).
DOCUMENT, INSTANCES_START, INSTANCES_END, TOKENS_START, TOKENS_END = range(5)
#: The columns of a lane's statistics: positive edges, loss, edges that the loss was measured on.
EDGES, LOSS, MEASURED = range(3)


class TrainingShape(NamedTuple):
    """The sizes and settings that stay constant during training."""

    n_instances: int
    term_offset: int
    n_terms: int
    window: int
    shrink: int  # 1: the window of each centre is drawn from 1..window
    negatives: int
    group: int  # document edges that share their negatives
    passes: int  # times the document edges are visited in an epoch
    document_pool: int
    term_pool: int
    sphere: int
    lanes: int


class EdgeTables(NamedTuple):
    """Edges and sampling probabilities; `pieces` is int64[n, 5], one column for each constant above."""

    pieces: Any
    lane_starts: Any
    instances: Any
    tokens: Any
    keep_instance: Any
    keep_token: Any
    document_accept: Any
    document_alias: Any
    term_accept: Any
    term_alias: Any


class Lanes(NamedTuple):
    """Buffers of all lanes; the first axis is the lane."""

    vectors: Any  # float32[lanes, rows + 1, width]: copies of table rows, the last one stays zero
    kappa: Any  # float32[lanes, rows + 1]
    rows: Any  # int32[lanes, rows]: which table row a slot is a copy of
    counts: Any  # int64[lanes]: slots in use
    buckets: Any  # int32[lanes, 2^k]: hash table from row to slot
    documents: Any  # slots of the pieces' documents
    lefts: Any  # slots of the pieces' instances, one after the other
    token_lefts: Any  # slots of the kept tokens as terms
    token_rights: Any  # slots of the kept tokens as contexts
    ends: Any  # int32[lanes, pieces, 2]: where each piece ends in `lefts` and in the tokens
    document_pool: Any  # slots of the drawn negatives
    term_pool: Any
    stats: Any  # float64[lanes, 3], one column for each constant above
    chain: Any  # int32[lanes, rows]: next copy of the same row, while merging
