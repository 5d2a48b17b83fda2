"""Views that are placed once and found again; whatever shapes them makes them anew."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from classify.documents.encoder import Encoded
from classify.documents.feature_blocks import FeatureBlocks
from classify.documents.sequences import Sequences
from classify.documents.stored_documents import StoredDocuments
from classify.views import placing
from classify.views.base import Space, View
from classify.views.joint import JointView
from classify.views.placing import place_view
from classify.views.tf_idf import TfidfView
from hin.engines.local import LocalEngine


def blocks(scratch: Path, n: int = 40) -> FeatureBlocks:
    counts = sparse.csr_array((np.random.default_rng(0).random((n, 30)) < 0.2).astype(np.float32))
    rows = Encoded(counts, Sequences.of([[0]] * n))
    stored = StoredDocuments.of(scratch / "encoded", [rows], 30)
    return FeatureBlocks(
        stored, np.ones(30, bool), np.ones(30, dtype=np.float32), None, LocalEngine("local:1"), scratch
    )


def stand(place: Path, view: View, seed: int = 0) -> tuple[bytes, bytes]:
    space: Space = place_view(blocks(place), view, np.random.default_rng(seed), 1, place / "kept")
    return np.asarray(space.documents).tobytes(), np.asarray(space.instances).tobytes()


@pytest.mark.parametrize("view", [TfidfView(rank=3), JointView(np.eye(30, dtype=np.float32))])
def test_where_documents_stand_is_found_again(tmp_path: Path, view: View, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = place_view(blocks(tmp_path / "plain"), view, np.random.default_rng(0))
    first = stand(tmp_path, view)
    assert first == (np.asarray(plain.documents).tobytes(), np.asarray(plain.instances).tobytes())
    monkeypatch.setattr(type(view), "instances", lambda *given: 1 / 0)
    assert stand(tmp_path, view) == first
    for file in (tmp_path / "kept").glob("*.placed/documents/*"):
        file.write_bytes(file.read_bytes()[:-4])
    monkeypatch.undo()
    assert stand(tmp_path, view) == first


def test_another_seed_or_number_places_anew(tmp_path: Path) -> None:
    view = TfidfView(rank=3)
    assert stand(tmp_path, view) == stand(tmp_path, view)
    stand(tmp_path, view, seed=1)
    stand(tmp_path, TfidfView(rank=2))
    assert len(list((tmp_path / "kept").iterdir())) == 3


def test_of_a_large_view_the_vectors_are_kept_and_a_damaged_file_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = TfidfView(rank=3)
    whole = stand(tmp_path / "small", view)
    monkeypatch.setattr(placing, "_MOST_CACHED", 100)
    assert stand(tmp_path, view) == whole
    (file,) = (tmp_path / "kept").iterdir()
    assert file.suffix == ".npy"
    with monkeypatch.context() as only:
        only.setattr(TfidfView, "instances", lambda *given: 1 / 0)
        assert stand(tmp_path, view) == whole
    file.write_bytes(b"no numbers")
    assert stand(tmp_path, view) == whole
    np.save(file, np.zeros((2, 2), dtype=np.float32))  # of other documents
    assert stand(tmp_path, view) == whole


def test_a_view_without_a_cache_key_is_placed_each_time(tmp_path: Path) -> None:
    class Plain:
        name = "plain"

        def instances(self, features: object, rng: np.random.Generator, threads: int = 1) -> np.ndarray:
            return np.eye(30, dtype=np.float32)

        def rows(self, features: FeatureBlocks) -> object:
            return features.trusted

    stand(tmp_path, Plain())
    assert not (tmp_path / "kept").exists()
