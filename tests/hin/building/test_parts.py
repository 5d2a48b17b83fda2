"""Parts that are merged in order give the graph of one pass, wherever they begin and end; on disk or in memory."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hin.arrays.spill import TEXT_BATCH, GrowingColumn
from hin.building.graph_builder import BuildOptions, GraphBuilder
from hin.reading.records import Record, RecordBatch
from hin.stores.folder import FolderStore
from hin.text.phrases import PhraseOptions

WORDS = ["data", "mining", "of", "large", "graphs", "été", "東", "x"]


def records(draw: st.DrawFn) -> list[Record]:
    rows = draw(
        st.lists(
            st.tuples(
                st.lists(st.sampled_from(WORDS), max_size=8),
                st.lists(st.sampled_from(["Ann", "Bob", "Cleo"]), max_size=3),
                st.sampled_from([None, "web", "games"]),
                st.booleans(),
            ),
            min_size=1,
            max_size=12,
        )
    )
    return [
        Record(
            f"p{i}",
            (" ".join(words), "data mining"),
            {"author": authors} | ({"venue": ["KDD"]} if late and i > 3 else {}),
            label,
            {"cites": [f"p{(i * 7) % 15}"]},
            ("-", i + 1),
        )
        for i, (words, authors, label, late) in enumerate(rows)
    ]


def built(rows: list[Record], cuts: list[int], scratch: Path | None = None) -> GraphBuilder:
    mining = PhraseOptions(min_count=2, threshold=0.1)
    builder = GraphBuilder(BuildOptions(mining=mining), scratch, lambda: ["title", "text"])
    edges = [0, *sorted(cut % (len(rows) + 1) for cut in cuts), len(rows)]
    for first, stop in zip(edges, edges[1:], strict=False):
        if first < stop:
            builder.add(RecordBatch.of(rows[first:stop]))
    return builder


@given(rows=st.composite(records)(), cuts=st.lists(st.integers(0, 20), max_size=4))
def test_any_cut_gives_the_same_graph(rows: list[Record], cuts: list[int]) -> None:
    whole = built(rows, []).finish(["title", "text"])
    assert whole.equals(built(rows, cuts).finish(["title", "text"]))


@pytest.mark.slow
def test_what_waits_on_disk_gives_the_same_bytes(tmp_path: Path) -> None:
    rows = [
        Record(f"p{i}", (f"graph mining {i % 50}", "text"), {"author": [f"a{i % 9}"]}, None, {}, ("-", i))
        for i in range(2 * TEXT_BATCH + 5)
    ]
    kept = FolderStore(tmp_path / "memory.hin")
    kept.write_graph(built(rows, []).finish(["title", "text"]), options={})
    spilled = FolderStore(tmp_path / "disk.hin")
    with spilled.scratch() as scratch:
        graph = built(rows, [7, 40, 20_000], scratch).finish(["title", "text"])
        assert isinstance(graph.tokens.targets, np.memmap)
        spilled.write_graph(graph, options={})
    one, other = kept.stage("load"), spilled.stage("load")
    assert one is not None
    assert other is not None
    assert one.identity == other.identity
    assert sorted(path.name for path in (tmp_path / "disk.hin").iterdir()) == [".lock", other.identity, "manifest.json"]
    assert spilled.read_graph().equals(kept.read_graph())


def test_leavings_of_a_killed_load_are_removed(tmp_path: Path) -> None:
    store = FolderStore(tmp_path / "papers.hin")
    (tmp_path / "papers.hin" / ".tmp-scratch").mkdir(parents=True)
    (tmp_path / "papers.hin" / ".tmp-scratch" / "texts.arrow").write_text("half")
    with store.scratch() as scratch:
        assert list(scratch.iterdir()) == []


@pytest.mark.parametrize("on_disk", [False, True])
def test_a_column_may_stay_empty(tmp_path: Path, on_disk: bool) -> None:
    column = GrowingColumn(np.int32, tmp_path / "a.npy" if on_disk else None)
    assert column.array().tolist() == []


def test_raw_tokens_wait_in_files(tmp_path: Path) -> None:
    builder = GraphBuilder(scratch=tmp_path, text_names=lambda: ["text"])
    for number in range(3):
        texts = [(" ".join(WORDS),)]
        builder.add(RecordBatch([f"p{number}"], texts, {}, [None], {}, [("-", number)]))
        held = (tmp_path / "raw-tokens.npy").stat().st_size
        assert held >= 4 * (number + 1) * len(WORDS)
    assert builder.finish(["text"]).tokens.n_edges == 3 * len(WORDS)


def test_a_column_in_a_file_can_be_changed_there(tmp_path: Path) -> None:
    column = GrowingColumn(np.int32, tmp_path / "a.npy")
    column.add(np.arange(3))
    array = column.array(changing=True)
    array[1] = 9
    assert np.load(tmp_path / "a.npy").tolist() == [0, 9, 2]
    assert GrowingColumn(np.int32, tmp_path / "b.npy").array(changing=True).tolist() == []
