"""The results of the stages as plain Arrow tables: motifs, categories, selections, predictions.

The stages to the right of `hin` fill these tables and every store shows them, so that no store has to import the
package that made them. A stage's folder holds only the tables that this stage adds; `Findings.open` combines the
folders of the later stages, and tables of a later stage replace those of an earlier one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from hin.arrays.arrow_columns import numbers, texts
from hin.arrays.types import Doubles
from hin.errors import DamagedGraph
from hin.files.checked import arrow_type, check_range, damaged, read_table
from hin.graph import Csr, Graph
from hin.stages import current

if TYPE_CHECKING:
    import pyarrow as pa

    from hin.stores.answers import Answer

#: The sub-folder of a stage's folder.
FOLDER = "findings"
#: What is found about each document or motif, in its order.
_LONE = ("has_motif", "kappa", "chance")


def _schemas() -> dict[str, pa.Schema]:
    import pyarrow as pa

    return {
        "motifs": pa.schema(
            {
                "pattern": pa.large_string(),
                "name": pa.large_string(),
                "documents": pa.int32(),
                "part_types": pa.list_(pa.string()),
                "part_nodes": pa.list_(pa.int32()),
            }
        ),
        # One list per document: the motif instances it holds.
        "has_motif": pa.schema({"motifs": pa.large_list(pa.int32())}),
        # One row per motif instance.
        "kappa": pa.schema({"kappa": pa.float64()}),
        # One row per motif instance; null where it was not compared.
        "chance": pa.schema({"expected": pa.float64(), "lift": pa.float64(), "q": pa.float64()}),
        "categories": pa.schema({"name": pa.large_string(), "kappa": pa.float64()}),
        "indicates": pa.schema(
            {"motif": pa.int32(), "category": pa.int32(), "position": pa.int32(), "cosine": pa.float64()}
        ),
        # A category and what is above it in the tree.
        "part_of": pa.schema({"category": pa.int32(), "parent": pa.int32()}),
        "classified": pa.schema({"document": pa.int32(), "category": pa.int32(), "confidence": pa.float64()}),
        "labelled": pa.schema(
            {
                "document": pa.int32(),
                "category": pa.int32(),
                "source": pa.large_string(),
                "confidence": pa.float64(),
                "at": pa.large_string(),
            }
        ),
    }


@dataclass(frozen=True, eq=False)
class Findings:
    """Motif instances, categories, indicators, and the documents' categories; each may be absent.

    Attributes
    ----------
    motifs : pa.Table or None
        `pattern, name, documents, part_types, part_nodes`; the node ids are positions in `graph.names(part_type)`.
    has_motif : Csr or None
        Document to motif instances.
    kappa : float64 array or None
        The specificity of each motif instance.
    chance : pa.Table or None
        `expected, lift, q`: the documents of each motif instance against chance.
    categories : pa.Table or None
        `name, kappa`.
    indicates : pa.Table or None
        `motif, category, position, cosine`; position 1 is the strongest.
    classified : pa.Table or None
        `document, category, confidence`; a document may have several.
    part_of : pa.Table or None
        `category, parent`, where the categories are a tree.
    labelled : pa.Table or None
        `document, category, source, confidence, at`: the answers, from their log; not of a stage.

    Examples
    --------
    >>> found = Findings.of(
    ...     motifs=[("venue", "VENUE[KDD]", 2, [("venue", 0)])], has_motif=Csr.from_lists([[0], [0]]), kappa=[40.0],
    ...     categories=[("data mining", 55.0)], indicates=[(0, 0, 1, 0.9)], classified=[(0, 0, 0.8), (1, 0, 0.7)])
    >>> found.motifs.column("name").to_pylist(), found.kappa.tolist()
    (['VENUE[KDD]'], [40.0])
    """

    motifs: pa.Table | None = None
    has_motif: Csr | None = None
    kappa: Doubles | None = None
    chance: pa.Table | None = None
    categories: pa.Table | None = None
    indicates: pa.Table | None = None
    classified: pa.Table | None = None
    part_of: pa.Table | None = None
    labelled: pa.Table | None = None

    @classmethod
    def of(
        cls,
        *,
        motifs: Iterable[tuple[str, str, int, Sequence[tuple[str, int]]]] | None = None,
        has_motif: Csr | None = None,
        kappa: npt.ArrayLike | None = None,
        categories: Iterable[tuple[str, float | None]] | None = None,
        indicates: Iterable[tuple[int, int, int, float]] | None = None,
        classified: Iterable[tuple[int, int, float]] | None = None,
        part_of: Iterable[tuple[int, int]] | None = None,
    ) -> Findings:
        """Make findings from Python rows (`pattern, name, documents, [(part type, node id), ...]` and so on)."""
        motif_rows = None
        if motifs is not None:
            motif_rows = [
                (pattern, name, documents, [t for t, _ in parts], [int(node) for _, node in parts])
                for pattern, name, documents, parts in motifs
            ]
        return cls(
            motifs=_from_rows("motifs", motif_rows),
            has_motif=has_motif,
            kappa=None if kappa is None else np.asarray(kappa, dtype=np.float64),
            categories=_from_rows("categories", categories),
            indicates=_from_rows("indicates", indicates),
            classified=_from_rows("classified", classified),
            part_of=_from_rows("part_of", part_of),
        )

    @staticmethod
    def labels(documents: npt.ArrayLike, categories: npt.ArrayLike, confidence: npt.ArrayLike) -> pa.Table:
        """Build the table `classified` from its three columns.

        >>> Findings.labels([0, 2], [1, 0], [0.5, 0.9]).num_rows
        2
        """
        import pyarrow as pa

        columns = [numbers(documents, "int32"), numbers(categories, "int32"), numbers(confidence, "float64")]
        return pa.Table.from_arrays(columns, schema=_schemas()["classified"])

    def __bool__(self) -> bool:
        return self.motifs is not None or self.categories is not None

    def save(self, stage: Path) -> None:
        """Write the tables that are not absent into a stage's folder.

        Examples
        --------
        >>> import tempfile
        >>> folder = Path(tempfile.mkdtemp())
        >>> Findings.of(categories=[("games", None)]).save(folder)
        >>> Findings.open([folder]).categories.to_pylist()
        [{'name': 'games', 'kappa': None}]
        """
        import pyarrow as pa

        folder = stage / FOLDER
        folder.mkdir(parents=True, exist_ok=True)
        for name, table in self._tables().items():
            with pa.OSFile(str(folder / f"{name}.arrow"), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
                writer.write_table(table, max_chunksize=1 << 20)

    @classmethod
    def open(cls, stages: Iterable[Path]) -> Findings:
        """Combine the tables of several stage folders; later ones replace earlier ones."""
        found: dict[str, Any] = {}
        for stage in stages:
            for name, schema in _schemas().items():
                if name == "labelled":  # the answers' log has them
                    continue
                path = stage / FOLDER / f"{name}.arrow"
                if not path.exists():
                    continue
                found[name] = read_table(path, {field.name: arrow_type(field.type) for field in schema})
                if name == "motifs":  # the findings about the earlier motifs do not hold for these
                    for stale in ("has_motif", "kappa", "chance", "indicates"):
                        if not (stage / FOLDER / f"{stale}.arrow").exists():
                            found.pop(stale, None)
        _check_together(found)
        if "has_motif" in found:
            found["has_motif"] = _csr_from_lists(found["has_motif"].column(0))
        if "kappa" in found:
            found["kappa"] = found["kappa"].column(0).to_numpy()
        return cls(**found)

    @classmethod
    def of_store(cls, store: Any) -> Findings:
        """Return the findings of a store's current stages."""
        return cls.open(Path(stage.path) for stage in current(store).values())

    def with_answers(self, answers: Iterable[Answer], graph: Graph) -> Findings:
        """Add answers that name a category; a category that no stage has found is added too."""
        import pyarrow as pa

        categories = self.categories if self.categories is not None else _schemas()["categories"].empty_table()
        number = {name: i for i, name in enumerate(categories.column("name").to_pylist())}
        rows = {
            (graph.documents.index(answer.document), number.setdefault(name, len(number)), answer.source): answer
            for answer in answers
            for name in answer.categories
        }
        if not rows:
            return self
        added = [(name, None) for name in list(number)[len(categories) :]]
        schema = _schemas()["labelled"]
        columns = zip(*((*key, answer.confidence, answer.at) for key, answer in rows.items()), strict=True)
        arrays = [pa.array(column, kind.type) for column, kind in zip(columns, schema, strict=True)]
        extended = pa.concat_tables([categories, _from_rows("categories", added)]) if added else categories
        return replace(self, categories=extended, labelled=pa.table(arrays, schema=schema))

    def filled(self) -> Findings:
        """Return the findings with an empty table in the place of each that is missing."""
        tables = {name: schema.empty_table() for name, schema in _schemas().items() if name not in _LONE}
        return replace(self, **{name: table for name, table in tables.items() if getattr(self, name) is None})

    def check(self, graph: Graph) -> None:
        """Raise if the findings refer to documents or nodes that a graph does not have."""
        where, n = Path(FOLDER), len(graph)
        if self.has_motif is not None and len(self.has_motif.offsets) != n + 1:
            raise damaged(where / "has_motif.arrow", "it belongs to another graph")
        if self.classified is not None:
            check_range(where / "classified.arrow", self.classified.column("document").to_numpy(), n)
        if self.motifs is not None and len(self.motifs):
            types = self.motifs.column("part_types").combine_chunks()
            nodes = self.motifs.column("part_nodes").combine_chunks()
            path = where / "motifs.arrow"
            if not types.offsets.equals(nodes.offsets):
                raise damaged(path, "its parts do not fit together")
            encoded, numbers = types.flatten().dictionary_encode(), nodes.flatten().to_numpy()
            kinds = encoded.dictionary.to_pylist()
            if not set(kinds) <= set(graph.node_types):
                raise damaged(path, "it belongs to another graph")
            sizes = np.array([len(graph.names(kind)) for kind in kinds] or [0])
            if len(numbers) and bool(((numbers < 0) | (numbers >= sizes[encoded.indices.to_numpy()])).any()):
                raise damaged(path, "numbers out of range")

    def identity(self) -> str:
        """Return a hash of the content, sixteen hexadecimal digits.

        >>> len(Findings.of(categories=[("games", None)]).identity())
        16
        """
        import pyarrow as pa

        digest = hashlib.sha256()
        for name, table in sorted(self._tables().items()):
            digest.update(name.encode())
            sink = pa.BufferOutputStream()
            with pa.ipc.new_stream(sink, table.schema) as writer:
                writer.write_table(table.combine_chunks())
            digest.update(sink.getvalue())
        return digest.hexdigest()[:16]

    def _tables(self) -> dict[str, pa.Table]:
        import pyarrow as pa

        tables: dict[str, pa.Table] = {}
        for name in ("motifs", "chance", "categories", "indicates", "classified", "part_of"):
            table = getattr(self, name)
            if table is not None:
                tables[name] = table.cast(_schemas()[name])
        if self.has_motif is not None:
            offsets, targets = numbers(self.has_motif.offsets, "int64"), numbers(self.has_motif.targets, "int32")
            lists = pa.LargeListArray.from_arrays(offsets, targets)
            tables["has_motif"] = pa.table({"motifs": lists})
        if self.kappa is not None:
            tables["kappa"] = pa.table({"kappa": numbers(self.kappa, "float64")})
        return tables


