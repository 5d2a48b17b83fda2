"""The notebook in examples/ runs from top to bottom and shows what it promises."""

from __future__ import annotations

import re
import warnings
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOK = ROOT / "examples" / "notebook.ipynb"

pytestmark = pytest.mark.slow


def test_the_notebook_runs_and_finds_the_labels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Jupyter's own
        nbclient = pytest.importorskip("nbclient")
        nbformat = pytest.importorskip("nbformat")
        pytest.importorskip("ipykernel")
        pytest.importorskip("matplotlib")
        monkeypatch.setenv("PYTHONPATH", str(ROOT))
        book = nbformat.read(NOTEBOOK, as_version=4)
        for cell in book.cells:
            cell.pop("outputs", None) if cell.cell_type == "markdown" else cell.update(outputs=[])
        resources = {"metadata": {"path": str(tmp_path)}}
        nbclient.NotebookClient(book, timeout=300, kernel_name="python3", resources=resources).execute()
    outputs = [output for cell in book.cells for output in cell.get("outputs", [])]
    printed = "".join(output.get("text", "") for output in outputs if output.get("name") == "stdout")
    figures = [output for output in outputs if "image/png" in output.get("data", {})]
    assert len(figures) == 5
    found = re.search(r"micro-F1 (0\.\d+)", printed)
    assert found
    assert float(found[1]) > 0.85
    assert [output["text"] for output in outputs if output.get("name") == "stderr"] == []
