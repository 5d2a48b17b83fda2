"""Views that are kept: the same vectors, placed once; whatever shapes them makes them anew."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from classify.documents.encoder import Encoded
from classify.documents.feature_blocks import FeatureBlocks
from classify.documents.features import Features
from classify.documents.sequences import Sequences
from classify.documents.stored_documents import StoredDocuments
from classify.views import placed as placing_again
from classify.views.base import View
from classify.views.joint import JointView
from classify.views.kept import KeptView, keeping, views_folder
from classify.views.placing import place_view
from classify.views.tf_idf import TfidfView
from hin.engines.local import LocalEngine


def features(n: int = 40) -> Features:
    counts = sparse.csr_array((np.random.default_rng(0).random((n, 30)) < 0.2).astype(np.float32))
    return Features(counts, np.ones(30, bool), np.ones(30, dtype=np.float32))


def placed(view: KeptView, seed: int = 0) -> np.ndarray:
    return np.asarray(view.instances(features(), np.random.default_rng(seed)))


def test_vectors_are_placed_once_and_stay_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (view,) = keeping([TfidfView(rank=3)], tmp_path)
    first = placed(view)
    np.testing.assert_array_equal(first, TfidfView(rank=3).instances(features(), np.random.default_rng(0)))
    made: list[int] = []
    whole = TfidfView.instances
    monkeypatch.setattr(TfidfView, "instances", lambda *given: made.append(1) or whole(*given))
    np.testing.assert_array_equal(placed(view), first)
    assert made == []
    placed(view, seed=1)
    placed(KeptView(TfidfView(rank=2), tmp_path))
    assert len(made) == 2


def test_a_damaged_file_is_made_again(tmp_path: Path) -> None:
    view = KeptView(TfidfView(rank=3), tmp_path)
    first = placed(view)
    (file,) = tmp_path.iterdir()
    file.write_bytes(b"no numbers")
    np.testing.assert_array_equal(placed(view), first)
    np.save(file, np.zeros((2, 2), dtype=np.float32))  # of other documents
    np.testing.assert_array_equal(placed(view), first)


def test_what_belongs_to_another_embedding_is_removed(tmp_path: Path) -> None:
    placed(KeptView(TfidfView(rank=3), views_folder(tmp_path, "one")))
    assert views_folder(tmp_path, "two") == tmp_path / ".views" / "two"
    assert list((tmp_path / ".views").iterdir()) == []
    assert keeping([TfidfView()], None) == [TfidfView()]


def blocks(scratch: Path) -> FeatureBlocks:
    whole = features()
    rows = Encoded(whole.counts, Sequences.of([[0]] * whole.n_documents))
    stored = StoredDocuments.of(scratch / "encoded", [rows], whole.counts.shape[1])
    return FeatureBlocks(stored, whole.single, whole.trust, None, LocalEngine("local:1"), scratch)


@pytest.mark.parametrize("view", [TfidfView(rank=3), JointView(np.eye(30, dtype=np.float32))])
def test_where_documents_stand_is_found_again(tmp_path: Path, view: View, monkeypatch: pytest.MonkeyPatch) -> None:
    def stand(scratch: str) -> tuple[bytes, bytes]:
        (kept,) = keeping([view], tmp_path / "kept")
        space = placing_again.placed(blocks(tmp_path / scratch), kept, np.random.default_rng(0))
        return np.asarray(space.documents).tobytes(), np.asarray(space.instances).tobytes()

    plain = place_view(blocks(tmp_path / "plain"), view, np.random.default_rng(0))
    first = stand("first")
    assert first == (np.asarray(plain.documents).tobytes(), np.asarray(plain.instances).tobytes())
    monkeypatch.setattr(placing_again, "place_view", lambda *given: 1 / 0)
    assert stand("second") == first
    for file in (tmp_path / "kept").glob("*.placed/documents/*"):
        file.write_bytes(file.read_bytes()[:-4])
    monkeypatch.undo()
    assert stand("damaged") == first


def test_what_is_large_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(placing_again, "_ROOM", 100)
    placing_again.placed(blocks(tmp_path), KeptView(TfidfView(rank=3), tmp_path / "kept"), np.random.default_rng(0))
    assert [file.suffix for file in (tmp_path / "kept").iterdir()] == [".npy"]