def _check_together(found: dict[str, Any]) -> None:
    """Raise if the tables refer to motifs, categories or documents that do not exist."""
    sizes = {name: found[name].num_rows if name in found else 0 for name in ("motifs", "categories", "has_motif")}
    numbers = [("has_motif", "motifs", sizes["motifs"]), ("indicates", "motif", sizes["motifs"])]
    numbers += [("indicates", "category", sizes["categories"]), ("classified", "category", sizes["categories"])]
    numbers += [("part_of", column, sizes["categories"]) for column in ("category", "parent")]
    for name, column, below in numbers:
        # What refers to motifs is not shown without them, so it need not be right.
        if name in found and not (column.startswith("motif") and "motifs" not in found):
            for chunk in found[name].column(column).chunks:
                values = chunk.flatten() if column == "motifs" else chunk
                if values.null_count:
                    raise DamagedGraph(f"the findings in {name} are damaged", hint="run the stage again")
                check_range(Path(FOLDER, f"{name}.arrow"), values.to_numpy(), below)
    for name in ("kappa", "chance"):
        if name in found and "motifs" in found and found[name].num_rows != sizes["motifs"]:
            raise DamagedGraph(f"the findings in {name} and motifs do not fit together", hint="run the stage again")


def _from_rows(name: str, rows: Iterable[Sequence[Any]] | None) -> pa.Table | None:
    import pyarrow as pa

    if rows is None:
        return None
    schema = _schemas()[name]
    columns = list(zip(*rows, strict=True))
    if not columns:
        return schema.empty_table()
    return pa.table([_column(column, field.type) for column, field in zip(columns, schema, strict=True)], schema=schema)


def _column(values: Sequence[Any], kind: pa.DataType) -> pa.Array:
    import pyarrow as pa

    if pa.types.is_large_string(kind):
        return texts(values)
    return pa.array(values, type=kind) if pa.types.is_nested(kind) else numbers(values, kind.to_pandas_dtype())


def _csr_from_lists(column: pa.ChunkedArray) -> Csr:
    lengths, values = [], []
    for chunk in column.chunks:
        lengths.append(np.diff(chunk.offsets.to_numpy()))
        values.append(chunk.flatten().to_numpy())
    targets = np.concatenate(values) if values else np.empty(0, np.int32)
    return Csr.from_lengths(np.concatenate(lengths) if lengths else [], targets.astype(np.int32, copy=False))
