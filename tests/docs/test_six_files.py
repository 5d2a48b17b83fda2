"""The six messy files of the docs: from raw file to labels with at most one option, and the labels are right."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hin
from classify import MotifClassifier
from hin.reading.options import LoadOptions
from tests.docs.page_examples import ROOT

pytestmark = pytest.mark.slow  # whole runs

#: What is loaded, and the one option that it may need.
FILES: dict[str, tuple[str, dict[str, Any]]] = {
    "films": ("films.csv", {}),
    "complaints": ("complaints.xlsx", {}),
    "mail": ("mail.db", {}),
    "nachrichten": ("nachrichten.zip", {}),
    "recipes": ("recipes.jsonl.gz", {"on_error": "skip"}),
    "posts": ("posts.feather", {"separator": ","}),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("six")
    subprocess.run([sys.executable, ROOT / "examples" / "make_six_files.py", made], check=True)
    return made


@pytest.mark.parametrize("name", FILES)
def test_from_the_raw_file_to_labels(name: str, folder: Path, tmp_path: Path) -> None:
    file, option = FILES[name]
    assert len(option) <= 1
    graph = hin.load_into(tmp_path / "g.hin", str(folder / file), LoadOptions(**option)).graph
    truth = json.loads((folder / "truth.json").read_text())[name]
    full = [i for i in range(len(graph)) if any(graph.texts[i])]  # a recipe has no text
    assert len(full) == len(truth)
    model = MotifClassifier(folder / f"{name}.txt", classifier="linear", n_jobs=1).fit(graph)
    right = np.mean(model.predict(graph)[full] == np.array(truth))
    assert right > 0.9, right


def test_the_page_uses_one_option_at_most() -> None:
    page = (ROOT / "docs" / "how-to" / "six-files.md").read_text(encoding="utf-8")
    loads = [line for line in page.splitlines() if line.startswith("$ hin load")]
    assert len(loads) == 7 and all(line.count(" --") - line.count(" --graph") <= 1 for line in loads)
