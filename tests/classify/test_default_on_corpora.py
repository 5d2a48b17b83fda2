"""The default recipe on samples of the real corpora, where they are."""

from __future__ import annotations

import json
import lzma
import os
from pathlib import Path

import numpy as np
import pytest

import hin
from classify import MotifClassifier, evaluate, read_categories, true_codes

HOME = Path(os.environ.get("HIN_CORPORA") or Path(__file__).resolve().parents[3] / "shared" / "corpora")

pytestmark = pytest.mark.corpus


@pytest.mark.parametrize(("name", "micro", "macro"), [("debian", 0.72, 0.48), ("arxiv-cs", 0.44, 0.38)])
def test_three_thousand_documents_reach_the_floor(name: str, micro: float, macro: float, tmp_path: Path) -> None:
    if not (HOME / name).is_dir():
        pytest.skip(f"no corpus {name}: set HIN_CORPORA to the folder that holds it")
    with lzma.open(HOME / name / "documents.jsonl.xz", "rt", encoding="utf-8") as file:
        lines = list(file)
    chosen = np.sort(np.random.default_rng(1).permutation(len(lines))[:3000])
    (tmp_path / "sample.jsonl").write_text("".join(lines[i] for i in chosen.tolist()), encoding="utf-8")
    graph = hin.load(tmp_path / "sample.jsonl")
    categories = read_categories(HOME / name / "labels.txt")
    model = MotifClassifier(categories, classifier="linear").fit(graph)
    figures = evaluate(true_codes(graph.labels, model.classes_), model.labels_, model.classes_)
    assert figures["micro_f1"] > micro
    assert figures["macro_f1"] > macro
    rows = [json.loads(lines[i]) for i in chosen[:40].tolist()]
    assert (model.predict(rows) == np.array(model.classes_)[model.labels_[:40]]).all()
